"""Strategies: who wins against whom."""

import polars as pl

from reports.kunitame.found import Found
from reports.kunitame.words import (
    PLAYERS,
    N,
    estimated,
    exhibit,
    judge,
    listed,
    percent,
    points,
    share,
)
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section

MEASURES = [
    Measure("seats of strategy", "players", pl.lit(1), by=("strategy",)),
]


def section(found: Found) -> Section:
    """Win shares of each strategy in each lineup."""
    shares = _shares(found)
    versus = shares.filter(kind="against").filter(pl.col("strategy") == found.lead)
    return Section(
        "strategies",
        "Strategies",
        "A win share is a seat's: of n players with equal chances each wins 1/n. The "
        "strategies move on a seat with every game. Claims hold for these lineups.",
        (_matrix(found, shares), _against(found, versus), _mixed(shares), _points(found)),
        _findings(found, versus, shares),
    )


def _shares(found: Found) -> pl.DataFrame:
    """Win share of a seat of each strategy in each lineup, and less an even share."""
    rows = found.of("won by strategy", "rate", ("strategy",), only=pl.col("kind") != "paired")
    even = 1 / pl.col("players")
    return rows.with_columns(
        more=pl.col("estimate") - even,
        more_low=pl.col("low") - even,
        more_high=pl.col("high") - even,
        versus=_without_lead(rows, found.lead),
    )


def _without_lead(rows: pl.DataFrame, lead: str) -> pl.Series:
    texts = [text.removeprefix(f"1 {lead}, ") for text in rows["lineup"]]
    return pl.Series("versus", texts, dtype=pl.String)


_WHO = (
    PLAYERS,
    Column("lineup", "lineup", "who plays"),
    Column("strategy", "strategy", "whose win share it is"),
    estimated("win share", "games won by a seat of the strategy, of all games", "share"),
    estimated("less even", "win share less 1/n", "points", "more"),
    N,
)


def _matrix(found: Found, shares: pl.DataFrame) -> Exhibit:
    return exhibit(
        "strategies-lineups",
        "Win share of every strategy in every lineup",
        "n counts seats: two seats of a strategy in a game are two.",
        shares,
        _WHO,
        lambda figures, table: figures.heat(
            table.filter(players=found.players), "strategy", "lineup", "estimate",
            low="low", high="high", unit="win share of a seat, %",
            title=f"Win share of a seat, {found.players} players "
            f"(even: {percent(1 / found.players)})",
        ),
    )  # fmt: skip


def _against(found: Found, rows: pl.DataFrame) -> Exhibit:
    verdict = judge(rows["more"], rows["se"], 0.0, 0.0)
    words = ["differs" if v == "outside" else "no sure difference" for v in verdict]
    return exhibit(
        "strategies-lead",
        f"One {found.lead} against a table of each other strategy",
        f"Win share of the one {found.lead}, less 1/n; Holm over all rows.",
        rows.with_columns(pl.Series("verdict", words, dtype=pl.String)),
        (*_WHO, Column("verdict", "verdict", "from an even share; Holm over the rows, 95 %")),
        lambda figures, table: figures.dots(
            table, "versus", "more", "more_low", "more_high", by="players", reference=0,
            title=f"One {found.lead} against a table of others",
            xlabel="win share less an even share, %",
        ),
    )  # fmt: skip


def _mixed(shares: pl.DataFrame) -> Exhibit:
    return exhibit(
        "strategies-mixed",
        "Different strategies at one table",
        "The mixed table, or the lineup asked for.",
        shares.filter(pl.col("kind").is_in(["mixed", "given"])),
        _WHO,
        lambda figures, table: figures.dots(
            table, "strategy", "more", "more_low", "more_high", by="players", reference=0,
            title="Different strategies at one table",
            xlabel="win share less an even share, %",
        ),
    )  # fmt: skip


def _points(found: Found) -> Exhibit:
    rows = found.of(
        "points by strategy", "mean", ("strategy",), only=pl.col("kind") != "paired"
    )
    return exhibit(
        "strategies-points",
        "Points at the end of every strategy in every lineup",
        "Eliminated players' points count too.",
        rows,
        (*_WHO[:3], estimated("points", "mean points of a seat at the end"), N),
    )


def _findings(
    found: Found, versus: pl.DataFrame, shares: pl.DataFrame
) -> tuple[Finding, ...]:
    rows = versus.filter(players=found.players)
    if rows.is_empty():
        return _given(found, shares)
    verdict = judge(rows["more"], rows["se"], 0.0, 0.0)
    texts = [f"{row['versus']}: {share(row)}" for row in rows.iter_rows(named=True)]
    all_better = (verdict == "outside").all() and (rows["more"] > 0).all()
    said = "beats" if all_better else "does not surely beat"
    text = (
        f"Strategies, {found.players} players: one {found.lead} {said} a table of every "
        f"other strategy (even would be {percent(1 / found.players)}): {listed(texts)}."
    )
    return (Finding(text, "sure" if all_better else "open", "strategies"),)


def _given(found: Found, shares: pl.DataFrame) -> tuple[Finding, ...]:
    rows = shares.filter(players=found.players)
    if rows.is_empty():
        return (Finding("Strategies: no data.", "open", "strategies"),)
    texts = [
        f"{row['strategy']} {share(row)}, {points({'estimate': row['more'], 'low': row['more_low'], 'high': row['more_high']})} from even"
        for row in rows.iter_rows(named=True)
    ]
    return (Finding(f"Strategies, lineup {found.lead}: {listed(texts)}.", "sure", "strategies"),)
