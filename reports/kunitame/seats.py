"""Seats and first dealer: whether it matters where players sit.

The first dealer is drawn at random, so seats themselves cannot differ; positions after
the first dealer can.
"""

from reports.figure_specs import heat
from reports.game_report import ReportSection
from reports.kunitame.tidy_tables import tables
from reports.measure_tables import MeasureTable, Number
from reports.measures import MeasuresOf
from reports.positions import PositionTable, with_position_words
from reports.report_document import Column

SECTION = ReportSection(
    id="seats",
    title="Seats and first dealer",
    question="Does it matter where you sit, and who deals first?",
    intro="With {who}. The dealer leads the first trick of a week and comes first at "
    "liquidation; the deal passes clockwise each week.",
    measures=(
        MeasuresOf("weeks").mean(
            "gained by position",
            "points that a seat wins in the week, less those given back, by position "
            "after the week's dealer",
            "gained",
            by="week position",
            unit="points",
        ),
    ),
    tidy=tables,
    records=("contracts", "deal", "week"),
    tables=(
        PositionTable("seats-place", note="Games that nobody wins count for nobody."),
        MeasureTable(
            "seats-week",
            "Points won in a week, by position after the week's dealer",
            "Less those given back. If the deal is worth more in one week than in "
            "others, its dealer is favoured.",
            (
                "players",
                "week",
                Column("where", "where", "position after the dealer of the week"),
                Number("gained by position", "points"),
            ),
            rows=with_position_words("dealer"),
            draw=heat("where", "week", "points a week", ends=True),
            figure_here=True,
        ),
    ),
)
