"""Busts: how often a base exceeds the bust value, and what Hannah's Grace earns."""

import numpy as np
import polars as pl

from reports.counts import Array
from reports.drawing import dots, lines
from reports.formatting import estimated, listed, number, share
from reports.game_report import ReportSection
from reports.kbernestich.played import PlayedGames
from reports.kbernestich.rows import flat, said
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section
from reports.report_data import ReportData
from reports.tabled import Number, beside, tabled, worded

_SEATS, _OVER, _LOST = pl.col("seats"), pl.col("over"), pl.col("lost")
_EARNED, _COST = pl.col("earned"), pl.col("cost")
_NET = _EARNED - _COST
_SET = pl.col("standing") > 0
_BUSTS = "share of the seats without Grace that bust"
_LOSES = "points that a seat loses by it, a round"
_USE = "earned less cost, a use"
_BY, _SETTER, _WHO = ("bust",), ("bust", "standing"), ("strategy",)
MEASURES = (
    Measure("over", _BUSTS, "share", "busts", _OVER, _SEATS, by=_BY),
    Measure("over lost", _LOSES, "mean", "busts", _LOST, _SEATS, by=_BY),
    Measure("bust rounds", "such rounds a game", "per game", "busts", by=_BY),
    Measure("over by setter", _BUSTS, "share", "busts", _OVER, _SEATS, by=_SETTER),
    Measure(
        "setter over",
        "share of the setters that bust",
        "share",
        "busts",
        pl.col("mine"),
        pl.col("me"),
        by=_SETTER,
        where=_SET,
    ),
    Measure(
        "others over",
        "share of the other seats",
        "share",
        "busts",
        _OVER - pl.col("mine"),
        _SEATS - pl.col("me"),
        by=_SETTER,
        where=_SET,
    ),
    Measure("over by strategy", _BUSTS, "share", "bases", _OVER, _SEATS, by=_WHO),
    Measure("lost by strategy", _LOSES, "mean", "bases", _LOST, _SEATS, by=_WHO),
    Measure(
        "grace over",
        "share of bases over the bust value",
        "share",
        "graces",
        _OVER,
        by=_WHO,
    ),
    Measure(
        "grace earned",
        "points it brought: the base less the bust value",
        "mean",
        "graces",
        _EARNED,
        by=_WHO,
    ),
    Measure(
        "grace cost",
        "points of bases that do not exceed",
        "mean",
        "graces",
        _COST,
        by=_WHO,
    ),
    Measure("grace net", _USE, "mean", "graces", _NET, by=_WHO),
    Measure(
        "grace earned by bust", _USE, "mean", "graces", _NET, by=("strategy", "bust")
    ),
)


def tables(played: PlayedGames) -> dict[str, pl.DataFrame]:
    """A row a round; a row a seat of a game; a row a use of Grace.

    seats: those without Grace, of which over exceed the bust value and lose points
    (lost). standing: rank of who set it, 0 nobody; me: whether he is without Grace,
    mine: whether he busts.
    """
    bare = (played.placed & played.area("grace")) == 0
    over = played.base > played.bust[:, None]
    lost = played.base * (over & bare)
    setting = (played.placed & played.area("zabine")) != 0
    each = (played.rounds, played.size)

    def count(flags: Array) -> Array:
        return flags.sum(axis=1, dtype=np.int16).reshape(-1)

    standing = count(setting * (played.standing + 1))
    seat = played.strategy.shape
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
                "strategy": said(played, played.strategy),
                "seats": bare.sum(axis=0, dtype=np.int16).reshape(-1),
                "over": (over & bare).sum(axis=0, dtype=np.int16).reshape(-1),
                "lost": lost.sum(axis=0, dtype=np.int16).reshape(-1),
            }
        ),
        "graces": _graces(played, over, graced),
    }


def _graces(played: PlayedGames, over: Array, rows: Array) -> pl.DataFrame:
    shape = over.shape
    columns = {
        "game": played.game,
        "bust": played.bust[:, None],
        "over": over,
        "earned": played.from_,
        "cost": played.base * ~over,
    }
    found = {name: flat(values, shape)[rows] for name, values in columns.items()}
    strategy = flat(played.strategy, shape)[rows]
    return pl.DataFrame({**found, "strategy": said(played, strategy)})


