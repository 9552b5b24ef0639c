"""Verdicts on whole families of numbers, and how many games would decide them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from reports.page import Sure
from reports.statistics import intervals

LEVEL = 0.95
_Z90, _Z95 = 1.6449, 1.9600


def judge(estimate: Any, se: Any, least: Any, most: Any) -> list[str]:
    """Tell "within" a tolerance, "outside" it or "undecided", for a whole family.

    Outside: the two-sided test against the nearer bound, Holm over the family. Within:
    two one-sided tests at 5 %, which need no adjustment for the claim that all are.
    """
    middle, spread = np.asarray(estimate, float), np.asarray(se, float)
    narrow, wide = ((middle - z * spread, middle + z * spread) for z in (_Z90, _Z95))
    alone = intervals.two_sided_equivalence(narrow, wide, (least, most))
    adjusted = intervals.holm(_p_beyond(middle, spread, least, most))
    outside = np.nan_to_num(adjusted, nan=1.0) < 1 - LEVEL
    words: list[str] = np.where(
        outside, "outside", np.where(alone == "within", "within", "undecided")
    ).tolist()
    return words


def _p_beyond(
    middle: NDArray[np.float64], spread: NDArray[np.float64], least: Any, most: Any
) -> NDArray[np.float64]:
    """Two-sided p-values of lying beyond a tolerance; nan without data."""
    from scipy.special import ndtr  # slow to import

    beyond = np.maximum(middle - most, least - middle)
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(spread > 0, beyond / spread, np.where(beyond > 0, np.inf, -np.inf))
    p = np.minimum(2 * ndtr(-z), 1.0)
    return np.where(np.isnan(middle) | np.isnan(spread), np.nan, p)


def overall(verdicts: list[str]) -> str:
    """The verdict about all: outside if one is, within if all are."""
    if "outside" in verdicts:
        return "outside"
    return "within" if verdicts and set(verdicts) == {"within"} else "undecided"


def sure(verdict: str) -> Sure:
    """How sure a finding with this verdict is."""
    return "open" if verdict == "undecided" else "sure"


def more_games(estimate: Any, se: Any, games: int, least: Any, most: Any) -> str:
    """How many games would decide, in words."""
    needed = intervals.games_needed(estimate, se, games, (least, most))
    needed = needed[~np.isnan(needed)]
    if not len(needed):
        return "too few games to tell how many would decide"
    if needed.max() > 1e9:
        return "no number of games would decide it: it lies on the edge"
    return f"about {_rounded(needed.max()):,} games of each lineup would decide"


def _rounded(value: float) -> int:
    """Two leading digits, rounded up."""
    size = 10 ** max(len(str(int(value))) - 2, 0)
    return int(-(-value // size) * size)
