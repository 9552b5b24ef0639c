"""Seats and start player: whether it matters where players sit, and what ties do.

The start player of round 1 is drawn at random, so seats themselves cannot differ;
positions can: scores at the start differ, and later the lowest score starts.
"""

from collections.abc import Iterator

import numpy as np

from reports import course
from reports.counts import Counts, grid, numbers_to
from reports.figure_specs import heat
from reports.game_report import ReportSection
from reports.kbernestich.game_arrays import KbernestichArrays
from reports.measure_tables import MeasureTable, Number
from reports.measures import MeasuresOf
from reports.positions import PositionTable, with_position_words
from reports.report_document import Column


def counts(played: KbernestichArrays) -> Iterator[Counts]:
    """Yield points by position after the start player."""
    after = np.arange(played.players)[:, None]
    seat = (played.start[:, None] + after) % played.players
    gained = np.take_along_axis(played.score - played.before, seat, axis=1)
    by = {"position": numbers_to(played.players), "round": numbers_to(played.rounds)}
    ones = np.ones((1, 1, played.size), dtype=np.uint8)
    yield grid("gained by position", gained.transpose(1, 0, 2), ones, **by)


SECTION = ReportSection(
    id="seats",
    title="Seats, start player and ties",
    question="Does it matter where you sit, who starts, and how ties are broken?",
    intro="With {who}. The start player of round 1 is drawn; from there the scores at "
    "the start rise clockwise. Later the lowest score starts and names trump.",
    measures=(
        MeasuresOf().mean(
            "gained by position",
            "mean points that a seat wins in the round",
            by="position round",
        ),
    ),
    counts=counts,
    records=("deal", "score", "sheet"),
    tables=(
        PositionTable("seats-place", title="Win share by position in round 1"),
        MeasureTable(
            "seats-round",
            "Points of a round, by position after its start player",
            "From round 2 on the lowest score starts, so positions differ in cubes and "
            "skill, too.",
            (
                "players",
                "round",
                Column(
                    "where", "where", "position after the start player of the round"
                ),
                Number("gained by position", "points"),
            ),
            rows=with_position_words("start player"),
            sort=("players", "round", "position"),
            draw=heat("where", "round", "points a round", ends=True),
            figure_here=True,
        ),
        course.ways_decided(
            "seats-ties",
            "With equal highest scores the disc at the bottom of the stack wins, which "
            "arrived first.",
            {"points": "points", "stack": "equal scores: place in the stack"},
        ),
    ),
)
