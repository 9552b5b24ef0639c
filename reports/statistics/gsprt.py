"""Stopping a comparison as soon as it is decided: the GSPRT.

The generalised sequential probability ratio test compares, after every look, how well
two sizes of a difference explain the games: with mean m and standard error se of the
observed difference, the log-likelihood ratio of b against a is

    (b - a) (2 m - a - b) / (2 se**2)

(van den Bergh 2020, The normalized-GSPRT, as chess engines are tested with fishtest;
Wald 1945, Ann. Math. Stat. 16:117-186). It may be looked at after any game: a is
rejected for b if the ratio reaches log(1 / 0.05), which happens in at most 5 % of
studies in which a, or anything farther from b, is true.

For a difference and a tolerance t there are two such tests. Within: a difference of t
is rejected for none. Outside: one of t is rejected for 2 t. If the true difference is
from t / 2 to 1.5 t, neither may ever happen.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reports.statistics.intervals import Array

ERROR = 0.05
_THRESHOLD = float(np.log(1 / ERROR))
_PATHS, _STEPS, _STEP = 400, 600, 0.1  # simulated: studies, looks, time between looks


def ratio(difference: ArrayLike, se: ArrayLike, a: ArrayLike, b: ArrayLike) -> Array:
    """Return the log-likelihood ratio of a true difference b against a."""
    m, s, old, new = (
        np.asarray(value, dtype=np.float64) for value in (difference, se, a, b)
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        log_ratio: Array = (new - old) * (2 * m - old - new) / (2 * s**2)
    return log_ratio


def gsprt_verdict(
    difference: ArrayLike, se: ArrayLike, tolerance: ArrayLike, family: int = 1
) -> NDArray[np.str_]:
    """Return "within" the tolerance, "outside" it, or "open"; valid at any look.

    family: the number of differences that share the error of "outside" (Bonferroni).
    """
    size = abs(np.asarray(difference, dtype=np.float64))
    within = ratio(size, se, tolerance, 0.0) >= _THRESHOLD
    beyond = ratio(size, se, tolerance, 2 * np.asarray(tolerance))
    outside = beyond >= _THRESHOLD + np.log(family)
    return np.where(outside, "outside", np.where(within, "within", "open"))


def expected_games(true: float, spread: float, tolerance: float) -> float:
    """Return the games that it takes on average, given the true difference.

    spread: the standard error times the square root of the games it was reached with.
    Simulated, with the same draws each time; inf if many studies would stay open.
    """
    rng, unit = np.random.default_rng(0), (spread / tolerance) ** 2
    times = np.arange(1, _STEPS + 1) * _STEP  # in units of games
    paths = rng.normal(0, np.sqrt(_STEP), (_PATHS, _STEPS)).cumsum(1) / times
    words = gsprt_verdict(paths + true / tolerance, 1 / np.sqrt(times), 1.0)
    over = words != "open"
    if over.any(1).mean() < 0.9:
        return float("inf")
    first = np.where(over.any(1), over.argmax(1), _STEPS - 1)
    return float(np.ceil(times[first].mean() * unit))
