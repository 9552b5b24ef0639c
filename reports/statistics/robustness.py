"""Whether a finding holds for other ways to play.

A finding says that a number is beyond what is allowed, on one side, or that a family of
numbers is within it. Each way to play is then tested for both answers: that this is
true for it, too ("agrees"), and that it is not ("differs"). If neither can be shown,
the answer is "not settled": a wide interval is compatible with both and shows nothing.

"It holds for all ways" is shown if each way agrees by its own test: an intersection of
alternatives needs no adjustment (Berger 1982, Technometrics 24:295-300). "It differs"
may be said of any of several ways, so these tests are adjusted by Holm over the ways.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reports.report_document import Sure
from reports.statistics import multiple_comparisons
from reports.statistics.equivalence import LEVEL, at_bound, judge
from reports.statistics.intervals import Array

AGREES, DIFFERS, OPEN = "agrees", "differs", "not settled"
Bounds = tuple[float, float]
"""The least and the greatest number that is allowed."""


@dataclass(frozen=True)
class Asserted:
    """What a finding asserts about a family of numbers.

    sign: 1 or -1 if number ``at`` is beyond what is allowed on that side; 0 if all are
    within it; None if the games did not settle it, and ``at`` is the number that is
    furthest from 0.
    """

    sign: int | None
    at: int


def assertion(more: ArrayLike, se: ArrayLike, tolerance: float) -> Asserted:
    """Return what differences (k,) from even, in one way to play, are evidence of.

    If several are beyond the tolerance, the furthest. ``ValueError`` without numbers.
    """
    size = np.abs(np.asarray(more, dtype=np.float64))
    words = np.array(judge(more, se, -tolerance, tolerance))
    if np.isnan(size).all():
        raise ValueError("assertion: no number")
    outside = words == "outside"
    at = int(np.nanargmax(np.where(outside, size, -1.0) if outside.any() else size))
    if outside.any():
        return Asserted(1 if np.asarray(more)[at] > 0 else -1, at)
    return Asserted(0 if (words == "within").all() else None, at)


def agreement(
    asserted: Asserted,
    numbers: ArrayLike,
    errors: ArrayLike,
    bounds: Bounds,
    *,
    share: bool = False,
) -> list[str]:
    """Return ``AGREES``, ``DIFFERS`` or ``OPEN`` for each way, given (ways, k) numbers.

    If a number is asserted beyond the bounds, a way agrees if its number is shown to be
    beyond them on that side, and differs if it is shown not to be. If a family is
    asserted within, a way agrees if all are shown to be within (two one-sided tests
    each), and differs if one is shown to be outside. share: tests of shares
    (``equivalence.judge``).

    >>> agreement(Asserted(1, 0), [[0.06], [-0.03]], [[0.01], [0.01]], (-0.02, 0.02))
    ['agrees', 'differs']
    """
    values, spread = np.atleast_2d(
        np.asarray(numbers, float), np.asarray(errors, float)
    )
    if asserted.sign is None:
        return [OPEN] * len(values)
    least, most = bounds
    low = _Room(values - least, values, least, spread, share)
    high = _Room(most - values, values, most, spread, share)
    if asserted.sign:
        room = high if asserted.sign > 0 else low
        agrees = 2 * room.p(-1)[:, asserted.at]  # two-sided, as the 95 % interval is
        differs = 2 * room.p(1)[:, asserted.at]
    else:
        agrees = np.maximum(low.p(1), high.p(1)).max(axis=1)
        differs = 2 * np.minimum(low.p(-1), high.p(-1)).min(axis=1)
        differs *= values.shape[1]
    same = agrees < 1 - LEVEL
    other = multiple_comparisons.different(np.minimum(differs, 1.0), level=LEVEL)
    words: list[str] = np.where(same, AGREES, np.where(other, DIFFERS, OPEN)).tolist()
    return words


def earned_label(
    agree: int, differ: int, unsettled: int, *, refuted: bool = False
) -> Sure:
    """Return how sure a claim about the game is, given how many ways to play show it.

    "sure" if all do, "likely" if more than half do. A claim that fewer show, or that
    the strongest players refute (``refuted``), is "open".

    >>> earned_label(8, 0, 0), earned_label(6, 1, 0), earned_label(1, 3, 4)
    ('sure', 'likely', 'open')
    """
    if not differ and not unsettled:
        return "sure"
    return "open" if refuted or agree <= differ + unsettled else "likely"


def weaker_label(*labels: Sure) -> Sure:
    """Return the least sure of some labels; "" (a description) is the least."""
    order: Sequence[Sure] = ("", "open", "likely", "sure")
    return min(labels, key=order.index)


def heterogeneity(more: ArrayLike, se: ArrayLike) -> float:
    """Return the p-value of k numbers (ways, k) being equal in all ways to play.

    Cochran's Q for each number, weighted by inverse squared standard errors (Cochran
    1954, Biometrics 10:101-129), Bonferroni over them. 1 if nothing can be compared.
    """
    from scipy.special import chdtrc  # slow to import

    numbers, errors = np.atleast_2d(np.asarray(more, float), np.asarray(se, float))
    known = np.isfinite(numbers) & (errors > 0)
    weight = np.where(known, 1 / np.where(known, errors, 1.0) ** 2, 0.0)
    numbers = np.where(known, numbers, 0.0)
    total = np.maximum(weight.sum(axis=0), np.finfo(float).tiny)
    middle = (weight * numbers).sum(axis=0) / total
    q = (weight * (numbers - middle) ** 2).sum(axis=0)
    freedom = known.sum(axis=0) - 1
    p = np.where(freedom > 0, chdtrc(np.maximum(freedom, 1), q), 1.0)
    return float(min(1.0, p.min() * len(p)))


@dataclass(frozen=True, eq=False)
class _Room:
    """How far numbers are inside a bound; ``room`` is negative if they are beyond."""

    room: Array
    values: Array
    bound: float
    errors: Array
    share: bool

    def p(self, side: int) -> NDArray[np.float64]:
        """Return one-sided p-values for being inside (1) or beyond (-1) the bound.

        1 without data or spread; the spread of shares is the one at the bound.
        """
        from scipy.special import ndtr  # slow to import

        spread = self.errors
        if self.share:
            spread = at_bound(self.values, np.full_like(spread, self.bound), spread)
        known = np.isfinite(self.values) & np.isfinite(self.errors)
        if not np.isfinite(self.bound):  # every number is inside
            return np.where(known, 0.0 if side > 0 else 1.0, 1.0)
        known &= spread > 0
        z = np.where(known, self.room, 0.0) / np.where(known, spread, 1.0)
        return np.where(known, ndtr(-side * z), 1.0)
