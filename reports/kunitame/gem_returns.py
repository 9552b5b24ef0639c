"""Returns: how often a gem goes back, and how many points that costs."""

import polars as pl

from reports.figure_specs import dots, heat, lines
from reports.formatting import number, share
from reports.game_report import ReportSection, SectionParts
from reports.kunitame.tidy_tables import tables
from reports.measure_tables import MeasureTable, Number, side_by_side
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Column, Finding

_TRICK = "tricks whose winner gives a gem back"
_SEAT = "seats at liquidation that give a gem back"
_NOTHING = "nothing to win, and nothing to give back"
_COST = "points given back each time"
_TRICKS, _SEATS = MeasuresOf("tricks"), MeasuresOf("liquidations")
_COSTS = ("returned", pl.col("punished").cast(pl.Int64))
MEASURES = (
    _TRICKS.share("punished", _TRICK, "punished"),
    _TRICKS.share("punished by round", _TRICK, "punished", by="week round"),
    _TRICKS.share("punished by week", _TRICK, "punished", by="week"),
    _TRICKS.share("punished by strategy", _TRICK, "punished", by="strategy"),
    _TRICKS.share("unpaid by week", _NOTHING, "unpaid", by="week"),
    _TRICKS.mean("cost", _COST, *_COSTS, unit="points"),
    _TRICKS.mean("cost by week", _COST, *_COSTS, by="week", unit="points"),
    _SEATS.share("punished then", _SEAT, "punished"),
    _SEATS.share("punished then by week", _SEAT, "punished", by="week"),
    _SEATS.share("unpaid then by week", _NOTHING, "unpaid", by="week"),
    _SEATS.mean("cost then by week", _COST, *_COSTS, by="week", unit="points"),
    _SEATS.share("punished by tricks", _SEAT, "punished", by="tricks"),
)


def section(data: ReportData) -> SectionParts:
    """Yield how often and when gems go back, and what that costs."""
    yield (
        f"With {data.who}. A player who can win no gem, after winning a trick or at "
        "liquidation, gives back their gem of highest value."
    )
    yield _weeks(data)
    yield MeasureTable(
        "returns-round",
        "How often the winner of a trick gives a gem back, by week and round",
        f"{data.players} players.",
        ("week", "round", Number("punished by round", "gem back")),
        only=data.leads(data.players),
        draw=heat("round", "week", "gem given back, %", ends=True),
    )
    yield MeasureTable(
        "returns-tricks",
        "How often a seat gives a gem back at liquidation, by tricks won in the week",
        "Fewer tricks together meet a square more easily; no trick meets none.",
        ("players", "tricks", Number("punished by tricks", "gem back")),
        draw=lines("tricks", "share of seats, %", by="players"),
    )
    yield _strategies(data)
    yield from _findings(data)


def _weeks(data: ReportData) -> MeasureTable:
    """Return the table of tricks and liquidations, week by week."""
    doc = "share in which a gem was given back"
    trick, liquidation = (
        (
            Number(f"punished{then} by week", "gem back", doc),
            Number(f"cost{then} by week", "points", name="cost"),
            Number(f"unpaid{then} by week", "unpaid", name="unpaid"),
        )
        for then in ("", " then")
    )
    parts = {"a trick": trick, "liquidation": liquidation}
    rows = [
        side_by_side(data, p).with_columns(after=pl.lit(a)) for a, p in parts.items()
    ]
    after = Column("after", "after", "a trick, or the liquidation")
    here = pl.col("players") == data.players
    return MeasureTable(
        "returns-week",
        "How often a gem goes back, by week",
        f"Of the tricks won, and of the seats at liquidation. The figure shows "
        f"{data.players} players.",
        ("players", after, "week", *trick),
        rows=pl.concat(rows),
        draw=lines("week", "share, %", by="after", only=here),
    )


def _strategies(data: ReportData) -> MeasureTable:
    only = pl.col("kind").is_in(["self", "mixed", "given"])
    own = pl.when(pl.col("kind") == "self").then(pl.lit("its own kind"))
    table = Column("table", "table", "its own kind, or all strategies of the mixed one")
    return MeasureTable(
        "returns-strategy",
        "How often the winner of a trick gives a gem back, by strategy",
        f"{data.players} players; each strategy among its own kind, and at one table.",
        ("strategy", table, Number("punished by strategy", "gem back")),
        only=only & (pl.col("players") == data.players),
        rows=lambda rows: rows.with_columns(table=own.otherwise(pl.lit("one table"))),
        draw=dots("strategy", "share of the tricks it wins, %", by="table"),
    )


def _findings(data: ReportData) -> SectionParts:
    names = ("punished", "punished then", "cost", "punished by week")
    parts = [data.leading(name, players=data.players) for name in names]
    if any(part.is_empty() for part in parts):
        yield Finding("Returns: no data.", "open")
        return
    after, then, cost, weeks = (part.to_dicts() for part in parts)
    text = (
        f"Returns, {data.players} players, {data.who}: the winner gives a gem back "
        f"after {share(after[0])} of the tricks ({share(weeks[0])} in the first week, "
        f"{share(weeks[-1])} in the last), worth {number(cost[0])} points each time; "
        f"at liquidation {share(then[0])} of the seats do."
    )
    yield Finding(text, "")


SECTION = ReportSection(
    section,
    MEASURES,
    tables,
    records=("contracts", "gem", "trick"),
    id="returns",
    title="Returns",
    question="How often do players give a gem back, and what does it cost?",
)
