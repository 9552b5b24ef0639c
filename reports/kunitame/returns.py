"""Returns: how often winning costs a gem, and how much."""

import polars as pl

from reports.drawing import dots, heat, lines
from reports.found import Found
from reports.kunitame.words import WEEK
from reports.measures import Kind, Measure
from reports.page import Column, Exhibit, Finding, Section
from reports.words import (
    PLAYERS,
    STRATEGY,
    N,
    estimated,
    exhibit,
    joined,
    named,
    number,
    share,
)

_PUNISHED = pl.col("punished")
_OFTEN = pl.col("punished").cast(pl.Int64)
_COST = pl.col("returned")
MEASURES = [
    Measure("punished", "tricks", _PUNISHED),
    Measure("punished by round", "tricks", _PUNISHED, by=("week", "round")),
    Measure("punished by week", "tricks", _PUNISHED, by=("week",)),
    Measure("punished by strategy", "tricks", _PUNISHED, by=("strategy",)),
    Measure("unpaid by week", "tricks", pl.col("unpaid"), by=("week",)),
    Measure("cost", "tricks", _COST, _OFTEN),
    Measure("cost by week", "tricks", _COST, _OFTEN, by=("week",)),
    Measure("punished then", "liquidations", _PUNISHED),
    Measure("punished then by week", "liquidations", _PUNISHED, by=("week",)),
    Measure("unpaid then by week", "liquidations", pl.col("unpaid"), by=("week",)),
    Measure("cost then by week", "liquidations", _COST, _OFTEN, by=("week",)),
    Measure("punished by tricks", "liquidations", _PUNISHED, by=("tricks",)),
]


def section(found: Found) -> Section:
    """How often, when, and what it costs."""
    return Section(
        "returns",
        "Returns",
        f"With {found.who}. Who can win no gem, after winning a trick or at "
        "liquidation, gives back the one of highest value.",
        (_weeks(found), _rounds(found), _by_tricks(found), _strategies(found)),
        _findings(found),
    )


def _weeks(found: Found) -> Exhibit:
    """Tricks and liquidations, week by week."""
    parts = []
    read: tuple[tuple[str, Kind], ...] = (("cost", "mean"), ("unpaid", "rate"))
    for what, then in (("a trick", ""), ("liquidation", " then")):
        rows = found.leading(f"punished{then} by week", "rate", ("week",))
        for name, kind in read:
            part = found.leading(f"{name}{then} by week", kind, ("week",))
            keys = ("cell", "week")
            rows = joined(rows, named(part, keys, name), keys)
        parts.append(rows.with_columns(after=pl.lit(what)))
    return exhibit(
        "returns-week",
        "How often a gem goes back, by week",
        f"Of the tricks won, and of the seats at liquidation. The figure shows "
        f"{found.players} players.",
        pl.concat(parts),
        (
            PLAYERS,
            Column("after", "after", "a trick, or the liquidation"),
            WEEK,
            estimated("gem back", "share in which a gem was given back", "share"),
            estimated("points", "points given back each time", name="cost"),
            estimated(
                "unpaid", "nothing to win, and nothing to give back", "share", "unpaid"
            ),
            N,
        ),
        lines("week", "share, %", by="after", only=pl.col("players") == found.players),
    )


def _rounds(found: Found) -> Exhibit:
    by = ("week", "round")
    return exhibit(
        "returns-round",
        "How often the winner of a trick gives a gem back, by week and round",
        f"{found.players} players.",
        found.leading("punished by round", "rate", by, players=found.players),
        (
            WEEK,
            Column("round", "round", "trick of the week", "count"),
            estimated(
                "gem back", "share of tricks whose winner gave one back", "share"
            ),
            N,
        ),
        heat("round", "week", "gem given back, %", ends=True),
    )


def _by_tricks(found: Found) -> Exhibit:
    return exhibit(
        "returns-tricks",
        "How often a seat gives a gem back at liquidation, by tricks won in the week",
        "Fewer tricks meet a square together more easily; no trick meets none.",
        found.leading("punished by tricks", "rate", ("tricks",)),
        (
            PLAYERS,
            Column("tricks", "tricks", "tricks that the seat won in the week", "count"),
            estimated("gem back", "share of seats that gave one back", "share"),
            N,
        ),
        lines("tricks", "share of seats, %", by="players"),
    )


def _strategies(found: Found) -> Exhibit:
    only = pl.col("kind").is_in(["self", "mixed", "given"])
    only &= pl.col("players") == found.players
    table = pl.when(pl.col("kind") == "self").then(pl.lit("its own kind"))
    rows = found.of("punished by strategy", "rate", ("strategy",), only=only)
    return exhibit(
        "returns-strategy",
        "How often the winner of a trick gives a gem back, by strategy",
        f"{found.players} players; each strategy among its own kind, and at one table.",
        rows.with_columns(table=table.otherwise(pl.lit("one table"))),
        (
            STRATEGY,
            Column(
                "table", "table", "its own kind, or all strategies of the mixed one"
            ),
            estimated("gem back", "share of its tricks that cost a gem", "share"),
            N,
        ),
        dots("strategy", "share of the tricks it wins, %", by="table"),
    )


def _findings(found: Found) -> tuple[Finding, ...]:
    players = found.players
    parts = [
        found.leading("punished", "rate", players=players),
        found.leading("punished then", "rate", players=players),
        found.leading("cost", "mean", players=players),
        found.leading("punished by week", "rate", ("week",), players=players),
    ]
    if any(part.is_empty() for part in parts):
        return (Finding("Returns: no data.", "open", "returns"),)
    after, then, cost, weeks = (part.rows(named=True) for part in parts)
    text = (
        f"Returns, {players} players, {found.who}: the winner gives a gem back after "
        f"{share(after[0])} of the tricks ({share(weeks[0])} in the first week, "
        f"{share(weeks[-1])} in the last), worth {number(cost[0])} points each time; "
        f"at liquidation {share(then[0])} of the seats do."
    )
    return (Finding(text, "sure", "returns"),)
