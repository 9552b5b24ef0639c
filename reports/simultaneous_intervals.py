"""Numbers that are named because they are the greatest or the least of several.

The greatest of many estimates is likely to be too great by chance. So a number that is
picked gets a simultaneous interval, which holds for all that it was picked from: with
52 equal cards, the ordinary 95 % intervals of both the weakest and the strongest
contain the truth in 7 % of reports, simultaneous ones in 95 %.
"""

from statistics import NormalDist

import numpy as np
import polars as pl

from reports.formatting import bounds_of
from reports.statistics import intervals

_LEVEL = 0.95


def simultaneous_intervals(
    rows: pl.DataFrame, name: str = "estimate", *, share: bool = False
) -> pl.DataFrame:
    """Return rows with simultaneous 95 % intervals of ``name`` (Bonferroni).

    Each interval has level 1 - 0.05 / rows. ``share``: the numbers are shares from
    ``intervals.rate``. Call it before rows are picked.
    """
    family = max(rows[bounds_of(name)[0]].count(), 1)
    level = 1 - (1 - _LEVEL) / family
    z, wide = (NormalDist().inv_cdf((1 + of) / 2) for of in (_LEVEL, level))
    middle, low, high = (
        rows[column].cast(pl.Float64).to_numpy() for column in (name, *bounds_of(name))
    )
    if share:
        known = ~np.isnan(middle) & (high > low)
        n = intervals.effective(middle, (high - low) / 2, z)
        n = np.where(known & np.isfinite(n), n, 0.0)
        bounds = intervals.wilson(np.where(known, middle, 0.0) * n, n, level)
        low, high = (
            np.where(known, end, old)
            for end, old in zip(bounds, (low, high), strict=True)
        )
    else:
        low = middle - (middle - low) * wide / z
        high = middle + (high - middle) * wide / z
    return rows.with_columns(
        pl.Series(column, values, nan_to_null=True)
        for column, values in zip(bounds_of(name), (low, high), strict=True)
    )
