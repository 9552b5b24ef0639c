"""Cells, the units of simulation: one rule set, one lineup, one number of players."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from experiments.core import given_deals
from experiments.core.conservation import ConservationCheck
from sim import games
from sim.listener import Listener
from sim.parameters import Rules
from sim.table import Table
from strategies.base import Strategy
from strategies.registry import make, with_policy_names

Collect = Literal["all", "result"]
"""Which measures are collected: all, or only the result, for which nothing is
recorded."""


class UsageError(ValueError):
    """A request that cannot be met; the message says what is allowed."""


@dataclass(frozen=True)
class Cell:
    """One rule set, one lineup, one number of players, one seed.

    ``lineup`` holds a spec or a strategy for each seat; a single one fills all seats.
    With ``rotate``, seat s of game g has strategy number s + g, so every strategy
    plays in every seat. ``label`` names the lineup in tables. ``trial`` is an
    experiment on the deals (``sim.games.Game.trial``). ``interventions`` says what is
    changed in some of the games, which are played again for it
    (``experiments.counterfactual.interventions``). ``replicate`` numbers the replicates
    of the same deals: all chance but the deals is drawn anew for each. ``collect`` says
    which measures a run with those of the report collects here. ``roles`` name the
    places of the lineup in measures of the end by strategy; (): their strategies do.
    ``given`` are conditions that all deals fit (``experiments.core.given_deals``).
    """

    game: str
    rules: Rules
    players: int
    lineup: tuple[str | Strategy, ...]
    rotate: bool = False
    seed: int = 0
    label: str = ""
    trial: Any = None
    interventions: Any = None
    replicate: int = 0
    collect: Collect = "all"
    roles: tuple[str, ...] = ()
    given: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse cells that cannot be played, before anything is simulated."""
        known = games.load(self.game)
        if refused := known.refuses(self.players):
            raise UsageError(refused)
        self.rules.check(self.players)
        given_deals.check(self.given, known, self.rules, self.players)
        object.__setattr__(self, "game", known.id)  # of a file, wherever it was named
        object.__setattr__(self, "lineup", _filled(self.lineup, self.players))

    def strategies(self) -> list[Strategy]:
        """The strategy of each seat, in game 0."""
        specs = {seat for seat in self.lineup if isinstance(seat, str)}
        made = {spec: make(self.game, spec) for spec in specs}
        seats = [made[seat] if isinstance(seat, str) else seat for seat in self.lineup]
        different = distinct(seats)
        _check_titles(different)
        known = games.load(self.game)
        for part in (part for one in different for part in one.components):
            part.check_rules(known, self.rules, self.players)
        return seats

    def dealt(self, numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """The numbers whose deals the games with these numbers have."""
        known = games.load(self.game)
        return given_deals.dealt(
            self.given, known, self.rules, self.players, self.seed, numbers
        )

    def given_chance(self) -> given_deals.GivenChance | None:
        """How likely it is that a deal fits what is given; None without conditions.

        Raises ``NoSuchDeal`` where that is impossible, or too rare to play.
        """
        if not self.given:
            return None
        known = games.load(self.game)
        return given_deals.chance_of(
            self.given, known, self.rules, self.players, self.seed
        )

    @property
    def deals(self) -> str:
        """What all deals have in common, and how likely that is; "" if nothing is."""
        chance = self.given_chance()
        return "" if chance is None else f"{' and '.join(self.given)}: {chance}"

    def resolved(self) -> "Cell":
        """Return the cell with strategies in place of specs, which may be paths."""
        return replace(self, lineup=tuple(self.strategies()))

    @property
    def cost(self) -> int:
        """About how many rollouts its costliest seat makes for each option, or 1."""
        return max(one.cost for one in self.strategies())

    def title(self) -> str:
        """Return the lineup in words."""
        return self.label or ",".join(one.title for one in self.strategies())


@dataclass(frozen=True)
class Pair:
    """A what-if: two cells that play the same games, with one thing changed.

    ``how`` is the intervention by which they differ, as
    ``experiments.counterfactual.interventions`` writes it. What is counted is what the
    game's report declares for such pairs. Title, players and rules are those of
    ``one``. Raises ``UsageError`` if the games have no counterpart.
    """

    one: Cell
    other: Cell
    how: Any

    def __post_init__(self) -> None:
        """Refuse cells that cannot play the same games."""
        require_counterpart(self.one, self.other)

    @property
    def game(self) -> str:
        """The id of the game."""
        return self.one.game

    @property
    def players(self) -> int:
        """The number of players."""
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
        """Return the pair with strategies in place of specs, which may be paths."""
        return Pair(self.one.resolved(), self.other.resolved(), self.how)

    @property
    def cost(self) -> int:
        """The cost of the first cell."""
        return self.one.cost

    def title(self) -> str:
        """Return the first cell's lineup in words."""
        return self.one.title()


def require_counterpart(one: Cell, other: Cell) -> None:
    """Raise ``UsageError`` if two cells cannot play the same games."""
    if (other.game, other.players) != (one.game, one.players):
        raise UsageError(
            f"the games of {one.game} with {one.players} players have no "
            f"counterpart in those of {other.game} with {other.players}."
        )


def same_games(one: Cell, other: Cell) -> bool:
    """Return whether both cells have the same deals, game by game."""
    key = ("game", "players", "seed", "replicate", "given")
    return all(getattr(one, name) == getattr(other, name) for name in key)


def with_roles(one: Cell, other: Cell) -> tuple[Cell, Cell]:
    """Return two cells whose places are named by the strategies of both.

    A place is called ``planner -> greedy`` if it has different ones, unless both cells
    have the same names for their places already.
    """
    if one.roles and one.roles == other.roles:
        return one, other
    pairs = zip(one.strategies(), other.strategies(), strict=True)
    titles = [(here.title, there.title) for here, there in pairs]
    if all(here == there for here, there in titles):
        return one, other
    roles = tuple(a if a == b else f"{a} -> {b}" for a, b in titles)
    return replace(one, roles=roles), replace(other, roles=roles)


def require_unpaired(cells: Sequence[Cell | Pair], where: object) -> tuple[Cell, ...]:
    """Return the cells; raises ``UsageError``, which names ``where``, for a pair."""
    single = tuple(cell for cell in cells if isinstance(cell, Cell))
    if len(single) < len(cells):
        raise UsageError(f"{where}: this run is itself a comparison.")
    return single


def _filled(
    lineup: tuple[str | Strategy, ...], players: int
) -> tuple[str | Strategy, ...]:
    """Return a strategy for each seat; raises ``UsageError``."""
    if len(lineup) not in (1, players):
        raise UsageError(
            f"lineup: {len(lineup)} strategies for {players} players. "
            f"Allowed: 1 (it fills all seats) or {players}."
        )
    # Policies by their names, so that all that follows plays what was read now
    named = (
        with_policy_names(seat) if isinstance(seat, str) else seat for seat in lineup
    )
    return tuple(named) * (players if len(lineup) == 1 else 1)


def _check_titles(strategies: list[Strategy]) -> None:
    """Refuse different strategies with one title; raises ``UsageError``."""
    titles = [one.title for one in strategies]
    for title in titles:
        if titles.count(title) > 1:
            raise UsageError(
                f"lineup: two different strategies are both called {title!r}."
            )


_Player = TypeVar("_Player")


def distinct(lineup: Sequence[_Player]) -> list[_Player]:
    """Return the different players in seat order; they need not be hashable."""
    different: list[_Player] = []
    for player in lineup:
        if not any(_same(player, other) for other in different):
            different.append(player)
    return different


def _same(one: object, other: object) -> bool:
    if one is other:
        return True
    try:
        return type(one) is type(other) and bool(one == other)
    except ValueError:  # of arrays
        return False


def role_seating(
    cell: Cell, numbers: NDArray[np.uint64]
) -> tuple[list[str], NDArray[np.uint16]]:
    """Return the names of the players, and (seats, games) which of them plays."""
    names = cell.roles or [strategy.title for strategy in cell.strategies()]
    return seating(names, cell.rotate, numbers)


def seating(
    lineup: Sequence[_Player], rotate: bool, numbers: NDArray[np.uint64]
) -> tuple[list[_Player], NDArray[np.uint16]]:
    """Return the different players, and (seats, games) which of them plays."""
    different = distinct(lineup)
    place = lineup_numbers(different, lineup)
    players = len(lineup)
    seats = np.arange(players, dtype=np.uint64)[:, None]
    turn = numbers % np.uint64(players) if rotate else np.zeros_like(numbers)
    return different, place[(seats + turn) % np.uint64(players)]


def lineup_numbers(
    different: Sequence[_Player], lineup: Sequence[_Player]
) -> NDArray[np.uint16]:
    """Return (seats,) the index of each player of a lineup in ``different``."""
    indices = (
        next(n for n, other in enumerate(different) if _same(player, other))
        for player in lineup
    )
    return np.fromiter(indices, dtype=np.uint16, count=len(lineup))


@dataclass(frozen=True)
class PlayedGames:
    """Games that were played: the final state, and who played in which seat."""

    state: Any
    lineup: list[Strategy]
    sitting: NDArray[np.uint16]  # (seats, games)
    decisions: int
    rotate: bool
    first: NDArray[np.uint8]  # (games,) the seat with the first position

    def titles(self) -> list[list[str]]:
        """Return the names of the players of each game, by seat."""
        return _titles(self.lineup, self.sitting)


def _titles(lineup: Sequence[Strategy], sitting: NDArray[Any]) -> list[list[str]]:
    names = np.array([strategy.title for strategy in lineup], dtype=object)
    named: list[list[str]] = names[sitting].T.tolist()
    return named


def play(
    cell: Cell,
    numbers: NDArray[np.uint64],
    listeners: list[Listener] | None = None,
    table_class: Callable[..., Table] = Table,
) -> PlayedGames:
    """Play the games with these numbers at a ``table_class``, with listeners.

    Raises ``NotConserved`` if a game gains or loses what it must conserve.
    """
    game, dealt = games.load(cell.game), cell.dealt(numbers)
    state = game.start(cell.rules, cell.players, cell.seed, dealt)
    state.games, state.trial = numbers, cell.trial
    if cell.replicate:
        state.chance = state.chance.replicate(cell.replicate)
    seated = seating(cell.strategies(), cell.rotate, numbers)
    return play_from_start(cell, state, *seated, listeners or [], table_class)


def play_from_start(
    cell: Cell,
    state: Any,
    lineup: list[Strategy],
    sitting: NDArray[np.uint16],
    listeners: Sequence[Listener],
    table_class: Callable[..., Table] = Table,
) -> PlayedGames:
    """Play games from their initial ``state`` with this lineup; otherwise ``play``."""
    game = games.load(cell.game)
    conserved = ConservationCheck()
    conserved.begin(state)
    all_listeners = [*listeners, conserved]
    first = game.first(state).astype(np.uint8)
    openers = [each.open for each in listeners if hasattr(each, "open")]
    titles = _titles(lineup, sitting) if openers else []
    for open_games in openers:
        open_games(state, titles)
    seats = sitting if len(lineup) > 1 else None
    table = table_class(lineup, seats, game.view, game.kinds, all_listeners)
    if table.ignores_public_history:  # tracking it costs time, and nobody reads it
        state.drop_public_history()
    game.play(state, table)
    return PlayedGames(state, lineup, sitting, table.decisions, cell.rotate, first)
