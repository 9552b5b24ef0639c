"""The gap between the largest and the smallest of several numbers, without bias.

The largest of several estimates is on average too large and the smallest too small:
four equal positions seem 2.1 standard errors apart. So the gap is shrunk to the true
gap at which the observed one would be the average, with all deviations in proportion.
Its interval holds for all differences at once, and so for the true extremes, whichever
they are (simultaneous intervals like Tukey's: Hochberg & Tamhane 1987, Multiple
Comparison Procedures, ch. 2, with the quantile simulated for the given covariance).
"""

from typing import NamedTuple

import numpy as np

from reports.number_text import with_interval
from reports.statistics.intervals import Array

_DRAWS = 2_000


class Gap(NamedTuple):
    """How far the largest is above the smallest, and its interval."""

    estimate: float
    low: float
    high: float

    def words(self, best: str) -> str:
        """Say how much more ``best`` wins than the worst, if a difference is shown.

        >>> Gap(0.024, 0.011, 0.037).words("the best")
        'the best wins 2.4 ± 1.3 points more than the worst'
        >>> Gap(0.0, 0.0, 0.105).words("the best")
        'no difference is shown; the best may win up to 10.5 points more than the worst'
        """
        if self.low <= 0:
            may = f"{best} may win up to {100 * self.high:.1f} points more"
            return f"no difference is shown; {may} than the worst"
        more = with_interval([100 * end for end in self], unit=" points")
        return f"{best} wins {more} more than the worst"


def gap(middle: Array, covariance: Array, level: float = 0.95) -> Gap:
    """Estimate the largest less the smallest of numbers (k,).

    covariance: (k, k), of the estimates. The random draws are the same each time.
    """
    if len(middle) < 2:
        return Gap(0.0, 0.0, 0.0)
    rng = np.random.default_rng(0)
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    luck = np.ascontiguousarray((rng.standard_normal((_DRAWS, len(middle))) @ root.T).T)
    first, second = np.triu_indices(len(middle), 1)
    variances = np.diag(covariance)[first] + np.diag(covariance)[second]
    se = np.sqrt(np.maximum(variances - 2 * covariance[first, second], 1e-300))
    errors = abs(luck[first] - luck[second]) / se[:, None]
    quantile = float(np.quantile(errors.max(axis=0), level))
    gaps, half = abs(middle[first] - middle[second]), quantile * se
    low, high = float((gaps - half).max()), float((gaps + half).max())
    return Gap(_shrunk(middle, luck) * float(np.ptp(middle)), max(low, 0.0), high)


def _shrunk(middle: Array, luck: Array) -> float:
    """Return the part of the deviations that makes a gap of this size on average.

    luck: (k, draws), what chance adds to each of ``middle`` (k,). By bisection.
    """
    observed = float(np.ptp(middle))
    deviations = (middle - middle.mean())[:, None]
    least, most = 0.0, 1.0
    for _ in range(14):
        part = (least + most) / 2
        if float(np.ptp(part * deviations + luck, axis=0).mean()) > observed:
            most = part
        else:
            least = part
    return least


def of_shares(
    shares: Array, games: float, level: float = 0.95, wider: float = 1.0
) -> Gap:
    """Return the gap between shares of games, where each game counts for one at most.

    A game is added to each share for its variance, so that it is never 0. wider: how
    many times wider intervals are for repeated looks (``sequential``).
    """
    smoothed = (shares * games + 1) / (games + len(shares))
    covariance = (np.diag(smoothed) - np.outer(smoothed, smoothed)) / games
    single = gap(shares, covariance, level)
    if wider == 1:
        return single
    wide = gap(shares, covariance * wider**2, level)
    return Gap(single.estimate, wide.low, wide.high)
