"""One number from several ways to play: the spread between them is part of its error.

Games tell how sure a number is for one way to play. They do not tell what other players
of the same strength would show, and strong players who learned in different ways differ
by much more than their games alone would let them. So the ways to play are taken for a
sample of all strong ones (random effects): each has its own true number, and the
interval is that of the mean of these.

The variance between them is that of Paule & Mandel (1982, J. Res. Natl. Bur. Stand.
87:377-385): with it, the weighted squared distances from the mean add up to their
degrees of freedom. The interval is that of Hartung & Knapp (2001, Stat. Med.
20:3875-3889) and Sidik & Jonkman (2002, Stat. Med. 21:3153-3159), with Student's t of
k - 1 degrees of freedom, and is never narrower than that of a common number (Röver,
Knapp & Friede 2015, BMC Med. Res. Methodol. 15:99). With that variance its error is the
usual one of the weighted mean. Two or three ways tell little about all: t is 12.7 and
4.3, not 1.96. Simulated 95 % intervals of two to five ways cover 93 to 100 %, however
different their errors are.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from reports.statistics.equivalence import LEVEL
from reports.statistics.intervals import Array


class PooledEstimate(NamedTuple):
    """The mean over all ways to play that ``ways`` of them are a sample of.

    se: its standard error; spread: the standard deviation between ways to play.
    """

    estimate: float
    low: float
    high: float
    se: float
    spread: float
    ways: int

    @property
    def telling(self) -> bool:
        """Whether the interval of so many ways says anything: two leave it open."""
        return self.ways > 2


class StrongRange(NamedTuple):
    """The least and the greatest number of several strong ways to play, and all pooled.

    ways: of how many that settle what is said about the number.
    """

    ways: int
    least: float
    most: float
    pooled: PooledEstimate


def pooled(
    numbers: ArrayLike, errors: ArrayLike, level: float = LEVEL
) -> PooledEstimate | None:
    """Pool a number of several ways to play, given their standard errors; both (k,).

    None if fewer than two are known with an error.

    >>> three = pooled([0.15, 0.10, 0.29], [0.01, 0.01, 0.04])
    >>> [f"{value:.2f}" for value in three[:5]]
    ['0.17', '-0.06', '0.41', '0.06', '0.09']
    """
    from scipy.optimize import brentq  # slow to import
    from scipy.special import stdtrit

    values, spread = np.asarray(numbers, float), np.asarray(errors, float)
    known = np.isfinite(values) & (spread > 0)
    values, square = values[known], spread[known] ** 2
    freedom = len(values) - 1
    if freedom < 1:
        return None

    def excess(between: float) -> float:
        weight = 1 / (square + between)
        return float(weight @ (values - _mean(values, weight)) ** 2 - freedom)

    most = 2 * float(values.var(ddof=1))  # there, less than 0 is left
    between = float(brentq(excess, 0.0, most)) if excess(0.0) > 0 else 0.0
    weight = 1 / (square + between)
    mean, se = _mean(values, weight), float(weight.sum() ** -0.5)
    half = float(stdtrit(freedom, (1 + level) / 2)) * se
    return PooledEstimate(mean, mean - half, mean + half, se, between**0.5, len(values))


def _mean(values: Array, weight: Array) -> float:
    return float(weight @ values / weight.sum())
