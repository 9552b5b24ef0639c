"""Seats and first dealer: whether it matters where one sits.

The first dealer is drawn at random, so seats as such cannot differ; places after the
first dealer can.
"""

import polars as pl

from reports.drawing import dots, heat
from reports.found import PAIRED, Found
from reports.kunitame.words import WEEK
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section
from reports.verdicts import judge, more_games, overall, sure
from reports.words import PLAYERS, N, estimated, exhibit, joined, percent, plus, share

TOLERANCE = 0.02
"""A place may win this much more or less than an even share: 2 points."""

MEASURES = [
    Measure("won by place", "players", pl.col("won"), by=("place",)),
    Measure("points by place", "players", pl.col("points"), by=("place",)),
    Measure("gained by place", "weeks", pl.col("gained"), by=("week", "place")),
]
_WHERE = Column("where", "where", "place after the first dealer, or seat")
_LINEUPS = Column(
    "lineups", "over lineups", "least and greatest 'less even' over all lineups"
)
_VERDICT = Column(
    "verdict", "2 points", "against 2 points; Holm over the places of a table"
)


def section(found: Found) -> Section:
    """Win share and points, by seat and by place after the first dealer."""
    places = _less_even(found, "won by place", "place")
    return Section(
        "seats",
        "Seats and first dealer",
        f"With {found.who}. The dealer leads the first trick of a week and comes first "
        "at liquidation; the deal passes clockwise each week.",
        (
            _shares("seats-place", "Win share by place after the first dealer", places),
            _points(found),
            _in_week(found),
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
    every = found.of(measure, "rate", (group,), only=~PAIRED)
    even = pl.col("estimate").mean().over("cell")
    every = every.with_columns(
        more=pl.col("estimate") - even,
        more_low=pl.col("low") - even,
        more_high=pl.col("high") - even,
        even=even,
    )
    rows = every.filter(found.leads())
    told: list[str] = []
    for players in found.counts:
        part = rows.filter(players=players)
        told += judge(part["more"], part["se"], -TOLERANCE, TOLERANCE)
    rows = rows.with_columns(pl.Series("verdict", told, dtype=pl.String))
    names = [f"seat {n}" if group == "seat" else place_name(n) for n in rows[group]]
    rows = rows.with_columns(pl.Series("where", names, dtype=pl.String))
    return joined(rows, _spread(every, group), ("players", group))


def _spread(every: pl.DataFrame, group: str) -> pl.DataFrame:
    """Least and greatest difference from even over all lineups, in words."""
    keys = ("players", group)
    ends = (
        every.drop_nulls("more")
        .group_by(keys)
        .agg(pl.col("more").min().alias("least"), pl.col("more").max().alias("most"))
    )
    texts = [
        f"{plus(least)} to {plus(most)}"
        for least, most in ends.select("least", "most").rows()
    ]
    return ends.select(*keys, pl.Series("lineups", texts, dtype=pl.String))


def place_name(place: int) -> str:
    """A place after the first dealer, in words."""
    return f"{place} after" if place else "first dealer"


def _shares(name: str, title: str, rows: pl.DataFrame) -> Exhibit:
    return exhibit(
        name,
        title,
        "Games that nobody wins count for no place.",
        rows,
        (
            PLAYERS,
            _WHERE,
            estimated("win share", "games won of all games", "share"),
            estimated("less even", "win share less an even share", "points", "more"),
            _VERDICT,
            _LINEUPS,
            N,
        ),
        dots("where", "win share less even, %", "more", by="players", reference=0),
        "less even = games won from a place / games - mean of this over the places",
    )  # fmt: skip


def _points(found: Found) -> Exhibit:
    rows = found.leading("points by place", "mean", ("place",))
    names = [place_name(place) for place in rows["place"]]
    return exhibit(
        "seats-points",
        "Points at the end, by place after the first dealer",
        "Eliminated players' points count too.",
        rows.with_columns(pl.Series("where", names, dtype=pl.String)),
        (PLAYERS, _WHERE, estimated("points", "mean points of a seat"), N),
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


def _finding(found: Found, places: pl.DataFrame, players: int) -> Finding:
    rows = places.filter(players=players)
    verdict = overall(rows["verdict"].to_list())
    known = rows.drop_nulls("estimate").sort("estimate")
    if known.is_empty():
        return Finding(f"Seats, {players} players: no data.", "open", "seats")
    least, most = (known.row(at, named=True) for at in (0, -1))
    text = (
        f"With {players} players {_SAID[verdict]}: {_named(least['where'])} wins "
        f"{share(least)} of the games, {_named(most['where'])} {share(most)}, where "
        f"even is {percent(known['even'][0])} ({found.who}; over all lineups these two "
        f"places are {least['lineups']} and {most['lineups']} points from even)."
    )
    if verdict == "undecided":
        needed = more_games(
            known["more"], known["se"], found.games, -TOLERANCE, TOLERANCE
        )
        text = f"{text.removesuffix('.')}; {needed}."
    return Finding(text, sure(verdict), "seats")


def _named(where: str) -> str:
    """A place after the first dealer, in a sentence."""
    if where == "first dealer":
        return "the first dealer"
    return f"the seat {where.removesuffix(' after')} after the first dealer"


_SAID = {
    "within": "the place at the table matters by less than 2 points",
    "outside": "the place at the table matters by more than 2 points",
    "undecided": "it is undecided whether the place matters by more than 2 points",
}
