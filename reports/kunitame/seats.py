"""Seats and first dealer: does it matter where one sits?

The first dealer is drawn at random, so seats as such cannot differ; places after the
first dealer can.
"""

import polars as pl

from reports.kunitame.found import Found
from reports.kunitame.words import (
    LINEUPS,
    PLAYERS,
    N,
    estimated,
    exhibit,
    judge,
    more_games,
    overall,
    percent,
    share,
    sure,
)
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section

TOLERANCE = 0.02
"""A place may win this much more or less than an even share: 2 points."""

MEASURES = [
    Measure("won by place", "players", pl.col("won"), by=("place",)),
    Measure("points by place", "players", pl.col("points"), by=("place",)),
    Measure("gained by place", "weeks", pl.col("gained"), by=("place",)),
]
_WHERE = Column("where", "where", "place after the dealer, or seat")
_VERDICT = Column("verdict", "2 points", "against a tolerance of 2 points; Holm over the places of a table")


def section(found: Found) -> Section:
    """Win share and points, by seat and by place after the first dealer."""
    places = _less_even(found, "won by place", "place")
    return Section(
        "seats",
        "Seats and first dealer",
        f"Lineup: {found.lead}. The first dealer leads the first trick of the first "
        "week; the deal passes clockwise each week.",
        (
            _shares("seats-place", "Win share by place after the first dealer", places),
            _means(found, "seats-points", "points by place", "Points at the end"),
            _means(found, "seats-week", "gained by place", "Points won in a week"),
            _shares(
                "seats-seat",
                "Win share by seat (a check: the first dealer is drawn)",
                _less_even(found, "won by seat", "seat"),
            ),
        ),
        tuple(_finding(found, places, players) for players in found.counts),
    )


def _less_even(found: Found, measure: str, group: str) -> pl.DataFrame:
    """Win shares of the leading lineup, less an even share of the games won."""
    rows = found.leading(measure, "rate", (group,))
    even = pl.col("estimate").mean().over("players")
    rows = rows.with_columns(
        more=pl.col("estimate") - even,
        more_low=pl.col("low") - even,
        more_high=pl.col("high") - even,
        even=even,
    )
    told: list[str] = []
    for players in found.counts:
        part = rows.filter(players=players)
        told += judge(part["more"], part["se"], -TOLERANCE, TOLERANCE).tolist()
    rows = named_places(rows, group).with_columns(
        pl.Series("verdict", told, dtype=pl.String)
    )
    spread = found.spread(measure, "rate", (group,), 100)
    return rows.join(spread, on=["players", group], how="left", maintain_order="left")


def named_places(rows: pl.DataFrame, group: str = "place") -> pl.DataFrame:
    """Add ``where``: the place or seat in words."""
    names = [
        f"seat {n}" if group == "seat" else place_name(n, "dealer") for n in rows[group]
    ]
    return rows.with_columns(pl.Series("where", names, dtype=pl.String))


def place_name(place: int, dealer: str = "first dealer") -> str:
    """A place after the dealer, in words."""
    if place == 0:
        return dealer
    return "1 place after" if place == 1 else f"{place} places after"


def _shares(name: str, title: str, rows: pl.DataFrame) -> Exhibit:
    return exhibit(
        name,
        title,
        "Every place as often as every other; nobody's wins count for nobody.",
        rows,
        (
            PLAYERS,
            _WHERE,
            estimated("win share", "games won of all games", "share"),
            estimated("less even", "win share less an even share", "points", "more"),
            _VERDICT,
            LINEUPS,
            N,
        ),
        lambda figures, table: figures.dots(
            table,
            "where",
            "more",
            "more_low",
            "more_high",
            title=title,
            xlabel="win share less an even share, %",
            by="players",
            reference=0,
        ),
        "less even = games won from a place / games - mean of this over the places",
    )


def _means(found: Found, name: str, measure: str, title: str) -> Exhibit:
    rows = named_places(found.leading(measure, "mean", ("place",)))
    week = "week" in title
    dealer = "the week's dealer" if week else "the first dealer"
    return exhibit(
        name,
        f"{title} by place after {dealer}",
        "Less those given back." if week else "Eliminated players' points count too.",
        rows,
        (PLAYERS, _WHERE, estimated("points", "mean points of a seat"), N),
        lambda figures, table: figures.dots(
            table,
            "where",
            "estimate",
            "low",
            "high",
            title=f"{title} by place after {dealer}",
            xlabel="points",
            by="players",
        ),
    )


def _finding(found: Found, places: pl.DataFrame, players: int) -> Finding:
    rows = places.filter(players=players)
    verdict = overall(rows["verdict"].to_numpy())
    head = f"Seats, {players} players: "
    known = rows.filter(pl.col("estimate").is_not_null()).sort("estimate")
    if known.is_empty():
        return Finding(head + "no data.", "open", "seats")
    worst, best = known.row(0, named=True), known.row(-1, named=True)
    said = {
        "within": "every place is within 2 points of an even share",
        "outside": "some place is more than 2 points from an even share",
        "undecided": "whether all are within 2 points of an even share is undecided; "
        + more_games(known["more"], known["se"], found.games, -TOLERANCE, TOLERANCE),
    }[verdict]
    text = (
        f"{head}by place after the first dealer, {worst['where']} wins least "
        f"({share(worst)}) and {best['where']} most ({share(best)}), against "
        f"{percent(best['even'])}: {said} (lineup {found.lead})."
    )
    return Finding(text, sure(verdict), "seats")
