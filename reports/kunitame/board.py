"""The board of pledges: what is won from each square when, and by whom."""

import polars as pl

from reports.drawing import dots, heat
from reports.found import Found
from reports.kunitame.seats import place_name
from reports.kunitame.words import SQUARE, WEEK
from reports.measures import Measure
from reports.page import Column, Exhibit
from reports.words import PLAYERS, STRATEGY, N, estimated, exhibit, joined, named

MEASURES = [
    Measure("paid by place", "gems", pl.col("value"), by=("square", "place")),
    Measure("paid by strategy", "gems", pl.col("value"), by=("square", "strategy")),
]


def kinds(found: Found) -> pl.DataFrame:
    """The squares of the rules: pledge, printed gem, when they are tested."""
    rows = found.rules["squares"]
    schema = {"id": pl.String, "pledge": pl.String, "gem": pl.Int64, "when": pl.String}
    data = {key: [row[key] for row in rows] for key in schema}
    return pl.DataFrame(data, schema=schema).rename({"id": "square"})


def exhibits(found: Found) -> tuple[Exhibit, ...]:
    """Points and gems by week, number of players, place and strategy."""
    return (
        _by_week(found),
        _open(found),
        _by_players(found),
        _by_place(found),
        _by_strategy(found),
    )


def _in_order(found: Found, rows: pl.DataFrame) -> pl.DataFrame:
    """Rows in the order of the squares in the rules, others last."""
    order = kinds(found).select("square").with_row_index("at")
    at = joined(rows.select("square"), order, ("square",))["at"]
    return (
        rows.with_columns(at=at)
        .sort("at", maintain_order=True, nulls_last=True)
        .drop("at")
    )


def _by_week(found: Found) -> Exhibit:
    measure, by = "paid by square and week", ("square", "week")
    rows = found.leading(measure, "per_game", by, players=found.players)
    return exhibit(
        "pledges-week",
        "Points won from each square in a game, by week",
        "All seats together.",
        _in_order(found, rows),
        (SQUARE, WEEK, estimated("points", "points won from it in the week"), N),
        heat("week", "square", "points a game"),
    )


def _open(found: Found) -> Exhibit:
    """How the board runs dry."""
    measure, by = "open by square and week", ("square", "week")
    rows = found.leading(measure, "rate", by, players=found.players)
    return exhibit(
        "pledges-open",
        "How often a square holds a gem when it is met, by week",
        "Of the tricks, or seats at liquidation, that met it in the week.",
        _in_order(found, rows),
        (
            SQUARE,
            WEEK,
            estimated(
                "open", "share of those that met it while it held a gem", "share"
            ),
            N,
        ),
        heat("week", "square", "open when met, %"),
    )


def _by_players(found: Found) -> Exhibit:
    rows = found.leading("paid by square", "per_game", ("square",))
    return exhibit(
        "pledges-players",
        "Points won from each square, by number of players",
        "All seats together.",
        _in_order(found, rows),
        (SQUARE, PLAYERS, estimated("points", "points won from it a game"), N),
        dots("square", "points a game", by="players"),
    )


def _by_place(found: Found) -> Exhibit:
    by = ("square", "place")
    rows = found.leading("paid by place", "per_game", by, players=found.players)
    names = [place_name(place) for place in rows["place"]]
    rows = rows.with_columns(pl.Series("where", names, dtype=pl.String))
    return exhibit(
        "pledges-place",
        "Points won from each square, by place after the first dealer",
        "Of one seat.",
        _in_order(found, rows),
        (
            SQUARE,
            Column("where", "where", "places after the first dealer"),
            estimated("points", "points that a seat wins from it in a game"),
            N,
        ),
        heat("where", "square", "points of a seat a game"),
    )


def _by_strategy(found: Found) -> Exhibit:
    """Who wins them where strategies meet."""
    by = ("square", "strategy")
    together = pl.col("kind").is_in(["mixed", "given"])
    only = together & (pl.col("players") == found.players)
    rows = found.of("paid by strategy", "per_game", by, only=only)
    seats = found.of("seats of strategy", "per_game", ("strategy",))
    keys = ("cell", "strategy")
    rows = joined(rows, named(seats, keys, "seats"), keys)
    rows = rows.with_columns(pl.col("estimate", "low", "high") / pl.col("seats"))
    return exhibit(
        "pledges-strategy",
        "Points won from each square, by strategy at one table",
        "Of one seat of the strategy, at the mixed table (or the lineup asked for).",
        _in_order(found, rows),
        (
            SQUARE,
            STRATEGY,
            estimated("points", "points that a seat wins from it in a game"),
            N,
        ),
        heat("strategy", "square", "points of a seat a game"),
    )
