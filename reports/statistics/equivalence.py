"""Verdicts on whole families of numbers, and how many games would decide them."""

from collections.abc import Iterable
from statistics import NormalDist
from typing import Any

import numpy as np

from reports.report_document import Sure
from reports.statistics import intervals
from reports.statistics.intervals import Array

LEVEL = 0.95
_Z90 = NormalDist().inv_cdf(LEVEL)  # one-sided


def judge(
    estimate: Any,
    se: Any,
    least: Any,
    most: Any,
    *,
    share: bool = False,
    wider: Any = 1.0,
    families: int = 1,
) -> list[str]:
    """Judge a family of numbers: "within" a tolerance, "outside" it or "undecided".

    Outside: the two-sided test against the nearer bound, Holm over the family. Within:
    two one-sided tests at 5 %, which need no adjustment for the claim that all are.
    share: for shares from ``intervals.rate``, use the score tests at the bounds, which
    Wilson's intervals invert (Wilson 1927, J. Am. Stat. Assoc. 22:209-212): a single
    share is outside exactly if its interval does not contain the bound. wider: how many
    times wider intervals are for repeated looks (``sequential``). families: the number
    of such families that share the level (Bonferroni).
    """
    middle, spread, low, high, times = np.broadcast_arrays(
        *(np.asarray(value, float) for value in (estimate, se, least, most, wider))
    )
    above = _distance(middle - low, middle, low, spread, times, share)
    below = _distance(high - middle, middle, high, spread, times, share)
    inside = np.minimum(above, below)  # nan without data
    p = np.where(np.isnan(inside), np.nan, _two_sided(inside))
    outside = np.nan_to_num(intervals.holm(p * families), nan=1.0) < 1 - LEVEL
    words: list[str] = np.where(
        outside, "outside", np.where(inside >= _Z90, "within", "undecided")
    ).tolist()
    return words


def _distance(
    room: Array, middle: Array, bound: Array, spread: Array, wider: Array, share: bool
) -> Array:
    """Return how far inside a bound a number is, in standard errors."""
    if share:
        spread = at_bound(middle, bound, spread, wider)
    with np.errstate(divide="ignore", invalid="ignore"):
        far = np.where(room < 0, -np.inf, np.inf)
        return np.where(
            np.isnan(middle + spread), np.nan, np.where(spread > 0, room / spread, far)
        )


def at_bound(middle: Array, bound: Array, spread: Array, wider: Any = 1.0) -> Array:
    """Return the standard errors that shares at the bound would have (score test)."""
    z = NormalDist().inv_cdf((1 + LEVEL) / 2)
    n = intervals.effective(middle, z * spread, z * wider)
    variance = np.maximum(np.where(np.isfinite(bound), bound * (1 - bound), 0), 0)
    se: Array = wider * np.sqrt(variance / n)
    return se


def _two_sided(inside: Array) -> Array:
    """Return two-sided p-values of the bound, given how far inside it a number is."""
    from scipy.special import ndtr  # slow to import

    return np.asarray(np.minimum(2 * ndtr(inside), 1.0), dtype=np.float64)


def overall(verdicts: list[str]) -> str:
    """Return the verdict about all: outside if one is, within if all are."""
    if "outside" in verdicts:
        return "outside"
    return "within" if verdicts and set(verdicts) == {"within"} else "undecided"


def label(verdicts: Iterable[str]) -> Sure:
    """Return how sure a finding is that reports several verdicts."""
    undecided = [verdict == "undecided" for verdict in verdicts]
    if all(undecided):
        return "open"
    return "likely" if any(undecided) else "sure"


def sureness(verdict: str) -> Sure:
    """Return how sure a finding with this verdict is."""
    return "open" if verdict == "undecided" else "sure"


def deciding_games(estimate: Any, se: Any, games: Any, least: Any, most: Any) -> float:
    """Return how many games in all would decide about all numbers; nan without data.

    The first number that is outside decides; if all seem to be within, the last.
    """
    middle, low, high = np.broadcast_arrays(
        *(np.asarray(value, float) for value in (estimate, least, most))
    )
    needed = intervals.games_needed(middle, se, games, (low, high))
    known = ~np.isnan(needed)
    if not known.any():
        return float("nan")
    beyond = known & ((middle < low) | (middle > high))
    return float(needed[beyond].min() if beyond.any() else needed[known].max())


def more_games(estimate: Any, se: Any, games: int, least: Any, most: Any) -> str:
    """Say how many games would decide about all numbers (``deciding_games``)."""
    enough = deciding_games(estimate, se, games, least, most)
    if np.isnan(enough):
        return "too few games to say how many would decide"
    if enough > 1e9:
        return "no number of games would decide it: it is on the edge"
    return f"about {rounded_up(enough):,} games of each lineup would decide"


def rounded_up(value: float) -> int:
    """Round up to two leading digits.

    >>> rounded_up(2_912)
    3000
    """
    size = 10 ** max(len(str(int(value))) - 2, 0)
    return int(-(-value // size) * size)
