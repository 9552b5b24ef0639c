"""Strategies: who wins against whom, and who becomes a Candidate."""

import polars as pl

from reports.article_ii.words import tables_of, texts
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
    estimated("win share", "games a seat of the strategy wins alone", "share"),
    estimated("less even", "win share less 1/n", "points", "more"),
    estimated("Candidate", "games in which a seat becomes Candidate", "share", "named"),
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
        "what nobody wins alone. The strategies move on a seat with every game. Claims "
        "hold for these lineups.",
        (
            exhibit(
                "strategies-lineups",
                "Win share of every strategy in every lineup",
                "n counts seats: two seats of a strategy in a game are two. The figure "
                f"shows {found.players} players, for whom an even share is "
                f"{percent(1 / found.players)}.",
                shares,
                (PLAYERS, _LINEUP, STRATEGY, *_SHARE),
                heat(
                    "strategy", "lineup", "win share of a seat, %",
                    ends=True, only=pl.col("players") == found.players,
                ),
            ),
            _against(found, against),
            _mixed(shares),
        ),
        _findings(found, against, shares),
    )  # fmt: skip


def _shares(found: Found) -> pl.DataFrame:
    """Win share of a seat of each strategy in each lineup, and less an even share."""
    keys = ("cell", "strategy")
    rows = found.of("won by strategy", "rate", ("strategy",), only=~PAIRED)
    some = found.of("candidates by strategy", "rate", ("strategy",), only=~PAIRED)
    rows = joined(rows, named(some, keys, "named"), keys)
    even = 1 / pl.col("players")
    others = [text.removeprefix(f"1 {found.lead}, ") for text in rows["lineup"]]
    return tables_of(
        rows.with_columns(
            others=texts(others),
            where=texts([text.partition(" ")[2] for text in others]),
            more=pl.col("estimate") - even,
            more_low=pl.col("low") - even,
            more_high=pl.col("high") - even,
        )
    )


def _judged(rows: pl.DataFrame) -> pl.DataFrame:
    words = {"outside": "differs", "within": "", "undecided": "not sure"}
    told = [words[one] for one in judge(rows["more"], rows["se"], 0.0, 0.0)]
    return rows.with_columns(verdict=texts(told))


def _against(found: Found, rows: pl.DataFrame) -> Exhibit:
    return exhibit(
        "strategies-lead",
        f"One {found.lead} against a table of each other strategy",
        f"Win share of the one {found.lead}.",
        rows,
        (
            PLAYERS,
            Column("where", "table of", "who sits in all other seats"),
            *_SHARE,
            Column(
                "verdict", "verdict", "from an even share; Holm over the rows, 95 %"
            ),
        ),
        dots("where", _LESS_EVEN, "more", by="table", reference=0),
    )


def _mixed(shares: pl.DataFrame) -> Exhibit:
    return exhibit(
        "strategies-mixed",
        "Different strategies at one table",
        "The mixed table, or the lineup asked for.",
        shares.filter(pl.col("kind").is_in(["mixed", "given"])),
        (PLAYERS, STRATEGY, *_SHARE),
        dots("strategy", _LESS_EVEN, "more", by="table", reference=0),
    )


def _findings(
    found: Found, against: pl.DataFrame, shares: pl.DataFrame
) -> tuple[Finding, ...]:
    """Whether the leading strategy beats every other one."""
    rows = against.filter(players=found.players)
    head = f"Strategies, {found.players} players"
    even = f"even is {percent(1 / found.players)}"
    if rows.is_empty():
        alone = shares.filter(players=found.players, lineup=found.lead)
        some = [f"{row['strategy']} {share(row)}" for row in alone.rows(named=True)]
        told = f"win shares are {listed(some)} ({even})" if some else "no data"
        return (Finding(f"{head}, lineup {found.lead}: {told}.", "sure", "strategies"),)
    some = [f"{share(row)} against {row['others']}" for row in rows.rows(named=True)]
    better = (rows["verdict"] == "differs").all() and (rows["more"] > 0).all()
    text = (
        f"{head}: one {found.lead} {'beats' if better else 'does not surely beat'} a "
        f"table of each other strategy; it wins {listed(some)} ({even})."
    )
    return (Finding(text, "sure" if better else "open", "strategies"),)
