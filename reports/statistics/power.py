"""How many games a difference needs, and how small a difference games can show.

All depends on the ``spread`` of an estimate: its standard deviation per game, which is
its standard error times the square root of the games of each side. It comes from a
pilot (``spread``; a thousand games give it to 5 %) or, for shares, from the shares
themselves (``spread_of_shares``). Normal approximations throughout (Julious 2004, Stat.
Med. 23:1921-1986); arguments may be arrays, results have their common shape.
"""

import numpy as np
from numpy.typing import ArrayLike

from reports.statistics import sequential
from reports.statistics.intervals import Array


def spread(se: ArrayLike, games: ArrayLike) -> Array:
    """Return the spread behind a standard error reached with this number of games.

    Intervals that are wider than the standard error says (Wilson's) need more spread.
    """
    se, games = _floats(se, games)
    return se * np.sqrt(games)


def spread_of_shares(
    one: ArrayLike, other: ArrayLike, variance_ratio: ArrayLike = 1.0
) -> Array:
    """Return the spread of the difference of two shares, one outcome a game and side.

    variance_ratio: how many times smaller the variance is on the same games than with
    independent games (from ``paired_estimates.differences``); 1: independent games.
    """
    one, other, ratio = _floats(one, other, variance_ratio)
    if np.any((one < 0) | (one > 1) | (other < 0) | (other > 1)):
        raise ValueError("spread_of_shares: shares lie between 0 and 1")
    if np.any(ratio <= 0):
        raise ValueError("spread_of_shares: a variance ratio lies above 0")
    return np.sqrt((one * (1 - one) + other * (1 - other)) / ratio)


def games_to_detect(
    difference: ArrayLike,
    spread: ArrayLike,
    power: float = 0.80,
    level: float = 0.95,
    added: ArrayLike = 0.0,
) -> Array:
    """Return the games (of each side) that show a difference with this power.

    A study shows it if its interval of this level does not contain 0; ``power`` is the
    share of studies that do. inf for a difference of 0. added: variance that intervals
    add to be conservative, times the games squared (``paired_estimates.caution``); to
    first order, it costs a fixed number of games.
    """
    difference, spread, added = _floats(difference, spread, added)
    upper = _upper(level)
    factor = upper + _quantile(power, "power")
    if factor <= 0:
        raise ValueError(f"power must lie above {(1 - level) / 2:g}, not {power}")
    with np.errstate(divide="ignore", invalid="ignore"):
        more = np.where(added > 0, upper / factor * added / spread**2, 0.0)
        return np.ceil((factor * spread / abs(difference)) ** 2 + more)


def detectable(
    games: ArrayLike, spread: ArrayLike, power: float = 0.80, level: float = 0.95
) -> Array:
    """Return the least difference that games (of each side) show with this power."""
    games, spread = _floats(games, spread)
    return (_upper(level) + _quantile(power, "power")) * spread / np.sqrt(games)


def power_of(
    difference: ArrayLike, games: ArrayLike, spread: ArrayLike, level: float = 0.95
) -> Array:
    """Return the power of games (of each side) to show a difference.

    Both ends count: at a difference of 0 it is 1 - level.
    """
    from scipy.special import ndtr  # slow to import

    difference, games, spread = _floats(difference, games, spread)
    z, shift = _upper(level), abs(difference) * np.sqrt(games) / spread
    return np.asarray(ndtr(shift - z) + ndtr(-shift - z), dtype=np.float64)


def games_for_width(
    half_width: ArrayLike,
    spread: ArrayLike,
    level: float = 0.95,
    first: int | None = None,
) -> Array:
    """Return the games after which an interval has shrunk to +- half_width.

    first: the games before the first look, for a run that is monitored and stopped when
    it is precise enough (``reports.statistics.sequential``). None: a single look.
    """
    half_width, spread = _floats(half_width, spread)
    if first is None:
        return _games(_upper(level), spread, half_width)
    needed = np.vectorize(sequential.games_for, otypes=[float])
    return np.asarray(needed(half_width, spread, first, level))


def _games(factor: float, spread: Array, size: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.ceil((factor * spread / size) ** 2)


def _upper(level: float) -> float:
    """Return the normal quantile of a two-sided interval."""
    _quantile(level, "level")
    return _quantile((1 + level) / 2, "level")


def _quantile(chance: float, name: str) -> float:
    from scipy.special import ndtri  # slow to import

    if not 0 < chance < 1:
        raise ValueError(f"{name} must lie between 0 and 1, not {chance}")
    return float(ndtri(chance))


def _floats(*values: ArrayLike) -> tuple[Array, ...]:
    arrays = (np.asarray(value, dtype=np.float64) for value in values)
    return tuple(np.broadcast_arrays(*arrays))
