"""What was recorded of some games, as arrays: what the games have in common.

    class PlayedGames(Played):
        hands = told("deal", "hands")  # (weeks, seats, games) cards dealt, a mask

A note that every game has comes in the order (week, seat, game), whatever a game calls
its weeks, so it is read by reshaping; only when it is asked for.
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from reports.counts import Array

Raw = Mapping[str, pl.DataFrame]
About = Mapping[str, Any]


class Played:
    """Some games that were played to the end.

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
        self.names = words_of(result["strategy"])

    def of_result(self, column: str) -> Array:
        """(seats, games) a column of the result."""
        return self._shaped("result", column)[0]

    def by_seat(self, note: str, column: str) -> Array:
        """(times, seats, games) a column of a note that each seat has."""
        return self._shaped(note, column)

    def _shaped(self, note: str, column: str) -> Array:
        values = self.raw[note][column].to_physical().to_numpy()
        shaped: Array = values.reshape(-1, self.players, self.size)
        return shaped

    def at(self, table: pl.DataFrame) -> Array:
        """(rows,) which of these games each row of a table is of."""
        at: Array = table["game"].to_numpy().astype(np.int64) - self.first
        return at

    @cached_property
    def seats(self) -> Array:
        """(seats, 1) the number of each seat."""
        return np.arange(self.players, dtype=np.int16)[:, None]

    @cached_property
    def victory(self) -> Array:
        """(seats, games) who won alone."""
        return self.winner == self.seats

    def position(self, first: Array) -> Array:
        """Positions of the seats, from 1; ``first`` is the seat that has the first."""
        return (self.seats - first) % self.players + 1

    def whose_name_differs(self, other: "Played") -> Array:
        """(games,) the seat whose strategy goes by another name in the other games."""
        names = [np.array(one.names)[one.strategy] for one in (self, other)]
        seat: Array = (names[0] != names[1]).argmax(axis=0)
        return seat

    def named(self, codes: Array) -> pl.Series:
        """Numbers of strategies as their names, one column."""
        names = pl.Series(self.names, dtype=pl.Enum(self.names))
        return names.gather(codes.reshape(-1).astype(np.uint32))

    def tried(
        self,
        name: str,
        schema: Mapping[str, pl.DataType],
        columns: Callable[[pl.DataFrame, Array], Mapping[str, Any]],
    ) -> pl.DataFrame:
        """A row an option that was tried, with the columns of a schema.

        ``name``: of the raw table, from which those columns come that it has. Whose
        ``strategy`` is added, and what ``columns`` makes of the table and of the game
        of each of its rows, from 0. There is no row where nothing was tried.
        """
        raw = self.raw.get(name, pl.DataFrame())
        if raw.is_empty():
            return pl.DataFrame(schema=schema)
        at = self.at(raw)
        who = np.array(self.names)[self.strategy[raw["seat"].to_numpy(), at]]
        rows = raw.with_columns(strategy=who, **columns(raw, at))
        return rows.select(pl.col(one).cast(kind) for one, kind in schema.items())

    def frame(
        self,
        shape: tuple[int, ...],
        columns: Mapping[str, Any],
        rows: Array | None = None,
    ) -> pl.DataFrame:
        """A row for each cell of ``shape``, whose last axis are the games.

        Of all cells, or of those numbered in ``rows``. The columns fit the shape; the
        column ``strategy`` gets names for numbers.
        """
        found: dict[str, Any] = {}
        for name, values in {"game": self.game, **columns}.items():
            full = np.broadcast_to(values, shape).reshape(-1)
            part = full if rows is None else full[rows]
            found[name] = self.named(part) if name == "strategy" else part
        return pl.DataFrame(found)


def told(note: str, column: str, dtype: Any = None) -> "cached_property[Array]":
    """An array: a column that each seat has, (times, seats, games), read if asked."""

    def read(played: Played) -> Array:
        values = played.by_seat(note, column)
        return values if dtype is None else values.astype(dtype)

    return cached_property(read)


def told_once(note: str, column: str) -> "cached_property[Array]":
    """An array: a column that is the same for all seats, (times, games)."""
    return cached_property(lambda played: played.by_seat(note, column)[:, 0])


def words_of(column: pl.Series) -> list[str]:
    """The words that the numbers of an Enum stand for."""
    kind = column.dtype
    return kind.categories.to_list() if isinstance(kind, pl.Enum) else []


def of_seat(values: Array, seat: Array) -> Array:
    """(games,) what belongs to a seat, of (seats, games)."""
    mine: Array = values[seat, np.arange(len(seat))]
    return mine
