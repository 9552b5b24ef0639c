"""The board of pledges: what is won from each square when, and by whom."""

import polars as pl

from reports.drawing import dots, heat
from reports.formatting import joined, named
from reports.measures import Measure
from reports.page import Column, Exhibit
from reports.positions import in_words
from reports.report_data import ReportData
from reports.tabled import Number, tabled

_PAID = "points that a seat wins from it in a game"
MEASURES = (
    Measure(
        "paid by place",
        _PAID,
        "per game",
        "gems",
        pl.col("value"),
        by=("square", "place"),
        unit="points",
    ),
    Measure(
        "paid by strategy",
        "points that seats of the strategy win from it",
        "per game",
        "gems",
        pl.col("value"),
        by=("square", "strategy"),
        unit="points",
    ),
)


def kinds(found: ReportData) -> pl.DataFrame:
    """The squares of the rules: pledge, printed gem, when they are tested."""
    rows = found.rules["squares"]
    schema = {"id": pl.String, "pledge": pl.String, "gem": pl.Int64, "when": pl.String}
    data = {key: [row[key] for row in rows] for key in schema}
    return pl.DataFrame(data, schema=schema).rename({"id": "square"})


def exhibits(data: ReportData) -> tuple[Exhibit, ...]:
    """Points and gems by week, number of players, place and strategy."""
    return (
        _by_week(data),
        _open(data),
        _by_players(data),
        _by_place(data),
        _by_strategy(data),
    )


def _in_order(data: ReportData, rows: pl.DataFrame) -> pl.DataFrame:
    """Rows in the order of the squares in the rules, others last."""
    order = kinds(data).select("square").with_row_index("at")
    at = joined(rows.select("square"), order, ("square",))["at"]
    return (
        rows.with_columns(at=at)
        .sort("at", maintain_order=True, nulls_last=True)
        .drop("at")
    )


def _by_week(data: ReportData) -> Exhibit:
    doc = "points won from it in the week"
    return tabled(
        data,
        "pledges-week",
        "Points won from each square in a game, by week",
        "All seats together.",
        ("square", "week", Number("paid by square and week", "points", doc)),
        only=data.leads(data.players),
        rows=lambda rows: _in_order(data, rows),
        draw=heat("week", "square", "points a game"),
    )


def _open(data: ReportData) -> Exhibit:
    """How the board runs dry."""
    doc = "share of those that met it while it held a gem"
    return tabled(
        data,
        "pledges-open",
        "How often a square holds a gem when it is met, by week",
        "Of the tricks, or seats at liquidation, that met it in the week.",
        ("square", "week", Number("open by square and week", "open", doc)),
        only=data.leads(data.players),
        rows=lambda rows: _in_order(data, rows),
        draw=heat("week", "square", "open when met, %"),
    )


def _by_players(data: ReportData) -> Exhibit:
    return tabled(
        data,
        "pledges-players",
        "Points won from each square, by number of players",
        "All seats together.",
        ("square", "players", Number("paid by square", "points")),
        rows=lambda rows: _in_order(data, rows),
        draw=dots("square", "points a game", by="players"),
    )


def _by_place(data: ReportData) -> Exhibit:
    where = in_words("first dealer")
    return tabled(
        data,
        "pledges-place",
        "Points won from each square, by position",
        "Of one seat.",
        (
            "square",
            Column("where", "where", "position at the table"),
            Number("paid by place", "points"),
        ),
        only=data.leads(data.players),
        rows=lambda rows: _in_order(data, where(rows)),
        draw=heat("where", "square", "points of a seat a game"),
    )


def _by_strategy(data: ReportData) -> Exhibit:
    """Who wins them where strategies meet: of a seat, however many they have."""
    keys, together = ("cell", "strategy"), pl.col("kind").is_in(["mixed", "given"])
    seats = named(data.of("seats of strategy"), keys, "seats")

    def of_a_seat(rows: pl.DataFrame) -> pl.DataFrame:
        each = pl.col("estimate", "low", "high") / pl.col("seats")
        return _in_order(data, joined(rows, seats, keys).with_columns(each))

    return tabled(
        data,
        "pledges-strategy",
        "Points won from each square, by strategy at one table",
        "Of one seat of the strategy, at the mixed table (or the lineup asked for).",
        ("square", "strategy", Number("paid by strategy", "points", _PAID)),
        only=together & (pl.col("players") == data.players),
        rows=of_a_seat,
        draw=heat("strategy", "square", "points of a seat a game"),
    )
