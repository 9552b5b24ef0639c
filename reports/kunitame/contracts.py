"""Contracts: how often each is taken and kept, and what is lost on it."""

import polars as pl

from reports.drawing import dots, lines
from reports.formatting import estimated, joined, named, share
from reports.game_report import ReportSection
from reports.kunitame import worth
from reports.kunitame.tables import tables
from reports.measures import Measure
from reports.page import Exhibit, Finding, Section
from reports.report_data import ReportData
from reports.tabled import Number, beside, tabled

_ALL = ("strategy", "week", "target", "stake")
_POOLED = ("strategy", "target", "stake")
_KEPT = "share of the contracts that are kept"
_MADE = pl.col("made")
MEASURES = (
    Measure(
        "contracts",
        "contracts of this sort that are taken",
        "per game",
        "contracts",
        by=_ALL,
    ),
    Measure("made", _KEPT, "share", "contracts", _MADE, by=_ALL),
    Measure("made in all", _KEPT, "share", "contracts", _MADE, by=_POOLED),
    Measure("made by strategy", _KEPT, "share", "contracts", _MADE, by=("strategy",)),
    Measure(
        "lost",
        "Life gems lost on it",
        "mean",
        "contracts",
        pl.col("lost"),
        by=_ALL,
        unit="Life gems",
    ),
    Measure(
        "out",
        "share of the contracts whose seat is eliminated that week",
        "share",
        "contracts",
        pl.col("out"),
        by=_ALL,
    ),
    Measure(
        "staking",
        "share of the seats that stake a gem",
        "share",
        "weeks",
        pl.col("staked") > 0,
        by=("strategy", "week"),
    ),
    Measure(
        "staked",
        "mean gems that a seat stakes",
        "mean",
        "weeks",
        pl.col("staked"),
        by=("strategy", "week"),
        unit="Life gems",
    ),
)


def section(data: ReportData) -> Section:
    """Taken, made, lost; and what they are worth on the same deals."""
    return Section(
        "contracts",
        "Contracts",
        "A contract stakes Life gems on winning exactly so many tricks; every gem "
        "brings a Devil card. Each strategy at a table of its own kind, "
        f"{data.players} players.",
        (_staking(data), _made(data), _taken(data), *worth.exhibits(data)),
        (*_findings(data), *worth.findings(data)),
    )


def _staking(data: ReportData) -> Exhibit:
    ever = pl.col("estimate").max().over("cell", "strategy") > 0
    return tabled(
        data,
        "contracts-staking",
        "How often a seat makes a contract, by week",
        "Strategies that never do are left out.",
        (
            "strategy",
            "week",
            Number("staking", "with one"),
            Number("staked", "gems", name="gems"),
        ),
        only=data.alone,
        rows=lambda rows: rows.filter(ever),
        draw=lines("week", "share of seats, %", by="strategy"),
    )


def _made(data: ReportData) -> Exhibit:
    return tabled(
        data,
        "contracts-made",
        "How often contracts are made, all weeks together",
        "Wilson's interval, widened for contracts of one game that go together. The "
        "figure leaves out those made fewer than 100 times.",
        ("strategy", "target", "stake", Number("made in all", "made")),
        only=data.alone,
        rows=lambda rows: worth.in_words(rows).sort("target", "stake", "strategy"),
        draw=dots("contract", "share made, %", by="strategy", only=pl.col("n") >= 100),
    )


def _taken(data: ReportData) -> Exhibit:
    """Every week, target and stake; contracts a game are shares of the seats."""
    taken = Number("contracts", "taken", name="contracts")
    made = Number("made", "made")
    lost = Number("lost", "lost", name="lost")
    out = Number("out", "eliminated", name="out")
    keys = ("cell", "strategy")
    seats = named(data.of("seats of strategy"), keys, "seats")
    rows = joined(beside(data, (made, lost, out, taken), data.alone), seats, keys)
    each = pl.col("contracts", "contracts_low", "contracts_high") / pl.col("seats")
    of_seats = estimated(
        "taken", "share of the seats that take it", "share", "contracts"
    )
    return tabled(
        data,
        "contracts-weeks",
        "Every contract by week",
        "Taken: of the seats in that week. Eliminated: the seat has no Life gem left.",
        ("strategy", "week", "target", "stake", of_seats, made, lost, out),
        rows=rows.with_columns(each.clip(0, 1)),
    )


def _findings(data: ReportData) -> tuple[Finding, ...]:
    rows = data.of("made by strategy", only=data.alone)
    if rows.is_empty():
        return (Finding("Contracts: no data, nobody made one.", "open", "contracts"),)
    texts = [
        f"{row['strategy']} {share(row)}"
        for row in rows.sort("estimate", descending=True).rows(named=True)
    ]
    text = (
        f"Of the contracts made with {data.players} players, each strategy among its "
        f"own kind, are kept: by {', by '.join(texts)}."
    )
    return (Finding(text, "", "contracts"),)


SECTION = ReportSection(section, MEASURES, tables)
