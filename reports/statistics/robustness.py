"""Whether a finding holds for other ways to play.

A finding says that a number lies beyond a tolerance, on one side, or that a family of
numbers lies within it. Each way to play is then tested for both answers: that the same
is true of it ("agrees"), and that it is not ("differs"). Where neither can be shown the
answer is "not settled"; a wide interval agrees with everything and is shown nothing by.

"It holds for all ways" is shown where each way agrees by its own test: an intersection
of alternatives needs no adjustment (Berger 1982, Technometrics 24:295-300). "It
differs" is said of any of several ways, so these tests are Holm's over the ways.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reports.statistics import families
from reports.statistics.equivalence import LEVEL, judge
from reports.statistics.intervals import Array

AGREES, DIFFERS, OPEN = "agrees", "differs", "not settled"


@dataclass(frozen=True)
class Asserted:
    """What is said of a family of numbers, as differences from what is even.

    sign: 1 or -1 where number ``at`` lies beyond the tolerance on that side; 0 where
    all lie within it; None where the games did not settle it, and ``at`` is the number
    that is furthest from even.
    """

    sign: int | None
    at: int


def asserted(more: ArrayLike, se: ArrayLike, tolerance: float) -> Asserted:
    """What the numbers (k,) of one way to play are evidence of.

    Of several beyond the tolerance, the furthest. ``ValueError`` without any number.
    """
    size = np.abs(np.asarray(more, dtype=np.float64))
    words = np.array(judge(more, se, -tolerance, tolerance))
    if np.isnan(size).all():
        raise ValueError("asserted: no number")
    outside = words == "outside"
    at = int(np.nanargmax(np.where(outside, size, -1.0) if outside.any() else size))
    if outside.any():
        return Asserted(1 if np.asarray(more)[at] > 0 else -1, at)
    return Asserted(0 if (words == "within").all() else None, at)


def agreement(
    said: Asserted, more: ArrayLike, se: ArrayLike, tolerance: float
) -> list[str]:
    """For each way to play, of (ways, k) numbers: ``AGREES``, ``DIFFERS`` or ``OPEN``.

    Of a number beyond the tolerance: a way agrees where its number is surely beyond it
    on the same side, and differs where it surely is not. Of a family within: a way
    agrees where all are surely within (two one-sided tests each), and differs where one
    is surely outside.
    """
    numbers, errors = np.atleast_2d(np.asarray(more, float), np.asarray(se, float))
    if said.sign is None:
        return [OPEN] * len(numbers)
    if said.sign:
        beyond = said.sign * numbers[:, said.at] - tolerance
        agrees, differs = (_p(side * beyond, errors[:, said.at]) for side in (1, -1))
        agrees, differs = 2 * agrees, 2 * differs  # as the 95 % interval has two ends
    else:
        inside = _p(tolerance - np.abs(numbers), errors)
        agrees = inside.max(axis=1)
        differs = 2 * _p(np.abs(numbers) - tolerance, errors).min(axis=1)
        differs *= numbers.shape[1]
    same = agrees < 1 - LEVEL
    other = families.different(np.minimum(differs, 1.0), level=LEVEL)
    words: list[str] = np.where(same, AGREES, np.where(other, DIFFERS, OPEN)).tolist()
    return words


def heterogeneity(more: ArrayLike, se: ArrayLike) -> float:
    """The p-value of k numbers being the same for all ways: (ways, k), position x way.

    Cochran's Q for each number, weighted by the squared standard errors (Cochran 1954,
    Biometrics 10:101-129), Bonferroni over them. 1 where there is nothing to compare.
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


def _p(beyond: Array, se: Array) -> NDArray[np.float64]:
    """One-sided p-values of lying beyond 0; 1 without data or spread."""
    from scipy.special import ndtr  # slow to import

    known = np.isfinite(beyond) & (se > 0)
    z = np.where(known, beyond, 0.0) / np.where(known, se, 1.0)
    return np.where(known, ndtr(-z), 1.0)
