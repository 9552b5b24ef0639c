"""Contracts: how often each is taken and kept, and what is lost on it."""

import polars as pl

from reports.drawing import dots, lines
from reports.found import Found
from reports.kunitame import worth
from reports.kunitame.words import WEEK
from reports.measures import Kind, Measure
from reports.page import Exhibit, Finding, Section
from reports.words import STRATEGY, N, estimated, exhibit, joined, named, share

_ALL = ("strategy", "week", "target", "stake")
_POOLED = ("strategy", "target", "stake")
MEASURES = [
    Measure("contracts", "contracts", pl.lit(1), by=_ALL),
    Measure("made", "contracts", pl.col("made"), by=_ALL),
    Measure("made in all", "contracts", pl.col("made"), by=_POOLED),
    Measure("made by strategy", "contracts", pl.col("made"), by=("strategy",)),
    Measure("lost", "contracts", pl.col("lost"), by=_ALL),
    Measure("out", "contracts", pl.col("out"), by=_ALL),
    Measure("staking", "weeks", pl.col("staked") > 0, by=("strategy", "week")),
    Measure("staked", "weeks", pl.col("staked"), by=("strategy", "week")),
]


def section(found: Found) -> Section:
    """Taken, made, lost; and what they are worth on the same deals."""
    return Section(
        "contracts",
        "Contracts",
        "A contract stakes Life gems on winning exactly so many tricks; every gem "
        "brings a Devil card. Each strategy at a table of its own kind, "
        f"{found.players} players.",
        (_staking(found), _made(found), _taken(found), *worth.exhibits(found)),
        (*_findings(found), *worth.findings(found)),
    )


def _alone(found: Found) -> pl.Expr:
    """Tables at which everybody plays the same strategy, or the lineup asked for."""
    kinds = pl.col("kind").is_in(["self", "given"])
    return kinds & (pl.col("players") == found.players)


def _staking(found: Found) -> Exhibit:
    by = ("strategy", "week")
    keys = ("cell", *by)
    rows = found.of("staking", "rate", by, only=_alone(found))
    gems = named(found.of("staked", "mean", by, only=_alone(found)), keys, "gems")
    ever = pl.col("estimate").max().over("cell", "strategy") > 0
    return exhibit(
        "contracts-staking",
        "How often a seat makes a contract, by week",
        "Strategies that never do are left out.",
        joined(rows, gems, keys).filter(ever),
        (
            STRATEGY,
            WEEK,
            estimated("with one", "share of the seats that stake a gem", "share"),
            estimated("gems", "mean gems that a seat stakes", name="gems"),
            N,
        ),
        lines("week", "share of seats, %", by="strategy"),
    )


def _made(found: Found) -> Exhibit:
    rows = found.of("made in all", "rate", _POOLED, only=_alone(found))
    return exhibit(
        "contracts-made",
        "How often contracts are made, all weeks together",
        "Wilson's interval, widened for contracts of one game that go together. The "
        "figure leaves out those made fewer than 100 times.",
        worth.in_words(rows).sort("target", "stake", "strategy"),
        (
            STRATEGY,
            *worth.CONTRACT,
            estimated("made", "share of the contracts that are kept", "share"),
            N,
        ),
        dots("contract", "share made, %", by="strategy", only=pl.col("n") >= 100),
    )


def _taken(found: Found) -> Exhibit:
    """Every week, target and stake."""
    only, keys = _alone(found), ("cell", *_ALL)
    rows = found.of("made", "rate", _ALL, only=only)
    read: tuple[tuple[str, Kind], ...] = (
        ("lost", "mean"),
        ("out", "rate"),
        ("contracts", "per_game"),
    )
    for measure, kind in read:
        part = found.of(measure, kind, _ALL, only=only)
        rows = joined(rows, named(part, keys, measure), keys)
    seats = found.of("seats of strategy", "per_game", ("strategy",))
    rows = joined(
        rows, named(seats, ("cell", "strategy"), "seats"), ("cell", "strategy")
    )
    taken = pl.col("contracts", "contracts_low", "contracts_high") / pl.col("seats")
    taken = taken.clip(0, 1)
    return exhibit(
        "contracts-weeks",
        "Every contract by week",
        "Taken: of the seats in that week. Eliminated: the seat has no Life gem left.",
        rows.with_columns(taken),
        (
            STRATEGY,
            WEEK,
            *worth.CONTRACT,
            estimated("taken", "share of the seats that take it", "share", "contracts"),
            estimated("made", "share of the contracts that are kept", "share"),
            estimated("lost", "Life gems lost on it", name="lost"),
            estimated("eliminated", "share of these seats eliminated", "share", "out"),
            N,
        ),
    )


def _findings(found: Found) -> tuple[Finding, ...]:
    rows = found.of("made by strategy", "rate", ("strategy",), only=_alone(found))
    if rows.is_empty():
        return (Finding("Contracts: no data, nobody made one.", "open", "contracts"),)
    texts = [
        f"{row['strategy']} {share(row)}"
        for row in rows.sort("estimate", descending=True).rows(named=True)
    ]
    text = (
        f"Of the contracts made with {found.players} players, each strategy among its "
        f"own kind, are kept: by {', by '.join(texts)}."
    )
    return (Finding(text, "sure", "contracts"),)
