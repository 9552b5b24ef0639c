"""Measures: what is counted, as ratios ("contracts made per contract taken") by group.

A measure has a name, a meaning, a kind, groups, and a source of its numbers. Its kind
decides the interval. Its sums are taken block by block, added up in any order, and
turned into estimates with intervals whose unit of resampling is the game:

    made = Measure("made", "share of the contracts that are kept", "share",
                   "contracts", pl.col("made"), by=("target",))
    total = merge(count_rows(made, block).sums() for block in blocks)
    estimates(total, made.kind)    # target, ..., estimate, low, high, se, n

A measure with a ``table`` reads a tidy table, with a row for each trick or seat. One
without gets its y and x from a function of the report (``reports.counts.grid``).
``MeasuresOf`` makes several measures that share a table, groups or a unit.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import polars as pl

from reports.batches import BATCHES

Statistic = Literal["share", "mean", "per game", "share of games"]

KINDS: dict[Statistic, str] = {
    "share": "y of x, from 0 to 1",
    "mean": "y per x",
    "per game": "y per game played, games without the group included",
    "share of games": "games of the group, of all games played",
}
"""The meaning of each kind of measure; y and x are what a measure sums up."""

SUMS = ("y", "x", "yy", "xx", "xy", "games", "yyy")
"""Columns of a table of sums, after its grouping columns: sums of y and x, sums over
games of the products of a game's y and x, games in which x is not 0, and the sum over
games of y cubed, which shows how skewed y is."""

BATCHED = ("y_batches", "x_batches", "games_batches")
"""More columns: the sums of y, x and games in each of ``reports.batches.BATCHES``."""

SUM_TYPES: dict[str, Any] = {
    **dict.fromkeys(SUMS, pl.Float64),
    **dict.fromkeys(BATCHED, pl.Array(pl.Float64, BATCHES)),
}
"""All columns of a table of sums after its grouping columns, with their types."""

ESTIMATES = ("estimate", "low", "high", "se", "n")
"""Columns that ``estimates`` adds."""


def is_share(kind: Statistic) -> bool:
    """Return whether estimates of this kind go from 0 to 1."""
    return kind in ("share", "share of games")


def _one() -> pl.Expr:
    return pl.lit(1)


@dataclass(frozen=True, eq=False)
class Measure:
    """A ratio of two sums, y and x, for each group; every game has one y and one x.

    In a tidy table, y sums ``value`` and x sums ``per``; rows in which either is null
    do not count. ``family`` is what it is judged together with: the ``end`` of games,
    which every run counts, or the ``report`` of the game.
    """

    name: str
    doc: str  # what a number of it means, without the groups
    kind: Statistic
    table: str = ""  # the tidy table it reads; none where arrays are counted
    value: pl.Expr = field(default_factory=_one)  # numerator per row
    per: pl.Expr = field(default_factory=_one)  # denominator per row
    by: tuple[str, ...] = ()  # grouping columns
    where: pl.Expr | None = None  # rows that count, after `derive`
    derive: tuple[pl.Expr, ...] = ()  # columns added first, in one step
    unit: str = ""  # such as points, tricks; "pp" for a difference of shares
    family: Literal["report", "end"] = "report"

    def __post_init__(self) -> None:
        """Raise ValueError for grouping columns that the result has already."""
        names = {"game", "cell", "measure", *SUM_TYPES, *ESTIMATES}
        taken = names.intersection(self.by)
        if taken:
            raise ValueError(f"{self.name}: cannot group by {sorted(taken)}")

    @property
    def share(self) -> bool:
        """Whether its estimates go from 0 to 1."""
        return is_share(self.kind)


@dataclass(frozen=True)
class MeasuresOf:
    """Makes measures of one tidy table or, without a table, of arrays.

        _WEEKS = MeasuresOf("weeks", by="week", unit="points")
        _WEEKS.mean("points by week", "points at the end of the week", "points")

    ``value`` and ``per`` are columns of the table by name, or expressions. ``by`` names
    the groups, separated by blanks; a measure may have others. All names begin with
    ``head``.
    """

    table: str = ""
    by: str = ""
    unit: str = ""
    where: pl.Expr | None = None
    head: str = ""

    def share(self, name: str, doc: str, *of: str | pl.Expr, **more: Any) -> Measure:
        """Make a share, y of x, from 0 to 1; see ``measure``."""
        return self.measure("share", name, doc, *of, **more)

    def mean(self, name: str, doc: str, *of: str | pl.Expr, **more: Any) -> Measure:
        """Make a mean, y per x; see ``measure``."""
        return self.measure("mean", name, doc, *of, **more)

    def per_game(self, name: str, doc: str, *of: str | pl.Expr, **more: Any) -> Measure:
        """Make a measure of y per game played; see ``measure``."""
        return self.measure("per game", name, doc, *of, **more)

    def share_of_games(self, name: str, doc: str, **more: Any) -> Measure:
        """Make a share of all games played; see ``measure``."""
        return self.measure("share of games", name, doc, **more)

    def measure(
        self,
        kind: Statistic,
        name: str,
        doc: str,
        value: str | pl.Expr = "",
        per: str | pl.Expr = "",
        *,
        by: str | None = None,
        unit: str | None = None,
        where: pl.Expr | None = None,
    ) -> Measure:
        """Make a measure; without ``value`` or ``per``, a row counts 1."""
        return Measure(
            self.head + name,
            doc,
            kind,
            self.table,
            _column(value),
            _column(per),
            by=tuple((self.by if by is None else by).split()),
            where=self.where if where is None else where,
            unit=self.unit if unit is None else unit,
        )


def _column(value: str | pl.Expr) -> pl.Expr:
    if isinstance(value, pl.Expr):
        return value
    return pl.col(value) if value else _one()


def merge(frames: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """Add up tables of sums, sorted by their grouping columns.

    Every game must be in one table only; a column that a table lacks is null there.
    Sums are whole numbers below 2**53, so the order of adding changes no bit. Raises
    ValueError if there is no table.
    """
    tables = list(frames)
    if not tables:
        raise ValueError("merge: no tables of sums")
    together = pl.concat(tables, how="diagonal", rechunk=True).with_row_index("_row")
    by = _groups(together.drop("_row"))
    added = pl.col(SUMS).sum()
    if not by:
        merged = together.select(added, pl.col("_row").implode())
    else:
        merged = together.group_by(by).agg(added, "_row").sort(by)
    if merged.is_empty():
        return together.select(*by, *SUM_TYPES)
    rows = merged["_row"]  # of each group
    order, ends = rows.explode().to_numpy(), rows.list.len().cum_sum().to_numpy()
    first = np.append(0, ends[:-1])
    arrays = (together[name].to_numpy()[order] for name in BATCHED)
    if len(first) < len(order):  # some groups are in several tables
        arrays = (np.add.reduceat(array, first) for array in arrays)
    return merged.select(
        *by,
        *SUMS,
        *(pl.Series(*each) for each in zip(BATCHED, arrays, strict=True)),
    )


def concat_disjoint(frames: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """Concatenate tables of sums whose groups are distinct, sorted as by ``merge``."""
    together = pl.concat(frames, how="diagonal")
    by = _groups(together)
    return together.select(*by, *SUM_TYPES).sort(by)


def _groups(table: pl.DataFrame) -> list[str]:
    return sorted(name for name in table.columns if name not in SUM_TYPES)
