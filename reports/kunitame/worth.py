"""What contracts are worth: the same deals with and without them.

The currency is the chance of winning, which Life gems and points both feed. With K
and B the mean change of the win share where the contract was kept and where it was
broken, a made rate m is worth m K + (1 - m) B, which is 0 at m = B / (B - K).
"""

from collections.abc import Sequence

import polars as pl

from reports.drawing import dots, lines
from reports.formatting import Row, estimated, joined, listed, named, points, share
from reports.game_report import Parts
from reports.kunitame import risk
from reports.page import Column, Finding
from reports.report_data import ReportData
from reports.statistics.equivalence import label
from reports.tabled import Number, Table
from reports.verdicts import with_verdict

ENOUGH = 100
"""Contracts that were declined in fewer games than this are left out."""
TOLERANCE = 0.01
"""A change of the win share smaller than 1 point counts as none."""

CONTRACT = ("target", "stake")
_VALUES = ("tricks_more", "week_more", "score_more", "lives_more", "won_more")
_FORMULA = "worth = mean over games of (won with the contract - won without)"
_BREAK_EVEN = (
    f"{_FORMULA}. break-even = B / (B - K): K, B = the same mean where it was kept, "
    "broken. It rests on these staying as they are; interval by the delta method; none "
    "where K is not surely above B; 0 or 1, without an interval, where it surely lies "
    "outside: such a contract pays even where broken, or costs even where kept"
)
_CVAR = (
    "CVaR = mean of the worst 10 % of (points at the end with - without); points count "
    "0 where the seat is eliminated"
)
_GAMES = Column("made_n", "n", "games in which it was declined once", "count")
_HOW = (
    "In every game one seat declines its contract of one week, all else equal. "
    f"Contracts declined in fewer than {ENOUGH} games are left out."
)
_MADE = Number("kept", "made", name="made")
_EVEN = estimated("break-even", "made rate where the worth would be 0", "share", "even")
_VERDICT = Column("verdict", "verdict", "against 1 point; Holm over the table, 95 %")
_SIDES = {"above": "pays", "below": "costs"}
_WORTH = (Number("won_more", "worth", name="won_more"), _VERDICT)
_BRINGS = (
    Number("tricks_more", "tricks", name="tricks_more"),
    Number("week_more", "Devils", name="week_more"),
    Number("score_more", "value", "points at the end, with less without", "score_more"),
    Column("cvar", "CVaR 10 %", "mean of the worst tenth of these values", "number"),
    Number("lives_more", "lives", name="lives_more"),
)


def shown(data: ReportData) -> Parts:
    """What contracts are worth: all weeks together, and each."""
    pooled = in_words(contracts(data)).sort("target", "stake", "strategy")
    weekly, weeks = contracts(data, "week"), _by_week(data)
    by_week = ("strategy", "week", *CONTRACT)
    change = "change of the win share, %"
    more = "points in the week, with less without"
    yield Table(
        "contracts-worth",
        "What contracts are worth in win share, all weeks together",
        _HOW,
        ("strategy", *CONTRACT, _MADE, *_WORTH),
        rows=pooled,
        draw=dots("contract", change, "won_more", by="strategy", reference=0),
        formula=_FORMULA,
        n=_GAMES,
    )
    yield Table(
        "contracts-value",
        "What contracts bring in points and cost in lives, all weeks together",
        "On the same deals. Devils: what the Devil cards bring, with the play for the "
        "contract. Value: the expected value of the contract in points at the end.",
        ("strategy", *CONTRACT, *_BRINGS),
        rows=pooled,
        draw=dots("contract", more, "week_more", by="strategy", reference=0),
        formula=_CVAR,
        n=_GAMES,
    )
    yield Table(
        "contracts-worth-week",
        "What contracts are worth in win share, by week",
        "Only in the last week may all Life gems be staked, and lost.",
        (*by_week, _MADE, _EVEN, *_WORTH),
        rows=weekly,
        formula=_BREAK_EVEN,
        n=_GAMES,
    )
    yield Table(
        "contracts-value-week",
        "What contracts bring in points and cost in lives, by week",
        "As above.",
        (*by_week, *_BRINGS),
        rows=weekly,
        formula=_CVAR,
        n=_GAMES,
    )
    worth = Number("won_more in all", "worth")
    yield Table(
        "contracts-weeks-worth",
        "What it is worth to make the contracts of a week",
        "All contracts of the seat in that week, on one square or several, against "
        "none; on the same deals.",
        ("strategy", "week", *_BRINGS[1:3], worth, _VERDICT),
        rows=weeks,
        draw=lines("week", change, by="strategy", reference=0),
    )
    yield from _findings(data, weekly, weeks)


