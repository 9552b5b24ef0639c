"""Seats and first dealer: whether it matters where one sits.

The first dealer is drawn at random, so seats as such cannot differ; places after the
first dealer can.
"""

import polars as pl

from reports.drawing import dots, heat
from reports.game_report import ReportSection
from reports.kunitame.formatting import place_name
from reports.kunitame.tables import tables
from reports.measures import Measure
from reports.page import Column, Exhibit, Section
from reports.positions import finding, seat_name, shares, versus_even
from reports.report_data import ReportData
from reports.tabled import Number, tabled, worded

MEASURES = (
    Measure(
        "won by place",
        "games won, by place after the first dealer",
        "share",
        "players",
        pl.col("won"),
        by=("place",),
    ),
    Measure(
        "points by place",
        "points at the end, by place after the first dealer",
        "mean",
        "players",
        pl.col("points"),
        by=("place",),
        unit="points",
    ),
    Measure(
        "gained by place",
        "points that a seat wins in the week, less those given "
        "back, by place after the week's dealer",
        "mean",
        "weeks",
        pl.col("gained"),
        by=("week", "place"),
        unit="points",
    ),
)
_WHERE = Column("where", "where", "place after the first dealer, or seat")
_NOTE = "Games that nobody wins count for no place."


def section(data: ReportData) -> Section:
    """Win share and points, by seat and by place after the first dealer."""
    places = versus_even(data, "won by place", ("place",), place_name)
    seats = versus_even(data, "won by seat", ("seat",), seat_name)
    return Section(
        "seats",
        "Seats and first dealer",
        f"With {data.who}. The dealer leads the first trick of a week and comes first "
        "at liquidation; the deal passes clockwise each week.",
        (
            shares(
                "seats-place",
                "Win share by place after the first dealer",
                _NOTE,
                places,
                _WHERE,
            ),
            _points(data),
            _in_week(data),
            shares(
                "seats-seat",
                "Win share by seat (a check: the first dealer is drawn)",
                _NOTE,
                seats,
                _WHERE,
            ),
        ),
        tuple(
            finding(
                data,
                places.filter(players=players),
                f"With {players} players the place at the table",
                _named,
            )
            for players in data.counts
        ),
    )


def _points(data: ReportData) -> Exhibit:
    return tabled(
        data,
        "seats-points",
        "Points at the end, by place after the first dealer",
        "Eliminated players' points count too.",
        ("players", _WHERE, Number("points by place", "points")),
        rows=worded("where", place_name, "place"),
        draw=dots("where", "points", by="players"),
    )


def _in_week(data: ReportData) -> Exhibit:
    """Where the differences come from: what the deal is worth, week by week."""
    where = Column("where", "where", "place after the dealer of the week")
    return tabled(
        data,
        "seats-week",
        "Points won in a week, by place after the week's dealer",
        "Less those given back. Where the deal is worth more in one week than in "
        "another, who deals then is favoured. The figure shows "
        f"{data.players} players.",
        ("players", "week", where, Number("gained by place", "points")),
        rows=worded("where", lambda at: f"{at} after" if at else "dealer", "place"),
        draw=heat(
            "where",
            "week",
            "points a week",
            ends=True,
            only=pl.col("players") == data.players,
        ),
    )


def _named(where: str) -> str:
    """A place after the first dealer, in a sentence."""
    if where == "first dealer":
        return "the first dealer"
    return f"the seat {where.removesuffix(' after')} after the first dealer"


SECTION = ReportSection(section, MEASURES, tables)
