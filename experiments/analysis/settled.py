"""Comparisons that are played until they are decided, by the GSPRT.

After every block the differences of one measure are weighed against the tolerance
(``reports.statistics.gsprt``). It is decided once all of them lie within, or one lies
outside; looking costs no validity. What else was measured on the way has intervals
that are as much wider as looking needs.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from experiments.analysis.measure_diff import crossed, differences, sides_of
from experiments.core.cells import Cell, UsageError
from experiments.core.measures import known, missing, refuse_even
from reports.statistics import gsprt, power

FIRST = 1_024
"""Games before the first look."""


@dataclass(frozen=True)
class Settled:
    """When a comparison of a share is decided; ``tolerance`` as a part of 1."""

    game: str
    measure: str
    tolerance: float
    first: int = FIRST

    def enough(self, sums: pl.DataFrame, games: int) -> bool:
        """Whether the first games of a pair of cells decide it."""
        return games >= self.first and self.word(sums, games) != "open"

    def word(self, sums: pl.DataFrame, games: int) -> str:
        """What is decided: every group "within", one of them "outside", or "open"."""
        what = known(self.game)[self.measure]
        part = sums.filter(measure=self.measure)
        if part.is_empty():
            return "open"
        sides = sides_of(part, what)
        products = crossed(sides["one x other"], sides["other x one"], what)
        rows = differences(sides["other"], sides["one"], products, what, games)
        found = gsprt.decided(
            rows["difference"].to_numpy(),
            rows["se"].fill_null(float("inf")).to_numpy(),
            self.tolerance,
            family=rows.height,
        ).tolist()
        if "outside" in found:
            return "outside"
        return "within" if found and set(found) == {"within"} else "open"

    def foreseen(self, cell: Cell) -> Iterator[tuple[str, float]]:
        """Games that it takes on average for a difference, in words, and how many.

        As if an even share was compared and the games of the sides were independent;
        of the same games it takes fewer.
        """
        even = 1 / cell.players
        spread = float(power.spread_of_shares(even, even))
        for words, true in (
            ("if nothing differs", 0.0),
            ("if it differs by twice the tolerance", 2 * self.tolerance),
        ):
            yield words, gsprt.expected_games(true, spread, self.tolerance)


def settled(cell: Cell, measure: str, tolerance: float) -> Settled:
    """The rule for stopping; raises ``UsageError`` for what is no share of the game."""
    names = known(cell.game)
    if measure not in names:
        raise UsageError(f"decide: {missing(measure, cell.game)}")
    refuse_even(cell, measure, "decide")
    if not names[measure].share:
        raise UsageError(
            f"decide: {measure!r} is no share; name one, as in 'won by position'."
        )
    return Settled(cell.game, measure, tolerance)
