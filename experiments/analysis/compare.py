"""Compare two rule sets or two lineups: what differs, and by how much.

    compare([base], [changed], games=16_384).to_polars()

Both sides play the same deals, with the same dice wherever the rules agree (common
random numbers), so most of the luck cancels. Each side is an ordinary cell, so finished
runs of the same games are compared without playing again. Every measure of a run and
of the game's report is compared, except those that are even under any rules
(``measures.suggested_measure``): other side minus base, with an interval over games and
a verdict against the designer's tolerance
(``experiments.analysis.measure_differences``).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from experiments.analysis.adaptation_verdicts import joined_verdicts
from experiments.analysis.card_worth import card_worth, with_card_verdicts
from experiments.analysis.compare_scorecards import (
    PairScorecard,
    beside,
    scorecards,
)
from experiments.analysis.interval_widening import IntervalWidening
from experiments.analysis.measure_differences import (
    FAMILIES,
    ComparisonTolerance,
    compatible_measures,
    differences,
    family_count,
    with_verdicts,
)
from experiments.analysis.row_effects import row_effects, with_row_verdicts
from experiments.analysis.scorecard_effects import (
    Scores,
    with_effect_verdicts,
    with_errors_apart,
)
from experiments.analysis.sequential_comparison import (
    SequentialComparison,
)
from experiments.analysis.unread_rules import UnreadRules, unread_rules
from experiments.core.cells import (
    Cell,
    UsageError,
    require_counterpart,
    require_unpaired,
    same_games,
    with_roles,
)
from experiments.core.measures import measures_of, suggested_measure
from experiments.execution.results import Results
from experiments.execution.run import Progress, run
from experiments.variants import rule_diff
from reports.batches import GameBatches
from reports.measures import Measure
from sim.parameters import no_such

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "FAMILIES",
    "Comparison",
    "ComparisonTolerance",
    "compare",
    "compare_runs",
]


@dataclass(frozen=True)
class Comparison:
    """The differences between two sides.

    ``rows`` has one row per measure and group: cell, players, measure, group (in
    words), share (whether it is one), one, other, difference (other minus one) and the
    columns of ``paired_estimates`` and ``difference_tests`` of ``reports.statistics``:
    low, high, se, p, variance_ratio, n; family, p_adjusted, low_adjusted,
    high_adjusted, different, verdict, ... If nothing differs, the chance that anything
    is called different, here or in the ``scorecard``, is at most 5 % (the families
    shown share 2.5 %).
    """

    ones: tuple[Cell, ...]
    others: tuple[Cell, ...]
    games: tuple[int, ...]  # of each cell of the first side
    other_games: tuple[int, ...]
    rows: pl.DataFrame
    tolerance: ComparisonTolerance
    same_games: bool
    directory: Path | None = None
    # Per cell played until decided: ``SequentialComparison.word``
    decided_measures: tuple[str, ...] = ()
    widening: float = 1.0  # interval factor, if the runs stopped once precise enough
    scores: tuple[Scores, ...] = ()  # per cell, if they were asked for
    # The same by players who learned each side's rules; ``rows`` of both are tested
    # together, and so are their scorecards, so that no more is called different
    adapted: "Comparison | None" = None
    answers: int = 1  # how many comparisons share the 5 %
    told: tuple[str, ...] = ()  # who plays each side, if they adapted
    card_rows: pl.DataFrame = field(default_factory=pl.DataFrame)  # ``card_worth``
    table_rows: pl.DataFrame = field(default_factory=pl.DataFrame)  # ``row_effects``

    def plot(self, measure: str = "won by position") -> "Figure":
        """Draw the differences of a measure's groups; raises ``UsageError``.

        By players who adapted beside it, if they were asked.
        """
        from reports import figures  # slow to import

        shown = {"same players": self.rows}
        if self.adapted is not None:
            shown["players who adapted"] = self.adapted.rows
        rows = pl.concat(
            table.filter(measure=measure).select(
                "group", "difference", "low", "high", "share", who=pl.lit(who)
            )
            for who, table in shown.items()
        ).drop_nulls("difference")
        if rows.is_empty():
            known = self.rows["measure"].unique(maintain_order=True)
            raise UsageError(no_such("measure", measure, known))
        unit = ", %" if rows["share"][0] else ""
        return figures.dots(
            rows,
            "group",
            "difference",
            "low",
            "high",
            title=f"What changes: {measure}",
            xlabel=f"difference{unit}",
            by="who" if len(shown) > 1 else None,
            reference=0.0,
        )

    @property
    def deals(self) -> list[str]:
        """What the deals have in common, if anything, by cell and side."""
        pairs = zip(self.ones, self.others, strict=True)
        named = (cell.deals for pair in pairs for cell in pair)
        return [*filter(None, dict.fromkeys(named))]

    @property
    def family_count(self) -> int:
        """Into how many parts the 5 % are divided; each family shown takes one."""
        asked = self.scores, self.card_rows.columns, self.table_rows.columns
        return family_count(self.rows, beside=sum(map(bool, asked)))

    @property
    def same_answer(self) -> bool:
        """Whether those who were asked to adapt play as before, on both sides."""
        return (
            self.adapted is not None
            and self.adapted.ones == self.ones
            and (self.adapted.others == self.others)
        )

    @cached_property
    def verdicts(self) -> pl.DataFrame:
        """What holds whether players adapt or not: ``joined_verdicts``.

        Both answers are of the same deals, so how far apart they are has a paired
        error. Empty if nobody was asked to adapt.
        """
        if self.adapted is None or self.adapted.scorecard.is_empty():
            return pl.DataFrame()
        parts = [
            with_errors_apart(
                rows, self.scores[cell].values, self.adapted.scores[cell].values
            )
            for (cell,), rows in self.adapted.scorecard.partition_by(
                "cell", maintain_order=True, as_dict=True
            ).items()
        ]
        return joined_verdicts(self.scorecard, pl.concat(parts))

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
            with_effect_verdicts(pl.concat(parts), self.answers * self.family_count)
            if parts
            else pl.DataFrame()
        )

    @cached_property
    def cards(self) -> pl.DataFrame:
        """Which cards became stronger or weaker, if the tables of cards differ.

        The columns of ``card_worth.card_worth`` and ``with_card_verdicts``.
        """
        return with_card_verdicts(self.card_rows, self.answers * self.family_count)

    @cached_property
    def row_effects(self) -> pl.DataFrame:
        """Who wins more by each changed row of a table that is no option, by itself.

        The columns of ``row_effects.row_effects`` and ``with_row_verdicts``.
        """
        among = self.answers * self.family_count
        return with_row_verdicts(self.table_rows, self.tolerance, among)

    @cached_property
    def unread_rules(self) -> UnreadRules:
        """Which of the rules that differ the players read, in the first cell."""
        return unread_rules(self.others[0], self.ones[0])

    @property
    def games_text(self) -> str:
        """The number of games of each side in words, of all cells."""
        sides = self.games, self.other_games
        one, other = (", ".join(f"{n:,}" for n in dict.fromkeys(of)) for of in sides)
        return (
            f"{one} games on each side" if one == other else f"{one} games and {other}"
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
                f"{base.game}: {self.games_text}, {on}",
                *(f"given {words}" for words in self.deals),
                *rule_diff.sentences(base.rules, changed.rules),
                f"{self.rows.height:,} numbers, {different:,} differ: see .rows, "
                ".family('end')",
                *(
                    [".adapted: by players who learned their rules"]
                    if self.adapted
                    else []
                ),
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
    stopping_rule: SequentialComparison | None = None,
    with_scorecards: bool = False,
    **how: Any,
) -> Comparison:
    """Play both sides on the same games; cells are compared in pairs, in order.

    ``detailed`` also compares the measures of the game's report. ``stopping_rule``
    stops each pair of cells once it is decided, before ``games``. ``with_scorecards``
    also takes the lines of the scorecard, unless the number of games depends on
    results. ``how`` goes to ``run`` (backend, scheduler). Raises ``UsageError`` if the
    sides do not have the same number of cells.
    """
    if len(ones) != len(others):
        raise UsageError(
            f"{len(ones)} and {len(others)} lineups and numbers of players: both sides "
            "need the same number."
        )
    for pair in zip(ones, others, strict=True):
        require_counterpart(*pair)
    pairs = [with_roles(*pair) for pair in zip(ones, others, strict=True)]
    cells = [cell for pair in pairs for cell in pair]
    cards: list[PairScorecard] = []
    if with_scorecards and stopping_rule is None:
        cards = [*scorecards(pairs)]
    # Tested after every block, so the first look fits one
    if stopping_rule is not None:
        how = {"block": stopping_rule.first, "stop": stopping_rule, "sides": 2, **how}
    results = run(
        [*cells, *(cell for card in cards for cell in card.weak)],
        games,
        jobs=jobs,
        detailed=detailed or bool(cards),
        out=out,
        progress=progress and partial(_games_only, progress),
        first=range(len(cells)),
        fail_fast=range(len(cells)),  # if other cells fail, the scorecard says why
        **how,
    )
    one, other = (results.of_cells(range(side, len(cells), 2)) for side in range(2))
    scores = [card.scores(results) for card in cards]
    decided = [] if stopping_rule is None else _decided(one, other, stopping_rule)
    worth = moved = pl.DataFrame()
    if detailed and stopping_rule is None and all(cell.cost == 1 for cell in cells):
        both = [*zip(ones, others, strict=True)]
        folders = (out and out / name for name in ("cards", "table-rows"))
        worth, moved = (
            played(both, games, jobs=jobs, out=folder, **how)
            for played, folder in zip((card_worth, row_effects), folders, strict=True)
        )
    found = compare_runs(
        one,
        other,
        tolerance,
        detailed=detailed,
        scores=scores,
        cards=worth,
        table_rows=moved,
    )
    return replace(
        found,
        ones=tuple(ones),
        others=tuple(others),
        directory=results.directory,
        decided_measures=tuple(decided),
    )


def _games_only(progress: Progress, done: int, wanted: int) -> None:
    """Report the games, but not who wins on a side: that says nothing yet."""
    progress(done, wanted)


def _decided(one: Results, other: Results, rule: SequentialComparison) -> Iterator[str]:
    """Yield the decision on each pair of cells."""
    for number, cell in enumerate(one.cells):
        sides = beside(one, other, number)
        yield rule.of_cell(number, cell).word(sides.sums, sides.games)


def compare_runs(
    one: Results,
    other: Results,
    tolerance: ComparisonTolerance | None = None,
    *,
    detailed: bool = True,
    scores: Sequence[Scores] = (),
    cards: pl.DataFrame | None = None,
    table_rows: pl.DataFrame | None = None,
) -> Comparison:
    """Compare two runs cell by cell; cells that played the same deals are paired.

    ``detailed`` also compares the measures of the report that both have. ``scores``:
    the scorecard of each pair of cells; ``cards``: what theirs are worth;
    ``table_rows``: what other rows of tables do. Raises ``UsageError`` if cells are
    what-ifs, or have no counterpart.
    """
    ones = require_unpaired(one.cells, one.directory)
    others = require_unpaired(other.cells, other.directory)
    tolerance = tolerance or ComparisonTolerance()
    widening = run_widening(one, other)
    cells = [
        _cell(one, other, number, pair, detailed, widening)
        for number, pair in enumerate(zip(ones, others, strict=False))
    ]
    rows = pl.concat(cells, how="diagonal")
    cards = pl.DataFrame() if cards is None else cards
    table_rows = pl.DataFrame() if table_rows is None else table_rows
    beside = sum(map(bool, (scores, cards.columns, table_rows.columns)))
    return Comparison(
        ones,
        others,
        tuple(one.played),
        tuple(other.played),
        with_verdicts(rows, tolerance, beside=beside),
        tolerance,
        all(map(same_games, ones, others)),
        widening=widening,
        scores=tuple(scores),
        card_rows=cards,
        table_rows=table_rows,
    )


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
    one: Results,
    other: Results,
    number: int,
    pair: tuple[Cell, Cell],
    detailed: bool,
    widening: float,
) -> pl.DataFrame:
    """Return the differences in all measures of a pair of cells that both runs have."""
    base, changed = pair
    require_counterpart(*pair)
    names = measures_of(base.game, detailed)
    sides = [r.sums.filter(pl.col("cell") == number) for r in (other, one)]
    shared = set(names).intersection(*(side["measure"] for side in sides))
    compared = [name for name in sorted(shared) if not _even(name, base, changed)]
    games = other.played[number], one.played[number]
    batches = GameBatches(base.players) if same_games(base, changed) else None
    parts = []
    for like in compatible_measures(names[name] for name in compared):
        there, here = (_rows(side, like) for side in sides)
        rows = differences(there, here, like[0], games, widening, batches=batches)
        parts.append(rows)
    return _in_order(parts, compared).with_columns(
        cell=pl.lit(number, dtype=pl.Int32),
        players=pl.lit(base.players, dtype=pl.Int64),
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
