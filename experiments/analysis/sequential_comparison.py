"""Sequential comparisons: play until a measure is decided, by the GSPRT.

After every block the differences in one measure are tested against the tolerance
(``reports.statistics.gsprt``): decided once all of them lie within, or one lies
outside. The test stays valid however often it is looked at; the intervals of all other
measures are widened to allow for looking.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import polars as pl

from experiments.analysis.measure_differences import differences
from experiments.core.cells import Cell, Pair, UsageError
from experiments.core.measures import measures_of, missing_words, refuse_even
from reports.batches import GameBatches
from reports.statistics import gsprt, power

FIRST = 1_024
"""Games before the first look."""


@dataclass(frozen=True)
class SequentialComparison:
    """The stopping rule of a comparison of a share; ``tolerance`` as a part of 1.

    The sums are those of the base and of the changed cell, whose number is larger.
    """

    game: str
    measure: str
    tolerance: float
    first: int = FIRST
    players: int = 1

    def of_cell(self, number: int, cell: Cell | Pair) -> "SequentialComparison":
        """Return the stopping rule of a pair of cells, of which this is the first."""
        return replace(self, players=cell.players)

    def enough(self, sums: pl.DataFrame, games: int) -> bool:
        """Whether the games that a pair of cells has played so far decide it."""
        return games >= self.first and self.word(sums, games) != "open"

    def word(self, sums: pl.DataFrame, games: int) -> str:
        """Return "within" (every group is), "outside" (one is) or "open"."""
        what = measures_of(self.game)[self.measure]
        part = sums.filter(measure=self.measure)
        if part.is_empty():
            return "open"
        base, changed = (
            part.filter(pl.col("cell") == number)
            for number in (part["cell"].min(), part["cell"].max())
        )
        batches = GameBatches(self.players)
        rows = differences(changed, base, what, games, batches=batches)
        decisions = gsprt.gsprt_verdict(
            rows["difference"].to_numpy(),
            rows["se"].fill_null(float("inf")).to_numpy(),
            self.tolerance,
            family=rows.height,
        ).tolist()
        if "outside" in decisions:
            return "outside"
        return "within" if decisions and set(decisions) == {"within"} else "open"

    def expected_games(self, cell: Cell) -> Iterator[tuple[str, float]]:
        """Yield differences, in words, and the average number of games they take.

        Assumes even shares and independent games on both sides; if both sides play the
        same games, it takes fewer.
        """
        even = 1 / cell.players
        spread = float(power.spread_of_shares(even, even))
        for words, true in (
            ("if nothing differs", 0.0),
            ("if it differs by twice the tolerance", 2 * self.tolerance),
        ):
            yield words, gsprt.expected_games(true, spread, self.tolerance)


def stopping_rule(cell: Cell, measure: str, tolerance: float) -> SequentialComparison:
    """Return the stopping rule; raises ``UsageError`` unless ``measure`` is a share."""
    names = measures_of(cell.game)
    if measure not in names:
        raise UsageError(f"decide: {missing_words(measure, cell.game)}")
    refuse_even(cell, measure, "decide")
    if not names[measure].share:
        raise UsageError(
            f"decide: {measure!r} is not a share; name one, as 'won by position'."
        )
    return SequentialComparison(cell.game, measure, tolerance)
