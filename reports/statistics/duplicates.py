"""How often one player wins more than another on the same deals, each in every seat.

As in duplicate bridge a deal is played with the player in each seat, at a table of
others who stay the same. What the deal and the seat give then cancels: where both play
alike, not only on average but on every deal. The deal is the unit of resampling.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from reports.statistics.intervals import Array


class Gain(NamedTuple):
    """A difference of win shares, with its interval."""

    estimate: float
    low: float
    high: float


def gain(
    wins: ArrayLike, before: ArrayLike, games: int, level: float = 0.95
) -> tuple[Gain, Gain]:
    """Estimate by how much the win share of one exceeds that of another.

    wins, before: (deals,) games of each deal that the one and the other won, of
    ``games`` each. Returns the gain with its interval of this level, and with one of
    95 %. Student's t for deals - 1. A change that seldom matters makes few deals
    differ, and too few give a variance that is too small, or 0: so four games are added
    that differ, two each way, as ``paired_estimates`` does.
    """
    from scipy.special import stdtrit  # slow to import

    apart: Array = (np.asarray(wins, float) - np.asarray(before, float)) / games
    deals = len(apart)
    if deals < 2:
        raise ValueError(f"gain: at least 2 deals, not {deals}")
    middle = float(apart.mean())
    se = float(np.sqrt(apart.var(ddof=1) / deals + 4 / (deals * games) ** 2))
    halves = [float(stdtrit(deals - 1, (1 + one) / 2)) * se for one in (level, 0.95)]
    wide, plain = (Gain(middle, middle - half, middle + half) for half in halves)
    return wide, plain
