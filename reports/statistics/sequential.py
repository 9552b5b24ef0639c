"""Stopping when it is precise enough, with intervals that stay valid under looking.

A run with a wanted precision is looked at after every block and stopped as soon as it
is precise enough. An ordinary 95 % interval taken at such a moment covers less often
than 95 %: it had many chances to be wrong. The intervals here form a confidence
sequence: with the chance `level`, all of them, at all looks from the first one on,
hold the true value, so any rule for stopping is allowed.

Method: after n games the ordinary quantile z is replaced by

    sqrt(q + log(n / first)),    q: the `level` quantile of chi-square with 3 degrees

Robbins & Siegmund (1970, Ann. Math. Stat. 41:1410-1429) proved that a Brownian motion
stays inside this boundary from time `first` on with exactly the chance `level`;
Waudby-Smith, Kennedy & Ramdas (2023, arXiv:2311.03343) that means with an estimated
variance, and statistics that are asymptotically such means, obey it as `first` grows
(see also Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas 2024, Ann. Stat. 52:2613-2640).
At 95 % it is 2.80 instead of 1.96 at the first look, and 3.52 after 100 times as many
games. The game is the unit, as everywhere (`intervals`); the games looked at
must be a contiguous prefix, for games that happen to be finished first are not a fair
sample. Simulated 95 % sequences that are looked at 60 or 100 times cover, all along,
in 96 to 98 % of studies (the boundary allows for looks without end and at any moment;
first look at 200 games that go together strongly, or at 1,000 with a share of 0.2 %);
ordinary intervals do so in 61 to 66 %. Each sequence holds alone: of four positions
all four hold, all along, in 93 %; at the level 1 - 0.05 / 4 in 98 %. Of a mean that a
few games make there is no interval (`intervals.ratio`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from reports.measures import Statistic, is_share
from reports.statistics import intervals
from reports.statistics.estimates import estimates as plain_estimates
from reports.statistics.estimates import of_kind
from reports.statistics.intervals import Array


def multiplier(ratio: ArrayLike, level: float = 0.95) -> Array:
    """Find what replaces the normal quantile after `ratio` times the first look.

    A ratio below 1 (before the first look) gives inf: nothing is known yet.
    """
    from scipy.special import chdtri  # slow to import

    if not 0 < level < 1:
        raise ValueError(f"level must lie between 0 and 1, not {level}")
    ratio = np.asarray(ratio, dtype=np.float64)
    waited = np.log(np.maximum(ratio, 1.0))
    wide = np.sqrt(chdtri(3, 1 - level) + waited)
    return np.where(ratio < 1, np.inf, wide)


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
    """Estimate y / x: (estimate, low, high), valid at all looks from `first` games on.

    The sums are those of `intervals.ratio` and, with `share`, of `intervals.rate`, of
    which these are the wider relatives. first: in the unit of `games`; where `games`
    counts only those with a group, give as large a part of the games at the first
    look (see `estimates`).
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
    se, a = intervals.told(estimate, x, yy, xx, xy, games, yyy)
    return estimate, *intervals.skewed_ends(estimate, se, a, t)


def estimates(
    sums: pl.DataFrame,
    played: int,
    kind: Statistic,
    level: float = 0.95,
    *,
    first: int,
) -> pl.DataFrame:
    """`statistics.estimates` (same columns) with intervals valid under looking.

    For every measure of a run that could be stopped by looking at any of them.
    played: games so far, at least `first`.
    """
    if played < first:
        raise ValueError(f"estimates: {played} games are fewer than first={first}")
    plain = plain_estimates(sums, kind, played, level)
    columns = of_kind(sums, kind, played)
    begun = np.maximum(columns["games"], 1) * (first / played)
    found = interval(**columns, level=level, share=is_share(kind), first=begun)
    low, high = (
        pl.Series(name, end, nan_to_null=True)
        for name, end in zip(("low", "high"), found[1:], strict=True)
    )
    return plain.with_columns(low, high)


