"""Compare two rule sets or two lineups: what differs, and by how much.

    compare([base], [changed], games=16_384).to_polars()

Both sides play the same deals, with the same dice wherever the rules agree (common
random numbers), so most of the luck cancels. Every measure of a run and of the game's
report is compared, except those that are even under any rules
(``measures.suggested_measure``): other side minus base, with an interval over games and
a verdict against the designer's tolerance
(``experiments.analysis.measure_differences``).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from experiments.analysis.cell_batches import play_batches_of_pair
from experiments.analysis.compare_scorecards import (
    PairScorecard,
    scorecards,
    without_scorecard_cells,
)
from experiments.analysis.comparison_arms import Arm
from experiments.analysis.interval_widening import IntervalWidening
from experiments.analysis.measure_differences import (
    FAMILIES,
    ComparisonTolerance,
    compatible_measures,
    cross_products,
    differences,
    family_count,
    side_rows,
    with_verdicts,
)
from experiments.analysis.scorecard_effects import Scores, with_effect_verdicts
from experiments.analysis.sequential_comparison import (
    SequentialComparison,
    stopping_rule,
)
from experiments.core import blocks
from experiments.core.cells import Cell, Pair, UsageError, require_unpaired
from experiments.core.measures import measures_of, suggested_measure
from experiments.execution.results import Results
from experiments.execution.run import Progress, run
from experiments.variants import rule_diff
from reports.measures import SUMS, Measure

__all__ = [
    "FAMILIES",
    "Comparison",
    "ComparisonTolerance",
    "compare",
    "compare_arms",
    "compare_runs",
]


@dataclass(frozen=True)
class Comparison:
    """The differences between two sides.

    ``rows`` has one row per measure and group: cell, players, measure, group (in
    words), share (whether it is one), one, other, difference (other minus one) and the
    columns of ``paired_estimates`` and ``difference_tests`` of ``reports.statistics``:
    low, high, se, p, variance_ratio, n, differ; family, p_adjusted, low_adjusted,
    high_adjusted, different, verdict, ... If nothing differs, the chance that anything
    is called different, here or in the ``scorecard``, is at most 5 % (the families
    shown share 2.5 %).
    """

    ones: tuple[Cell, ...]
    others: tuple[Cell, ...]
    games: tuple[int, ...]  # of each cell
    rows: pl.DataFrame
    tolerance: ComparisonTolerance
    same_games: bool
    directory: Path | None = None
    # Per cell played until decided: ``SequentialComparison.word``
    decided_measures: tuple[str, ...] = ()
    widening: float = 1.0  # interval factor, if the runs stopped once precise enough
    scores: tuple[Scores, ...] = ()  # per cell, if they were asked for

    @property
    def family_count(self) -> int:
        """Into how many parts the 5 % are divided; each family shown takes one."""
        return family_count(self.rows, scored=bool(self.scores))

    @cached_property
    def scorecard(self) -> pl.DataFrame:
        """The differences in each cell and scorecard line (``Scores.effects``).

        All cells whose games did not fail form one family.
        """
        parts = [
            scores.differences(changes=() if scores.failed else None).select(
                pl.lit(cell).alias("cell"), pl.exclude("change")
            )
            for cell, scores in enumerate(self.scores)
        ]
        return (
            with_effect_verdicts(pl.concat(parts), self.family_count)
            if parts
            else pl.DataFrame()
        )

    def to_polars(self) -> pl.DataFrame:
        """Return one row per measure and group."""
        return self.rows

    def family(self, name: str) -> pl.DataFrame:
        """Return the rows of a family: ``end`` or ``report``."""
        return self.rows.filter(pl.col("family") == FAMILIES[name][0])

    def __repr__(self) -> str:
        """Summarize the games, the rules that differ, and how many numbers do."""
        base, changed = self.ones[0], self.others[0]
        on = "the same games" if self.same_games else "different games"
        different = int(self.rows["different"].sum())
        return "\n".join(
            [
                f"{base.game}: {max(self.games):,} games on each side, {on}",
                *rule_diff.sentences(base.rules, changed.rules),
                f"{self.rows.height:,} numbers, {different:,} differ: see .rows, "
                ".family('end')",
            ]
        )

    def _repr_html_(self) -> str:
        return str(self.rows._repr_html_())


def compare(  # noqa: PLR0913 - all that the command line knows
    ones: Sequence[Cell],
    others: Sequence[Cell],
    games: int,
    *,
    detailed: bool = True,
    tolerance: ComparisonTolerance | None = None,
    jobs: int = 1,
    out: Path | None = None,
    progress: Progress | None = None,
    widening: float = 1.0,
    stopping_rule: SequentialComparison | None = None,
    with_scorecards: bool = False,
    **how: Any,
) -> Comparison:
    """Play both sides on the same games; cells are compared in pairs, in order.

    ``detailed`` also compares the measures of the game's report. ``widening`` is the
    factor by which intervals are widened if the number of games depended on results.
    ``stopping_rule`` stops each pair of cells once it is decided, before ``games``.
    ``with_scorecards`` also takes the lines of the scorecard, unless the number of
    games depends on results. ``how`` goes to ``run`` (backend, scheduler). Raises
    ``UsageError`` if the sides do not have the same number of cells.
    """
    if len(ones) != len(others):
        raise UsageError(
            f"{len(ones)} and {len(others)} lineups and numbers of players: both sides "
            "need the same number."
        )
    pairs = [Pair(one, other) for one, other in zip(ones, others, strict=True)]
    cells: list[Cell | Pair] = [*pairs]
    cards: list[PairScorecard] = []
    if with_scorecards and stopping_rule is None and widening == 1:
        cards = [*scorecards(pairs)]
        cells += [cell for card in cards for cell in card.alone]
        how = {"play": play_batches_of_pair, "first": range(len(pairs)), **how}
    # Tested after every block, so the first look fits one
    if stopping_rule is not None:
        how = {"block": stopping_rule.first, **how}
    elif detailed:  # both sides are in memory, so half as many games of each
        how = {"block": max(blocks.DETAILED // 2, 1), **how}
    results = run(
        cells,
        games,
        jobs=jobs,
        detailed=detailed,
        out=out,
        progress=progress,
        stop=stopping_rule,
        fail_fast=range(len(pairs)),  # if other cells fail, the scorecard says why
        **how,
    )
    scores = tuple(card.scores(results) for card in cards)
    results = without_scorecard_cells(results, len(pairs))
    decided = () if stopping_rule is None else tuple(_decided(results, stopping_rule))
    widening = max(widening, run_widening(results))
    parts = [
        _cell(results, number, one, other, detailed, widening)
        for number, (one, other) in enumerate(zip(ones, others, strict=True))
    ]
    return Comparison(
        tuple(ones),
        tuple(others),
        results.played,
        with_verdicts(
            pl.concat(parts, how="diagonal"),
            tolerance or ComparisonTolerance(),
            scored=bool(scores),
        ),
        tolerance or ComparisonTolerance(),
        all(one.seed == other.seed for one, other in zip(ones, others, strict=True)),
        results.directory,
        decided,
        widening,
        scores,
    )


def compare_arms(
    one: Arm,
    other: Arm,
    games: int,
    *,
    tolerance: ComparisonTolerance,
    decide: str = "",
    **how: Any,
) -> Comparison:
    """Play both sides; two finished runs of different games are not played again.

    Runs of the same games are replayed side by side, as many games as both have,
    because their results are sums, which cannot be paired. ``decide`` names a share:
    play until it is decided. ``how`` goes to ``compare``. Raises ``UsageError``.
    """
    how["stopping_rule"] = stopping_rule_of(one, other, decide, tolerance)
    if one.run is not None and other.run is not None:
        if len(one.cells) != len(other.cells):
            raise UsageError(
                f"{one.name} has {len(one.cells)} lineups and numbers of players, "
                f"{other.name} has {len(other.cells)}; they need the same number."
            )
        pairs = zip(one.cells, other.cells, strict=True)
        if all(here.seed != there.seed for here, there in pairs):
            return compare_runs(one.run, other.run, tolerance)
        games = min(*one.run.played, *other.run.played)
        how["widening"] = run_widening(one.run, other.run)
    return compare(one.cells, other.cells, games, tolerance=tolerance, **how)


def stopping_rule_of(
    one: Arm, other: Arm, measure: str, allowed: ComparisonTolerance
) -> SequentialComparison | None:
    """Return the stopping rule of a measure, if one is named; raises ``UsageError``."""
    if not measure:
        return None
    if one.run is not None and other.run is not None:
        raise UsageError("decide: both runs are finished; name a side to play instead.")
    return stopping_rule(one.cells[0], measure, allowed.share)


def _decided(results: Results, settled: SequentialComparison) -> Iterator[str]:
    """Yield the decision on each cell."""
    for cell, games in enumerate(results.played):
        yield settled.word(results.sums.filter(cell=cell).drop("cell"), games)


def compare_runs(
    one: Results, other: Results, tolerance: ComparisonTolerance | None = None
) -> Comparison:
    """Compare two finished runs of different games (seeds); raises ``UsageError``.

    Runs keep sums, not games, so the results of two runs of the same games cannot be
    paired: play their cells again with ``compare``.
    """
    ones = require_unpaired(one.cells, one.directory)
    others = require_unpaired(other.cells, other.directory)
    if any(a.seed == b.seed for a, b in zip(ones, others, strict=True)):
        raise UsageError("the runs played the same games; compare their cells instead.")
    tolerance = tolerance or ComparisonTolerance()
    return Comparison(
        ones,
        others,
        tuple(map(min, one.played, other.played)),
        with_verdicts(unpaired_differences(one, other), tolerance),
        tolerance,
        same_games=False,
        widening=run_widening(one, other),
    )


def unpaired_differences(one: Results, other: Results) -> pl.DataFrame:
    """Return the differences in all measures of two runs of different games.

    If the runs played the same games, only the differences are valid, not the intervals
    and tests. Raises ``UsageError`` if cells are pairs.
    """
    ones = require_unpaired(one.cells, one.directory)
    others = require_unpaired(other.cells, other.directory)
    wider = run_widening(one, other)
    cells = []
    for number, cell in enumerate(ones):
        names = measures_of(cell.game)
        games = (other.played[number], one.played[number])
        sides = [r.sums.filter(pl.col("cell") == number) for r in (one, other)]
        shared = set(names).intersection(*(side["measure"] for side in sides))
        compared = [n for n in sorted(shared) if not _even(n, cell, others[number])]
        parts = []
        for like in compatible_measures(names[name] for name in compared):
            base, changed = (
                _rows(side, like).select("measure", *like[0].by, *SUMS)
                for side in sides
            )
            parts.append(differences(changed, base, None, like[0], games, wider))
        cells.append(
            _in_order(parts, compared).with_columns(
                cell=pl.lit(number, dtype=pl.Int32),
                players=pl.lit(cell.players, dtype=pl.Int64),
            )
        )
    return pl.concat(cells, how="diagonal")


def run_widening(*runs: Results) -> float:
    """Return the interval factor for runs that stopped when precise enough."""
    return max(
        IntervalWidening.of(run, cell).widening
        for run in runs
        for cell in range(len(run.cells))
    )


def _even(name: str, *sides: Cell) -> bool:
    """Whether a measure is even under any rules on both sides: it cannot differ."""
    return all(suggested_measure(side, name) for side in sides)


def _cell(
    results: Results, number: int, base: Cell, other: Cell, detailed: bool, wider: float
) -> pl.DataFrame:
    """Return the differences in all measures of a cell."""
    names = measures_of(base.game, detailed)
    sums, games = results.sums.filter(cell=number), results.played[number]
    measured = sums["measure"].unique(maintain_order=True)
    compared = [name for name in measured if not _even(name, base, other)]
    parts = []
    for like in compatible_measures(names[name] for name in compared):
        sides = side_rows(_rows(sums, like), like[0])
        products = cross_products(sides["one x other"], sides["other x one"], like[0])
        parts.append(
            differences(sides["other"], sides["one"], products, like[0], games, wider)
        )
    return _in_order(parts, compared).with_columns(
        cell=pl.lit(number, dtype=pl.Int32),
        players=pl.lit(base.players, dtype=pl.Int64),
        played=pl.lit(games, dtype=pl.Int64),
    )


def _rows(sums: pl.DataFrame, measures: Sequence[Measure]) -> pl.DataFrame:
    """Return the rows of these measures."""
    return sums.filter(pl.col("measure").is_in([measure.name for measure in measures]))


def _in_order(parts: list[pl.DataFrame], names: Sequence[str]) -> pl.DataFrame:
    """Concatenate the rows of all measures, in the order of these names."""
    place = {name: number for number, name in enumerate(names)}
    return pl.concat(parts, how="diagonal").sort(
        pl.col("measure").replace_strict(place), maintain_order=True
    )
