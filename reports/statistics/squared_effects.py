"""Intervals of squares: the variance between means, as a part of a total variance.

The square of an estimate is not normally distributed: near 0 it is a chi-square. Limits
come from inverting a noncentral chi-square (Steiger 2004, Psychol. Methods 9:164-182),
and those of a quotient from the limits of its two parts (Donner & Zou 2012, Stat.
Methods Med. Res. 21:347-359).
"""

from statistics import NormalDist

import numpy as np

from reports.statistics import roots
from reports.statistics.intervals import Array, IntervalEstimate


def squared(centre: Array, covariance: Array, level: float) -> tuple[float, float]:
    """Return limits of the squared length of true means, from means and covariance.

    That of the observed means is about g times a noncentral chi-square, whose mean and
    variance along these means match the estimate's. The upper limit is at least that of
    means as long as chance makes them on average, so that means that are closer
    together than that by chance are not taken to be equal (a power-constrained limit:
    Cowan, Cranmer, Gross & Vitells 2011, arXiv:1105.3166).
    """
    length, chance = float(centre @ centre), float(np.trace(covariance))
    if chance == 0:
        return length, length
    scale = float(centre @ covariance @ centre) / length if length else 0.0
    if scale <= 1e-12 * chance:
        scale = float(np.trace(covariance @ covariance)) / chance
    freedom, tail = chance / scale, (1 - level) / 2
    low = scale * _noncentral(length / scale, freedom, 1 - tail)
    high = scale * _noncentral(max(length, chance) / scale, freedom, tail)
    return low, high


def _noncentral(value: float, freedom: float, chance: float) -> float:
    """Return the noncentrality at which chi-square is below value with this chance."""
    from scipy.special import chndtr, ndtri  # slow to import

    if value > 1e4:  # its root is nearly normal
        root = float(np.sqrt(max(value - freedom, 0.0)) - ndtri(chance))
        return max(root, 0.0) ** 2

    def above(noncentrality: float) -> float:
        return float(chndtr(value, freedom, noncentrality)) - chance

    if above(0.0) <= 0:
        return 0.0
    most = value + 10 * np.sqrt(value + 10) + 50
    return roots.root(above, 0.0, float(most))


def quotient(
    size: float,
    ends: tuple[float, float],
    total: IntervalEstimate,
    together: float,
    allowance: float,
) -> tuple[float, float]:
    """Return limits of size / total, two correlated numbers, from those of each.

    together: their correlation. allowance: relative, added to the half-width of total.
    """
    whole = float(total.estimate)
    half = min(np.hypot(float(total.high) - whole, allowance * whole), 0.95 * whole)
    least, most = whole - half, whole + half

    def limit(end: float, other: float, sign: int) -> float:
        common = size * whole - together * (size - end) * (other - whole)
        bottom = other * (2 * whole - other)
        rest = max(common**2 - end * (2 * size - end) * bottom, 0.0)
        return float((common + sign * np.sqrt(rest)) / bottom)

    return limit(ends[0], most, -1), limit(ends[1], least, 1)


def caution(deals: int, level: float) -> float:
    """Return the half-width that two more deals would add, as different as possible.

    Rare outcomes, and all their variance, may be missing in the deals.
    """
    return float(np.sqrt(2)) * NormalDist().inv_cdf((1 + level) / 2) / deals


def correlation(one: Array, other: Array) -> float:
    """Return the correlation of two numbers of each deal; 0 if one is constant."""
    a, b = one - one.mean(), other - other.mean()
    size = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / size if size > 0 else 0.0
