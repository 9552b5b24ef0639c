"""Double sampling: a share of the games played, stratified by what is known of more.

What a game is dealt is known at once, and for many more games than are played. So the
share is taken in each stratum of deals, and the strata are weighted by how often they
are dealt: the luck of which deals were played is gone. This is a control variate for
each stratum with the best coefficients, which leave no bias, as fitted ones may.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reports.statistics import intervals

LEAST = 30
"""Games of each stratum; with fewer of any, the share is the plain one."""


class StratifiedShare(NamedTuple):
    """A share, its interval, and how many times as many games it is worth.

    ``factor``: the variance of the plain share over that of this one.
    """

    estimate: float
    low: float
    high: float
    factor: float


def stratified_share(
    y: ArrayLike, stratum: NDArray[np.int64], dealt: ArrayLike, level: float = 0.95
) -> StratifiedShare:
    """Estimate the share of games with y, with a Wilson interval.

    y, stratum: (games,) 0 or 1, and the stratum of each game, from 0. dealt: (strata,)
    how many deals are in each, those of the games included. Variance: Neyman 1938, J.
    Am. Stat. Assoc. 33:101-116; Cochran 1977, Sampling Techniques, 3rd ed., ch. 12.2.

    >>> y, stratum = np.tile([0, 0, 0, 1], 100), np.tile([0, 0, 1, 1], 100)
    >>> share = stratified_share(y, stratum, [10**6, 10**6])
    >>> round(share.estimate, 3), round(share.factor, 1)
    (0.25, 1.5)
    """
    weight, won = np.asarray(dealt, dtype=np.float64), np.asarray(y, dtype=np.float64)
    deals, games, plain = float(weight.sum()), len(won), float(won.mean())
    n = np.bincount(stratum, minlength=len(weight)).astype(np.float64)
    wins = np.bincount(stratum, won, len(weight))
    n, wins, weight = n[weight > 0], wins[weight > 0], weight[weight > 0] / deals
    at_random = plain * (1 - plain) / games
    estimate, variance = plain, at_random
    if n.min() >= LEAST:
        mean = wins / n
        estimate = float(weight @ mean)
        variance = float((weight**2 * mean * (1 - mean) / (n - 1)).sum())
        variance += float(weight @ (mean - estimate) ** 2) / deals
    parts = np.array([[estimate], [variance], [games], [games], [1.0]])
    [size] = intervals.trials(*parts)
    low, high = intervals.wilson(estimate * size, size, level)
    factor = at_random / variance if variance > 0 else 1.0
    return StratifiedShare(estimate, float(low), float(high), factor)
