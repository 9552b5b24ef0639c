"""Counts of tidy tables: the rows of each group and game, added up.

Integers are added up on a (group, game) grid, whose cells have integer codes; if most
cells would be empty, the codes are sorted instead. polars adds up other numbers, and
groups that have no codes. All three ways give the same counts; this is for speed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from reports.counts import Array, Counts
from reports.measures import Measure

_CELLS_PER_ROW = 6  # with more, a dense (group, game) grid is slower than sorting
_MOST_CELLS = 2**62  # their codes fit into 64 bits
_SPARSE_GAMES = 2  # if at most one game in 2 has rows, the others are left out


def count_rows(measure: Measure, frame: pl.DataFrame, first: int = 0) -> Counts:
    """Count a measure of a tidy table, whose column ``game`` starts at ``first``.

    Groups without rows are left out. Without grouping columns there is always one.
    """
    return RowCounter(frame, first).counts(measure)


class RowCounter:
    """Counts measures of a tidy table, whose column ``game`` starts at ``first``.

    The cells of rows are found once for all measures of the same groups.
    """

    def __init__(self, frame: pl.DataFrame, first: int = 0) -> None:
        self._frame, self._first = frame, first
        self._cells: dict[tuple[str, ...], _Cells | None] = {}

    def counts(self, measure: Measure) -> Counts:
        """Count a measure, as ``count_rows`` does."""
        frame, by = self._frame, measure.by
        if frame.is_empty() and by and not measure.derive:
            labels = {name: _labels(frame[name]) for name in by}
            nothing = np.zeros(0, dtype=np.int64)
            return Counts(measure.name, labels, nothing, nothing, nothing, nothing)
        if measure.derive or measure.where is not None:
            rows = frame.lazy().with_columns(measure.derive)
            if measure.where is not None:
                rows = rows.filter(measure.where)
            rows = rows.select("game", *by, y=measure.value, x=measure.per)
            return RowCounter(rows.collect(), self._first)._of(measure, "y", "x")
        return self._of(measure, measure.value, measure.per)

    def _of(self, measure: Measure, value: pl.Expr | str, per: pl.Expr | str) -> Counts:
        """Count a measure for which all rows count in which y and x are not null."""
        if (self._game < 0).any():
            raise ValueError(
                f"{measure.name}: games of its table lie before {self._first}"
            )
        frame, by = self._frame, measure.by
        y, x = (frame.select(part).to_series() for part in (value, per))
        if y.null_count() or x.null_count():
            rows = frame.select("game", *by, y=value, x=per).drop_nulls(["y", "x"])
            return RowCounter(rows, self._first)._of(measure, "y", "x")
        cells = self._of_groups(by) if _is_exact(y) and _is_exact(x) else None
        if cells is None:
            game = pl.Series("game", self._game)
            return _hashed(measure, frame.select(game, *by, y=value, x=per))
        return cells.counts(measure.name, y, x)

    def _of_groups(self, by: tuple[str, ...]) -> "_Cells | None":
        """Return each row's cell, leaving out games without rows if they are many.

        None if a grid cannot be used: for grouping columns that are neither integers
        nor words.
        """
        if by not in self._cells:
            self._cells[by] = self._find(by)
        return self._cells[by]

    def _find(self, by: tuple[str, ...]) -> "_Cells | None":
        if self._frame.is_empty():
            return None
        code, games, numbers = self._places_of_games
        size, code = games, code.copy()
        for name in by:
            places = self._places(name)
            if places is None:
                return None
            larger = size * (int(places.max()) + 1)
            if larger > _MOST_CELLS:
                return None
            code += size * places
            size = larger
        return _Cells(code, size, games, numbers, self._frame.select(by))

    @cached_property
    def _game(self) -> Array:
        """(rows,) the game, from 0."""
        game = self._frame["game"].to_numpy()
        return game.astype(np.int64) - self._first

    @cached_property
    def _places_of_games(self) -> tuple[Array, int, Array | None]:
        return _games(self._game)

    def _places(self, name: str) -> Array | None:
        """Return a column as small integers from 0, or None if that is not possible."""
        column = self._frame[name]
        words = column.dtype == pl.String
        column = (column.cast(pl.Categorical) if words else column).to_physical()
        if column.null_count() or not _is_exact(column):
            return None
        numbers = column.to_numpy()
        return numbers.astype(np.int64) - int(numbers.min())


def row_counters(
    tables: Mapping[str, pl.DataFrame], first: int
) -> dict[str, RowCounter]:
    """Return a counter of each table, by name."""
    return {name: RowCounter(frame, first) for name, frame in tables.items()}


def _is_exact(values: pl.Series) -> bool:
    return values.dtype.is_integer() or values.dtype == pl.Boolean


def _hashed(measure: Measure, rows: pl.DataFrame) -> Counts:
    """Count with polars: any numbers, and any grouping columns."""
    by = list(measure.by)
    cells = (
        rows.with_columns(_wide(rows["y"]), _wide(rows["x"]))
        .lazy()
        .group_by("game", *by, maintain_order=True)  # floats add up in a fixed order
        .agg(pl.col("y").sum(), pl.col("x").sum())
        .sort(*by, "game")
        .collect()
    )
    if by:
        first = pl.struct(by).rle_id().alias("group")
        group = cells.select(first)["group"].to_numpy().astype(np.int64)
        groups = cells.select(by).unique(maintain_order=True)
    else:
        group, groups = np.zeros(cells.height, dtype=np.int64), pl.DataFrame()
    labels = {name: _labels(groups[name]) for name in by}
    game, y, x = (cells[name].to_numpy() for name in ("game", "y", "x"))
    return Counts(measure.name, labels, y, x, group, game)


def _wide(values: pl.Series) -> pl.Series:
    return values.cast(pl.Int64 if _is_exact(values) else pl.Float64)


@dataclass(frozen=True, eq=False)
class _Cells:
    """The cells of rows in a (group, game) grid.

    code: (rows,) each row's cell. size: cells of the grid. games: its width. numbers:
    (games,) numbers of these games; None: all games. groups: the grouping columns.
    """

    code: Array
    size: int
    games: int
    numbers: Array | None
    groups: pl.DataFrame

    def counts(self, measure: str, y: pl.Series, x: pl.Series) -> Counts:
        """Add up integers, (rows,) or one that is equal in all rows."""
        dense = self.size <= _CELLS_PER_ROW * len(self.code)
        return (self._dense if dense else self._sparse)(measure, y, x)

    def _dense(self, measure: str, y: pl.Series, x: pl.Series) -> Counts:
        """Count on the grid."""
        seen, labels = self._seen
        of_y, of_x = (self._on_grid(part)[seen] for part in (y, x))
        return Counts(measure, labels, of_y, of_x, game=self.numbers)

    @cached_property
    def _seen(self) -> tuple[Array | slice, dict[str, pl.Series]]:
        """Which groups occur, and their labels."""
        groups = self.size // self.games
        example = np.full(groups, -1)
        example[self.code // self.games] = np.arange(len(self.code))  # some row of each
        seen = np.flatnonzero(example >= 0)
        labels = self._labels_of(example[seen])
        return (seen if len(seen) < groups else slice(None)), labels

    def _on_grid(self, values: pl.Series) -> Array:
        """Add up the values of each cell, (groups, games)."""
        if len(values) < len(self.code):
            return self._rows_of_each * int(values[0])
        if values.dtype == pl.Boolean:
            code = self.code[values.to_numpy()]
            sums = np.bincount(code, minlength=self.size)
        else:
            sums = np.bincount(self.code, values.to_numpy(), self.size)
        return sums.astype(np.float64, copy=False).reshape(-1, self.games)

    @cached_property
    def _rows_of_each(self) -> Array:
        """(groups, games) the number of rows in each cell."""
        rows = np.bincount(self.code, minlength=self.size).astype(np.float64)
        return rows.reshape(-1, self.games)

    def _sparse(self, measure: str, y: pl.Series, x: pl.Series) -> Counts:
        """Count in the cells that are not empty."""
        order, first, group, game, labels = self._sorted
        of_y, of_x = (
            np.add.reduceat(
                np.broadcast_to(part.to_numpy(), len(order)).take(order),
                first,
                dtype=np.int64,
            )
            for part in (y, x)
        )
        return Counts(measure, labels, of_y, of_x, group, game)

    @cached_property
    def _sorted(self) -> tuple[Array, Array, Array, Array, dict[str, pl.Series]]:
        """Order of rows, first row of each cell, its group and game, and labels."""
        order = self.code.argsort()
        code = self.code.take(order)
        first = np.flatnonzero(np.append(True, code[1:] != code[:-1]))
        group, game = np.divmod(code.take(first), self.games)
        new = np.append(True, group[1:] != group[:-1])
        labels = self._labels_of(order.take(first[new]))  # of some row of each group
        if self.numbers is not None:
            game = self.numbers.take(game)
        return order, first, np.cumsum(new) - 1, game, labels

    def _labels_of(self, rows: Array) -> dict[str, pl.Series]:
        """Return the labels of the groups of these rows."""
        return {
            name: _labels(self.groups[name].gather(rows))
            for name in self.groups.columns
        }


def _games(game: Array) -> tuple[Array, int, Array | None]:
    """Return each row's place among the games, their count, and their numbers."""
    games = int(game.max()) + 1
    if games > _CELLS_PER_ROW * len(game):
        numbers, code = np.unique(game, return_inverse=True)
        return code, len(numbers), numbers
    has_rows = np.bincount(game) > 0
    numbers = np.flatnonzero(has_rows)
    if len(numbers) * _SPARSE_GAMES > games:
        return game, games, None
    return (np.cumsum(has_rows) - 1).take(game), len(numbers), numbers


def _labels(labels: pl.Series) -> pl.Series:
    """Return labels of groups as text or integers; other numbers stay as they are."""
    if isinstance(labels.dtype, pl.Enum | pl.Categorical):
        return labels.cast(pl.String)
    if labels.dtype.is_integer() or labels.dtype == pl.Boolean:
        return labels.cast(pl.Int64)
    return labels
