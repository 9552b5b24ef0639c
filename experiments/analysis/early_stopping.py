"""How much wider intervals are for a run that was looked at and stopped early.

``Results.estimates`` allows for that by itself; numbers that are made of several of its
rows (gaps between seats, quantiles, differences of two runs) do so with
``IntervalWidening``.
"""

from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

from experiments.execution.results import Results
from reports.statistics import sequential

_Z = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True)
class IntervalWidening:
    """How many games of a cell count, and how much wider intervals are for looking."""

    games: int
    wider: float

    @staticmethod
    @lru_cache(maxsize=64)
    def _wider(games: int, first: int | None) -> float:
        if first is None or games < first:
            return 1.0
        return float(sequential.multiplier(games / first)) / _Z

    @classmethod
    def of(cls, results: Results, cell: int) -> "IntervalWidening":
        """What was looked at of a cell."""
        games = results.played[cell]
        return cls(games, cls._wider(games, results.looked))
