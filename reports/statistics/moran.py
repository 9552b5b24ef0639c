"""How a strategy spreads in a population by chance: the machinery of alpha-rank.

In a population with two strategies (an old one, and a new one that some players try),
tables are drawn, and players who get more are copied more often, until one strategy has
taken over (Fermi process; Traulsen, Pacheco & Nowak 2007, J. Theor. Biol. 246:522-529).
Over a long time, the population moves between strategies as a Markov chain.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reports.statistics.intervals import Array

_MAX_EXPONENT = 500.0  # the smallest chance is exp(-500)


@dataclass(frozen=True, eq=False)
class Meetings:
    """Who meets whom in a population with an old strategy and some of a new one."""

    rows: NDArray[np.intp]  # (new, old, seats + 1) row of the lineup, by new players
    by_new: Array  # (population - 1, seats) chance of new ones at a new one's table
    by_old: Array  # (population - 1, seats) and at an old one's

    def gains(self, value: Array) -> Array:
        """Return what new players get more than old ones (new, old, population - 1)."""
        names = np.arange(len(self.rows))
        new_gets = value[self.rows[:, :, 1:], names[:, None, None]]
        old_gets = value[self.rows[:, :, :-1], names[None, :, None]]
        gains: Array = new_gets @ self.by_new.T - old_gets @ self.by_old.T
        return gains


def meetings(lineups: NDArray[np.intp], population: int) -> Meetings:
    """Return the chances of the tables drawn from a population with two strategies.

    lineups: (new, old, seats + 1) the row of payoffs with 0 to all seats of ``new``.
    """
    from scipy.stats import hypergeom  # slow to import

    seats = lineups.shape[2] - 1
    met, new = np.arange(seats), np.arange(1, population)[:, None]
    return Meetings(
        lineups,
        np.asarray(hypergeom.pmf(met, population - 1, new - 1, seats - 1)),
        np.asarray(hypergeom.pmf(met, population - 1, new, seats - 1)),
    )


def strongest(gains: Array) -> float:
    """Return the intensity at which the better strategy all but always spreads.

    It is so strong that even for the two strategies that differ least, chances are as
    small as floats can represent: the limit of strong selection (Omidshafiei et al.
    2019, Sci. Rep. 9:9937). A hopeless strategy does not weaken it for the others.
    """
    scale = abs(np.cumsum(gains, -1)).max(-1)
    scale = scale[scale > 1e-12]
    return float(_MAX_EXPONENT / scale.min()) if len(scale) else 1.0


def stationary(gains: Array, intensity: float) -> Array:
    """Return the share of time with each strategy, from gains of new against old."""
    count = len(gains)
    if count == 1:
        return np.ones(1)
    moves = _fixation(gains, intensity).T / (count - 1)
    np.fill_diagonal(moves, 0.0)
    return _balance(moves)


def _fixation(gains: Array, intensity: float) -> Array:
    """Return the chance that a single new player takes over, (new, old)."""
    logs = -intensity * np.cumsum(gains, -1)
    most = np.maximum(logs.max(-1), 0.0)
    below = np.exp(-most) + np.exp(logs - most[..., None]).sum(-1)
    chance: Array = np.maximum(np.exp(-most) / below, np.exp(-_MAX_EXPONENT))
    return chance


def _balance(moves: Array) -> Array:
    """Return the share of time in each state of a Markov chain, from its rates.

    Nothing is subtracted, so it is accurate for rates that differ by many orders of
    magnitude (Grassmann, Taksar & Heyman 1985, Oper. Res. 33:1107-1116).
    """
    rates = moves.copy()
    count = len(rates)
    for state in range(count - 1, 0, -1):
        away = rates[state, :state].sum()
        rates[:state, state] /= away
        rates[:state, :state] += np.outer(rates[:state, state], rates[state, :state])
    mass = np.ones(count)
    for state in range(1, count):
        mass[state] = mass[:state] @ rates[:state, state]
    return mass / mass.sum()
