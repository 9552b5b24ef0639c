"""How much more one player wins than another on the same deals, each in every seat.

As in duplicate bridge, a deal is played with the player in each seat, at a table of
others who stay the same. The effects of deal and seat then cancel: if both play alike,
they cancel on every deal, not only on average. The deal is the unit of resampling.
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
    """Estimate by how much one player's win share exceeds another's.

    wins, before: (deals,) games of each deal that the one and the other won, of
    ``games`` each. Returns the gain with its interval of this level, and with one of
    95 %. Student's t for deals - 1. A change that seldom matters makes few deals
    differ, and a variance from too few is too small, or 0: so four games that differ
    are added, two each way, as in ``paired_estimates``.
    """
    from scipy.special import stdtrit  # slow to import

    gains: Array = (np.asarray(wins, float) - np.asarray(before, float)) / games
    deals = len(gains)
    if deals < 2:
        raise ValueError(f"gain: at least 2 deals, not {deals}")
    middle = float(gains.mean())
    se = float(np.sqrt(gains.var(ddof=1) / deals + 4 / (deals * games) ** 2))
    halves = [float(stdtrit(deals - 1, (1 + p) / 2)) * se for p in (level, 0.95)]
    wide, plain = (Gain(middle, middle - half, middle + half) for half in halves)
    return wide, plain
