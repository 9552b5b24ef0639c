"""What is simulated: one rule set with one lineup and number of players."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from experiments.core.conserved import Conserved
from sim import games
from sim.listener import Listener
from sim.parameters import Rules
from sim.table import Table
from strategies.base import Strategy
from strategies.registry import make
from strategies.restricted_play import check_options


class UsageError(ValueError):
    """Something that a user asked for and cannot have; says what is allowed."""


@dataclass(frozen=True)
class Cell:
    """One rule set, one lineup, one number of players, one seed.

    ``lineup`` holds a spec or a strategy for each seat; one fills all. With
    ``rotate``, seat s of game g has the strategy number s + g, so every strategy sits
    in every seat.
    ``label`` names the lineup in tables. ``trial`` is an experiment on the deals
    (``sim.games.Game.trial``). ``branching`` says which decisions are tried with every
    option: one ``core.branching.Branching``, several, or None. ``knocked`` says which
    options are knocked out (``core.knocked.Knocked``). ``again`` numbers plays of the
    same deals: all that is not dealt before the game, or by it in a new deal, is drawn
    anew for each. ``measured`` is the kind of cell that it is in a report, where that
    reads few measures of such cells (``GameReport.read_in``); "": all are taken.
    """

    game: str
    rules: Rules
    players: int
    lineup: tuple[str | Strategy, ...]
    rotate: bool = False
    seed: int = 0
    label: str = ""
    trial: Any = None
    branching: Any = None
    knocked: Any = None
    again: int = 0
    measured: str = ""

    def __post_init__(self) -> None:
        """Refuse what cannot be played, before anything is simulated."""
        known = games.load(self.game)
        if self.players not in known.players:
            allowed = ", ".join(map(str, known.players))
            raise UsageError(
                f"players: {self.players} cannot play {self.game}. Allowed: {allowed}."
            )
        self.rules.check(self.players)
        object.__setattr__(self, "lineup", _filled(self.lineup, self.players))

    def strategies(self) -> list[Strategy]:
        """The strategy of each seat, in game 0."""
        specs = {one for one in self.lineup if isinstance(one, str)}
        made = {spec: make(self.game, spec) for spec in specs}
        found = [made[one] if isinstance(one, str) else one for one in self.lineup]
        different = distinct(found)
        _check_titles(different)
        check_options(games.load(self.game), self.rules, self.players, different)
        return found

    def resolved(self) -> "Cell":
        """With strategies where there are specs, which may be paths."""
        return replace(self, lineup=tuple(self.strategies()))

    @property
    def cost(self) -> int:
        """About how many games its costliest seat plays out for each option, or 1."""
        return max(one.cost for one in self.strategies())

    def title(self) -> str:
        """The lineup in words."""
        return self.label or ",".join(one.title for one in self.strategies())


How = Literal["compare", "decline", "trial"]


@dataclass(frozen=True)
class Pair:
    """A what-if: two cells that play the same games, with one thing changed.

    ``how`` says what is changed, and with it what is counted of both: in "compare"
    (other rules, or another lineup) every measure, game by game
    (``experiments.core.paired_sums``); where a seat of the other cell goes without a
    decision once ("decline"), or a card of each hand is lacking there ("trial"), what
    the game's report says of such pairs. Its name, players and rules are those of
    ``one``. Raises ``UsageError`` where the games have no counterpart.
    """

    one: Cell
    other: Cell
    how: How = "compare"

    def __post_init__(self) -> None:
        """Refuse cells whose games cannot be the same."""
        one, other = self.one, self.other
        if (other.game, other.players) != (one.game, one.players):
            raise UsageError(
                f"the games of {one.game} with {one.players} players have no "
                f"counterpart in those of {other.game} with {other.players}."
            )

    @property
    def game(self) -> str:
        """The id of the game."""
        return self.one.game

    @property
    def players(self) -> int:
        """How many play."""
        return self.one.players

    @property
    def seed(self) -> int:
        """The seed of the first cell's games."""
        return self.one.seed

    @property
    def rules(self) -> Rules:
        """The rules that the other cell's are compared with."""
        return self.one.rules

    def strategies(self) -> list[Strategy]:
        """The strategy of each seat, in game 0 of the first cell."""
        return self.one.strategies()

    def resolved(self) -> "Pair":
        """With strategies where there are specs, which may be paths."""
        return Pair(self.one.resolved(), self.other.resolved(), self.how)

    @property
    def cost(self) -> int:
        """As of the first cell."""
        return self.one.cost

    def title(self) -> str:
        """The first cell's lineup in words."""
        return self.one.title()


def unpaired(cells: Sequence[Cell | Pair], where: object) -> tuple[Cell, ...]:
    """The cells, where none is a pair; raises ``UsageError``, which says where."""
    found = tuple(cell for cell in cells if isinstance(cell, Cell))
    if len(found) < len(cells):
        raise UsageError(f"{where}: this run is a comparison itself.")
    return found


