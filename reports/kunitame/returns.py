"""Returns: how often winning costs a gem, and how much."""

import polars as pl

from reports.kunitame.found import Found
from reports.kunitame.words import N, PLAYERS, estimated, exhibit, number, share
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section

MEASURES = [
    Measure("punished tricks", "tricks", pl.col("punished")),
    Measure("punished by round", "tricks", pl.col("punished"), by=("week", "round")),
    Measure("punished by week", "tricks", pl.col("punished"), by=("week",)),
    Measure("empty by week", "tricks", pl.col("empty"), by=("week",)),
    Measure("cost by week", "tricks", pl.col("returned"), pl.col("punished").cast(pl.Int64), by=("week",)),
    Measure("punished by strategy", "tricks", pl.col("punished"), by=("strategy",)),
    Measure("liquidation by week", "liquidations", pl.col("punished"), by=("week",)),
    Measure("liquidation", "liquidations", pl.col("punished")),
    Measure(
        "liquidation without a trick",
        "liquidations",
        pl.col("punished"),
        by=("trickless",),
        derive=((pl.col("tricks") == 0).cast(pl.Int64).alias("trickless"),),
    ),
    Measure("liquidation cost by week", "liquidations", pl.col("returned"), pl.col("punished").cast(pl.Int64), by=("week",)),
]
_WEEK = Column("week", "week", "election week", "count")


def section(found: Found) -> Section:
    """How often, when, and what it costs."""
    return Section(
        "returns",
        "Returns",
        f"Lineup: {found.lead}. A winner who can win no gem gives back the one of highest "
        "value, after a trick and at liquidation.",
        (_weeks(found), _rounds(found), _strategies(found)),
        _findings(found),
    )


def _weeks(found: Found) -> Exhibit:
    """Tricks and liquidations, week by week."""
    parts = []
    for what, often, cost in (
        ("trick", "punished by week", "cost by week"),
        ("liquidation", "liquidation by week", "liquidation cost by week"),
    ):
        rows = found.leading(often, "rate", ("week",))
        price = found.leading(cost, "mean", ("week",)).select(
            "cell", "week", cost="estimate", cost_low="low", cost_high="high"
        )
        parts.append(
            rows.join(price, on=["cell", "week"], how="left", maintain_order="left")
            .with_columns(what=pl.lit(what))
        )
    rows = pl.concat(parts)
    return exhibit(
        "returns-week",
        "How often a gem goes back, by week",
        "Of the tricks won, and of the seats at liquidation.",
        rows,
        (
            PLAYERS,
            Column("what", "after", "a trick, or the liquidation"),
            _WEEK,
            estimated("punished", "share in which a gem was given back", "share"),
            estimated("cost", "points given back each time", name="cost"),
            N,
        ),
        lambda figures, table: figures.lines(
            table.filter(players=found.players), "week", "estimate", "low", "high",
            title=f"A gem goes back, by week, {found.players} players", ylabel="share, %", by="what",
        ),
    )  # fmt: skip


def _rounds(found: Found) -> Exhibit:
    rows = found.leading("punished by round", "rate", ("week", "round"), players=found.players)
    return exhibit(
        "returns-round",
        "How often the winner of a trick gives a gem back, by week and round",
        f"{found.players} players.",
        rows,
        (
            _WEEK,
            Column("round", "round", "trick of the week", "count"),
            estimated("punished", "share of tricks whose winner gave a gem back", "share"),
            N,
        ),
        lambda figures, table: figures.heat(
            table, "round", "week", "estimate", low="low", high="high", unit="punished, %",
            title="The winner of a trick gives a gem back, by week and round",
        ),
    )  # fmt: skip


def _strategies(found: Found) -> Exhibit:
    rows = found.of(
        "punished by strategy",
        "rate",
        ("strategy",),
        only=(pl.col("kind") != "paired") & (pl.col("players") == found.players),
    )
    alone = rows.filter(pl.col("kind") != "against")
    return exhibit(
        "returns-strategy",
        "How often the winner of a trick gives a gem back, by strategy",
        f"{found.players} players; each strategy at its own table, and at the mixed one.",
        alone,
        (
            Column("lineup", "lineup", "who plays"),
            Column("strategy", "strategy", "who won the trick"),
            estimated("punished", "share of its tricks that cost a gem", "share"),
            N,
        ),
        lambda figures, table: figures.dots(
            table, "strategy", "estimate", "low", "high", by="kind",
            title="The winner of a trick gives a gem back", xlabel="share of tricks won, %",
        ),
    )  # fmt: skip


def _findings(found: Found) -> tuple[Finding, ...]:
    players = found.players
    tricks = found.leading("punished tricks", "rate", players=players)
    after = found.leading("liquidation", "rate", players=players)
    if tricks.is_empty() or after.is_empty():
        return (Finding("Returns: no data.", "open", "returns"),)
    weeks = found.leading("punished by week", "rate", ("week",), players=players)
    cost = found.leading("cost by week", "mean", ("week",), players=players)
    first, last = weeks.row(0, named=True), weeks.row(-1, named=True)
    text = (
        f"Returns, {players} players: {share(tricks.row(0, named=True))} of tricks cost "
        f"the winner a gem, from {share(first)} in week {first['week']} to {share(last)} "
        f"in week {last['week']}, worth {number(cost.row(-1, named=True))} points each in "
        f"the last week; {share(after.row(0, named=True))} of the seats give one back at "
        f"liquidation (lineup {found.lead})."
    )
    return (Finding(text, "sure", "returns"),)
