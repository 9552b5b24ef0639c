"""The recorded notes of some games as arrays: what is common to all games.

    class DevilArrays(GameArrays):
        hands = seat_column("deal", "hands")  # (weeks, seats, games) a mask

A note that every game has is in the order (week, seat, game), whatever the game calls
its weeks. So it is read by reshaping, and only on first use.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from reports.counts import Array

Raw = Mapping[str, pl.DataFrame]
About = Mapping[str, Any]


class GameArrays:
    """Games that were played to the end.

    ``raw``: a table for each kind of note. ``about``: players, rules, vocabularies.
    """

    def __init__(self, raw: Raw, about: About) -> None:
        """Read the result, which every game has."""
        self.raw = raw
        self.about = about
        self.players: int = about["players"]
        self.rules: Mapping[str, Any] = about["rules"]  # plain values in force
        self.vocabularies: Mapping[str, list[str]] = about["vocabularies"]
        result = raw["result"]
        self.size = result.height // self.players
        self.game = result["game"].to_numpy()[: self.size].astype(np.int64)  # (games,)
        self.first = int(self.game[0])  # number of the first game in its run
        self.winner = result["winner"].to_numpy()[: self.size]  # (games,) -1 nobody
        self.strategy = self.of_result("strategy")  # (seats, games) in ``names``
        self.names = enum_words(result["strategy"])

    def of_result(self, column: str) -> Array:
        """Return a column of the result, (seats, games)."""
        return self._shaped("result", column)[0]

    def by_seat(self, note: str, column: str) -> Array:
        """Return a column of a note that each seat has, (times, seats, games)."""
        return self._shaped(note, column)

    def _shaped(self, note: str, column: str) -> Array:
        values = self.raw[note][column].to_physical().to_numpy()
        shaped: Array = values.reshape(-1, self.players, self.size)
        return shaped

    def game_index(self, table: pl.DataFrame) -> Array:
        """Return the index of the game of each row of a table, (rows,)."""
        at: Array = table["game"].to_numpy().astype(np.int64) - self.first
        return at

    def masks(self, kind: str) -> dict[str, np.uint64]:
        """Return all bits of each word of a vocabulary, but those that mean none."""
        masks: dict[str, int] = {}
        for bit, word in enumerate(self.vocabularies[kind]):
            if word not in {"?", "pass"}:
                masks[word] = masks.get(word, 0) | 1 << bit
        return {word: np.uint64(mask) for word, mask in masks.items()}

    def mask(self, kind: str, words: Iterable[str]) -> np.uint64:
        """Return the bits of some words of a vocabulary; 0 for those that it lacks."""
        masks = self.masks(kind)
        return np.uint64(sum(int(masks.get(word, 0)) for word in {*words}))

    @cached_property
    def seats(self) -> Array:
        """The number of each seat, (seats, 1)."""
        return np.arange(self.players, dtype=np.int16)[:, None]

    @cached_property
    def victory(self) -> Array:
        """Who won alone, (seats, games)."""
        return self.winner == self.seats

    def position(self, first: Array) -> Array:
        """Return the position of each seat; ``first`` is the seat of position 1."""
        return (self.seats - first) % self.players + 1

    def differing_seat(self, other: "GameArrays") -> Array:
        """Return the seat whose strategy has another name in ``other``, (games,)."""
        names = [np.array(games.names)[games.strategy] for games in (self, other)]
        seat: Array = (names[0] != names[1]).argmax(axis=0)
        return seat

    def strategy_names(self, codes: Array) -> pl.Series:
        """Return the names of strategies, given their numbers, as one column."""
        names = pl.Series(self.names, dtype=pl.Enum(self.names))
        return names.gather(codes.reshape(-1).astype(np.uint32))

    def counterfactual_rows(
        self,
        name: str,
        schema: Mapping[str, pl.DataType],
        columns: Callable[[pl.DataFrame], Mapping[str, Any]],
    ) -> pl.DataFrame:
        """Return a row for each option tried, with the columns of a schema.

        ``name``: the raw table, which has some of the columns. Added are ``strategy``,
        and what ``columns`` returns for the table. No rows if nothing was tried.
        """
        raw = self.raw.get(name, pl.DataFrame())
        if raw.is_empty():
            return pl.DataFrame(schema=schema)
        at = self.game_index(raw)
        strategy = np.array(self.names)[self.strategy[raw["seat"].to_numpy(), at]]
        rows = raw.with_columns(strategy=strategy, **columns(raw))
        return rows.select(pl.col(column).cast(kind) for column, kind in schema.items())

    def frame(
        self,
        shape: tuple[int, ...],
        columns: Mapping[str, Any],
        rows: Array | None = None,
    ) -> pl.DataFrame:
        """Return a row for each cell of ``shape``, whose last axis is the games.

        ``rows``: the numbers of the cells to keep (default: all). The columns fit the
        shape; the column ``strategy`` gets names for numbers.
        """
        table: dict[str, Any] = {}
        for name, values in {"game": self.game, **columns}.items():
            full = np.broadcast_to(values, shape).reshape(-1)
            part = full if rows is None else full[rows]
            table[name] = self.strategy_names(part) if name == "strategy" else part
        return pl.DataFrame(table)


def seat_column(note: str, column: str, dtype: Any = None) -> "cached_property[Array]":
    """Declare an array from a column that each seat has, (times, seats, games)."""

    def read(played: GameArrays) -> Array:
        values = played.by_seat(note, column)
        return values if dtype is None else values.astype(dtype)

    return cached_property(read)


def shared_column(note: str, column: str) -> "cached_property[Array]":
    """Declare an array from a column that is equal for all seats, (times, games)."""
    return cached_property(lambda played: played.by_seat(note, column)[:, 0])


def named_tables(*names: str) -> Callable[[Any], Mapping[str, pl.DataFrame]]:
    """Make a function that returns these attributes of some games: tidy tables."""
    return lambda played: {name: getattr(played, name) for name in names}


def add_up(
    shape: tuple[int, ...], at: tuple[Array, ...], values: Array | None = None
) -> Array:
    """Return how many rows each cell of ``shape`` has, or the sum of their integers.

    at: (rows,) the index of each row along each axis.

    >>> add_up((2, 2), (np.array([0, 1, 1]), np.array([1, 0, 0]))).tolist()
    [[0, 1], [2, 0]]
    """
    flat = np.bincount(np.ravel_multi_index(at, shape), values, math.prod(shape))
    return flat.astype(np.int64).reshape(shape)


def enum_words(column: pl.Series) -> list[str]:
    """Return the words that the numbers of an Enum stand for."""
    kind = column.dtype
    return kind.categories.to_list() if isinstance(kind, pl.Enum) else []


def pick_seat(values: Array, seat: Array) -> Array:
    """Return the values of one seat in each game, (games,), from (seats, games)."""
    own: Array = values[seat, np.arange(len(seat))]
    return own
