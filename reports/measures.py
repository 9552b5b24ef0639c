"""What is counted: ratios such as "made contracts per contract taken", by group.

A measure says which rows of a raw table count, what is summed, per what, and by which
columns. Its sums are taken block by block, added up in any order, and turned into
estimates with intervals whose unit of resampling is the game:

    made = Measure("made", table="contracts", value=pl.col("made"), by=("target",))
    total = merge(sums(made, block) for block in blocks)
    estimates(total, kind="rate")    # target, ..., estimate, low, high, se, n

Sums of integers and booleans are exact, so the order of merging changes no bit.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports import intervals

Kind = Literal["mean", "rate", "per_game"]

SUMS = ("y", "x", "yy", "xx", "xy", "games")
"""Columns of a table of sums, after its grouping columns."""

_ESTIMATES = ("estimate", "low", "high", "se", "n")
_CELLS_PER_ROW = 6  # beyond this a dense (group, game) grid is slower than hashing


def _one() -> pl.Expr:
    return pl.lit(1)


@dataclass(frozen=True, eq=False)
class Measure:
    """A ratio of two sums over rows of a table, per group: sum(value) / sum(per).

    Rows in which `value` or `per` is null do not count.
    """

    name: str
    table: str  # the raw table it reads
    value: pl.Expr  # numerator per row
    per: pl.Expr = field(default_factory=_one)  # denominator per row
    by: tuple[str, ...] = ()  # grouping columns
    where: pl.Expr | None = None  # rows that count, after `derive`
    derive: tuple[pl.Expr, ...] = ()  # columns added first, in one step

    def __post_init__(self) -> None:
        """Refuse grouping columns that would clash with those of the result."""
        taken = {"game", *SUMS, *_ESTIMATES}.intersection(self.by)
        if taken:
            raise ValueError(f"{self.name}: cannot group by {sorted(taken)}")


def sums(measure: Measure, frame: pl.DataFrame) -> pl.DataFrame:
    """Sum a measure over the games of a block.

    frame has a column `game` (integer) and what the measure reads. Returns a row a
    group, sorted by the grouping columns: these, then y, x (sums of value and per),
    yy, xx, xy (sums over games of the products of a game's y and x) and games (games
    in which the group occurs: x is not 0). Int64 where the input is integer or
    boolean, else Float64. Without grouping columns there is always exactly one row.
    """
    rows = _rows(measure, frame)
    by = list(measure.by)
    codes = _codes(rows, by)
    cells = _hashed(rows, by) if codes is None else _dense(rows, by, *codes)
    return cells.sort(by) if by else cells


def per_game(measure: Measure, frame: pl.DataFrame) -> pl.DataFrame:
    """Give a measure by game: a row a game and group with its y and x, in any order.

    Columns: game, the grouping columns, y, x; what `sums` adds up.
    """
    rows = _rows(measure, frame)
    ordered = not _exact(rows)  # fractions: always added in the same order
    cells = rows.lazy().group_by("game", *measure.by, maintain_order=ordered)
    return cells.agg(pl.col("y").sum(), pl.col("x").sum()).collect()


def merge(frames: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """Add up tables of sums of one measure, sorted by its grouping columns.

    Every game must lie in one block only. Raises ValueError when there is no table.
    """
    tables = list(frames)
    if not tables:
        raise ValueError("merge: no tables of sums")
    together = pl.concat(tables)
    by = [name for name in together.columns if name not in SUMS]
    if not by:
        return together.sum()
    return together.group_by(by).agg(pl.col(SUMS).sum()).sort(by)


def estimates(
    sums: pl.DataFrame,
    total_games: int | None = None,
    kind: Kind = "mean",
    level: float = 0.95,
) -> pl.DataFrame:
    """Add estimate, low, high, se and n to a table of sums.

    kind "mean": y / x. "rate": y / x as a share, 0 to 1. "per_game": y per game played,
    games without the group included; it needs `total_games`. n is the count behind
    the number: x, or the games played. Null where there is no data (a share then has
    the interval 0 to 1) and where a single game allows no interval.
    """
    columns = {name: sums[name].to_numpy() for name in SUMS}
    if kind == "per_game":
        if total_games is None:
            raise ValueError("estimates: kind 'per_game' needs total_games")
        played = np.full(sums.height, total_games, dtype=np.int64)
        columns.update(x=played, xx=played, xy=columns["y"], games=played)
    formula = intervals.rate if kind == "rate" else intervals.ratio
    found = formula(**columns, level=level)
    named = zip(_ESTIMATES, (*found, columns["x"]), strict=True)
    added = [pl.Series(name, value, nan_to_null=True) for name, value in named]
    return sums.with_columns(added)


def _rows(measure: Measure, frame: pl.DataFrame) -> pl.DataFrame:
    """Keep the rows that count: game, grouping columns, y and x."""
    lazy = frame.lazy()
    if measure.derive:
        lazy = lazy.with_columns(measure.derive)
    if measure.where is not None:
        lazy = lazy.filter(measure.where)
    rows = lazy.select("game", *measure.by, y=measure.value, x=measure.per).collect()
    if rows["y"].null_count() or rows["x"].null_count():
        rows = rows.drop_nulls(["y", "x"])
    return rows.with_columns(_wide(rows["y"]), _wide(rows["x"]))


def _wide(values: pl.Series) -> pl.Series:
    exact = values.dtype.is_integer() or values.dtype == pl.Boolean
    return values.cast(pl.Int64 if exact else pl.Float64)


def _hashed(rows: pl.DataFrame, by: list[str]) -> pl.DataFrame:
    """Sum by way of polars: any numbers, any grouping columns, any number of groups."""
    y, x = pl.col("y"), pl.col("x")
    totals = [
        y.sum(),
        x.sum(),
        (y * y).sum().alias("yy"),
        (x * x).sum().alias("xx"),
        (x * y).sum().alias("xy"),
        (x != 0).sum().cast(pl.Int64).alias("games"),
    ]
    ordered = not _exact(rows)  # fractions: always added in the same order
    cells = rows.lazy().group_by("game", *by, maintain_order=ordered)
    sums = cells.agg(y.sum(), x.sum())
    return (sums.group_by(by).agg(totals) if by else sums.select(totals)).collect()


def _dense(
    rows: pl.DataFrame, by: list[str], code: NDArray[np.int64], games: int
) -> pl.DataFrame:
    """Sum whole numbers on a (group, game) grid: the same, up to six times faster."""
    groups = int(code.max()) // games + 1
    example = np.full(groups, -1)
    example[code // games] = np.arange(rows.height)  # some row of each group
    seen = example >= 0
    y, x = (
        np.bincount(code, rows[name], groups * games).reshape(groups, games)
        for name in ("y", "x")
    )
    totals = {"y": y.sum(axis=1), "x": x.sum(axis=1)}
    for name, (one, other) in {"yy": (y, y), "xx": (x, x), "xy": (x, y)}.items():
        totals[name] = np.einsum("gk,gk->g", one, other)
    totals["games"] = np.count_nonzero(x, axis=1)
    columns = [pl.Series(key, val[seen].astype(int)) for key, val in totals.items()]
    return pl.DataFrame([*(rows[name][example[seen]] for name in by), *columns])


def _codes(rows: pl.DataFrame, by: list[str]) -> tuple[NDArray[np.int64], int] | None:
    """Find each row's cell in the (group, game) grid, and the games across it.

    None where the grid does not pay or cannot serve: too large, fractions, grouping
    columns that are neither whole numbers nor words.
    """
    if rows.is_empty() or not _exact(rows):
        return None
    code, games, size = np.zeros(rows.height, dtype=np.int64), 1, 1
    for name in ("game", *by):
        places = _places(rows[name])
        if places is None:
            return None
        code += size * places
        size *= int(places.max()) + 1
        if size > _CELLS_PER_ROW * rows.height:
            return None
        if name == "game":
            games = size
    return (code, games) if _small(rows, np.bincount(code % games).max()) else None


def _exact(rows: pl.DataFrame) -> bool:
    return rows["y"].dtype == rows["x"].dtype == pl.Int64


def _small(rows: pl.DataFrame, longest: int) -> bool:
    """Tell whether doubles hold all sums exactly, with `longest` rows a game."""
    largest: int = max(rows.select(pl.col("y", "x").abs().max()).row(0))
    return largest**2 * rows.height * int(longest) < 2**53


def _places(column: pl.Series) -> NDArray[np.int64] | None:
    """Read a column as small whole numbers from 0, if it can be read so."""
    words = column.dtype == pl.String
    column = (column.cast(pl.Categorical) if words else column).to_physical()
    if column.null_count() or not (column.dtype.is_integer() or column.dtype == bool):
        return None
    numbers = column.to_numpy()
    return numbers.astype(np.int64) - int(numbers.min())
