"""Declaring: what ending a round costs and earns, against going on on the same deal."""

import polars as pl

from reports.devil import paired
from reports.devil.declares import MEASURES, band_words, tables
from reports.devil.formatting import card_words, with_verdict
from reports.devil.paired import TOLERANCE
from reports.drawing import dots
from reports.formatting import (
    STRATEGY,
    Row,
    estimated,
    exhibit,
    joined,
    named,
    number,
    share,
)
from reports.game_report import ReportSection
from reports.page import Column, Exhibit, Finding, Section
from reports.report_data import ReportData

_FORMULA = (
    "ending adds: 2 * cost of the own hand; cost of each other hand, doubled by a "
    "Special 1. ending better = (others - own, had the round ended there) - (others - "
    "own, as it did end), others being their mean"
)
_WAYS = ("end own", "end others", "on own", "on others", "better")
_WENT_ON = (
    estimated(
        "ending: own", "points that ending would have added to him", name="end own"
    ),
    estimated(
        "ending: others",
        "points that it would have added to each other",
        name="end others",
    ),
    estimated("going on: own", "points that the round did add to him", name="on own"),
    estimated(
        "going on: others", "points that it did add to each other", name="on others"
    ),
    estimated(
        "ending better", "points gained on the others by ending instead", name="better"
    ),
    Column("verdict", "verdict", "which way gains more than a point; Holm, 95 %"),
    Column("on own_n", "n went on", "moments at which he went on", "count"),
)


def section(data: ReportData) -> Section:
    """Who declares when, what it brings, and what going on brings."""
    pairs = paired.paired(data)
    return Section(
        "declaring",
        "Declaring: to end the round, or to go on",
        "Whoever plays a Special with cards left may end the round. That adds twice "
        "the cost of the own hand, so it pays where the others hold much more.",
        (
            _strategies(data),
            _moments_table(data, "band"),
            _moments_table(data, "card"),
            paired.table_of(data, pairs),
        ),
        (paired.finding(data, pairs), _finding_went_on(data)),
    )


def went_on(data: ReportData, only: pl.Expr, by: str = "") -> pl.DataFrame:
    """A row a strategy (and group): share that ends; what both ways bring otherwise."""
    group, more = (f" by {by}", (by,)) if by else ("", ())
    keys = ("cell", "strategy", *more)
    table = data.of(f"declared{group}", only=only)
    for name in _WAYS:
        rows = data.of(f"{name}{group}", only=only)
        part = named(rows.filter(ends=0), keys, name)
        table = joined(table, part, keys)
    return with_verdict(table, TOLERANCE, "better", ("ending", "going on"))


def _strategies(data: ReportData) -> Exhibit:
    only, keys = data.alone, ("cell", "strategy")
    table = data.of("declared", only=only)
    for name in ("own cost", "others' cost"):
        rows = data.of(name, only=only)
        for ends, words in ((1, "ended"), (0, "went on")):
            part = named(rows.filter(ends=ends), keys, f"{name}, {words}")
            table = joined(table, part, keys)
    return exhibit(
        "declaring-strategies",
        "Who declares, and with what in hand",
        f"Each strategy at a table of its own kind, {data.players} players. Costs "
        "are those of the hands at that moment, doubled for the Specials in them.",
        table,
        (
            STRATEGY,
            estimated(
                "ended", "share of the moments at which the round was ended", "share"
            ),
            *(
                estimated(
                    f"{name}, {words}",
                    f"{name} at moments when he {words}",
                    name=f"{name}, {words}",
                )
                for words in ("ended", "went on")
                for name in ("own cost", "others' cost")
            ),
            Column("n", "n", "moments at which a round could be ended", "count"),
        ),
        dots("strategy", "moments at which the round was ended, %"),
    )


def _moments_table(data: ReportData, by: str) -> Exhibit:
    table = went_on(data, data.leads(data.players), by)
    if by == "band":
        words = [band_words(band) for band in table["band"]]
        head, title = "own hand costs", "the cost of the own hand"
    else:
        words = [card_words(card) for card in table["card"]]
        head, title = "card played", "the Special played"
    table = table.with_columns(pl.Series("words", words, dtype=pl.String))
    several = table["strategy"].n_unique() > 1
    return exhibit(
        f"declaring-{by}",
        f"Ended or went on, by {title}",
        f"With {data.who}, {data.players} players. Points of the round, at moments "
        "when somebody went on: what ending there would have added, and what the round "
        "did add in the end, on the same deal. More points are worse.",
        table.sort("strategy", by, maintain_order=True),
        (
            *([STRATEGY] if several else []),
            Column("words", head, head),
            estimated(
                "ended", "share of the moments at which the round was ended", "share"
            ),
            *_WENT_ON,
        ),
        dots(
            "words",
            "points gained on the others by ending instead",
            "better",
            by="strategy" if several else None,
            reference=0,
        ),
        _FORMULA,
    )


def _finding_went_on(data: ReportData) -> Finding:
    head = f"Going on, {data.players} players, {data.who}"
    rows = went_on(data, data.leads(data.players)).drop_nulls("better_se")
    if rows.is_empty():
        return Finding(f"{head}: nobody ever did.", "open", "declaring")
    texts = [_said(row) for row in rows.rows(named=True)]
    open_ = (rows["verdict"] == "undecided").any()
    return Finding(
        f"{head}: {'; '.join(texts)}.", "open" if open_ else "sure", "declaring"
    )


def _said(row: Row) -> str:
    said = {
        "ending": "ending would have been better",
        "going on": "going on was better",
        "within": "it comes to the same within a point",
        "undecided": "which is better is undecided",
    }
    return (
        f"of the moments at which {row['strategy']} plays a Special with cards left it "
        f"ends {share(row)}; where it goes on, the round adds {number(row, 'on own')} "
        f"to it and {number(row, 'on others')} to each other, where ending would have "
        f"added {number(row, 'end own')} and {number(row, 'end others')}, on the same "
        f"deal: {said[row['verdict']]} ({number(row, 'better')} gained on the others)"
    )


SECTION = ReportSection(section, MEASURES, tables)
