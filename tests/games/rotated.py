"""Runs in which a lineup rotates through the seats, and what was noted of them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from sim.games import Game
from sim.listener import Listener
from sim.table import Table
from strategies.base import Strategy


@dataclass
class Book(Listener):
    """Keeps what was noted of these names."""

    names: Collection[str]
    kept: dict[str, list[Mapping[str, Any]]] = field(default_factory=dict)

    def hears(self, name: str) -> bool:
        return name in self.names

    def event(
        self, state: Any, name: str, where: Any, fields: Mapping[str, Any]
    ) -> None:
        copied = {key: np.array(value) for key, value in fields.items()}
        self.kept.setdefault(name, []).append(copied)


@dataclass(frozen=True)
class Rotated:
    """A run in which the lineup rotates through the seats."""

    book: Book
    layout: Any
    lineup: Sequence[Strategy]
    place: Any  # (seats, games) who of the lineup sits there

    @classmethod
    def play(
        cls,
        game: Game,
        lineup: Sequence[Strategy],
        count: int,
        names: Collection[str],
        rules: Any = None,
    ) -> Self:
        """So many games; what was noted of these names is kept, and the result."""
        players, numbers = len(lineup), np.arange(count, dtype=np.uint64)
        state = game.start(rules or game.rules(), players, 7, numbers)
        place = (np.arange(players)[:, None] + np.arange(count)) % players
        different = list(dict.fromkeys(lineup))
        sitting = np.array([different.index(s) for s in lineup], dtype=np.uint8)[place]
        book = Book({"result", *names})
        game.play(
            state,
            Table(
                different,
                None if len(different) == 1 else sitting,
                game.view,
                game.kinds,
                [book],
            ),
        )
        return cls(book, state.layout, lineup, place)

    def seats(self, strategy: Strategy) -> Any:
        """(seats, games) where a strategy sits."""
        return np.isin(
            self.place, [n for n, s in enumerate(self.lineup) if s == strategy]
        )

    def wins(self, strategy: Strategy) -> float:
        """The share of games that one of its seats wins, a game without winner lost."""
        winner = self.book.kept["result"][0]["winner"].astype(int)
        rows = np.flatnonzero(winner >= 0)
        return float(self.seats(strategy)[winner[rows], rows].sum() / len(winner))
