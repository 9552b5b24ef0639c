"""Contracts: how often each is taken and kept, and what is lost on it."""

import polars as pl

from reports.drawing import dots, lines
from reports.formatting import estimated, joined, named, share
from reports.game_report import Parts, ReportSection, Shown
from reports.kunitame import worth
from reports.kunitame.tables import tables
from reports.measures import MeasuresOf
from reports.page import Finding, Section
from reports.report_data import ReportData
from reports.tabled import Number, Table, beside

_KEPT = "share of the contracts that are kept"
_OUT = "share of the contracts whose seat is eliminated that week"
_EACH = MeasuresOf("contracts", by="strategy week target stake")
_WEEKS = MeasuresOf("weeks", by="strategy week")
MEASURES = (
    _EACH.per_game("contracts", "contracts of this sort that are taken"),
    _EACH.share("made", _KEPT, "made"),
    _EACH.share("made in all", _KEPT, "made", by="strategy target stake"),
    _EACH.share("made by strategy", _KEPT, "made", by="strategy"),
    _EACH.mean("lost", "Life gems lost on it", "lost", unit="Life gems"),
    _EACH.share("out", _OUT, "out"),
    _WEEKS.share(
        "staking", "share of the seats that stake a gem", pl.col("staked") > 0
    ),
    _WEEKS.mean("staked", "mean gems that a seat stakes", "staked", unit="Life gems"),
)


def section(data: ReportData) -> Shown:
    """Taken, made, lost; and what they are worth on the same deals."""
    yield Section(
        "contracts",
        "Contracts",
        "A contract stakes Life gems on winning exactly so many tricks; every gem "
        "brings a Devil card. Each strategy at a table of its own kind, "
        f"{data.players} players.",
    )
    ever = pl.col("estimate").max().over("cell", "strategy") > 0
    yield Table(
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
    yield Table(
        "contracts-made",
        "How often contracts are made, all weeks together",
        "Wilson's interval, widened for contracts of one game that go together. The "
        "figure leaves out those made fewer than 100 times.",
        ("strategy", "target", "stake", Number("made in all", "made")),
        only=data.alone,
        rows=lambda rows: worth.in_words(rows).sort("target", "stake", "strategy"),
        draw=dots("contract", "share made, %", by="strategy", only=pl.col("n") >= 100),
    )
    yield _taken(data)
    yield from _findings(data)
    yield from worth.shown(data)


def _taken(data: ReportData) -> Table:
    """Every week, target and stake; contracts a game are shares of the seats."""
    taken = Number("contracts", "taken", name="contracts")
    made = Number("made", "made")
    lost = Number("lost", "lost", name="lost")
    out = Number("out", "eliminated", name="out")
    keys = ("cell", "strategy")
    seats = named(data.of("seats of strategy"), keys, "seats")
    rows = joined(beside(data, (made, lost, out, taken), data.alone), seats, keys)
    each = pl.col("contracts", "contracts_low", "contracts_high") / pl.col("seats")
    doc = "share of the seats that take it"
    of_seats = estimated("taken", doc, "share", "contracts")
    return Table(
        "contracts-weeks",
        "Every contract by week",
        "Taken: of the seats in that week. Eliminated: the seat has no Life gem left.",
        ("strategy", "week", "target", "stake", of_seats, made, lost, out),
        rows=rows.with_columns(each.clip(0, 1)),
    )


def _findings(data: ReportData) -> Parts:
    rows = data.of("made by strategy", only=data.alone)
    if rows.is_empty():
        yield Finding("Contracts: no data, nobody made one.", "open")
        return
    texts = [
        f"{row['strategy']} {share(row)}"
        for row in rows.sort("estimate", descending=True).rows(named=True)
    ]
    text = (
        f"Of the contracts made with {data.players} players, each strategy among its "
        f"own kind, are kept: by {', by '.join(texts)}."
    )
    yield Finding(text, "")


SECTION = ReportSection(section, MEASURES, tables)
