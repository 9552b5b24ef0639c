"""Seats and first dealer: whether it matters where one sits.

The first dealer is drawn at random, so seats as such cannot differ; positions after
the first dealer can.
"""

import polars as pl

from reports.drawing import dots, heat
from reports.game_report import ReportSection
from reports.kunitame.tables import tables
from reports.measures import Measure
from reports.page import Column, Exhibit, Section
from reports.positions import finding, in_words, seat_in_words, shares, versus_even
from reports.report_data import ReportData
from reports.tabled import Number, tabled

MEASURES = (
    Measure(
        "won by place",
        "games won, by position",
        "share",
        "players",
        pl.col("won"),
        by=("place",),
    ),
    Measure(
        "points by place",
        "points at the end, by position",
        "mean",
        "players",
        pl.col("points"),
        by=("place",),
        unit="points",
    ),
    Measure(
        "gained by place",
        "points that a seat wins in the week, less those given "
        "back, by position after the week's dealer",
        "mean",
        "weeks",
        pl.col("gained"),
        by=("week", "place"),
        unit="points",
    ),
)
_WHERE = Column("where", "where", "position at the table, or seat")
_NOTE = "Games that nobody wins count for no position."


def section(data: ReportData) -> Section:
    """Win share and points, by position and by seat."""
    places = versus_even(data, "won by place", ("place",), in_words("first dealer"))
    seats = versus_even(data, "won by seat", ("seat",), seat_in_words)
    return Section(
        "seats",
        "Seats and first dealer",
        f"With {data.who}. The dealer leads the first trick of a week and comes first "
        "at liquidation; the deal passes clockwise each week.",
        (
            shares(
                "seats-place",
                "Win share by position",
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
                f"With {players} players the position at the table",
                _named,
            )
            for players in data.counts
        ),
    )


def _points(data: ReportData) -> Exhibit:
    return tabled(
        data,
        "seats-points",
        "Points at the end, by position",
        "Eliminated players' points count too.",
        ("players", _WHERE, Number("points by place", "points")),
        rows=in_words("first dealer"),
        draw=dots("where", "points", by="players"),
    )


def _in_week(data: ReportData) -> Exhibit:
    """Where the differences come from: what the deal is worth, week by week."""
    where = Column("where", "where", "position after the dealer of the week")
    return tabled(
        data,
        "seats-week",
        "Points won in a week, by position after the week's dealer",
        "Less those given back. Where the deal is worth more in one week than in "
        "another, who deals then is favoured. The figure shows "
        f"{data.players} players.",
        ("players", "week", where, Number("gained by place", "points")),
        rows=in_words("dealer"),
        draw=heat(
            "where",
            "week",
            "points a week",
            ends=True,
            only=pl.col("players") == data.players,
        ),
    )


def _named(where: str) -> str:
    """A position, in a sentence."""
    return f"the {where}" if where == "first dealer" else f"the {where} player"


SECTION = ReportSection(section, MEASURES, tables)