def section(data: ReportData) -> Section:
    """Busts by value and by who set it, and Grace."""
    return Section(
        "busts",
        "Busts and Hannah's Grace",
        "The base is the points a card of each colour times the cards won. A base "
        "over the bust value brings nothing; with Hannah's Grace only what exceeds it "
        f"counts. {data.players} players.",
        (_values(data), _setters(data), _strategies(data), _grace(data)),
        _findings(data),
    )


def _values(data: ReportData) -> Exhibit:
    often = pl.col("often", "often_low", "often_high") / data.rules["rounds"]
    rounds = "share of the rounds with this value"
    numbers = (
        Number("over", "over"),
        Number("over lost", "lost", name="lost"),
        Number("bust rounds", "rounds", name="often"),
    )
    rows = beside(data, numbers, data.leads(data.players))
    return tabled(
        data,
        "busts-value",
        "How often a base exceeds the bust value",
        f"With {data.who}; seats without Grace. The bust value is "
        f"{data.rules['bust_default']} where nobody sets it.",
        ("bust", estimated("rounds", rounds, "share", "often"), *numbers[:2]),
        rows=rows.with_columns(often, value=pl.format("bust value {}", "bust")),
        draw=dots("value", "seats that bust, %"),
    )


def _setters(data: ReportData) -> Exhibit:
    return tabled(
        data,
        "busts-setter",
        "Busts by who set the bust value",
        f"With {data.who}; seats without Grace.",
        (
            "bust",
            Column("setter", "set by", "rank before the round of who set it"),
            Number("over by setter", "over"),
            Number("setter over", "setter", name="own"),
            Number("others over", "others", name="others"),
        ),
        only=data.leads(data.players),
        rows=worded("setter", lambda at: _rank(at, data.players), "standing"),
        draw=lines("bust", "seats that bust, %", by="setter", only=_MANY),
    )


_FEW = 100
_MANY = pl.col("n") >= _FEW


def _rank(standing: int, players: int) -> str:
    """A rank before the round, in words."""
    if standing == 0:
        return "nobody"
    ends = {1: "the leader", players: "the last"}
    return ends.get(standing, f"rank {standing}")


def _strategies(data: ReportData) -> Exhibit:
    return tabled(
        data,
        "busts-strategy",
        "How often each strategy busts",
        "Each strategy at a table of its own kind; seats without Grace.",
        (
            "strategy",
            Number("over by strategy", "over"),
            Number("lost by strategy", "lost", name="lost"),
        ),
        only=data.alone,
        draw=dots("strategy", "seats that bust, %"),
    )


_GRACE = (
    Number("grace over", "exceeds", name="over"),
    Number("grace earned", "earned", name="earned"),
    Number("grace cost", "cost", name="cost"),
    Number("grace net", "net"),
)


def _graced(data: ReportData) -> pl.DataFrame:
    return beside(data, (_GRACE[-1], *_GRACE[:-1]), data.alone)


def _grace(data: ReportData) -> Exhibit:
    return tabled(
        data,
        "busts-grace",
        "What Hannah's Grace earns and costs",
        "The same cards won, with and without the cube. A cube elsewhere would have "
        "brought points too: see Squares.",
        ("strategy", *_GRACE),
        rows=_graced(data),
        draw=dots("strategy", "points a use, net", reference=0),
        formula="net = mean over uses of (base - bust where base > bust, else -base)",
    )


def _findings(data: ReportData) -> tuple[Finding, ...]:
    head = f"{data.players} players, {data.who}"
    rows = data.leading("over", players=data.players)
    texts = [
        f"{share(row)} at {row['bust']}"
        for row in rows.rows(named=True)
        if row["n"] >= _FEW
    ]
    if not texts:
        return (Finding("Busts: no data.", "open", "busts"),)
    text = f"Busts, {head}: of the seats without Grace bust {listed(texts)}."
    graces = _graced(data).filter(data.leads(), pl.col("n") >= _FEW)
    said_ = [
        f"Hannah's Grace, {head}: the base exceeds the bust value in "
        f"{share(row, 'over')} of its uses; it earns {number(row, 'earned')} points a "
        f"use and costs {number(row, 'cost')}, net {number(row)} on the same cards."
        for row in graces.rows(named=True)
    ] or [f"Hannah's Grace, {head}: it is used too rarely to tell."]
    sure = [Finding(one, "" if graces.height else "open", "busts") for one in said_]
    return (Finding(text, "", "busts"), *sure)


SECTION = ReportSection(section, MEASURES, tables)
