"""The scorecards of a comparison, counted in the games that are compared.

Both sides play once for all: for the numbers that are compared and, batch by batch
(``experiments.analysis.batches``), for the lines of the scorecard. Played for the
scorecard alone are tables at which a weak player sits.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import polars as pl

from experiments.analysis.batches import BATCHED
from experiments.analysis.effects import Scores, seated
from experiments.analysis.score_lines import Line
from experiments.core.cells import Cell, Pair
from experiments.execution.results import Results
from reports.products import SIDES


def compared(results: Results, pairs: int) -> Results:
    """What a run of pairs found, without what scorecards are made of."""
    return replace(
        results,
        cells=results.cells[:pairs],
        sums=results.sums.filter(pl.col("side").is_in(SIDES)),
        played=results.played[:pairs],
    )


@dataclass(frozen=True)
class Scorecard:
    """The scorecard of a pair: lines, and the cells that they are taken of.

    In the run of all pairs each cell is either a side of a pair, or one of its own.
    """

    lines: tuple[Line, ...]
    cells: tuple[Cell, ...]  # as of ``seated``
    places: tuple[tuple[int, str | None], ...]  # number in the run, and side

    @property
    def alone(self) -> list[Cell]:
        """The cells that are played for the scorecard alone."""
        each = zip(self.cells, self.places, strict=True)
        return [cell for cell, (_, side) in each if side is None]

    def scores(self, results: Results) -> Scores:
        """The scorecard in the results of the run."""
        parts = [
            results.sums.filter(
                pl.col("cell") == number, pl.col("side").eq_missing(side)
            )
            for number, side in self.places
        ]
        sums = pl.concat(
            part.with_columns(cell=pl.lit(at, pl.Int32))
            for at, part in enumerate(parts)
        )
        numbers = [number for number, _ in self.places]
        failures = {
            at: results.failures[number]
            for at, number in enumerate(numbers)
            if number in results.failures
        }
        played = tuple(results.played[number] for number in numbers)
        how = results.manifest, results.directory, failures
        own = Results(self.cells, results.games, sums, played, *how)
        return Scores.of(own, self.lines, len(self.cells) // 2)


def scorecards(pairs: Sequence[Pair]) -> Iterator[Scorecard]:
    """The scorecard of each pair; what they play alone comes after all pairs."""
    more = len(pairs)
    for number, pair in enumerate(pairs):
        lines, cells = seated([pair.one, pair.other])
        places: list[tuple[int, str | None]] = []
        for side in BATCHED:
            places.append((number, side))
            if len(cells) > 2:
                places.append((more, None))
                more += 1
        yield Scorecard(lines, tuple(cells), tuple(places))
