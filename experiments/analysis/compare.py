"""Two rule sets or two lineups side by side: what differs, by how much, how surely.

    compare([base], [changed], games=16_384).to_polars()

Both sides play the same games (the same deals and the same dice wherever the rules
agree), so that most of the luck cancels. Every number that a run and the game's report
measure is compared, but for what is even under any rules (``measures.meant``): the
other side less the one, with an interval whose unit is the
game, and a verdict against the designer's tolerance
(``experiments.analysis.measure_diff``).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from experiments.analysis.batches import play_sides
from experiments.analysis.compared_scores import Scorecard, compared, scorecards
from experiments.analysis.early_stopping import IntervalWidening
from experiments.analysis.effects import Scores, judged
from experiments.analysis.measure_diff import (
    FAMILIES,
    Tolerance,
    alike,
    among,
    crossed,
    differences,
    sides_of,
    with_verdicts,
)
from experiments.analysis.settled import Settled, settled
from experiments.analysis.sides import Side
from experiments.core import blocks
from experiments.core.cells import Cell, Pair, UsageError, unpaired
from experiments.core.measures import known, meant
from experiments.execution.results import Results
from experiments.execution.run import Progress, run
from experiments.variants import rule_diff
from reports.measures import SUMS, Measure

__all__ = ["FAMILIES", "Comparison", "Tolerance", "compare", "of_runs", "of_sides"]


@dataclass(frozen=True)
class Comparison:
    """What two sides differ in.

    ``rows`` has a row a measure and group: cell, players, measure, group (in words),
    share (or else a number), one, other, difference (other less one) and the columns of
    ``paired_estimates`` and ``difference_tests`` of ``reports.statistics``: low, high,
    se, p, variance_ratio, n, differ; family, p_adjusted, low_adjusted, high_adjusted,
    different, verdict, ... What is called different, here and in the ``scorecard``, is
    so with at most 5 % chance of any false alarm where nothing differs (held at 2.5 %,
    which the families that are told share).
    """

    ones: tuple[Cell, ...]
    others: tuple[Cell, ...]
    games: tuple[int, ...]  # of each cell
    rows: pl.DataFrame
    tolerance: Tolerance
    same_games: bool
    directory: Path | None = None
    decided: tuple[str, ...] = ()  # of each cell played until decided: ``Settled.word``
    wider: float = 1.0  # than for a single look: the runs stopped when precise enough
    scores: tuple[Scores, ...] = ()  # of each cell, where they were asked for

    @property
    def told(self) -> int:
        """How many parts the 5 % have, of which each family that is told has one."""
        return among(self.rows, scored=bool(self.scores))

    @cached_property
    def scorecard(self) -> pl.DataFrame:
        """What the other side differs in, by cell and line (``Scores.effects``).

        One family over all cells, of those whose games did not fail.
        """
        parts = [
            scores.differences(changes=() if scores.failed else None).select(
                pl.lit(cell).alias("cell"), pl.exclude("change")
            )
            for cell, scores in enumerate(self.scores)
        ]
        return judged(pl.concat(parts), self.told) if parts else pl.DataFrame()

    def to_polars(self) -> pl.DataFrame:
        """A row a measure and group."""
        return self.rows

    def family(self, name: str) -> pl.DataFrame:
        """The rows of a family: ``end`` or ``report``."""
        return self.rows.filter(pl.col("family") == FAMILIES[name][0])

    def __repr__(self) -> str:
        """Some lines: how many games, which rules differ, how many numbers do."""
        one, other = self.ones[0], self.others[0]
        on = "the same games" if self.same_games else "games of its own"
        many = int(self.rows["different"].sum())
        return "\n".join(
            [
                f"{one.game}: {max(self.games):,} games on each side, {on}",
                *rule_diff.sentences(one.rules, other.rules),
                f"{self.rows.height:,} numbers, {many:,} differ: see .rows, "
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
    tolerance: Tolerance | None = None,
    jobs: int = 1,
    out: Path | None = None,
    progress: Progress | None = None,
    wider: float = 1.0,
    settled: Settled | None = None,
    scored: bool = False,
    **how: Any,
) -> Comparison:
    """Play both sides on the same games; cells are compared in pairs, in order.

    ``detailed`` compares the numbers of the game's report too. ``wider``: how many
    times wider intervals have to be, where results said how many games there are.
    ``settled`` stops each pair of cells once it is decided, before ``games``.
    ``scored``: also take the lines of the scorecard, of as many games, where it was
    not the results that said how many.
    ``how`` goes to ``run`` (backend, scheduler). Raises ``UsageError`` where the sides
    do not fit.
    """
    if len(ones) != len(others):
        raise UsageError(
            f"{len(ones)} and {len(others)} lineups and numbers of players: the sides "
            "need as many of both."
        )
    pairs = [Pair(one, other) for one, other in zip(ones, others, strict=True)]
    cells: list[Cell | Pair] = [*pairs]
    cards: list[Scorecard] = []
    if scored and settled is None and wider == 1:
        cards = [*scorecards(pairs)]
        cells += [cell for card in cards for cell in card.alone]
        how = {"play": play_sides, "first": range(len(pairs)), **how}
    if settled is not None:  # it is weighed after every block
        how = {"block": settled.first, **how}
    elif detailed:  # both sides are in memory
        how = {"block": max(blocks.DETAILED // 2, 1), **how}
    results = run(
        cells,
        games,
        jobs=jobs,
        detailed=detailed,
        out=out,
        progress=progress,
        stop=settled,
        fail_fast=range(len(pairs)),  # of the others, a scorecard says what is wrong
        **how,
    )
    scores = tuple(card.scores(results) for card in cards)
    results = compared(results, len(pairs))
    decided = () if settled is None else tuple(_decided(results, settled))
    wider = max(wider, looked_at(results))
    parts = [
        _cell(results, number, one, other, detailed, wider)
        for number, (one, other) in enumerate(zip(ones, others, strict=True))
    ]
    return Comparison(
        tuple(ones),
        tuple(others),
        results.played,
        with_verdicts(
            pl.concat(parts, how="diagonal"),
            tolerance or Tolerance(),
            scored=bool(scores),
        ),
        tolerance or Tolerance(),
        all(one.seed == other.seed for one, other in zip(ones, others, strict=True)),
        results.directory,
        decided,
        wider,
        scores,
    )


def of_sides(
    one: Side,
    other: Side,
    games: int,
    *,
    tolerance: Tolerance,
    decide: str = "",
    **how: Any,
) -> Comparison:
    """Play both sides; of two runs of different games, compare what they found.

    Runs of the same games are played again side by side, for as many games as both
    have: results are sums, which cannot be paired. ``decide``: the share that is to be
    settled. ``how`` goes to ``compare``. Raises ``UsageError``.
    """
    how["settled"] = settled_by(one, other, decide, tolerance)
    if one.run is not None and other.run is not None:
        if len(one.cells) != len(other.cells):
            raise UsageError(
                f"{one.name} has {len(one.cells)} lineups and numbers of players, "
                f"{other.name} has {len(other.cells)}; only like can be compared."
            )
        pairs = zip(one.cells, other.cells, strict=True)
        if all(here.seed != there.seed for here, there in pairs):
            return of_runs(one.run, other.run, tolerance)
        games = min(*one.run.played, *other.run.played)
        how["wider"] = looked_at(one.run, other.run)
    return compare(one.cells, other.cells, games, tolerance=tolerance, **how)


def settled_by(
    one: Side, other: Side, measure: str, allowed: Tolerance
) -> Settled | None:
    """When to stop, where a measure is to be decided; raises ``UsageError``."""
    if not measure:
        return None
    if one.run is not None and other.run is not None:
        raise UsageError("decide: these runs are finished; name what is to be played.")
    return settled(one.cells[0], measure, allowed.share)


def _decided(results: Results, settled: Settled) -> Iterator[str]:
    """What was decided of each cell."""
    for cell, games in enumerate(results.played):
        yield settled.word(results.sums.filter(cell=cell).drop("cell"), games)


def of_runs(
    one: Results, other: Results, tolerance: Tolerance | None = None
) -> Comparison:
    """Compare two finished runs of different games (seeds); raises ``UsageError``.

    Runs keep sums, not games, so runs of the same games cannot be paired from their
    results: play their cells again with ``compare``.
    """
    ones = unpaired(one.cells, one.directory)
    others = unpaired(other.cells, other.directory)
    if any(a.seed == b.seed for a, b in zip(ones, others, strict=True)):
        raise UsageError("the runs have the same games; compare their cells instead.")
    tolerance = tolerance or Tolerance()
    return Comparison(
        ones,
        others,
        tuple(map(min, one.played, other.played)),
        with_verdicts(unpaired_differences(one, other), tolerance),
        tolerance,
        same_games=False,
        wider=looked_at(one, other),
    )


def unpaired_differences(one: Results, other: Results) -> pl.DataFrame:
    """The differences of all that two runs measured, as if of different games.

    Of runs of the same games, intervals and tests are not to be used. Raises
    ``UsageError`` where cells are pairs.
    """
    ones = unpaired(one.cells, one.directory)
    others = unpaired(other.cells, other.directory)
    wider = looked_at(one, other)
    parts = []
    for number, first in enumerate(ones):
        names = known(first.game)
        games = (other.played[number], one.played[number])
        sides = [r.sums.filter(pl.col("cell") == number) for r in (one, other)]
        both = set(names).intersection(*(side["measure"] for side in sides))
        there = [n for n in sorted(both) if not _even(n, first, others[number])]
        found = []
        for some in alike(names[name] for name in there):
            base, changed = (
                _of(side, some).select("measure", *some[0].by, *SUMS) for side in sides
            )
            found.append(differences(changed, base, None, some[0], games, wider))
        parts.append(
            _in_order(found, there).with_columns(
                cell=pl.lit(number, dtype=pl.Int32),
                players=pl.lit(first.players, dtype=pl.Int64),
            )
        )
    return pl.concat(parts, how="diagonal")


def looked_at(*runs: Results) -> float:
    """How many times wider intervals are for runs that stopped when precise enough."""
    return max(
        IntervalWidening.of(run, cell).wider
        for run in runs
        for cell in range(len(run.cells))
    )


def _even(name: str, *sides: Cell) -> bool:
    """Whether a measure is even under any rules on both sides, and so cannot differ."""
    return all(meant(side, name) for side in sides)


def _cell(
    results: Results, number: int, one: Cell, other: Cell, detailed: bool, wider: float
) -> pl.DataFrame:
    """The differences of all measures of a cell."""
    names = known(one.game, detailed)
    here, games = results.sums.filter(cell=number), results.played[number]
    every = here["measure"].unique(maintain_order=True)
    there = [name for name in every if not _even(name, one, other)]
    found = []
    for some in alike(names[name] for name in there):
        sides = sides_of(_of(here, some), some[0])
        products = crossed(sides["one x other"], sides["other x one"], some[0])
        found.append(
            differences(sides["other"], sides["one"], products, some[0], games, wider)
        )
    return _in_order(found, there).with_columns(
        cell=pl.lit(number, dtype=pl.Int32),
        players=pl.lit(one.players, dtype=pl.Int64),
        played=pl.lit(games, dtype=pl.Int64),
    )


def _of(sums: pl.DataFrame, some: Sequence[Measure]) -> pl.DataFrame:
    """The rows of some measures."""
    return sums.filter(pl.col("measure").is_in([what.name for what in some]))


def _in_order(found: list[pl.DataFrame], names: Sequence[str]) -> pl.DataFrame:
    """The rows of all measures, in the order of their names here."""
    place = {name: at for at, name in enumerate(names)}
    return pl.concat(found, how="diagonal").sort(
        pl.col("measure").replace_strict(place), maintain_order=True
    )
