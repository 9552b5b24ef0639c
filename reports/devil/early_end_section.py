"""Declaring: what ending a round brings, against going on with the same deal."""

import polars as pl

from reports.devil import early_end_comparison, early_end_what_ifs
from reports.devil.early_end_comparison import TOLERANCE
from reports.devil.early_end_measures import MEASURES, band_words, tables
from reports.devil.labels import card_words
from reports.figure_specs import dots
from reports.formatting import Row, estimated, join, number, renamed, share
from reports.game_report import ReportSection, SectionParts
from reports.measure_tables import MeasureTable, Number, WordColumn
from reports.report_data import ReportData
from reports.report_document import Column, Finding
from reports.verdicts import how_tested, with_verdict

_COSTS = "own hand costs"
_BETTER = "points gained on the others by ending instead"
_WENT_ON = (
    Number("end own", "ending: own", name="end own"),
    Number(
        "end others",
        "ending: others",
        "points that it would have added to each other",
        "end others",
    ),
    Number("on own", "going on: own", name="on own"),
    Number("on others", "going on: others", name="on others"),
    Number("better", "ending better", name="better"),
    Column("verdict", "verdict", "which way gains more than a point; Holm, 95 %"),
)


def section(data: ReportData) -> SectionParts:
    """Yield who declares when, what it brings, and what going on brings."""
    pairs = early_end_comparison.early_end_differences(data)
    yield (
        "Whoever plays a Special with cards left may end the round. That adds twice "
        "the cost of their own hand, so it pays where the others hold much more."
    )
    yield _strategies(data)
    cost = WordColumn("words", _COSTS, _COSTS, band_words, "band")
    yield _moments(data, "band", cost, "the cost of the player's hand")
    card = WordColumn("words", "card played", "card played", card_words, "card")
    yield _moments(data, "card", card, "the Special played")
    yield early_end_comparison.table_of(data, pairs)
    yield early_end_comparison.finding(data, pairs)
    yield _finding_went_on(data)


def end_vs_go_on(data: ReportData, only: pl.Expr, by: str = "") -> pl.DataFrame:
    """Return a row per strategy (and group): how often it ends, what both bring."""
    group, more = (f" by {by}", (by,)) if by else ("", ())
    keys = ("cell", "strategy", *more)
    table = data.of(f"declared{group}", only=only)
    for name in [part.name for part in _WENT_ON if isinstance(part, Number)]:
        rows = data.of(f"{name}{group}", only=only).filter(ends=0)
        table = join(table, renamed(rows, keys, name), keys)
    sides = {"above": "ending", "below": "going on"}
    return with_verdict(table, TOLERANCE, sides, "better")


def _strategies(data: ReportData) -> MeasureTable:
    keys = ("cell", "strategy")
    table = data.of("declared", only=data.uniform)
    columns = []
    for ends, words in ((1, "ended"), (0, "went on")):
        for name in ("own cost", "others' cost"):
            rows = data.of(name, only=data.uniform).filter(ends=ends)
            title = f"{name}, {words}"
            table = join(table, renamed(rows, keys, title), keys)
            doc = f"{name} at moments when the player {words}"
            columns.append(estimated(title, doc, name=title))
    return MeasureTable(
        "declaring-strategies",
        "Who declares, and with what in hand",
        f"Each strategy at a table of its own kind, {data.players} players. Costs "
        "are those of the hands at that moment, doubled for the Specials in them.",
        ("strategy", Number("declared", "ended"), *columns),
        rows=table,
        draw=dots("strategy", "moments at which the round was ended, %"),
        n=Column("n", "n", "moments at which a round could be ended", "count"),
    )


def _moments(data: ReportData, by: str, column: WordColumn, title: str) -> MeasureTable:
    table = end_vs_go_on(data, data.leads(data.players), by)
    several = table["strategy"].n_unique() > 1
    by_strategy = "strategy" if several else None
    return MeasureTable(
        f"declaring-{by}",
        f"Ended or went on, by {title}",
        f"With {data.who}, {data.players} players. Points of the round, at moments "
        "when somebody went on: what ending would have added, and what the round did "
        "add in the end, on the same deal. More points are worse.",
        (
            *(["strategy"] if several else []),
            column,
            Number("declared", "ended"),
            *_WENT_ON,
        ),
        rows=table.sort("strategy", by, maintain_order=True),
        draw=dots("words", _BETTER, "better", by=by_strategy, reference=0),
        n=Column("on own_n", "n went on", "moments when the player went on", "count"),
    )


def _finding_went_on(data: ReportData) -> Finding:
    head = f"Going on, {data.players} players, {data.who}"
    rows = end_vs_go_on(data, data.leads(data.players)).drop_nulls("better_se")
    if rows.is_empty():
        return Finding(f"{head}: nobody went on.", "open")
    texts = [_strategy_words(row) for row in rows.to_dicts()]
    open_ = (rows["verdict"] == "undecided").any()
    tested = how_tested(f"{TOLERANCE:g} point", "strategies", rows.height, data.games)
    text = f"{head}: {'; '.join(texts)}."
    return Finding(text, "open" if open_ else "sure", tested=tested)


def _strategy_words(row: Row) -> str:
    verdicts = {
        "ending": "ending would have been better",
        "going on": "going on was better",
        "within": "both are equal within one point",
        "undecided": "which is better is undecided",
    }
    return (
        f"{row['strategy']} ends the round {share(row)} of the times that it plays a "
        f"Special with cards left; where it goes on, the round adds "
        f"{number(row, 'on own')} to it and {number(row, 'on others')} to each other "
        f"seat, and ending would have added {number(row, 'end own')} and "
        f"{number(row, 'end others')}, on the same deal: {verdicts[row['verdict']]} "
        f"({number(row, 'better')} gained on the others)"
    )


SECTION = ReportSection(
    section,
    MEASURES,
    tables,
    records=("declaring", "round"),
    id="declaring",
    title="Declaring: to end the round, or to go on",
    question="What is it worth to end the round, or to go on?",
    what_ifs=(early_end_what_ifs.WHAT_IFS,),
)
