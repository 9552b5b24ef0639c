"""Stopping at a precision, with intervals that stay valid under repeated looks.

A run with a wanted precision is looked at after every block and stopped as soon as it
is precise enough. An ordinary 95 % interval at that moment covers less often than 95 %,
as it had many chances to be wrong. The intervals here form a confidence sequence: with
probability ``level``, all of them, at all looks from the first one on, contain the true
value. So any stopping rule is allowed.

Method: after n games the ordinary quantile z is replaced by

    sqrt(q + log(n / first)),    q: the ``level`` quantile of chi-square with 3 degrees

Robbins & Siegmund (1970, Ann. Math. Stat. 41:1410-1429) proved that a Brownian motion
stays inside this boundary from time ``first`` on with probability exactly ``level``;
Waudby-Smith, Kennedy & Ramdas (2023, arXiv:2311.03343) that means with an estimated
variance, and statistics that are asymptotically such means, do so as ``first`` grows
(see also Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas 2024, Ann. Stat. 52:2613-2640).
At 95 % it is 2.80 instead of 1.96 at the first look, and 3.52 after 100 times as many
games. The game is the unit, as everywhere (``intervals``). The games must be a
contiguous prefix, as the games that happen to finish first are not a fair sample.
Simulated 95 % sequences with 60 or 100 looks cover throughout in 96 to 98 % of studies
(the boundary allows for endless looks at any moment; first look at 200 strongly
clustered games, or at 1,000 with a share of 0.2 %); ordinary intervals do so in 61 to
66 %. Each sequence holds by itself: of four positions, all four hold throughout in
93 %; at the level 1 - 0.05 / 4 in 98 %. A mean that depends on a few games has no
interval (``intervals.ratio``).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from reports.measures import Statistic, is_share
from reports.statistics import intervals
from reports.statistics.estimates import estimates, of_kind
from reports.statistics.intervals import Array


def multiplier(ratio: ArrayLike, level: float = 0.95) -> Array:
    """Return what replaces the normal quantile after ``ratio`` times the first look.

    A ratio below 1 (before the first look) gives inf: nothing is known yet.
    """
    from scipy.special import chdtri  # slow to import

    if not 0 < level < 1:
        raise ValueError(f"level must lie between 0 and 1, not {level}")
    ratio = np.asarray(ratio, dtype=np.float64)
    log_ratio = np.log(np.maximum(ratio, 1.0))
    boundary = np.sqrt(chdtri(3, 1 - level) + log_ratio)
    return np.where(ratio < 1, np.inf, boundary)


def interval(  # noqa: PLR0913 - the sums of a measure
    y: ArrayLike,
    x: ArrayLike,
    yy: ArrayLike,
    xx: ArrayLike,
    xy: ArrayLike,
    games: ArrayLike,
    yyy: ArrayLike = np.nan,
    *,
    level: float = 0.95,
    share: bool,
    first: ArrayLike,
) -> tuple[Array, Array, Array]:
    """Estimate y / x: (estimate, low, high), valid at all looks from ``first`` on.

    The arguments and methods are those of ``intervals.ratio`` or, with ``share``,
    ``intervals.rate``, with wider intervals. first: in the unit of ``games``; if that
    counts only games with a group, the same part of the games at the first look (see
    ``sequential_estimates``).
    """
    y, x, games, first = np.broadcast_arrays(
        *(np.asarray(value, dtype=np.float64) for value in (y, x, games, first))
    )
    estimate = y / np.where(x != 0, x, np.nan)
    z = multiplier(games / first, level)
    t = _like_t(z, games)
    if share:
        if np.any((estimate < 0) | (estimate > 1)):
            raise ValueError("interval: y must lie between 0 and x for a share")
        se = intervals.ratio(y, x, yy, xx, xy, games, level=level).se
        return _share(estimate, se, x, games, z, t)
    se, a = intervals.error_and_skew(estimate, x, yy, xx, xy, games, yyy)
    return estimate, *intervals.skewed_ends(estimate, se, a, t)


def sequential_estimates(
    sums: pl.DataFrame, played: int, kind: Statistic, level: float = 0.95, *, first: int
) -> pl.DataFrame:
    """Return estimates of a measure with intervals that are valid under repeated looks.

    The columns are those of ``statistics.estimates``. For every measure of a run that
    any measure could have stopped. played: games so far, at least ``first``.
    """
    if played < first:
        raise ValueError(f"estimates: {played} games are fewer than first={first}")
    plain = estimates(sums, kind, played, level)
    columns = of_kind(sums, kind, played)
    at_first = np.maximum(columns["games"], 1) * (first / played)
    _, *ends = interval(**columns, level=level, share=is_share(kind), first=at_first)
    low, high = (
        pl.Series(name, end, nan_to_null=True)
        for name, end in zip(("low", "high"), ends, strict=True)
    )
    return plain.with_columns(low, high)


@dataclass(frozen=True)
class PrecisionStop:
    """A stopping rule for a cell: a measure must be known to +- half_width.

    groups: the rows of the measure that count, as column -> value (default: all).
    Half of the interval's width is compared.
    """

    measure: str
    half_width: float  # in the units of the measure: 0.002 is 0.2 points of a share
    level: float = 0.95
    kind: Statistic = "share"
    groups: Mapping[str, object] = field(default_factory=dict)
    first: int = 10_000  # games before the first look

    def __post_init__(self) -> None:
        """Raise ValueError for a rule that is never met or means nothing."""
        if not self.half_width > 0:
            raise ValueError(f"half_width: above 0, not {self.half_width}.")
        if not 0 < self.level < 1:
            raise ValueError(f"level: between 0 and 1, not {self.level}.")
        if self.first < 2:
            raise ValueError(f"first: at least 2 games, not {self.first}.")

    def enough(self, sums: pl.DataFrame, games: int) -> bool:
        """Return whether all groups that count are known well enough.

        sums: of the first ``games`` games of one cell, of all measures (with a column
        ``measure``) or of this one, with its grouping columns.
        """
        if games < self.first:
            return False
        widths = self.widths(sums, games)
        return len(widths) > 0 and bool(np.all(widths <= self.half_width))

    def widths(self, sums: pl.DataFrame, games: int) -> Array:
        """Return half of the interval's width for each group; inf if unknown."""
        rows = self._rows(sums)
        if rows.is_empty():
            return np.empty(0)
        rows = sequential_estimates(
            rows, games, self.kind, self.level, first=self.first
        )
        half = (rows["high"] - rows["low"]) / 2
        return half.fill_null(np.inf).to_numpy().astype(np.float64)

    def expected(self, sums: pl.DataFrame, games: int) -> float:
        """Predict how many games it will take in all; nan while nothing is known.

        Intervals shrink with the square root of the games, except for the logarithm in
        ``multiplier``; before the first look, the width at that look is predicted.
        """
        rows = self._rows(sums)
        if games < 2 or rows.is_empty():
            return float("nan")
        se = estimates(rows, self.kind, games, self.level)["se"]
        if se.null_count():
            return float("nan")
        spread = float(se.to_numpy().max()) * np.sqrt(games)
        return games_for(self.half_width, spread, self.first, self.level)

    def _rows(self, sums: pl.DataFrame) -> pl.DataFrame:
        """Return the sums of the groups that count."""
        rows = sums
        if "measure" in sums.columns:
            rows = sums.filter(pl.col("measure") == self.measure).drop("measure")
        for name, value in self.groups.items():
            rows = rows.filter(pl.col(name) == value)
        return rows


