"""The greatest of several shares, and whether it is greater on another side.

The same games that say how great the greatest share is also pick it, and other games
might pick another. So neither its own interval is valid, nor that of a difference
between two sides with a pick each. Here

- the interval of the greatest share holds for all shares at once (Bonferroni);
- the greatest share is shown to have risen if each share of the one side is shown to be
  below some share of the other side: whichever was the greatest, it is exceeded. That
  is an intersection-union test (Berger 1982, Technometrics 24:295-300). Each of its
  tests is over all shares of the other side (Bonferroni). The same share gets nearly
  half of the level, so that little power is lost if one share is by far the greatest on
  both sides. As no share is above 1, the greatest cannot have fallen by more than the
  other side's is shown to be short of 1.

Errors are from leaving out one part of the games at a time, on both sides at once if
they played the same games (Shao & Wu 1989, Ann. Stat. 17:1176-1197). Four games are
added that differ as much as they can, as for other differences of shares
(``paired_estimates``): a share of 1 in a few games is not certain.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reports.statistics.intervals import Array

ADDED = 2.0
"""Games added to each side, as far from its share as they can be."""
_SAME = 0.45  # part of the level for the same share
_OTHERS = 0.45  # for all other shares together
_TOP = 0.1  # for the comparison with the greatest possible share


@dataclass(frozen=True)
class Shares:
    """Several shares (k,), or their negatives, from all games and from all but a part.

    ``values`` (1 + parts, k); ``games`` and ``parts`` (k,): in how many each occurs.
    ``top``: the greatest possible value, 0 for negatives.
    """

    values: Array
    games: Array
    parts: NDArray[np.int64]
    top: float = 1.0

    def take(self, places: NDArray[np.int64]) -> "Shares":
        """Return the shares at these places."""
        chosen = (self.values[:, places], self.games[places], self.parts[places])
        return Shares(*chosen, self.top)

    @property
    def added_variance(self) -> Array:
        """The variance of the games that are added, (k,)."""
        return ADDED / np.maximum(self.games, 1.0) ** 2


class Rise(NamedTuple):
    """The interval of the greatest share of one side less that of another.

    ``low`` and ``high`` are its ends at 95 %, ``low_90`` and ``high_90`` at 90 %; ``p``
    is the two-sided p-value of no difference.
    """

    low: float
    high: float
    low_90: float
    high_90: float
    p: float

    @property
    def reverse(self) -> "Rise":
        """The interval with the sides exchanged."""
        return Rise(-self.high, -self.low, -self.high_90, -self.low_90, self.p)


def bounds(one: Shares, level: float, wide: float = 1.0) -> tuple[float, float]:
    """Return the lower and the upper bound of the greatest share, each of this level.

    ``wide``: how many times wider intervals are, for repeated looks.
    """
    values, half = one.values[0], _half(one, (1 - level) / len(one.games), wide)
    return float((values - half).max()), float((values + half).max())


def rise(one: Shares, other: Shares, wide: float = 1.0) -> Rise:
    """Return how much greater the greatest share of the other side is.

    Both have the same shares in the same order, at least one, each in at least two
    parts of the games. ``wide``: how many times wider intervals are.
    """
    up, down = _Excess.of(one, other, wide), _Excess.of(other, one, wide)
    low, low_90 = (up.least(level) for level in (0.975, 0.95))
    high, high_90 = (-down.least(level) for level in (0.975, 0.95))
    return Rise(low, high, low_90, high_90, min(2 * min(up.p(), down.p()), 1.0))


@dataclass(frozen=True)
class _Excess:
    """How much each share of the other side (rows) exceeds each of the one (columns).

    ``size``, ``se`` and ``freedom`` (k, k), and the ``part`` of the level that each
    has. ``short(level)``: a lower bound of the other side's greatest share less the
    greatest possible one; it is negative.
    """

    size: Array
    se: Array
    freedom: NDArray[np.int64]
    part: Array
    short: Callable[[float], float]

    @classmethod
    def of(cls, one: Shares, other: Shares, wide: float) -> "_Excess":
        known = _known(one, other)
        here, there = _left(one.values, known), _left(other.values, known)
        sums = (here**2).sum(axis=0) + (there**2).sum(axis=0)[:, None]
        variance = np.maximum(sums - 2 * there.T @ here, 0.0)
        k = len(one.games)
        part = np.full((k, k), _OTHERS / max(k - 1, 1))
        np.fill_diagonal(part, _SAME if k > 1 else _SAME + _OTHERS)

        def short(level: float) -> float:
            half = _half(other, (1 - level) * _TOP / k, wide)
            return float((other.values[0] - half).max()) - other.top

        return cls(
            other.values[0][:, None] - one.values[0],
            wide
            * np.sqrt(variance + one.added_variance + other.added_variance[:, None]),
            np.minimum(one.parts, other.parts[:, None]) - 1,
            part,
            short,
        )

    def p(self) -> float:
        """Return the one-sided p-value of the greatest share not being exceeded."""
        from scipy.special import stdtr  # slow to import

        each = stdtr(self.freedom, -self.size / self.se) / self.part
        return min(float(each.min(axis=0).max()), 1.0)

    def least(self, level: float) -> float:
        """Return a lower bound, of this level, of how much the greatest is exceeded."""
        half = _quantile(self.freedom, (1 - level) * self.part) * self.se
        return max(float((self.size - half).max(axis=0).min()), self.short(level))


def _half(one: Shares, tail: float, wide: float) -> Array:
    """Return (k,) how far each share may be off to one side with this probability."""
    left = _left(one.values, _known(one))
    se = wide * np.sqrt((left**2).sum(axis=0) + one.added_variance)
    return _quantile(one.parts - 1, tail) * se


def _left(values: Array, known: NDArray[np.bool_]) -> Array:
    """Return (parts, k) how leaving out each part changes each share, with mean 0.

    Scaled so that the sum of squares is the variance.
    """
    left = values[1:][known]
    parts = len(left)
    changes: Array = (left - left.mean(axis=0)) * np.sqrt((parts - 1) / parts)
    return changes


def _known(*sides: Shares) -> NDArray[np.bool_]:
    """Return (parts,) which of them were played on all sides."""
    known: NDArray[np.bool_] = ~np.any([np.isnan(s.values[1:, 0]) for s in sides], 0)
    return known


def _quantile(freedom: NDArray[np.int64], tail: Array | float) -> Array:
    """Return Student's t that is exceeded with this probability.

    ``tail`` and the degrees of freedom have few distinct values, so each quantile is
    computed once, for speed.
    """
    from scipy.special import stdtrit  # slow to import

    freedom, tail = np.broadcast_arrays(freedom, tail)
    tails, at = np.unique(tail, return_inverse=True)
    freedoms = np.arange(freedom.max() + 1)
    table = -np.asarray(stdtrit(freedoms, tails[:, None]), dtype=np.float64)
    return table[at.reshape(freedom.shape), freedom]
