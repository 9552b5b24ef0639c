"""The section of a report on the things that seats hold."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import polars as pl

from reports.counts import Counts
from reports.formatting import join_words
from reports.game_report import ReportSection, SectionParts
from reports.ledger.ledger import FINAL, Ledger
from reports.ledger.trends import stability
from reports.ledger.what_ifs import brake, ginis, worth
from reports.measure_tables import MeasureTable, Number, side_by_side
from reports.report_data import ReportData
from reports.report_document import Column, Finding
from reports.search_vs_baseline import search_vs_baseline

_INEQUALITY = {f"{FINAL} gini": 0.02, f"{FINAL} gini beyond chance": 0.02}
ALIKE = {"idle": 0.05, "wasted": 0.05, "growth": 0.25, "inflation": 0.25} | _INEQUALITY
"""Tolerances within which numbers are alike, whoever plays."""
COUNTED = "counted in every game, not estimated"


def section(
    ledgers: Sequence[Ledger],
    note: str = "",
    own: ReportSection | None = None,
    title: str = "Economy",
    *,
    records: tuple[str, ...] = (),
) -> ReportSection:
    """Return the section of a game's ledgers.

    ``own`` comes after them, without a heading. ``records``: notes that ledgers read.
    """
    own = ReportSection() if own is None else own
    measures = [m for ledger in ledgers for m in ledger.measures]

    def counted(read: Any) -> Iterator[Counts]:
        for ledger in ledgers:
            yield from ledger.counts(read)
        if own.counts is not None:
            yield from own.counts(read)

    return ReportSection(
        partial(_shown, tuple(ledgers), note, own.contents),
        (*measures, *own.measures),
        own.tidy,
        counted,
        (*records, *own.records),
        ledgers=tuple(ledgers),
        id="economy",
        title=title,
        question="What do players gain and spend, and what is more of it worth?",
        what_ifs=own.what_ifs,
    )


def _shown(
    ledgers: Sequence[Ledger],
    note: str,
    own: Callable[[ReportData], Any],
    data: ReportData,
) -> SectionParts:
    used = [
        ledger for ledger in ledgers if data.leading(ledger.measure_name("idle")).height
    ]
    absent = join_words([ledger.name for ledger in ledgers if ledger not in used])
    none = f"In these rules nobody has {absent}." if absent else ""
    yield " ".join(filter(None, (f"With {data.who}.", note, none)))
    for ledger in used:
        yield from _of(ledger, data)
    yield from own(data)


def _of(ledger: Ledger, data: ReportData) -> SectionParts:
    """Yield all tables and findings about a thing."""
    yield _flows(ledger, data)
    if ledger.wasted or not ledger.gathered:
        yield _totals(ledger)
    if not ledger.gathered:
        yield from stability(ledger, data)
    yield from worth(ledger, data)
    if ledger.has_gini:
        yield from ginis(ledger, data)
    yield from brake(ledger, data)
    yield from search_vs_baseline(
        data,
        f"{ledger.id}-search",
        f"{ledger.title} if everyone searches",
        {
            ledger.measure_name(name): tolerance
            for name, tolerance in ALIKE.items()
            if ledger.wasted or name != "wasted"
            if ledger.has_gini or name not in _INEQUALITY
        },
    )
    if ledger.checked:
        yield from _astray(ledger, data)


def _flows(ledger: Ledger, data: ReportData) -> MeasureTable:
    """Return the account by time, for the leading lineup and if all search."""
    signs = dict.fromkeys(ledger.sources, "+ ") | dict.fromkeys(
        ledger.sinks, "\N{MINUS SIGN} "
    )
    titles = {"before": "before", "after": "= after"}
    numbers = [
        Number(
            ledger.measure_name(name),
            titles.get(name, signs.get(name, "") + name),
            name="estimate" if name == "before" else name,
        )
        for name in ledger.entries
        if not data.leading(ledger.measure_name(name)).is_empty()
    ]
    numbers.append(Number(ledger.measure_name("velocity"), "velocity", name="velocity"))
    if ledger.gains:
        numbers.append(
            Number(ledger.measure_name("yield"), "points for one", name="yield")
        )
    searches = pl.col("kind") == "search"
    more = (side_by_side(part, numbers, searches) for part in data.search_data)
    return MeasureTable(
        ledger.id,
        f"{ledger.title} of a {ledger.whose}, by {ledger.time}",
        "Each row is an account: before + what comes \N{MINUS SIGN} what goes = after. "
        "Velocity is the share of what is held and comes that is used.",
        (
            "players",
            Column("lineup", "lineup", "who plays; a name alone: in every seat"),
            ledger.time,
            *numbers,
        ),
        rows=pl.concat([side_by_side(data, numbers), *more], how="vertical_relaxed"),
    )


def _totals(ledger: Ledger) -> MeasureTable:
    name, time = ledger.name, ledger.time
    lost = [Number(ledger.measure_name("wasted"), "wasted", name="wasted")]
    return MeasureTable(
        f"{ledger.id}-use",
        f"{ledger.title}: what happens to them, and whether they grow",
        f"Idle: held at the end of the game, that is, {ledger.idle}. "
        + (f"Wasted: {', '.join(ledger.wasted)}. " if ledger.wasted else "")
        + f"Growth: how much more {name} a {ledger.whose} holds at the end than after "
        f"the first {time}, as a multiple of what comes in a {time}. Inflation: what "
        f"comes in the last {time}, as a multiple of what comes in the first.",
        (
            "players",
            Number(ledger.measure_name("idle"), "idle"),
            *(lost if ledger.wasted else ()),
            Number(ledger.measure_name("growth"), "growth", name="growth"),
            Number(ledger.measure_name("inflation"), "inflation", name="inflation"),
        ),
        n=Column("n", "n", f"{name} that came", "count"),
    )


def _astray(ledger: Ledger, data: ReportData) -> Iterator[Finding]:
    """Say if what is held is not what came less what went, which is an error."""
    by_these_rules = pl.col("kind") != "beside"  # others are played for other sections
    rows = data.raw(ledger.measure_name("astray")).filter(by_these_rules)
    wrong, total = int(rows["y"].sum()), int(rows["x"].sum())
    if wrong:
        text = f"Conservation fails: {wrong:,} {ledger.name} of {total:,} are astray"
        yield Finding(
            f"{text}: more or fewer than came and went.", "sure", tested=COUNTED
        )
