"""Quantiles of integers from their histogram, with intervals.

The interval contains the values whose cumulative share may be the wanted one: Wilson's
intervals of the distribution function, inverted (David & Nagaraja 2003, Order
Statistics, 3rd ed., ch. 7). Games are independent and each counts once, so the shares
are binomial.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from reports.statistics import intervals
from reports.statistics.intervals import Array


@dataclass(frozen=True)
class Quantile:
    """A quantile with its 90 % and 95 % intervals; all are integers."""

    estimate: float
    narrow: tuple[float, float]
    wide: tuple[float, float]

    def as_text(self) -> Iterator[tuple[str, float]]:
        """Yield the columns of a row: estimate, low, high, and se from the width."""
        low, high = self.wide
        yield from (("estimate", self.estimate), ("low", low), ("high", high))
        yield "se", (high - low) / (2 * NormalDist().inv_cdf(0.975))

    def verdict(self, least: float, most: float) -> str:
        """Return whether it is within bounds: "pass", "fail" or "undecided"."""
        if self.narrow[0] >= least and self.narrow[1] <= most:
            return "pass"
        if self.wide[1] < least or self.wide[0] > most:
            return "fail"
        return "undecided"


def quantiles(
    values: Array, counts: Array, quantile: float, wider: float = 1.0
) -> Quantile:
    """Return a quantile of values (k,), given their counts (k,).

    wider: how many times wider intervals are than for a single look.
    """
    order = np.argsort(values)
    values = np.asarray(values, dtype=np.float64)[order]
    below = np.cumsum(np.asarray(counts, dtype=np.float64)[order])
    ends = [_ends(values, below, quantile, level, wider) for level in (0.90, 0.95)]
    at = np.searchsorted(below, quantile * below[-1] * (1 - 1e-12))
    return Quantile(float(values[at]), ends[0], ends[1])


def _ends(
    values: Array, below: Array, quantile: float, level: float, wider: float
) -> tuple[float, float]:
    """Return the least and the greatest value that the quantile may have."""
    normal = NormalDist()
    z = wider * normal.inv_cdf((1 + level) / 2)
    low, high = intervals.wilson(below, below[-1], 2 * normal.cdf(z) - 1)
    first = int(np.argmax(high >= quantile))
    reached = low >= quantile
    last = float(values[np.argmax(reached)]) if reached.any() else float("inf")
    return float(values[first]), last
