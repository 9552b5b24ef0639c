"""Seats and first dealer: whether it matters where one sits.

The first dealer is drawn at random, so seats as such cannot differ; places after the
first dealer can.
"""

import polars as pl

from reports.drawing import dots, heat
from reports.found import Found
from reports.kunitame.words import WEEK
from reports.measures import Measure
from reports.page import Column, Exhibit, Section
from reports.places import finding, less_even, seat_name, shares
from reports.words import PLAYERS, N, estimated, exhibit

MEASURES = [
    Measure("won by place", "players", pl.col("won"), by=("place",)),
    Measure("points by place", "players", pl.col("points"), by=("place",)),
    Measure("gained by place", "weeks", pl.col("gained"), by=("week", "place")),
]
_WHERE = Column("where", "where", "place after the first dealer, or seat")
_NOTE = "Games that nobody wins count for no place."


def section(found: Found) -> Section:
    """Win share and points, by seat and by place after the first dealer."""
    places = less_even(found, "won by place", ("place",), place_name)
    seats = less_even(found, "won by seat", ("seat",), seat_name)
    return Section(
        "seats",
        "Seats and first dealer",
        f"With {found.who}. The dealer leads the first trick of a week and comes first "
        "at liquidation; the deal passes clockwise each week.",
        (
            shares(
                "seats-place",
                "Win share by place after the first dealer",
                _NOTE,
                places,
                _WHERE,
            ),
            _points(found),
            _in_week(found),
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
                found,
                places.filter(players=players),
                f"With {players} players the place at the table",
                _named,
            )
            for players in found.counts
        ),
    )


def place_name(place: int) -> str:
    """A place after the first dealer, in words."""
    return f"{place} after" if place else "first dealer"


def _points(found: Found) -> Exhibit:
    rows = found.leading("points by place", "mean", ("place",))
    names = [place_name(place) for place in rows["place"]]
    return exhibit(
        "seats-points",
        "Points at the end, by place after the first dealer",
        "Eliminated players' points count too.",
        rows.with_columns(pl.Series("where", names, dtype=pl.String)),
        (
            PLAYERS,
            _WHERE,
            estimated("points", "mean points of a seat"),
            N,
        ),
        dots("where", "points", by="players"),
    )


def _in_week(found: Found) -> Exhibit:
    """Where the differences come from: what the deal is worth, week by week."""
    rows = found.leading("gained by place", "mean", ("week", "place"))
    names = [f"{place} after" if place else "dealer" for place in rows["place"]]
    return exhibit(
        "seats-week",
        "Points won in a week, by place after the week's dealer",
        "Less those given back. Where the deal is worth more in one week than in "
        "another, who deals then is favoured. The figure shows "
        f"{found.players} players.",
        rows.with_columns(pl.Series("where", names, dtype=pl.String)),
        (
            PLAYERS,
            WEEK,
            Column("where", "where", "place after the dealer of the week"),
            estimated("points", "mean points that a seat wins in the week"),
            N,
        ),
        heat(
            "where", "week", "points a week",
            ends=True, only=pl.col("players") == found.players,
        ),
    )  # fmt: skip


def _named(where: str) -> str:
    """A place after the first dealer, in a sentence."""
    if where == "first dealer":
        return "the first dealer"
    return f"the seat {where.removesuffix(' after')} after the first dealer"
