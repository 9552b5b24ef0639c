"""Who is ahead, whether that changes, and how games end."""

from collections.abc import Iterator

import numpy as np

from reports import course
from reports.counts import Array
from reports.game_report import ReportSection, SectionParts
from reports.kunitame.game_arrays import KunitameArrays
from reports.kunitame.tidy_tables import tables
from reports.measure_tables import MeasureTable, Number
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Column

WEEK = Column("week", "week", "election week", "count")
_ENDS = {
    "points": "points",
    "lives": "Life gems",
    "draw": "card drawn",
    "none": "nobody",
}
MEASURES = (
    MeasuresOf("weeks", by="week rank").share(
        "won by rank", "games won by seats of this standing at the week's end", "won"
    ),
    MeasuresOf("players").share("eliminated", "seats that are eliminated", "out"),
    MeasuresOf("games").share(
        "all eliminated", "games in which everyone is eliminated", "all_out"
    ),
)


def standing(played: KunitameArrays) -> course.Standings:
    """Return points after each step; a round is a week."""
    steps = np.stack([points.copy() for points in _points(played)])
    ends = played.winner, played.game, played.rounds + 1
    return course.Standings.of(played.about, steps, *ends)


def _points(played: KunitameArrays) -> Iterator[Array]:
    """Yield points after each step, (seats, games)."""
    won, back = played.at_tricks(won=True), played.at_tricks(won=False)
    points = np.zeros((played.players, played.size), dtype=np.int16)
    games = np.arange(played.size)
    for week in range(played.weeks):
        for trick in range(played.rounds):
            points[played.taker[week, trick], games] += (
                won[week, trick] - back[week, trick]
            )
            yield points
        points = played.week_points[week].copy()
        yield points


def _ranks(data: ReportData) -> SectionParts:
    """Yield who wins, by standing."""
    yield course.ranks(
        data,
        "Who wins, by standing at the end of each week",
        "Seats with equal points share a rank.",
        "won by rank",
        WEEK,
        "1 + seats with more points",
    )


SECTION = course.section(
    standing,
    "Points are counted after every trick and liquidation; a round is a week.",
    ReportSection(
        measures=MEASURES,
        tidy=tables,
        records=("contracts", "deal", "gem", "trick", "week"),
        tables=(
            MeasureTable(
                "course-eliminated",
                "Eliminations",
                "Players without a Life gem are eliminated.",
                (
                    "players",
                    Number("eliminated", "seats"),
                    Number("all eliminated", "all", name="all"),
                ),
            ),
            _ranks,
            course.ways_decided(
                "course-ends",
                "Ties on points go to the seat with more Life gems, then to the "
                "highest card drawn.",
                _ENDS,
            ),
        ),
    ),
)
