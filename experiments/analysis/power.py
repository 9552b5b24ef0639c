"""How many games it takes to show a difference, estimated with a short pilot.

The answer depends on how much a measure varies from game to game. A pilot of a few
thousand games estimates that and, with a second side, how many games are saved by
playing the same ones on both sides (``reports.statistics.power``).
"""

import math
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from experiments.analysis.compare import compare
from experiments.core.cells import Cell, UsageError
from experiments.core.measures import (
    group_words,
    measures_of,
    missing_words,
    refuse_even,
)
from experiments.execution.run import Progress, run
from reports.batches import BATCHES
from reports.measures import Measure
from reports.statistics import power
from reports.statistics.intervals import Array
from reports.statistics.paired_estimates import caution

PILOT = 8_192
"""Games of the pilot, by default."""
_PILOTS, _LEAST = 8, 1_024
"""Pilots of both sides, and fewest games of each: the error of a paired difference is
from 64 batches and itself uncertain by 9 %; of eight such errors, the mean by 3 %."""
_APART = 1_000  # between the seeds of pilots, so that neighbours share none
GIVEN = (10_000, 100_000, 1_000_000)
"""Numbers of games for which the least detectable difference is given."""


@dataclass(frozen=True)
class SampleSizes:
    """How many games are needed.

    ``rows`` has one row per group of the measure: group, estimate, spread (standard
    deviation of a game), width (games for an interval of +- difference), apart (games
    of each side to show the difference, with different games), paired (with the same
    games on both sides; null without a second side), variance_ratio, and for each
    number of ``GIVEN`` the difference it shows ("shows_10000").
    """

    measure: Measure
    difference: float
    power: float
    pilot: int
    rows: pl.DataFrame
    paired: bool

    def most(self, column: str) -> float:
        """Return the games that the most demanding group needs."""
        return float(np.max(self.rows[column].cast(pl.Float64).to_numpy()))

    @property
    def games(self) -> int:
        """Games that show the difference; with two sides, the same ones on both."""
        return math.ceil(self.most("paired" if self.paired else "apart"))

    def __repr__(self) -> str:
        """Say how many games are needed."""
        which = "the same" if self.paired else "different"
        return (
            f"{self.measure.name}: {self.games:,} games of each side, {which} ones, "
            f"show a difference of {self.difference:g}\n"
            f"in {100 * self.power:g} % of studies, estimated from a pilot of "
            f"{self.pilot:,} games: see .rows"
        )

    def _repr_html_(self) -> str:
        return str(self.rows._repr_html_())


def sample_sizes(
    cell: Cell,
    difference: float,
    *,
    measure: str = "won by position",
    other: Cell | None = None,
    chance: float = 0.80,
    pilot: int = PILOT,
    jobs: int = 1,
    progress: Progress | None = None,
) -> SampleSizes:
    """Play a pilot; return how many games show ``difference`` with this ``chance``.

    ``difference`` is in the unit of the measure: 0.01 is one point of a share. With
    ``other``, the pilot plays both sides. Raises ``UsageError``.
    """
    if difference <= 0:
        raise UsageError(f"difference: above 0, not {difference:g}.")
    if not 0.05 < chance < 1:
        raise UsageError(f"power: above 0.05 and below 1, not {chance:g}.")
    if pilot < 200:
        raise UsageError(f"pilot: at least 200 games, not {pilot}.")
    what = _measure(cell, measure)
    detailed = what.family == "report"
    if other is None:
        rows = _of_one(cell, what, pilot, detailed, jobs, progress)
    else:
        games = max(pilot // _PILOTS, min(pilot, _LEAST))
        seeds = [(cell.seed + _APART * n) % 2**64 for n in range(pilot // games)]
        ones, others = (
            [replace(side, seed=seed) for seed in seeds] for side in (cell, other)
        )
        comparison = compare(
            ones, others, games, detailed=detailed, jobs=jobs, progress=progress
        )
        rows = _of_both(comparison.rows.filter(pl.col("measure") == measure), games)
    if rows.is_empty():
        raise UsageError(f"measure: {measure!r} did not happen in {pilot:,} games.")
    return SampleSizes(
        what,
        difference,
        chance,
        pilot,
        _with_games(rows, what, cell.players, difference, chance),
        other is not None,
    )


def _measure(cell: Cell, name: str) -> Measure:
    names = measures_of(cell.game)
    if name not in names:
        raise UsageError(f"measure: {missing_words(name, cell.game)}")
    refuse_even(cell, name, "measure")
    return names[name]


def _of_one(
    cell: Cell,
    what: Measure,
    pilot: int,
    detailed: bool,
    jobs: int,
    progress: Progress | None,
) -> pl.DataFrame:
    """Return group, estimate, spread, spread_apart, spread_paired of one side."""
    results = run([cell], pilot, jobs=jobs, detailed=detailed, progress=progress)
    if what.name not in results.names:
        return pl.DataFrame()
    estimates = results.estimates(what.name).drop_nulls("se")
    spread = power.spread(estimates["se"].to_numpy(), pilot)
    return pl.DataFrame(
        {
            "group": group_words(estimates, what.by),
            "estimate": estimates["estimate"],
            "spread": spread,
            "spread_apart": np.sqrt(2) * spread,
            "spread_paired": pl.Series([None] * estimates.height, dtype=pl.Float64),
        }
    )


def _of_both(rows: pl.DataFrame, games: int) -> pl.DataFrame:
    """Return the columns of ``_of_one`` for two sides, from pilots of so many games."""
    square = pl.col("se") ** 2
    added = pl.when("share").then(4 / games**2).otherwise(0.0)  # by ``caution``
    paired = ((square - added) * games).mean()
    apart = ((square * pl.col("variance_ratio") - added) * games).mean()
    pilots = rows.drop_nulls("se").group_by("group", maintain_order=True)
    return pilots.agg(
        estimate=pl.col("one").mean(),
        spread=(apart / 2).sqrt(),
        spread_apart=apart.sqrt(),
        spread_paired=paired.clip(1e-12).sqrt(),
    )


def _with_games(
    rows: pl.DataFrame, what: Measure, players: int, difference: float, chance: float
) -> pl.DataFrame:
    """Add the games that are needed, and the differences that given numbers show."""
    spread, apart, paired = (
        rows[name].to_numpy() for name in ("spread", "spread_apart", "spread_paired")
    )
    best = np.where(np.isnan(paired), apart, paired)
    ratio = (apart / np.where(paired > 0, paired, np.nan)) ** 2

    def games(of_pair: Array, same: bool) -> Array:
        added = caution([np.ones(1)] * 2, apart**2, what.kind, paired=same)
        needed = power.games_to_detect(difference, of_pair, chance, added=added)
        return needed * _of_batches(needed, players, chance) if same else needed

    shown = {f"shows_{games}": power.detectable(games, best, chance) for games in GIVEN}
    columns = {
        "width": power.games_for_width(difference, spread),
        "apart": games(apart, same=False),
        "paired": games(paired, same=True),
        "variance_ratio": ratio,
        **shown,
    }
    return rows.drop("spread_apart", "spread_paired").with_columns(
        pl.Series(name, values, nan_to_null=True) for name, values in columns.items()
    )


def _of_batches(games: Array, players: int, chance: float) -> Array:
    """Return how many times more games it takes as errors come from few batches."""
    from scipy.special import ndtri, stdtrit  # slow to import

    freedom = np.clip(np.floor(games / players), 2, BATCHES) - 1
    normal = ndtri(0.975) + ndtri(chance)
    more: Array = ((stdtrit(freedom, 0.975) + ndtri(chance)) / normal) ** 2
    return more
