"""Who is ahead, and whether those behind come back; the lowest total is ahead."""

import numpy as np

from reports import course
from reports.bounded_claims import BoundedClaim
from reports.counts import Counts, grid
from reports.devil.game_arrays import DevilArrays
from reports.game_report import ReportSection
from reports.measure_tables import MeasureTable, Number
from reports.measures import MeasuresOf

MEASURES = (
    MeasuresOf(unit="points").mean(
        "margin", "points between the winner and the second"
    ),
)


def standing(played: DevilArrays) -> course.Standings | None:
    """Return totals after each round; None if rounds are not recorded."""
    return played.standing


def counts(played: DevilArrays) -> list[Counts]:
    """Count margins at the end."""
    first, second = np.sort(played.final, axis=0)[:2]
    wins = (played.winner >= 0).astype(np.int64)
    return [grid("margin", (second - first) * wins, wins)]


ENDS = {
    "points": "lowest total",
    "shared": "equal lowest totals: shared",
    "rounds": "equal lowest totals: rounds won",
    "random": "equal lowest totals: by lot",
    "guard": "broken off",
}
MARGIN = MeasureTable(
    "course-margin",
    "The margin at the end",
    "Points between the winner and the second.",
    ("players", Number("margin", "points")),
)
LAST = BoundedClaim(
    "With {players} players whoever is last at half-time wins {value} of the games: "
    "{verdict} ({who})",
    "comeback",
    {
        "within": "open for the last, who win at least half an even share",
        "outside": "lost for the last, who win less than half an even share",
        "undecided": "undecided whether the last win half an even share",
    },
    least=lambda players: 0.5 / players,
    once=True,
)
SECTION = course.section(
    standing,
    "Totals are counted after every round; the lowest is ahead.",
    ReportSection(
        measures=MEASURES,
        counts=counts,
        records=("round",),
        tables=(
            MARGIN,
            course.ways_decided(
                "course-decided",
                "When a total has reached the target, the lowest total wins.",
                ENDS,
            ),
        ),
        claims=(LAST,),
    ),
    "Comebacks and the course of the game",
)
