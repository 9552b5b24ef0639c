"""Strategies: who wins against whom."""

import polars as pl

from reports.drawing import dots, heat
from reports.found import PAIRED, Found
from reports.page import Column, Exhibit, Finding, Section
from reports.verdicts import judge
from reports.words import (
    PLAYERS,
    STRATEGY,
    N,
    estimated,
    exhibit,
    joined,
    listed,
    named,
    percent,
    share,
)

_LESS_EVEN = "win share less an even share, %"
_LINEUP = Column("lineup", "lineup", "who plays")
_SHARE = (
    estimated(
        "win share", "games won by a seat of the strategy, of all games", "share"
    ),
    estimated("less even", "win share less 1/n", "points", "more"),
    estimated("total", "points of a seat at the end; few are good", name="points"),
    N,
)


def section(found: Found) -> Section:
    """Win shares of each strategy in each lineup."""
    shares = _shares(found)
    against = _judged(shares.filter(kind="against", strategy=found.lead))
    return Section(
        "strategies",
        "Strategies",
        "A win share is a seat's: of n players with equal chances each wins 1/n, less "
        "its part of the games that are shared. The strategies move on a seat with "
        "every game. Claims hold for these lineups.",
        (_matrix(found, shares), _against(found, against), _mixed(shares)),
        _findings(found, against, shares),
    )


def _shares(found: Found) -> pl.DataFrame:
    """Win share of a seat of each strategy in each lineup, and less an even share."""
    keys = ("cell", "strategy")
    rows = found.of("won by strategy", "rate", ("strategy",), only=~PAIRED)
    scores = found.of("scores by strategy", "mean", ("strategy",), only=~PAIRED)
    rows = joined(rows, named(scores, keys, "points"), keys)
    even = 1 / pl.col("players")
    others = [text.removeprefix(f"1 {found.lead}, ") for text in rows["lineup"]]
    names = [text.partition(" ")[2] for text in others]
    return rows.with_columns(
        pl.Series("others", others, dtype=pl.String),
        pl.Series("table", names, dtype=pl.String),
        more=pl.col("estimate") - even,
        more_low=pl.col("low") - even,
        more_high=pl.col("high") - even,
    )


def _judged(rows: pl.DataFrame) -> pl.DataFrame:
    words = {"outside": "differs", "within": "", "undecided": "not sure"}
    told = [words[one] for one in judge(rows["more"], rows["se"], 0.0, 0.0)]
    return rows.with_columns(pl.Series("verdict", told, dtype=pl.String))


def _matrix(found: Found, shares: pl.DataFrame) -> Exhibit:
    return exhibit(
        "strategies-lineups",
        "Win share of every strategy in every lineup",
        "n counts seats: two seats of a strategy in a game are two. The figure shows "
        f"{found.players} players, for whom an even share is "
        f"{percent(1 / found.players)}.",
        shares,
        (PLAYERS, _LINEUP, STRATEGY, *_SHARE),
        heat(
            "strategy", "lineup", "win share of a seat, %",
            ends=True, only=pl.col("players") == found.players,
        ),
    )  # fmt: skip


def _against(found: Found, rows: pl.DataFrame) -> Exhibit:
    return exhibit(
        "strategies-lead",
        f"One {found.lead} against a table of each other strategy",
        f"Win share of the one {found.lead}.",
        rows,
        (
            PLAYERS,
            Column("table", "table of", "who sits in all other seats"),
            *_SHARE,
            Column(
                "verdict", "verdict", "from an even share; Holm over the rows, 95 %"
            ),
        ),
        dots("table", _LESS_EVEN, "more", by="players", reference=0),
    )


def _mixed(shares: pl.DataFrame) -> Exhibit:
    return exhibit(
        "strategies-mixed",
        "Different strategies at one table",
        "The mixed table, or the lineup asked for.",
        shares.filter(pl.col("kind").is_in(["mixed", "given"])),
        (PLAYERS, STRATEGY, *_SHARE),
        dots("strategy", _LESS_EVEN, "more", by="players", reference=0),
    )


def _findings(
    found: Found, against: pl.DataFrame, shares: pl.DataFrame
) -> tuple[Finding, ...]:
    if against.is_empty():
        return (_alone(found, shares),)
    return tuple(
        _finding(found, against.filter(players=players), players)
        for players in against["players"].unique().sort()
    )


def _alone(found: Found, shares: pl.DataFrame) -> Finding:
    """Win shares where nobody plays against others."""
    rows = shares.filter(players=found.players, lineup=found.lead)
    texts = [f"{row['strategy']} {share(row)}" for row in rows.rows(named=True)]
    text = (
        f"Strategies, {found.players} players, lineup {found.lead}: win shares are "
        f"{listed(texts)} (even is {percent(1 / found.players)})."
    )
    return Finding(text, "sure", "strategies")


def _finding(found: Found, rows: pl.DataFrame, players: int) -> Finding:
    texts = [f"{share(row)} against {row['others']}" for row in rows.rows(named=True)]
    better = (rows["verdict"] == "differs").all() and (rows["more"] > 0).all()
    text = (
        f"Strategies, {players} players: one {found.lead} "
        f"{'beats' if better else 'does not surely beat'} a table of each other "
        f"strategy; it wins {listed(texts)} (even is {percent(1 / players)})."
    )
    return Finding(text, "sure" if better else "open", "strategies")
