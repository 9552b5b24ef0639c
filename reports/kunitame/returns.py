"""Returns: how often winning costs a gem, and how much."""

import polars as pl

from reports.drawing import dots, heat, lines
from reports.formatting import number, share
from reports.game_report import ReportSection
from reports.kunitame.tables import tables
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section
from reports.report_data import ReportData
from reports.tabled import Number, beside, tabled

_PUNISHED, _UNPAID = pl.col("punished"), pl.col("unpaid")
_TRICKS = "tricks whose winner gives a gem back"
_SEATS = "seats at liquidation that give a gem back"
_NOTHING = "nothing to win, and nothing to give back"
_WEEKLY = ("week",)


def _cost(name: str, table: str, *by: str) -> Measure:
    often = pl.col("punished").cast(pl.Int64)
    return Measure(
        name,
        "points given back each time",
        "mean",
        table,
        pl.col("returned"),
        often,
        by=by,
        unit="points",
    )


MEASURES = (
    Measure("punished", _TRICKS, "share", "tricks", _PUNISHED),
    Measure(
        "punished by round", _TRICKS, "share", "tricks", _PUNISHED, by=("week", "round")
    ),
    Measure("punished by week", _TRICKS, "share", "tricks", _PUNISHED, by=_WEEKLY),
    Measure(
        "punished by strategy", _TRICKS, "share", "tricks", _PUNISHED, by=("strategy",)
    ),
    Measure("unpaid by week", _NOTHING, "share", "tricks", _UNPAID, by=_WEEKLY),
    _cost("cost", "tricks"),
    _cost("cost by week", "tricks", "week"),
    Measure("punished then", _SEATS, "share", "liquidations", _PUNISHED),
    Measure(
        "punished then by week", _SEATS, "share", "liquidations", _PUNISHED, by=_WEEKLY
    ),
    Measure(
        "unpaid then by week", _NOTHING, "share", "liquidations", _UNPAID, by=_WEEKLY
    ),
    _cost("cost then by week", "liquidations", "week"),
    Measure(
        "punished by tricks", _SEATS, "share", "liquidations", _PUNISHED, by=("tricks",)
    ),
)


def section(data: ReportData) -> Section:
    """How often, when, and what it costs."""
    return Section(
        "returns",
        "Returns",
        f"With {data.who}. Who can win no gem, after winning a trick or at "
        "liquidation, gives back the one of highest value.",
        (_weeks(data), _rounds(data), _by_tricks(data), _strategies(data)),
        _findings(data),
    )


def _weeks(data: ReportData) -> Exhibit:
    """Tricks and liquidations, week by week."""

    def numbers(then: str) -> tuple[Number, ...]:
        return (
            Number(
                f"punished{then} by week",
                "gem back",
                "share in which a gem was given back",
            ),
            Number(f"cost{then} by week", "points", name="cost"),
            Number(f"unpaid{then} by week", "unpaid", name="unpaid"),
        )

    parts = {"a trick": numbers(""), "liquidation": numbers(" then")}
    rows = [beside(data, p).with_columns(after=pl.lit(a)) for a, p in parts.items()]
    after = Column("after", "after", "a trick, or the liquidation")
    return tabled(
        data,
        "returns-week",
        "How often a gem goes back, by week",
        f"Of the tricks won, and of the seats at liquidation. The figure shows "
        f"{data.players} players.",
        ("players", after, "week", *parts["a trick"]),
        rows=pl.concat(rows),
        draw=lines(
            "week", "share, %", by="after", only=pl.col("players") == data.players
        ),
    )


def _rounds(data: ReportData) -> Exhibit:
    return tabled(
        data,
        "returns-round",
        "How often the winner of a trick gives a gem back, by week and round",
        f"{data.players} players.",
        ("week", "round", Number("punished by round", "gem back")),
        only=data.leads(data.players),
        draw=heat("round", "week", "gem given back, %", ends=True),
    )


def _by_tricks(data: ReportData) -> Exhibit:
    return tabled(
        data,
        "returns-tricks",
        "How often a seat gives a gem back at liquidation, by tricks won in the week",
        "Fewer tricks meet a square together more easily; no trick meets none.",
        ("players", "tricks", Number("punished by tricks", "gem back")),
        draw=lines("tricks", "share of seats, %", by="players"),
    )


def _strategies(data: ReportData) -> Exhibit:
    only = pl.col("kind").is_in(["self", "mixed", "given"])
    own = pl.when(pl.col("kind") == "self").then(pl.lit("its own kind"))
    table = Column("table", "table", "its own kind, or all strategies of the mixed one")
    return tabled(
        data,
        "returns-strategy",
        "How often the winner of a trick gives a gem back, by strategy",
        f"{data.players} players; each strategy among its own kind, and at one table.",
        ("strategy", table, Number("punished by strategy", "gem back")),
        only=only & (pl.col("players") == data.players),
        rows=lambda rows: rows.with_columns(table=own.otherwise(pl.lit("one table"))),
        draw=dots("strategy", "share of the tricks it wins, %", by="table"),
    )


def _findings(data: ReportData) -> tuple[Finding, ...]:
    players = data.players
    names = ("punished", "punished then", "cost", "punished by week")
    parts = [data.leading(name, players=players) for name in names]
    if any(part.is_empty() for part in parts):
        return (Finding("Returns: no data.", "open", "returns"),)
    after, then, cost, weeks = (part.rows(named=True) for part in parts)
    text = (
        f"Returns, {players} players, {data.who}: the winner gives a gem back after "
        f"{share(after[0])} of the tricks ({share(weeks[0])} in the first week, "
        f"{share(weeks[-1])} in the last), worth {number(cost[0])} points each time; "
        f"at liquidation {share(then[0])} of the seats do."
    )
    return (Finding(text, "", "returns"),)


SECTION = ReportSection(section, MEASURES, tables)
