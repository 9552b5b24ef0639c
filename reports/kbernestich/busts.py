"""Busts: how often a base exceeds the bust value, and what Hannah's Grace earns."""

import numpy as np
import polars as pl

from reports.drawing import dots, lines
from reports.found import Found
from reports.grids import Array
from reports.kbernestich.played import Played
from reports.kbernestich.rows import alone, flat, said
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section
from reports.words import (
    STRATEGY,
    N,
    estimated,
    exhibit,
    joined,
    listed,
    named,
    number,
    share,
)

_SEATS = pl.col("seats")
_SET = pl.col("standing") > 0
MEASURES = [
    Measure("over", "busts", pl.col("over"), _SEATS, by=("bust",)),
    Measure("over lost", "busts", pl.col("lost"), _SEATS, by=("bust",)),
    Measure("bust rounds", "busts", pl.lit(1), by=("bust",)),
    Measure("over by setter", "busts", pl.col("over"), _SEATS,
            by=("bust", "standing")),
    Measure("setter over", "busts", pl.col("mine"), pl.col("me"),
            by=("bust", "standing"), where=_SET),
    Measure("others over", "busts", pl.col("over") - pl.col("mine"),
            _SEATS - pl.col("me"), by=("bust", "standing"), where=_SET),
    Measure("over by strategy", "bases", pl.col("over"), _SEATS, by=("strategy",)),
    Measure("lost by strategy", "bases", pl.col("lost"), _SEATS, by=("strategy",)),
    Measure("grace over", "graces", pl.col("over"), by=("strategy",)),
    Measure("grace earned", "graces", pl.col("earned"), by=("strategy",)),
    Measure("grace cost", "graces", pl.col("cost"), by=("strategy",)),
    Measure("grace net", "graces", pl.col("earned") - pl.col("cost"),
            by=("strategy",)),
    Measure("grace earned by bust", "graces", pl.col("earned") - pl.col("cost"),
            by=("strategy", "bust")),
]  # fmt: skip
_GAME = {"game": "number of the game in its run"}
DOCS = {
    "busts": {
        **_GAME,
        "bust": "bust value of the round",
        "standing": "rank of who set it, before the round; 0 nobody set it",
        "seats": "seats without Grace",
        "over": "of these, bases over the bust value",
        "lost": "points of these bases",
        "me": "1 if who set it is without Grace",
        "mine": "1 if the base of this seat exceeds it",
    },
    "bases": {
        **_GAME,
        "strategy": "who sits there",
        "seats": "rounds without Grace of a seat in a game",
        "over": "of these, those with a base over the bust value",
        "lost": "points of these bases",
    },
    "graces": {
        **_GAME,
        "strategy": "who has Grace",
        "bust": "bust value of the round",
        "over": "the base exceeds it",
        "earned": "points that Grace brought: the base less the bust value",
        "cost": "points that it cost: the base where it does not exceed",
    },
}


def tables(played: Played) -> dict[str, pl.DataFrame]:
    """A row a round; a row a seat; a row a use of Grace."""
    bare = (played.placed & played.area("grace")) == 0
    over = played.base > played.bust[:, None]
    lost = played.base * (over & bare)
    setting = (played.placed & played.area("zabine")) != 0
    each = (played.rounds, played.size)

    def count(flags: Array) -> Array:
        return flags.sum(axis=1, dtype=np.int16).reshape(-1)

    standing = count(setting * (played.standing + 1))
    seat = played.school.shape
    graced = np.flatnonzero(~bare)
    return {
        "busts": pl.DataFrame(
            {
                "game": flat(played.game, each),
                "bust": played.bust.reshape(-1),
                "standing": standing,
                "seats": count(bare),
                "over": count(over & bare),
                "lost": count(lost),
                "me": count(setting & bare),
                "mine": count(setting & bare & over),
            }
        ),
        "bases": pl.DataFrame(
            {
                "game": flat(played.game, seat),
                "strategy": said(played, played.school),
                "seats": bare.sum(axis=0, dtype=np.int16).reshape(-1),
                "over": (over & bare).sum(axis=0, dtype=np.int16).reshape(-1),
                "lost": lost.sum(axis=0, dtype=np.int16).reshape(-1),
            }
        ),
        "graces": _graces(played, over, graced),
    }


def _graces(played: Played, over: Array, rows: Array) -> pl.DataFrame:
    shape = over.shape
    columns = {
        "game": played.game,
        "bust": played.bust[:, None],
        "over": over,
        "earned": played.from_,
        "cost": played.base * ~over,
    }
    found = {name: flat(values, shape)[rows] for name, values in columns.items()}
    school = flat(played.school, shape)[rows]
    return pl.DataFrame({**found, "strategy": said(played, school)})


def section(found: Found) -> Section:
    """Busts by value and by who set it, and Grace."""
    return Section(
        "busts",
        "Busts and Hannah's Grace",
        "The base is the points a card of each colour times the cards won. A base "
        "over the bust value brings nothing; with Hannah's Grace only what exceeds it "
        f"counts. {found.players} players.",
        (_values(found), _setters(found), _strategies(found), _grace(found)),
        _findings(found),
    )


_OVER = estimated("over", "share of the seats without Grace that bust", "share")
_BUST = Column("bust", "bust value", "base that may not be exceeded", "count")


