"""Seats and start player: whether it matters where players sit, and what ties do.

The start player of round 1 is drawn at random, so seats themselves cannot differ;
positions can: scores at the start differ, and later the lowest score starts.
"""

import numpy as np
import polars as pl

from reports import course
from reports.counts import Counts, grid, numbers_to
from reports.figure_specs import dots, heat
from reports.game_report import ReportSection, SectionParts
from reports.kbernestich.cube_flow import START, of_positions
from reports.kbernestich.game_arrays import KbernestichArrays
from reports.measure_tables import MeasureTable, Number
from reports.measures import MeasuresOf
from reports.positions import by_position
from reports.report_data import ReportData
from reports.report_document import Column

_ARRAYS = MeasuresOf()
MEASURES = (
    _ARRAYS.mean(
        "gained by position",
        "mean points that a seat wins in the round",
        by="position round",
    ),
)
_WHERE = Column("where", "where", "position after the start player of round 1")
_NOTE = "Games that nobody wins alone count for no position."
_ENDS = {"points": "points", "stack": "equal scores: place in the stack"}


def counts(played: KbernestichArrays) -> list[Counts]:
    """Count points by position after the start player."""
    positions, rounds = numbers_to(played.players), numbers_to(played.rounds)
    ones = np.ones((1, 1, played.size), dtype=np.uint8)
    gained = of_positions(played, played.score - played.before)
    by = {"position": positions, "round": rounds}
    return [grid("gained by position", gained, ones, **by)]


def section(data: ReportData) -> SectionParts:
    """Yield win shares and points by position."""
    yield (
        f"With {data.who}. The start player of round 1 is drawn; from there the scores "
        "at the start rise clockwise. Later the lowest score starts and names trump."
    )
    title = "Win share by position in round 1"
    yield from by_position(
        data, "seats-place", title, _NOTE, _WHERE, START, named=_named
    )
    yield MeasureTable(
        "seats-points",
        "Score at the end, by position in round 1",
        "The scores at the start are part of it.",
        (
            "players",
            _WHERE,
            Number("scores by position", "score", "mean score of a seat"),
        ),
        rows=START,
        draw=dots("where", "score", by="players"),
    )
    # What it is worth to start a round: to name trump, to plot and lead first.
    where = Column("where", "where", "position after the start player of the round")
    here = pl.col("players") == data.players
    yield MeasureTable(
        "seats-round",
        "Points of a round, by position after its start player",
        "From round 2 on the lowest score starts, so positions differ in cubes and "
        f"skill, too. The figure shows {data.players} players.",
        ("players", "round", where, Number("gained by position", "points")),
        rows=lambda rows: START(rows.sort("cell", "round", "position")),
        draw=heat("where", "round", "points a round", ends=True, only=here),
    )
    yield course.decided_by(
        data,
        "seats-ties",
        "With equal highest scores the disc at the bottom of the stack wins, which "
        "arrived first.",
        _ENDS,
    )


def _named(where: str) -> str:
    """Return a position as it is called in a sentence."""
    return f"the {where}" if where == "start player" else f"the {where} player"


SECTION = ReportSection(
    section,
    MEASURES,
    counts=counts,
    records=("deal", "score", "sheet"),
    id="seats",
    title="Seats, start player and ties",
    question="Does it matter where you sit, who starts, and how ties are broken?",
)