@dataclass(frozen=True)
class Stop:
    """When a cell has been played often enough: a measure is known to +- half_width.

    groups: which rows of the measure are meant, as column -> value; without any, all
    of them have to be known so well. Half of the interval's width is what counts.
    """

    measure: str
    half_width: float  # in the units of the measure: 0.002 is 0.2 points of a share
    level: float = 0.95
    kind: Statistic = "share"
    groups: Mapping[str, object] = field(default_factory=dict)
    first: int = 10_000  # games before the first look

    def __post_init__(self) -> None:
        """Refuse what can never be reached or means nothing."""
        if not self.half_width > 0:
            raise ValueError(f"half_width: above 0, not {self.half_width}.")
        if not 0 < self.level < 1:
            raise ValueError(f"level: between 0 and 1, not {self.level}.")
        if self.first < 2:
            raise ValueError(f"first: at least 2 games, not {self.first}.")

    def enough(self, sums: pl.DataFrame, games: int) -> bool:
        """Tell whether all groups that are meant are known so well.

        sums: those of the first `games` games of one cell, of all measures or of this
        one; a column `measure` and the grouping columns before those of sums.
        """
        if games < self.first:
            return False
        widths = self.widths(sums, games)
        return len(widths) > 0 and bool(np.all(widths <= self.half_width))

    def widths(self, sums: pl.DataFrame, games: int) -> Array:
        """Half of the interval's width of each group that is meant; inf if unknown."""
        rows = self._rows(sums)
        if rows.is_empty():
            return np.empty(0)
        found = estimates(rows, games, self.kind, self.level, first=self.first)
        half = (found["high"] - found["low"]) / 2
        return half.fill_null(np.inf).to_numpy().astype(np.float64)

    def expected(self, sums: pl.DataFrame, games: int) -> float:
        """Guess how many games it will take in all; nan while nothing is known.

        Intervals shrink with the square root of the games, but for the logarithm in
        `multiplier`; before the first look, what it will show is foreseen.
        """
        rows = self._rows(sums)
        if games < 2 or rows.is_empty():
            return float("nan")
        found = plain_estimates(rows, self.kind, games, self.level)["se"]
        if found.null_count():
            return float("nan")
        spread = float(found.to_numpy().max()) * np.sqrt(games)
        return games_for(self.half_width, spread, self.first, self.level)

    def _rows(self, sums: pl.DataFrame) -> pl.DataFrame:
        """The sums of the groups that are meant."""
        rows = sums
        if "measure" in sums.columns:
            rows = sums.filter(pl.col("measure") == self.measure).drop("measure")
        for name, value in self.groups.items():
            rows = rows.filter(pl.col(name) == value)
        return rows


def games_for(
    half_width: float, spread: float, first: int, level: float = 0.95
) -> float:
    """Games at which a sequence has shrunk to +- half_width; at least `first`.

    spread: standard error times the square root of the games it was reached with.
    """
    games = float(first)
    for _ in range(50):  # the logarithm changes little: this settles at once
        wide = float(multiplier(games / first, level))
        games = max(float(first), (wide * spread / half_width) ** 2)
    return float(np.ceil(games))


def _like_t(z: Array, games: Array) -> Array:
    """Find Student's t quantile with the tail of z, for few games."""
    from scipy.special import ndtr, stdtrit  # slow to import

    freedom = np.where(games > 1, games - 1, np.nan)
    t = -stdtrit(freedom, ndtr(-z))
    return np.where(np.isinf(z), np.inf, t)


def _share(
    share: Array, se: Array, x: Array, games: Array, z: Array, t: Array
) -> tuple[Array, Array, Array]:
    """Invert the score test as `intervals.rate` does, with z in place of its own."""
    with np.errstate(invalid="ignore"):
        few = np.where(np.isfinite(z), z / t, 1.0)
    effective = intervals.trials(share, np.nan_to_num(se**2), x, games, few)
    known = (x > 0) & np.isfinite(z)
    some, z = np.where(known, effective, 1.0), np.where(known, z, 1.0)
    centre = (share + z**2 / (2 * some)) / (1 + z**2 / some)
    spread = np.sqrt(share * (1 - share) / some + (z / (2 * some)) ** 2)
    half = z * spread / (1 + z**2 / some)
    low = np.where(known & (share > 0), np.maximum(centre - half, 0.0), 0.0)
    high = np.where(known & (share < 1), np.minimum(centre + half, 1.0), 1.0)
    return share, low, high