def _values(found: Found) -> Exhibit:
    only, keys = found.leads(found.players), ("cell", "bust")
    rows = found.of("over", "rate", ("bust",), only=only)
    lost = named(found.of("over lost", "mean", ("bust",), only=only), keys, "lost")
    often = found.of("bust rounds", "per_game", ("bust",), only=only)
    rows = joined(joined(rows, lost, keys), named(often, keys, "often"), keys)
    often_ = pl.col("often", "often_low", "often_high") / found.rules["rounds"]
    return exhibit(
        "busts-value",
        "How often a base exceeds the bust value",
        f"With {found.who}; seats without Grace. The bust value is "
        f"{found.rules['bust_default']} where nobody sets it.",
        rows.with_columns(often_, value=pl.format("bust value {}", "bust")),
        (
            _BUST,
            estimated("rounds", "share of the rounds with this value", "share",
                      "often"),
            _OVER,
            estimated("lost", "points that a seat loses by it, a round", name="lost"),
            N,
        ),
        dots("value", "seats that bust, %"),
    )  # fmt: skip


def _setters(found: Found) -> Exhibit:
    only, by = found.leads(found.players), ("bust", "standing")
    keys = ("cell", *by)
    rows = found.of("over by setter", "rate", by, only=only)
    for name, measure in (("own", "setter over"), ("others", "others over")):
        part = found.of(measure, "rate", by, only=only)
        rows = joined(rows, named(part, keys, name), keys)
    words = [_rank(at, found.players) for at in rows["standing"]]
    return exhibit(
        "busts-setter",
        "Busts by who set the bust value",
        f"With {found.who}; seats without Grace.",
        rows.with_columns(pl.Series("setter", words, dtype=pl.String)),
        (
            _BUST,
            Column("setter", "set by", "rank before the round of who set it"),
            _OVER,
            estimated("setter", "share of the setters that bust", "share", "own"),
            estimated("others", "share of the other seats", "share", "others"),
            N,
        ),
        lines("bust", "seats that bust, %", by="setter", only=pl.col("n") >= _FEW),
    )


_FEW = 100


def _rank(standing: int, players: int) -> str:
    """A rank before the round, in words."""
    if standing == 0:
        return "nobody"
    ends = {1: "the leader", players: "the last"}
    return ends.get(standing, f"rank {standing}")


def _strategies(found: Found) -> Exhibit:
    only, by = alone(found), ("strategy",)
    keys = ("cell", "strategy")
    rows = found.of("over by strategy", "rate", by, only=only)
    lost = named(found.of("lost by strategy", "mean", by, only=only), keys, "lost")
    return exhibit(
        "busts-strategy",
        "How often each strategy busts",
        "Each strategy at a table of its own kind; seats without Grace.",
        joined(rows, lost, keys),
        (
            STRATEGY,
            _OVER,
            estimated("lost", "points that a seat loses by it, a round", name="lost"),
            N,
        ),
        dots("strategy", "seats that bust, %"),
    )


def _graced(found: Found) -> pl.DataFrame:
    only, by = alone(found), ("strategy",)
    keys = ("cell", "strategy")
    rows = found.of("grace net", "mean", by, only=only)
    over = named(found.of("grace over", "rate", by, only=only), keys, "over")
    rows = joined(rows, over, keys)
    for name in ("earned", "cost"):
        part = found.of(f"grace {name}", "mean", by, only=only)
        rows = joined(rows, named(part, keys, name), keys)
    return rows


def _grace(found: Found) -> Exhibit:
    return exhibit(
        "busts-grace",
        "What Hannah's Grace earns and costs",
        "The same cards won, with and without the cube. A cube elsewhere would have "
        "brought points too: see Squares.",
        _graced(found),
        (
            STRATEGY,
            estimated("exceeds", "share of bases over the bust value", "share", "over"),
            estimated("earned", "points it brought: the base less the bust value",
                      name="earned"),
            estimated("cost", "points of bases that do not exceed", name="cost"),
            estimated("net", "earned less cost, a use"),
            N,
        ),
        dots("strategy", "points a use, net", reference=0),
        "net = mean over uses of (base - bust where base > bust, else -base)",
    )  # fmt: skip


def _findings(found: Found) -> tuple[Finding, ...]:
    head = f"{found.players} players, {found.who}"
    rows = found.leading("over", "rate", ("bust",), players=found.players)
    texts = [
        f"{share(row)} at {row['bust']}" for row in rows.rows(named=True)
        if row["n"] >= _FEW
    ]  # fmt: skip
    if not texts:
        return (Finding("Busts: no data.", "open", "busts"),)
    text = f"Busts, {head}: of the seats without Grace bust {listed(texts)}."
    graces = _graced(found).filter(found.leads(), pl.col("n") >= _FEW)
    said_ = [
        f"Hannah's Grace, {head}: the base exceeds the bust value in "
        f"{share(row, 'over')} of its uses; it earns {number(row, 'earned')} points a "
        f"use and costs {number(row, 'cost')}, net {number(row)} on the same cards."
        for row in graces.rows(named=True)
    ] or [f"Hannah's Grace, {head}: it is used too rarely to tell."]
    sure = [Finding(one, "sure" if graces.height else "open", "busts") for one in said_]
    return (Finding(text, "sure", "busts"), *sure)
