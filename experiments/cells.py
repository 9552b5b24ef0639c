"""What is simulated: one rule set with one lineup and number of players."""

from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from sim import games
from sim.knobs import Rules
from sim.table import Listener, Player, Table
from strategies.base import Strategy
from strategies.registry import make


class UsageError(ValueError):
    """Something that a user asked for and cannot have; says what is allowed."""


@dataclass(frozen=True)
class Cell:
    """One rule set, one lineup, one number of players, one seed.

    ``lineup`` holds a spec or a strategy for each seat. With ``rotate``, seat s of
    game g has the strategy number s + g, so every strategy sits in every seat.
    ``label`` names the lineup in tables. ``against`` is a second lineup for the
    same games: the cell is then about the difference. ``trial`` is an experiment on
    the deals, and its second game of a pair is that of ``against``. ``beside`` is a
    second cell for the same games (rules, lineup or seed may differ): sums are then
    those of both sides and of their products, as ``experiments.weighing.pairing`` says.
    ``otherwise`` says which decisions are tried with every option, if any.
    """

    game: str
    rules: Rules
    players: int
    lineup: tuple[str | Strategy, ...]
    rotate: bool = False
    seed: int = 0
    label: str = ""
    against: tuple[str | Strategy, ...] = ()
    trial: Any = None
    beside: "Cell | None" = None
    otherwise: Any = None

    def __post_init__(self) -> None:
        """Refuse what cannot be played, before anything is simulated."""
        known = games.load(self.game)
        if self.players not in known.players:
            allowed = ", ".join(map(str, known.players))
            raise UsageError(
                f"players: {self.players} cannot play {self.game}. Allowed: {allowed}."
            )
        self.rules.check(self.players)
        other = self.beside
        if other and (other.game, other.players) != (self.game, self.players):
            raise UsageError(
                f"the games of {self.game} with {self.players} players have no "
                f"counterpart in those of {other.game} with {other.players}."
            )

    def strategies(self) -> list[Strategy]:
        """The strategy of each seat, in game 0."""
        return [
            make(self.game, one) if isinstance(one, str) else one for one in self.lineup
        ]

    def other(self) -> "Cell":
        """The second lineup in the same games, as a cell of its own."""
        trial = None if self.trial is None else replace(self.trial, turned=True)
        return replace(self, lineup=self.against, against=(), trial=trial)

    def title(self) -> str:
        """The lineup in words."""
        return self.label or ",".join(one.title for one in self.strategies())


_Sits = TypeVar("_Sits", bound=Player)


def seating(
    lineup: list[_Sits], rotate: bool, numbers: NDArray[np.uint64]
) -> tuple[list[_Sits], NDArray[np.uint8]]:
    """The different strategies, and which of them sits (seats, games) where."""
    different = list(dict.fromkeys(lineup))
    place = np.array([different.index(one) for one in lineup], dtype=np.uint8)
    players = len(lineup)
    seats = np.arange(players, dtype=np.uint64)[:, None]
    turn = numbers % np.uint64(players) if rotate else np.zeros_like(numbers)
    return different, place[(seats + turn) % np.uint64(players)]


@dataclass(frozen=True)
class Played:
    """Games that were played: the final state and who sat where."""

    state: Any
    lineup: list[Strategy]
    sitting: NDArray[np.uint8]  # (seats, games)
    decisions: int
    rotate: bool = False

    def titles(self) -> list[list[str]]:
        """For each game, the names of its players by seat."""
        names = np.array([one.title for one in self.lineup], dtype=object)
        named: list[list[str]] = names[self.sitting].T.tolist()
        return named


def play(
    cell: Cell, numbers: NDArray[np.uint64], listeners: list[Listener] | None = None
) -> Played:
    """Play the games with these indices, and tell the listeners."""
    game = games.load(cell.game)
    lineup, sitting = seating(cell.strategies(), cell.rotate, numbers)
    heard = listeners or []
    state = game.start(cell.rules, cell.players, cell.seed, numbers)
    state.trial = cell.trial
    names = [one.title for one in lineup]
    for listener in heard:
        begin = getattr(listener, "open", None)
        if begin is not None:
            begin(state, [[names[n] for n in column] for column in sitting.T])
    table = Table(
        lineup, sitting if len(lineup) > 1 else None, game.view, game.kinds, heard
    )
    game.play(state, table)
    return Played(state, lineup, sitting, table.decisions, cell.rotate)
