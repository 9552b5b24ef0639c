"""Returns: how often a gem goes back, and how many points that costs."""

import polars as pl

from reports.figure_specs import lines
from reports.game_report import ReportSection
from reports.kunitame.tidy_tables import tables
from reports.measure_tables import MeasureTable, Number, side_by_side
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Column

_TRICKS = MeasuresOf("tricks", by="week")
_SEATS = MeasuresOf("liquidations", by="week")
_COST = "points given back each time"
_COSTS = ("returned", pl.col("punished").cast(pl.Int64))


def _numbers(then: str) -> tuple[Number, ...]:
    doc = "share in which a gem was given back"
    return (
        Number(f"punished{then} by week", "gem back", doc),
        Number(f"cost{then} by week", "points", name="cost"),
    )


def _both(data: ReportData) -> pl.DataFrame:
    """Return the rows of tricks and of liquidations."""
    parts = {"a trick": "", "liquidation": " then"}
    rows = (
        side_by_side(data, _numbers(then)).with_columns(after=pl.lit(after))
        for after, then in parts.items()
    )
    return pl.concat(rows)


SECTION = ReportSection(
    id="returns",
    title="Returns",
    question="How often do players give a gem back, and what does it cost?",
    intro="With {who}. A player who can win no gem, after winning a trick or at "
    "liquidation, gives back their gem of highest value.",
    measures=(
        _TRICKS.share(
            "punished by week", "tricks whose winner gives a gem back", "punished"
        ),
        _TRICKS.mean("cost by week", _COST, *_COSTS, unit="points"),
        _SEATS.share(
            "punished then by week",
            "seats at liquidation that give a gem back",
            "punished",
        ),
        _SEATS.mean("cost then by week", _COST, *_COSTS, unit="points"),
    ),
    tidy=tables,
    records=("contracts", "gem", "trick"),
    tables=(
        MeasureTable(
            "returns-week",
            "How often a gem goes back, by week",
            "Of the tricks won, and of the seats at liquidation.",
            (
                "players",
                Column("after", "after", "a trick, or the liquidation"),
                "week",
                *_numbers(""),
            ),
            source=_both,
            draw=lines("week", "share, %", by="after"),
            figure_here=True,
        ),
    ),
)
