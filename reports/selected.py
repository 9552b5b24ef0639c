"""Numbers that are named because they are the greatest or the least of several.

The greatest of many estimates is likely to be one that chance made greater. So what is
picked is told with an interval that holds for all it was picked from at once, whichever
that is: of 52 equal cards the ordinary 95 % intervals of both the weakest and the
strongest hold the truth in 7 % of reports, these in 95 %.
"""

from statistics import NormalDist

import numpy as np
import polars as pl

from reports.formatting import ends
from reports.statistics import intervals

_LEVEL = 0.95


def at_once(
    rows: pl.DataFrame, name: str = "estimate", *, share: bool = False
) -> pl.DataFrame:
    """Rows with intervals of ``name`` that hold for all of them with 95 %.

    Bonferroni's: each is as wide as one of level 1 - 0.05 / rows. ``share``: of shares
    as ``intervals.rate`` tells them. Call it before rows are picked.
    """
    many = max(rows[ends(name)[0]].count(), 1)
    level = 1 - (1 - _LEVEL) / many
    z, wide = (NormalDist().inv_cdf((1 + one) / 2) for one in (_LEVEL, level))
    middle, low, high = (
        rows[column].cast(pl.Float64).to_numpy() for column in (name, *ends(name))
    )
    if share:
        known = ~np.isnan(middle) & (high > low)
        n = intervals.effective(middle, (high - low) / 2, z)
        n = np.where(known & np.isfinite(n), n, 0.0)
        found = intervals.wilson(np.where(known, middle, 0.0) * n, n, level)
        low, high = (
            np.where(known, end, old)
            for end, old in zip(found, (low, high), strict=True)
        )
    else:
        low = middle - (middle - low) * wide / z
        high = middle + (high - middle) * wide / z
    return rows.with_columns(
        pl.Series(column, values, nan_to_null=True)
        for column, values in zip(ends(name), (low, high), strict=True)
    )
