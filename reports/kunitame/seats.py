"""Seats and first dealer: whether it matters where players sit.

The first dealer is drawn at random, so seats themselves cannot differ; positions after
the first dealer can.
"""

import polars as pl

from reports.figure_specs import dots, heat
from reports.game_report import ReportSection, SectionParts
from reports.kunitame.tidy_tables import tables
from reports.measure_tables import MeasureTable, Number
from reports.measures import MeasuresOf
from reports.positions import by_position, with_position_words
from reports.report_data import ReportData
from reports.report_document import Column

FIRST = with_position_words("first dealer")
MEASURES = (
    MeasuresOf("weeks").mean(
        "gained by position",
        "points that a seat wins in the week, less those given back, by position after "
        "the week's dealer",
        "gained",
        by="week position",
        unit="points",
    ),
)
_WHERE = Column("where", "where", "position at the table")
_NOTE = "Games that nobody wins count for no position."


def section(data: ReportData) -> SectionParts:
    """Yield win shares and points, by position and by seat."""
    yield (
        f"With {data.who}. The dealer leads the first trick of a week and comes first "
        "at liquidation; the deal passes clockwise each week."
    )
    title = "Win share by position"
    yield from by_position(
        data, "seats-place", title, _NOTE, _WHERE, FIRST, named=_named
    )
    yield MeasureTable(
        "seats-points",
        "Points at the end, by position",
        "Eliminated players' points count too.",
        (
            "players",
            _WHERE,
            Number("points by position", "points", "points at the end"),
        ),
        rows=FIRST,
        draw=dots("where", "points", by="players"),
    )
    here = pl.col("players") == data.players
    where = Column("where", "where", "position after the dealer of the week")
    yield MeasureTable(
        "seats-week",
        "Points won in a week, by position after the week's dealer",
        "Less those given back. If the deal is worth more in one week than in others, "
        f"its dealer is favoured. The figure shows {data.players} players.",
        ("players", "week", where, Number("gained by position", "points")),
        rows=with_position_words("dealer"),
        draw=heat("where", "week", "points a week", ends=True, only=here),
    )


def _named(where: str) -> str:
    """Return a position as it is called in a sentence."""
    return f"the {where}" if where == "first dealer" else f"the {where} player"


SECTION = ReportSection(
    section,
    MEASURES,
    tables,
    records=("contracts", "deal", "week"),
    id="seats",
    title="Seats and first dealer",
    question="Does it matter where you sit, and who deals first?",
)
