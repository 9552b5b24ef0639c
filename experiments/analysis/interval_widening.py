"""The factor by which intervals are widened for a run that may have stopped early.

``Results.estimates`` includes it; numbers made of several of its rows (gaps between
seats, quantiles, differences of two runs) use ``IntervalWidening``.
"""

from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

from experiments.execution.results import Results
from reports.statistics import sequential

_Z = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True)
class IntervalWidening:
    """The games of a cell, and the factor by which its intervals are widened."""

    games: int
    widening: float

    @staticmethod
    @lru_cache(maxsize=64)
    def _wider(games: int, first: int | None) -> float:
        if first is None or games < first:
            return 1.0
        return float(sequential.multiplier(games / first)) / _Z

    @classmethod
    def of(cls, results: Results, cell: int) -> "IntervalWidening":
        """Return the widening of a cell."""
        games = results.played[cell]
        return cls(games, cls._wider(games, results.looked))
