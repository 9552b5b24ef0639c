"""The scorecards of a comparison, from the games that are compared.

Both sides play once for everything: for the measures that are compared and, batch by
batch (``cell_batches``), for the lines of the scorecard. Only lineups with a weak
player are played for the scorecard alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import polars as pl

from experiments.analysis.batch_score_lines import BatchScoreLine
from experiments.analysis.cell_batches import BATCHED
from experiments.analysis.scorecard_effects import Scores, lines_and_cells
from experiments.core.cells import Cell, Pair
from experiments.execution.results import Results
from reports.cross_moments import SIDES


def without_scorecard_cells(results: Results, pairs: int) -> Results:
    """Return the results of a run of pairs, without cells and sums of scorecards."""
    return replace(
        results,
        cells=results.cells[:pairs],
        sums=results.sums.filter(pl.col("side").is_in(SIDES)),
        played=results.played[:pairs],
    )


@dataclass(frozen=True)
class PairScorecard:
    """The scorecard of a pair: its lines, and the cells that they come from.

    In the run of all pairs, each cell is either a side of a pair or a separate one.
    """

    lines: tuple[BatchScoreLine, ...]
    cells: tuple[Cell, ...]  # as of ``lines_and_cells``
    places: tuple[tuple[int, str | None], ...]  # number in the run, and side of a pair

    @property
    def alone(self) -> list[Cell]:
        """The cells that are played only for the scorecard."""
        each = zip(self.cells, self.places, strict=True)
        return [cell for cell, (_, side) in each if side is None]

    def scores(self, results: Results) -> Scores:
        """Take the scorecard from the results of the run."""
        parts = [
            results.sums.filter(
                pl.col("cell") == number, pl.col("side").eq_missing(side)
            )
            for number, side in self.places
        ]
        sums = pl.concat(
            part.with_columns(cell=pl.lit(place, pl.Int32))
            for place, part in enumerate(parts)
        )
        numbers = [number for number, _ in self.places]
        failures = {
            place: results.failures[number]
            for place, number in enumerate(numbers)
            if number in results.failures
        }
        played = tuple(results.played[number] for number in numbers)
        how = results.manifest, results.directory, failures
        own = Results(self.cells, results.games, sums, played, *how)
        return Scores.of(own, self.lines, len(self.cells) // 2)


def scorecards(pairs: Sequence[Pair]) -> Iterator[PairScorecard]:
    """Yield the scorecard of each pair; separate cells come after all pairs."""
    more = len(pairs)
    for number, pair in enumerate(pairs):
        lines, cells = lines_and_cells([pair.one, pair.other])
        places: list[tuple[int, str | None]] = []
        for side in BATCHED:
            places.append((number, side))
            if len(cells) > 2:
                places.append((more, None))
                more += 1
        yield PairScorecard(lines, tuple(cells), tuple(places))
