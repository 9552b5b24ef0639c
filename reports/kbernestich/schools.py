"""Strategies: who wins against whom."""

import numpy as np
import polars as pl

from reports.drawing import bars, dots, heat
from reports.found import PAIRED, Found
from reports.kbernestich.played import Played
from reports.kbernestich.rows import alone, flat, said
from reports.measures import Measure
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

_PARTS = ("to", "hunch", "misery", "from")
MEASURES = [
    Measure(f"{part} by strategy", "parts", pl.col(part), by=("strategy",))
    for part in _PARTS
]
DOCS = {
    "parts": {
        "game": "number of the game in its run",
        "strategy": "who sits there",
        "to": "points for Letter to Marie in the game",
        "hunch": "points for bids",
        "misery": "misery bonuses",
        "from": "points out of the base",
    }
}
_LESS_EVEN = "win share less an even share, %"
_LINEUP = Column("lineup", "lineup", "who plays")
_SHARE = (
    estimated(
        "win share", "games won by a seat of the strategy, of all games", "share"
    ),
    estimated("less even", "win share less 1/n", "points", "more"),
    estimated("score", "score of a seat at the end", name="points"),
    N,
)


def tables(played: Played) -> dict[str, pl.DataFrame]:
    """A row a seat of a game: what its points are made of."""
    parts = (played.to, played.hunch, played.misery, played.from_)
    data = {
        name: values.sum(axis=0, dtype=np.int16).reshape(-1)
        for name, values in zip(_PARTS, parts, strict=True)
    }
    game = flat(played.game, played.school.shape)
    school = said(played, played.school)
    return {"parts": pl.DataFrame({"game": game, "strategy": school, **data})}


def section(found: Found) -> Section:
    """Win shares of each strategy in each lineup."""
    shares = _shares(found)
    against = _judged(shares.filter(kind="against", strategy=found.lead))
    return Section(
        "strategies",
        "Strategies",
        "A win share is a seat's: of n players with equal chances each wins 1/n. The "
        "strategies move on a seat with every game. Claims hold for these lineups.",
        (
            _matrix(found, shares),
            _against(found, against),
            _mixed(shares),
            _made_of(found),
        ),
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


def _made_of(found: Found) -> Exhibit:
    """Points of a game by area of the sheet."""
    parts = [
        found.of(f"{part} by strategy", "mean", ("strategy",), only=alone(found))
        .with_columns(part=pl.lit(words))
        for part, words in zip(_PARTS, _WORDS, strict=True)
    ]  # fmt: skip
    return exhibit(
        "strategies-parts",
        "What the points of each strategy are made of",
        f"Points of a seat in a game, each strategy at a table of its own kind, "
        f"{found.players} players; the score at the start is left out.",
        pl.concat(parts).sort("cell", "strategy", maintain_order=True),
        (
            STRATEGY,
            Column("part", "part", "where the points come from"),
            estimated("points", "points of a seat in a game"),
            N,
        ),
        bars("strategy", "points of a seat in a game", "part"),
    )


_WORDS = ("Letter to Marie", "bids", "misery bonus", "Letter from Marie")


def _findings(
    found: Found, against: pl.DataFrame, shares: pl.DataFrame
) -> tuple[Finding, ...]:
    rows = against.filter(players=found.players)
    head = f"Strategies, {found.players} players"
    even = f"even is {percent(1 / found.players)}"
    if rows.is_empty():
        alone = shares.filter(players=found.players, lineup=found.lead)
        texts = [f"{row['strategy']} {share(row)}" for row in alone.rows(named=True)]
        told = f"win shares are {listed(texts)} ({even})" if texts else "no data"
        return (Finding(f"{head}, lineup {found.lead}: {told}.", "sure", "strategies"),)
    texts = [f"{share(row)} against {row['others']}" for row in rows.rows(named=True)]
    better = (rows["verdict"] == "differs").all() and (rows["more"] > 0).all()
    text = (
        f"{head}: one {found.lead} {'beats' if better else 'does not surely beat'} a "
        f"table of each other strategy; it wins {listed(texts)} ({even})."
    )
    return (Finding(text, "sure" if better else "open", "strategies"),)
