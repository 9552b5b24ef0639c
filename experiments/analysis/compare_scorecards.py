"""The scorecards of a comparison, from the games that are compared.

Only lineups with a beginner are played for the scorecard alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import polars as pl

from experiments.analysis.scorecard_effects import Scores, lines_and_cells
from experiments.core.cells import Cell, require_unpaired
from experiments.execution.results import Results
from reports.scorecard.score_line import ScoreLine


@dataclass(frozen=True)
class PairScorecard:
    """The scorecard of a pair of cells: its lines, and where they come from.

    ``weak``: the cells with a beginner, if a line needs them; ``places``: the
    numbers of all cells in the run, side by side.
    """

    lines: tuple[ScoreLine, ...]
    weak: Sequence[Cell]
    places: Sequence[int]

    def scores(self, results: Results) -> Scores:
        """Take the scorecard from the results of the run."""
        part = results.of_cells(self.places)
        return Scores.of(part, self.lines, len(self.places) // 2)


def scorecards(pairs: Sequence[tuple[Cell, Cell]]) -> Iterator[PairScorecard]:
    """Yield the scorecard of each pair; cells with a beginner come after all."""
    more = 2 * len(pairs)
    for number, pair in enumerate(pairs):
        lines, cells = lines_and_cells(pair)
        one, other = 2 * number, 2 * number + 1
        weak = cells[1::2] if len(cells) > 2 else []
        places = [one, more, other, more + 1] if weak else [one, other]
        yield PairScorecard(lines, weak, places)
        more += len(weak)


def beside(one: Results, other: Results, number: int) -> Results:
    """Return the results of a pair of cells of two runs: cells 0 and 1."""
    first, second = (run.of_cells([number]) for run in (one, other))
    moved = second.sums.with_columns(cell=pl.lit(1, pl.Int32))
    return replace(
        first,
        cells=(*first.cells, *second.cells),
        games=min(*first.played, *second.played),
        sums=pl.concat([first.sums, moved], how="diagonal"),
        played=(*first.played, *second.played),
    )


def scores_of_runs(one: Results, other: Results) -> tuple[Scores, ...]:
    """Return the lines that two finished runs have, for each pair of cells.

    That of skill is missing, as it takes a beginner.
    """
    scores = []
    for number in range(len(one.cells)):
        sides = beside(one, other, number)
        pair = require_unpaired(sides.cells, one.directory)
        lines, _ = lines_and_cells(pair, mixed=False)
        scores.append(Scores.of(sides, lines, 1))
    return tuple(scores)
