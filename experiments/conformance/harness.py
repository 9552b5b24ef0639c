"""Shared by the checks of games and strategies: playing, logging, comparing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.core.cells import seating
from sim.games import Game
from sim.listener import Choice, Fields, Listener
from sim.masks import Flags, Masks
from sim.parameters import RuleError, Rules
from sim.table import Player, Table
from sim.view import Seat
from strategies.random import Random
from strategies.registry import builtin, make

Numbers = NDArray[np.uint64]


class RulesViolation(Exception):
    """A game did something that games must not do."""


@dataclass(frozen=True)
class Check:
    """The result of a check: its name, whether it passed, and a detail."""

    name: str
    ok: bool
    detail: str = ""


@dataclass(frozen=True)
class Setting:
    """The setting of a check: game, rules, number of players and seed."""

    game: Game
    rules: Rules
    players: int
    seed: int = 1

    def start(self, numbers: Numbers) -> Any:
        """Return the initial state of these games."""
        return self.game.start(self.rules, self.players, self.seed, numbers)

    @cached_property
    def lineup(self) -> list[Player]:
        """The game's own strategies in turn, between random ones."""
        try:
            names = list(builtin(self.game.id))
        except ModuleNotFoundError:  # a game without strategies
            names = ["random"]
        other = Random()
        own = [make(self.game.id, name) for name in names[1:]] or [other]
        places = range(self.players)
        return [own[at // 2 % len(own)] if at % 2 else other for at in places]

    def table(
        self,
        numbers: Numbers,
        lineup: Sequence[Player],
        *listeners: Listener,
        table: type[Table] = Table,
    ) -> Table:
        """Return the table of these games, with rotated seats."""
        different, sitting = seating(list(lineup), True, numbers)
        return table(
            different,
            None if len(different) == 1 else sitting,
            self.game.view,
            self.game.kinds,
            listeners,
        )

    def play(
        self,
        numbers: Numbers,
        lineup: Sequence[Player],
        *listeners: Listener,
        table: type[Table] = Table,
    ) -> Any:
        """Play these games with rotated seats; return the state at the end."""
        state = self.start(numbers)
        self.game.play(state, self.table(numbers, lineup, *listeners, table=table))
        return state


def settings_of(game: Game, rules: Rules, seed: int) -> list[Setting]:
    """Return a setting for each number of players that these rules allow.

    Raises the ``RuleError`` of the first number if there is none.
    """
    settings, errors = [], []
    for players in game.players:
        try:
            rules.check(players)
        except RuleError as error:
            errors.append(error)
        else:
            settings.append(Setting(game, rules, players, seed))
    if not settings:
        raise errors[0]
    return settings


class Log(Listener):
    """Listens to everything, and keeps it in a form that is fast to compare.

    A row is an event of a game: game, name, seat, legal options, and the answer (of a
    note, a hash of all its fields).
    """

    def __init__(self, game: Game) -> None:
        self._quiet = game.tables_only
        self.names = [*game.kinds, *(f"event {name}" for name in game.events)]
        self._parts: list[NDArray[np.uint64]] = []
        self.asked: list[int] = []  # the part of each question that had an answer

    def hears(self, name: str) -> bool:
        """Hear everything that a transcript has."""
        return name not in self._quiet

    def choice(self, state: Any, choice: Choice) -> None:
        """Keep a choice."""
        rows = np.flatnonzero(choice.legal)
        if len(rows):
            self.asked.append(len(self._parts))
        self._keep(
            state, choice.kind.name, rows, choice.seat, choice.legal, choice.answer
        )

    def event(self, state: Any, name: str, where: Flags | None, fields: Fields) -> None:
        """Keep a note."""
        size = len(state.games)
        rows = np.arange(size) if where is None else np.flatnonzero(where)
        value = np.zeros(size, dtype=np.uint64)
        for field in fields.values():
            whole = np.asarray(field)
            for part in whole.reshape(-1, size) if whole.ndim else whole.reshape(1, 1):
                value *= np.uint64(1_000_003)
                value += part.astype(np.int64).astype(np.uint64)
        self._keep(state, f"event {name}", rows, 0, value, value)

    def _keep(
        self,
        state: Any,
        name: str,
        rows: NDArray[np.int64],
        seat: Seat,
        legal: Masks,
        answer: Masks,
    ) -> None:
        if name not in self.names:
            self.names.append(name)
        part = np.empty((5, len(rows)), dtype=np.uint64)
        part[0] = state.games[rows]
        part[1] = self.names.index(name)
        part[2] = seat if isinstance(seat, int) else seat[rows]
        part[3], part[4] = legal[rows], answer[rows]
        self._parts.append(part)

    def rows(self, start: int = 0) -> NDArray[np.uint64]:
        """Return (5, events) from a part on: game by game, each in its order."""
        parts = self._parts[start:]
        if not parts:
            return np.empty((5, 0), dtype=np.uint64)
        joined = np.concatenate(parts, axis=1)
        return joined[:, np.argsort(joined[0], kind="stable")]

    def counts(self, name: str) -> Mapping[int, int]:
        """Return the number of events of a name in each game."""
        rows = self.rows()
        matching = rows[0, rows[1] == self.names.index(name)]
        games, times = np.unique(matching, return_counts=True)
        return dict(zip(games.tolist(), times.tolist(), strict=True))


def difference(
    names: Sequence[str], first: NDArray[np.uint64], other: NDArray[np.uint64]
) -> str:
    """Return the first difference of two logs in words; "" if they are the same."""
    size = min(first.shape[1], other.shape[1])
    different = np.flatnonzero((first[:, :size] != other[:, :size]).any(axis=0))
    if not len(different):
        if first.shape == other.shape:
            return ""
        longer = first if first.shape[1] > size else other
        return f"game {longer[0, size]} has another number of events"
    row = int(different[0])
    event = first[:, row]
    number = int((first[0, :row] == event[0]).sum())
    place = f"{names[int(event[1])]}, seat {event[2] + 1}"
    return f"game {event[0]}, event {number} ({place})"


def numbers(first: int, count: int) -> Numbers:
    """Return the numbers of ``count`` games from ``first`` on."""
    return np.arange(first, first + count, dtype=np.uint64)


def pieces(count: int) -> list[Numbers]:
    """Return games 0 to ``count`` - 1 out of order, in pieces of different sizes.

    Some games are alone, others follow games that are not their neighbours.
    """
    order = numbers(0, count)[::-1].copy()
    order = np.concatenate([order[1::2], order[::2]])
    cuts = sorted({1, 2, 5, count // 4, count // 2})
    return [part for part in np.split(order, cuts) if len(part)]
