"""Many comparisons at once: named families, adjusted p-values and intervals.

Of twenty comparisons in which nothing differs, on average one is called different at
5 %. So comparisons that are made together are a family, controlled in one of two ways:

holm    the chance of any false alarm in the family is at most 5 % (Holm 1979, Scand.
        J. Stat. 6:65-70). For a few comparisons that stand or fall together. Intervals:
        Bonferroni's, which all hold at once with 95 %.
bh      of the differences called, at most 5 % are false on average (Benjamini &
        Hochberg 1995, J. R. Stat. Soc. B 57:289-300; valid for comparisons that are
        independent or positively dependent). For many, as in screening. Intervals: of
        those called, 95 % hold on average (Benjamini & Yekutieli 2005, J. Am. Stat.
        Assoc. 100:71-81).

Both kinds of interval are the ordinary one at a higher level (``levels``).

If several families are reported together, each controlled at 5 %, the chance that any
raises a false alarm is larger. So ``among`` families share the 5 % in equal parts
(Bonferroni): if nothing differs in any, a false alarm is at most as probable as in one.
"""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reports.statistics import intervals
from reports.statistics.intervals import Array

Method = Literal["holm", "bh"]

METHODS: dict[Method, str] = {
    "holm": "Holm: at most 5 % chance of any false alarm among them",
    "bh": "Benjamini-Hochberg: at most 5 % of the differences called are false",
}
"""What each method guarantees at the level of 95 %, for a single family."""
NAMES: dict[Method, str] = {"holm": "Holm", "bh": "Benjamini-Hochberg"}


def adjust(p_values: ArrayLike, method: Method = "holm", among: int = 1) -> Array:
    """Adjust p-values (k,) for a family of k comparisons; nan is left out of it.

    ``among``: families that share the level. Comparisons with an adjusted p of at most
    0.05 are called different at 95 %.
    """
    return np.minimum(among * _adjusted(p_values, method), 1.0)


def _adjusted(p_values: ArrayLike, method: Method) -> Array:
    """Adjust p-values (k,) for a single family."""
    if method == "holm":
        return intervals.holm(p_values)
    if method != "bh":
        raise ValueError(f"method: holm or bh, not {method!r}.")
    p = np.asarray(p_values, dtype=np.float64)
    adjusted = np.full_like(p, np.nan)
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    steps = p[order] * len(order) / np.arange(1, len(order) + 1)
    adjusted[order] = np.minimum.accumulate(steps[::-1])[::-1]
    return np.minimum(adjusted, 1.0)


def different(
    p_values: ArrayLike, method: Method = "holm", level: float = 0.95, among: int = 1
) -> NDArray[np.bool_]:
    """Return which comparisons (k,) of a family are called different."""
    return np.nan_to_num(adjust(p_values, method, among), nan=1.0) <= 1 - level


def levels(
    p_values: ArrayLike, method: Method = "holm", level: float = 0.95, among: int = 1
) -> float:
    """Return the level at which ordinary intervals hold for a family.

    holm: 1 - (1 - level) / k. bh: 1 - called * (1 - level) / k, with at least 1 called.
    A family without data has the level itself. ``among`` families share 1 - level.
    """
    p = np.asarray(p_values, dtype=np.float64)
    size = int(np.sum(~np.isnan(p)))
    called = int(different(p, method, level, among).sum()) if method == "bh" else 1
    return 1 - (1 - level) * max(called, 1) / max(size, 1) / among
