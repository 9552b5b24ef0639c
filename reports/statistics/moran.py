"""How a strategy spreads in a population by chance: the machinery of alpha-rank.

In a population of two strategies (an old one and players that try a new one) tables are
drawn, and who gets more is copied more often, until one strategy has taken over (Fermi
process; Traulsen, Pacheco & Nowak 2007, J. Theor. Biol. 246:522-529). Over a long time
the population goes from one strategy to another as a Markov chain.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reports.statistics.intervals import Array

_SMALLEST = 500.0  # chances down to exp(-500) are told apart


@dataclass(frozen=True, eq=False)
class Meetings:
    """Who meets whom in a population of an old strategy and 1 or more of a new one."""

    rows: NDArray[np.intp]  # (new, old, seats + 1) the lineup with so many new ones
    by_new: Array  # (population - 1, seats) chance that a new one meets so many
    by_old: Array  # (population - 1, seats)

    def gains(self, value: Array) -> Array:
        """What a new player gets more than an old one: (new, old, population - 1)."""
        names = np.arange(len(self.rows))
        new_gets = value[self.rows[:, :, 1:], names[:, None, None]]
        old_gets = value[self.rows[:, :, :-1], names[None, :, None]]
        gains: Array = new_gets @ self.by_new.T - old_gets @ self.by_old.T
        return gains


def meetings(lineups: NDArray[np.intp], population: int) -> Meetings:
    """Count the tables that are drawn from a population of two strategies.

    lineups: (new, old, seats + 1) the row of payoffs with 0 to all seats of `new`.
    """
    from scipy.stats import hypergeom  # slow to import

    seats = lineups.shape[2] - 1
    there, many = np.arange(seats), np.arange(1, population)[:, None]
    return Meetings(
        lineups,
        np.asarray(hypergeom.pmf(there, population - 1, many - 1, seats - 1)),
        np.asarray(hypergeom.pmf(there, population - 1, many, seats - 1)),
    )


def strongest(gains: Array) -> float:
    """Find the intensity at which whatever is better all but always spreads.

    So strong that of the two that differ least chances are as small as numbers can tell
    apart, and of all others too: the limit of strong selection (Omidshafiei et al.
    2019, Sci. Rep. 9:9937). A strategy that is hopeless does not weaken it for others.
    """
    scale = abs(np.cumsum(gains, -1)).max(-1)
    scale = scale[scale > 1e-12]
    return float(_SMALLEST / scale.min()) if len(scale) else 1.0


def stationary(gains: Array, intensity: float) -> Array:
    """Share of time with each strategy, of the gains of new ones against old ones."""
    count = len(gains)
    if count == 1:
        return np.ones(1)
    moves = _fixation(gains, intensity).T / (count - 1)
    np.fill_diagonal(moves, 0.0)
    return _balance(moves)


def _fixation(gains: Array, intensity: float) -> Array:
    """Chance that a single new player takes over (Fermi process): (new, old)."""
    logs = -intensity * np.cumsum(gains, -1)
    most = np.maximum(logs.max(-1), 0.0)
    below = np.exp(-most) + np.exp(logs - most[..., None]).sum(-1)
    chance: Array = np.maximum(np.exp(-most) / below, np.exp(-_SMALLEST))
    return chance


def _balance(moves: Array) -> Array:
    """Share of time in each state of a Markov chain, from rates between states.

    Without subtraction, so exact for rates that differ by many orders of magnitude
    (Grassmann, Taksar & Heyman 1985, Oper. Res. 33:1107-1116).
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
