"""The greatest of several shares, and whether it is greater on another side.

Which share is the greatest is picked by the same games that say how great it is, and
other games would pick another one. So neither its own interval tells how sure it is,
nor does that of a difference between two sides, each with a pick of its own. Here

- the interval of the greatest share holds for all shares at once (Bonferroni);
- the greatest share has surely risen where each share of the one side is surely below
  some share of the other side: whichever was the greatest, it is exceeded. That is an
  intersection-union test (Berger 1982, Technometrics 24:295-300). Each of its tests is
  over all shares of the other side (Bonferroni), of which the same share counts for
  nearly a half, so that one share that is by far the greatest on both sides is compared
  with hardly any loss. As no share is above 1, the greatest cannot have fallen by more
  than what it is surely short of that on the other side.

Errors are those of leaving out one part of the games at a time, on both sides at once
where they played the same games (Shao & Wu 1989, Ann. Stat. 17:1176-1197), with four
games added that differ by as much as they can, as to other differences of shares
(``paired_estimates``): a share of 1 in a few games is not certain.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reports.statistics.intervals import Array

_ADDED = 2.0  # games that are added to each side, as far from its share as they can be
_SAME = 0.45  # what the same share has of the level
_OTHERS = 0.45  # what the others share of it
_TOP = 0.1  # and what shares have that are held against the most that there can be


@dataclass(frozen=True)
class Shares:
    """Several shares (k,), or their negatives, of all games and of all but a part.

    ``values`` (1 + parts, k); ``games`` and ``parts`` (k,): in how many it occurs.
    ``top``: the most that there can be; of negatives 0.
    """

    values: Array
    games: Array
    parts: NDArray[np.int64]
    top: float = 1.0

    def at(self, places: NDArray[np.int64]) -> "Shares":
        """Some of them."""
        some = (self.values[:, places], self.games[places], self.parts[places])
        return Shares(*some, self.top)

    @property
    def added(self) -> Array:
        """(k,) the variance of the games that are added."""
        return _ADDED / np.maximum(self.games, 1.0) ** 2


class Rise(NamedTuple):
    """The interval of the greatest share of one side less that of another.

    ``low`` and ``high`` are its ends at 95 %, ``low_90`` and ``high_90`` at 90 %; ``p``
    is two-sided, of no difference.
    """

    low: float
    high: float
    low_90: float
    high_90: float
    p: float

    @property
    def reverse(self) -> "Rise":
        """The same of the negatives."""
        return Rise(-self.high, -self.low, -self.high_90, -self.low_90, self.p)


def bounds(one: Shares, level: float, wide: float = 1.0) -> tuple[float, float]:
    """The lower and the upper bound of the greatest share, each of this level.

    ``wide``: how many times wider, for looking more than once.
    """
    values, half = one.values[0], _half(one, (1 - level) / len(one.games), wide)
    return float((values - half).max()), float((values + half).max())


def rise(one: Shares, other: Shares, wide: float = 1.0) -> Rise:
    """How much greater the greatest share of the other side is.

    Both have the same shares in the same order, at least one, each of them in two parts
    of the games at least. ``wide``: how many times wider intervals are.
    """
    up, down = _Excess.of(one, other, wide), _Excess.of(other, one, wide)
    low, low_90 = (up.least(level) for level in (0.975, 0.95))
    high, high_90 = (-down.least(level) for level in (0.975, 0.95))
    return Rise(low, high, low_90, high_90, min(2 * min(up.p(), down.p()), 1.0))


@dataclass(frozen=True)
class _Excess:
    """How much each share of the other side (rows) exceeds each of the one (columns).

    ``size``, ``se`` and ``freedom`` (k, k), and the ``part`` of the level that each
    has. ``short``: how much the other side surely exceeds the most that there can be,
    which is below 0, by the level.
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
        reached = np.maximum(sums - 2 * there.T @ here, 0.0)
        many = len(one.games)
        part = np.full((many, many), _OTHERS / max(many - 1, 1))
        np.fill_diagonal(part, _SAME if many > 1 else _SAME + _OTHERS)

        def short(level: float) -> float:
            half = _half(other, (1 - level) * _TOP / many, wide)
            return float((other.values[0] - half).max()) - other.top

        return cls(
            other.values[0][:, None] - one.values[0],
            wide * np.sqrt(reached + one.added + other.added[:, None]),
            np.minimum(one.parts, other.parts[:, None]) - 1,
            part,
            short,
        )

    def p(self) -> float:
        """One-sided, of none of the one side being exceeded by all of the other."""
        from scipy.special import stdtr  # slow to import

        each = stdtr(self.freedom, -self.size / self.se) / self.part
        return min(float(each.min(axis=0).max()), 1.0)

    def least(self, level: float) -> float:
        """The lower bound, of this level, of how much the greatest is exceeded."""
        half = _quantile(self.freedom, (1 - level) * self.part) * self.se
        return max(float((self.size - half).max(axis=0).min()), self.short(level))


def _half(one: Shares, tail: float, wide: float) -> Array:
    """(k,) how far each share may be off with this probability, to either side."""
    left = _left(one.values, _known(one))
    se = wide * np.sqrt((left**2).sum(axis=0) + one.added)
    return _quantile(one.parts - 1, tail) * se


def _left(values: Array, known: NDArray[np.bool_]) -> Array:
    """(parts, k) what leaving out each part does to each share: their means are 0.

    Scaled so that the sum of their squares is the variance.
    """
    left = values[1:][known]
    many = len(left)
    found: Array = (left - left.mean(axis=0)) * np.sqrt((many - 1) / many)
    return found


def _known(*sides: Shares) -> NDArray[np.bool_]:
    """(parts,) which of them were played on all sides."""
    found: NDArray[np.bool_] = ~np.any([np.isnan(s.values[1:, 0]) for s in sides], 0)
    return found


def _quantile(freedom: NDArray[np.int64], tail: Array | float) -> Array:
    """Student's t that is exceeded with this probability.

    ``tail`` has few values, as degrees of freedom have, so each is found once.
    """
    from scipy.special import stdtrit  # slow to import

    freedom, tail = np.broadcast_arrays(freedom, tail)
    tails, at = np.unique(tail, return_inverse=True)
    every = np.arange(freedom.max() + 1)
    table = -np.asarray(stdtrit(every, tails[:, None]), dtype=np.float64)
    return table[at.reshape(freedom.shape), freedom]