def in_words(rows: pl.DataFrame) -> pl.DataFrame:
    """Add the contract in words."""
    return rows.with_columns(
        contract=pl.format("exactly {}, stake {}", "target", "stake")
    )


def contracts(data: ReportData, *more: str) -> pl.DataFrame:
    """A row a strategy, target and stake (and week): made, worth, break-even, CVaR."""
    groups = ("strategy", *more, "target", "stake")
    table = named(risk.pooled(data, "kept", groups), groups, "made")
    for name in _VALUES:
        part = named(risk.pooled(data, name, groups), groups, name)
        table = joined(table, part, groups)
    table = joined(table, risk.break_even(data, groups), groups)
    table = joined(table, risk.tail(data, groups), groups)
    table = table.filter(pl.col("made_n") >= ENOUGH, pl.col("target") >= 0)
    return with_verdict(table.sort(groups), TOLERANCE, _SIDES, "won_more")


def _by_week(data: ReportData) -> pl.DataFrame:
    """The worth of all contracts of a week, by strategy."""
    groups = ("strategy", "week")
    rows = risk.pooled(data, "won_more in all", groups)
    for name in ("week_more", "score_more"):
        part = named(risk.pooled(data, f"{name} in all", groups), groups, name)
        rows = joined(rows, part, groups)
    return with_verdict(rows, TOLERANCE, _SIDES)


def _findings(data: ReportData, rows: pl.DataFrame, weeks: pl.DataFrame) -> Parts:
    """Which contracts pay in which weeks, to each strategy that makes any."""
    if rows.is_empty():
        text = "Contracts: too few were made to tell what they are worth."
        yield Finding(text, "open")
        return
    first = data.lead if data.lead in rows["strategy"] else rows["strategy"][0]
    usual = rows.filter(
        pl.col("strategy") == first,
        pl.col("made_n") == pl.col("made_n").max().over("strategy", "week"),
    )
    head = f"The usual contract, with {data.players} players and {first} in every seat"
    yield _finding(head, usual.rows(named=True))
    for part in weeks.partition_by("strategy", maintain_order=True):
        yield _weekly(part["strategy"][0], part)


def _finding(head: str, rows: Sequence[Row]) -> Finding:
    texts = [
        f"in week {row['week']} ({row['stake']} on exactly {row['target']}) it is kept "
        f"{share(row, 'made')} of the time, {_breaks(row)}, and is worth "
        f"{points(row, 'won_more')} points of win share: {_SAID[str(row['verdict'])]}"
        for row in rows
    ]
    told = label(str(row["verdict"]) for row in rows)
    return Finding(f"{head}: {'; '.join(texts)}.", told)


def _breaks(row: Row) -> str:
    if row["even"] is None:
        return "no clear break-even"
    if row["even_low"] is None:
        return "pays even where broken" if row["even"] == 0 else "costs even where kept"
    return f"breaks even at {share(row, 'even')}"


def _weekly(name: str, rows: pl.DataFrame) -> Finding:
    texts = [
        f"{points(row)} in week {row['week']} ({_SAID[row['verdict']]})"
        for row in rows.rows(named=True)
    ]
    text = (
        f"Making contracts, rather than none on the same deals, changes the win share "
        f"of {name} among its own kind by {listed(texts)} points."
    )
    return Finding(text, label(rows["verdict"]))


_SAID = {
    "pays": "it pays",
    "costs": "it costs",
    "within": "less than a point",
    "undecided": "undecided",
}