def on_trial(cell: Cell) -> Pair:
    """The games of an experiment on deals, each against its second game."""
    turned = replace(cell, trial=replace(cell.trial, turned=True))
    return Pair(cell, turned, "trial")


def _filled(
    lineup: tuple[str | Strategy, ...], players: int
) -> tuple[str | Strategy, ...]:
    """A strategy for each seat; raises ``UsageError``."""
    if len(lineup) not in (1, players):
        raise UsageError(
            f"lineup: {len(lineup)} strategies for {players} players. "
            f"Allowed: 1 (it fills all seats) or {players}."
        )
    return lineup * players if len(lineup) == 1 else lineup


def _check_titles(strategies: list[Strategy]) -> None:
    """Refuse two that tables could not tell apart; raises ``UsageError``."""
    titles = [one.title for one in strategies]
    for title in titles:
        if titles.count(title) > 1:
            raise UsageError(
                f"lineup: two different strategies are both called {title!r}."
            )


_Sits = TypeVar("_Sits")


def distinct(lineup: Sequence[_Sits]) -> list[_Sits]:
    """Those that differ, in the order of the seats; they need not be hashable."""
    found: list[_Sits] = []
    for one in lineup:
        if not any(_same(one, other) for other in found):
            found.append(one)
    return found


def _same(one: object, other: object) -> bool:
    if one is other:
        return True
    try:
        return type(one) is type(other) and bool(one == other)
    except ValueError:  # of arrays
        return False


def seating(
    lineup: Sequence[_Sits], rotate: bool, numbers: NDArray[np.uint64]
) -> tuple[list[_Sits], NDArray[np.uint8]]:
    """The different strategies, and which of them sits (seats, games) where."""
    different = distinct(lineup)
    place = numbers_in(different, lineup)
    players = len(lineup)
    seats = np.arange(players, dtype=np.uint64)[:, None]
    turn = numbers % np.uint64(players) if rotate else np.zeros_like(numbers)
    return different, place[(seats + turn) % np.uint64(players)]


def numbers_in(
    different: Sequence[_Sits], lineup: Sequence[_Sits]
) -> NDArray[np.uint8]:
    """(seats,) which of the different ones each of a lineup is."""
    found = (
        next(n for n, other in enumerate(different) if _same(one, other))
        for one in lineup
    )
    return np.fromiter(found, dtype=np.uint8, count=len(lineup))


@dataclass(frozen=True)
class PlayedGames:
    """Games that were played: the final state and who sat where."""

    state: Any
    lineup: list[Strategy]
    sitting: NDArray[np.uint8]  # (seats, games)
    decisions: int
    rotate: bool
    first: NDArray[np.uint8]  # (games,) the seat with the first position

    def titles(self) -> list[list[str]]:
        """For each game, the names of its players by seat."""
        return _titles(self.lineup, self.sitting)


def _titles(lineup: Sequence[Strategy], sitting: NDArray[Any]) -> list[list[str]]:
    """For each game, the names of its players by seat."""
    names = np.array([one.title for one in lineup], dtype=object)
    named: list[list[str]] = names[sitting].T.tolist()
    return named


def play(
    cell: Cell,
    numbers: NDArray[np.uint64],
    listeners: list[Listener] | None = None,
    at: Callable[..., Table] = Table,
) -> PlayedGames:
    """Play the games with these indices, and tell the listeners, at such a table.

    Raises ``NotConserved`` where a game makes or loses what it may not.
    """
    state = games.load(cell.game).start(cell.rules, cell.players, cell.seed, numbers)
    state.trial = cell.trial
    if cell.again:
        state.chance = state.chance.replicate(cell.again)
    seated = seating(cell.strategies(), cell.rotate, numbers)
    return play_on(cell, state, *seated, listeners or [], at)


def play_on(
    cell: Cell,
    state: Any,
    lineup: list[Strategy],
    sitting: NDArray[np.uint8],
    listeners: Sequence[Listener],
    at: Callable[..., Table] = Table,
) -> PlayedGames:
    """The same of games at their start, where this lineup sits, at such a table."""
    game = games.load(cell.game)
    conserved = Conserved()
    conserved.begin(state)
    heard = [*listeners, conserved]
    first = game.first(state).astype(np.uint8)
    opening = [one.open for one in listeners if hasattr(one, "open")]
    titles = _titles(lineup, sitting) if opening else []
    for begin in opening:
        begin(state, titles)
    seats = sitting if len(lineup) > 1 else None
    table = at(lineup, seats, game.view, game.kinds, heard)
    if table.ignores_public_history:
        state.drop_public_history()
    game.play(state, table)
    return PlayedGames(state, lineup, sitting, table.decisions, cell.rotate, first)
