"""How likely a group's wins are if the simulation is right, and how many would tell.

The simulated share is itself uncertain, so the chance of the group's wins is that of a
beta-binomial: a binomial averaged over the share's posterior (Jeffreys' prior; Gelman
et al. 2013, Bayesian Data Analysis, ch. 2).
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy import stats

from reports.statistics import power

MOST_SESSIONS = 100_000
"""More sessions than anybody will have."""


@dataclass(frozen=True)
class SimulatedShare:
    """A share of simulated games, with its 95 % interval."""

    share: float
    low: float
    high: float
    games: float


def tail(won: int, sessions: int, simulated: SimulatedShare) -> tuple[float, bool]:
    """Return how often a group wins as rarely, or as often, and whether it is rarely.

    >>> chance, few = tail(1, 12, SimulatedShare(0.27, 0.26, 0.28, 10_000))
    >>> round(chance, 2), few
    (0.12, True)
    """
    wins = simulated.share * simulated.games
    law = stats.betabinom(
        sessions, max(wins, 0) + 0.5, max(simulated.games - wins, 0) + 0.5
    )
    few = won <= sessions * simulated.share
    return float(law.cdf(won) if few else law.sf(won - 1)), few


def one_in(chance: float) -> str:
    """Return how often something happens, in groups.

    >>> one_in(0.12), one_in(0.45), one_in(0.00001)
    ('1 group in 8', 'about every second group', 'fewer than 1 group in 1,000')
    """
    if chance > 0.4:
        return "about every second group" if chance < 0.6 else "most groups"
    if chance < 0.001:
        return "fewer than 1 group in 1,000"
    return f"1 group in {_round(1 / chance):,}"


def sessions_to_tell(simulated: SimulatedShare, even: float) -> tuple[int, int | None]:
    """Return the fewest and the most sessions that show the share is not ``even``.

    80 % of groups with so many sessions see it (5 %, two-sided; normal approximation,
    ``reports.statistics.power``), if the share is at an end of its interval. The most
    is None if the interval holds the even share, or it takes more than
    ``MOST_SESSIONS``.
    """

    def needed(share: float) -> float:
        gap = abs(share - even)
        if gap < 1e-9:
            return math.inf
        spread = np.sqrt(max(share * (1 - share), even * (1 - even)))
        return float(power.games_to_detect(gap, spread))

    ends = sorted(needed(end) for end in (simulated.low, simulated.high))
    least = _round(min(ends[0], MOST_SESSIONS))
    inside = simulated.low <= even <= simulated.high
    return least, None if inside or ends[1] > MOST_SESSIONS else _round(ends[1])


def sessions_words(simulated: SimulatedShare, even: float) -> str:
    """Say how many sessions would tell.

    >>> sessions_words(SimulatedShare(0.2, 0.19, 0.21, 9_000), 0.25)
    'about 410 to 920 sessions would tell'
    """
    least, most = sessions_to_tell(simulated, even)
    if most is None:
        return f"more than {least:,} sessions would be needed to tell"
    return f"about {least:,} to {most:,} sessions would tell"


def _round(number: float) -> int:
    """Round to two digits."""
    digits = max(0, len(str(math.ceil(number))) - 2)
    return int(round(math.ceil(number - 0.5), -digits))
