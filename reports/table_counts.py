"""Counts of tidy tables: the rows of each group and game, added up.

Integers are added up on a (group, game) grid, whose cells have integer codes; if most
cells would be empty, the codes are sorted instead. polars adds up other numbers, and
groups that have no codes. All three ways give the same counts; this is for speed.
"""

from typing import NamedTuple

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
    if frame.is_empty() and measure.by and not measure.derive:
        labels = {name: _labels(frame[name]) for name in measure.by}
        nothing = np.zeros(0, dtype=np.int64)
        return Counts(measure.name, labels, nothing, nothing, nothing, nothing)
    rows = _rows(measure, frame, first)
    by = list(measure.by)
    codes = _codes(rows, by)
    if codes is None:
        return _hashed(measure.name, rows, by)
    count = _dense if codes.size <= _CELLS_PER_ROW * rows.height else _sparse
    return count(measure.name, rows, by, codes)


def _rows(measure: Measure, frame: pl.DataFrame, first: int) -> pl.DataFrame:
    """Return the rows that count: game from 0, grouping columns, y and x."""
    lazy = frame.lazy()
    if measure.derive:
        lazy = lazy.with_columns(measure.derive)
    if measure.where is not None:
        lazy = lazy.filter(measure.where)
    game = pl.col("game").cast(pl.Int64) - first
    rows = lazy.select(game, *measure.by, y=measure.value, x=measure.per).collect()
    if (rows["game"] < 0).any():
        raise ValueError(f"{measure.name}: games of its table lie before {first}")
    if rows["y"].null_count() or rows["x"].null_count():
        rows = rows.drop_nulls(["y", "x"])
    return rows.with_columns(_wide(rows["y"]), _wide(rows["x"]))


def _wide(values: pl.Series) -> pl.Series:
    exact = values.dtype.is_integer() or values.dtype == pl.Boolean
    return values.cast(pl.Int64 if exact else pl.Float64)


def _hashed(measure: str, rows: pl.DataFrame, by: list[str]) -> Counts:
    """Count with polars: any numbers, and any grouping columns."""
    cells = (
        rows.lazy()
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
    return Counts(measure, labels, y, x, group, game)


class _Codes(NamedTuple):
    """The cells of a (group, game) grid.

    code: (rows,) each row's cell. size: cells of the grid. games: its width.
    numbers: (games,) numbers of these games; None: all games.
    """

    code: Array
    size: int
    games: int
    numbers: Array | None


def _dense(measure: str, rows: pl.DataFrame, by: list[str], codes: _Codes) -> Counts:
    """Count integers on a (group, game) grid."""
    code, size, games, numbers = codes
    groups = size // games
    example = np.full(groups, -1)
    example[code // games] = np.arange(rows.height)  # some row of each group
    seen = np.flatnonzero(example >= 0)
    y, x = (
        np.bincount(code, rows[name], size).reshape(groups, games)
        for name in ("y", "x")
    )
    labels = {name: _labels(rows[name].gather(example[seen])) for name in by}
    if len(seen) < groups:
        y, x = y[seen], x[seen]
    return Counts(measure, labels, y, x, game=numbers)


def _sparse(measure: str, rows: pl.DataFrame, by: list[str], codes: _Codes) -> Counts:
    """Count integers in the cells that are not empty."""
    order = codes.code.argsort()
    code = codes.code.take(order)
    first = np.flatnonzero(np.append(True, code[1:] != code[:-1]))  # row of each cell
    cells = code.take(first)
    y, x = (np.add.reduceat(rows[n].to_numpy().take(order), first) for n in ("y", "x"))
    group, game = np.divmod(cells, codes.games)
    new = np.append(True, group[1:] != group[:-1])
    example = order.take(first[new])  # some row of each group
    labels = {name: _labels(rows[name].gather(example)) for name in by}
    if codes.numbers is not None:
        game = codes.numbers.take(game)
    return Counts(measure, labels, y, x, np.cumsum(new) - 1, game)


def _codes(rows: pl.DataFrame, by: list[str]) -> _Codes | None:
    """Return each row's cell, leaving out games without rows if they are many.

    None if a grid cannot be used: for fractions, and for grouping columns that are
    neither integers nor words.
    """
    if rows.is_empty() or not rows["y"].dtype == rows["x"].dtype == pl.Int64:
        return None
    code, games, numbers = _games(rows["game"].to_numpy())
    size = games
    for name in by:
        places = _places(rows[name])
        if places is None:
            return None
        larger = size * (int(places.max()) + 1)
        if larger > _MOST_CELLS:
            return None
        code += size * places
        size = larger
    return _Codes(code, size, games, numbers)


def _games(game: Array) -> tuple[Array, int, Array | None]:
    """Return each row's place among the games, their count, and their numbers."""
    games = int(game.max()) + 1
    if games > _CELLS_PER_ROW * len(game):
        numbers, code = np.unique(game, return_inverse=True)
        return code, len(numbers), numbers
    has_rows = np.bincount(game) > 0
    numbers = np.flatnonzero(has_rows)
    if len(numbers) * _SPARSE_GAMES > games:
        return game.astype(np.int64), games, None
    return (np.cumsum(has_rows) - 1).take(game), len(numbers), numbers


def _places(column: pl.Series) -> Array | None:
    """Return a column as small integers from 0, or None if that is not possible."""
    words = column.dtype == pl.String
    column = (column.cast(pl.Categorical) if words else column).to_physical()
    if column.null_count() or not (
        column.dtype.is_integer() or column.dtype == pl.Boolean
    ):
        return None
    numbers = column.to_numpy()
    return numbers.astype(np.int64) - int(numbers.min())


def _labels(labels: pl.Series) -> pl.Series:
    """Return labels of groups as text or integers; other numbers stay as they are."""
    if isinstance(labels.dtype, pl.Enum | pl.Categorical):
        return labels.cast(pl.String)
    if labels.dtype.is_integer() or labels.dtype == pl.Boolean:
        return labels.cast(pl.Int64)
    return labels