def games_for(
    half_width: float, spread: float, first: int, level: float = 0.95
) -> float:
    """Return the games at which a sequence has shrunk to +- half_width, or ``first``.

    spread: standard error times the square root of the games it was reached with.
    """
    games = float(first)
    for _ in range(50):  # converges quickly, as the logarithm changes little
        z = float(multiplier(games / first, level))
        games = max(float(first), (z * spread / half_width) ** 2)
    return float(np.ceil(games))


def _like_t(z: Array, games: Array) -> Array:
    """Return Student's t quantile with the tail of z, for few games."""
    from scipy.special import ndtr, stdtrit  # slow to import

    freedom = np.where(games > 1, games - 1, np.nan)
    t = -stdtrit(freedom, ndtr(-z))
    return np.where(np.isinf(z), np.inf, t)


def _share(
    share: Array, se: Array, x: Array, games: Array, z: Array, t: Array
) -> tuple[Array, Array, Array]:
    """Invert the score test as ``intervals.rate`` does, with another z."""
    with np.errstate(invalid="ignore"):
        few = np.where(np.isfinite(z), z / t, 1.0)
    effective = intervals.trials(share, np.nan_to_num(se**2), x, games, few)
    known = (x > 0) & np.isfinite(z)
    n, z = np.where(known, effective, 1.0), np.where(known, z, 1.0)
    centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    spread = np.sqrt(share * (1 - share) / n + (z / (2 * n)) ** 2)
    half = z * spread / (1 + z**2 / n)
    low = np.where(known & (share > 0), np.maximum(centre - half, 0.0), 0.0)
    high = np.where(known & (share < 1), np.minimum(centre + half, 1.0), 1.0)
    return share, low, high
