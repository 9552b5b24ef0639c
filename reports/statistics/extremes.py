"""The gap between the largest and the smallest of several numbers, without illusion.

The largest of several estimates is on average too large and the smallest too small:
four even positions seem 2.1 standard errors apart. So the gap found is shrunk to that
which would be found as large on average, all deviations in proportion. Its interval
holds all differences at once, so also that of the two that are truly the extremes,
whichever they are (simultaneous intervals as Tukey's: Hochberg & Tamhane 1987, Multiple
Comparison Procedures, ch. 2, with the quantile simulated for the covariance at hand).
"""

from typing import NamedTuple

import numpy as np

from reports.statistics.intervals import Array

_DRAWS = 2_000


class Gap(NamedTuple):
    """How far the largest is above the smallest, and its interval."""

    estimate: float
    low: float
    high: float

    def words(self, best: str) -> str:
        """How much more ``best`` wins than the worst, or that no difference is shown.

        >>> Gap(0.024, 0.011, 0.037).words("the best")
        'the best wins 2.4 points [1.1, 3.7] more than the worst'
        >>> Gap(0.0, 0.0, 0.105).words("the best")
        'no difference is shown; the best may win up to 10.5 points more than the worst'
        """
        middle, low, high = (f"{100 * end:.1f}" for end in self)
        if self.low <= 0:
            may = f"{best} may win up to {high} points more than the worst"
            return f"no difference is shown; {may}"
        return f"{best} wins {middle} points [{low}, {high}] more than the worst"


def gap(middle: Array, covariance: Array, level: float = 0.95) -> Gap:
    """Estimate the largest less the smallest of numbers (k,).

    covariance: (k, k), of the estimates. The same draws each time.
    """
    if len(middle) < 2:
        return Gap(0.0, 0.0, 0.0)
    rng = np.random.default_rng(0)
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    luck = np.ascontiguousarray((rng.standard_normal((_DRAWS, len(middle))) @ root.T).T)
    one, other = np.triu_indices(len(middle), 1)
    spread = np.diag(covariance)[one] + np.diag(covariance)[other]
    se = np.sqrt(np.maximum(spread - 2 * covariance[one, other], 1e-300))
    off = abs(luck[one] - luck[other]) / se[:, None]
    wide = float(np.quantile(off.max(axis=0), level))
    apart = abs(middle[one] - middle[other])
    found = float(np.ptp(middle))
    low, high = float((apart - wide * se).max()), float((apart + wide * se).max())
    return Gap(_shrunk(middle, luck) * found, max(low, 0.0), high)


def _shrunk(middle: Array, luck: Array) -> float:
    """What part of the deviations makes a gap as large as was found, on average.

    luck: (k, draws), what chance adds to each of ``middle`` (k,).
    """
    found = float(np.ptp(middle))
    deviations = (middle - middle.mean())[:, None]
    least, most = 0.0, 1.0
    for _ in range(14):
        part = (least + most) / 2
        if float(np.ptp(part * deviations + luck, axis=0).mean()) > found:
            most = part
        else:
            least = part
    return least


def of_shares(
    shares: Array, games: float, level: float = 0.95, wider: float = 1.0
) -> Gap:
    """The gap between shares of games of which each counts for one at most.

    A game is added to each share for its variance, so that it is never 0. wider: how
    many times wider intervals are for looking (`sequential`).
    """
    some = (shares * games + 1) / (games + len(shares))
    covariance = (np.diag(some) - np.outer(some, some)) / games
    found = gap(shares, covariance, level)
    if wider == 1:
        return found
    wide = gap(shares, covariance * wider**2, level)
    return Gap(found.estimate, wide.low, wide.high)
