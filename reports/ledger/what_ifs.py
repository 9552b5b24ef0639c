"""Tables and findings on experiments (one more, no brake) and on inequality."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from reports.figure_specs import dots, lines
from reports.formatting import estimated, number, points
from reports.game_report import SectionParts
from reports.ledger.ledger import FINAL, GINIS, Ledger
from reports.ledger.paired_effects import BRAKES, GRANTED, OF_SEARCH
from reports.measure_tables import MeasureTable, Number
from reports.report_data import ReportData
from reports.report_document import Column, Finding
from reports.statistics.equivalence import judge, label
from reports.strategy_differences import strategy_differences
from reports.verdicts import how_tested

WORTH = 0.01
"""A worth of less than a point of win share counts as none."""
ALIKE = 0.25
"""Amounts received or gained in a round that differ by less are alike."""


def worth(ledger: Ledger, data: ReportData) -> SectionParts:
    """Yield what one more is worth, given on the same deals."""
    given = ledger.given or ledger.name
    rows = _story_of(data, GRANTED, given)
    if rows.is_empty():
        return
    unit = rows["unit"][0]
    time = Column("time", unit, f"{unit} in which it is given", "count")
    alone = f" The one search player sits among {data.lead}, and is given it."
    has_points = "points" in rows.columns and rows["points"].null_count() == 0
    yield MeasureTable(
        f"{ledger.id}-worth",
        f"What one more of the {given} is worth, by {unit}",
        f"{data.players} players, {data.who}. At the moment named, one seat is given "
        "one more, and the game is played on; it is compared with the same game "
        "without. Both have the same deals and chance, and differ in nothing else."
        f"{alone if rows['strategy'].n_unique() > 1 else ''}",
        (
            "strategy",
            time,
            estimated("win share", "with one more, less without", "points"),
            *([estimated("points", _POINTS, name="points")] if has_points else ()),
        ),
        rows=rows.with_columns(when=pl.format("{} {}", "unit", "time")),
        draw=dots(
            "when",
            "win share with one more, less without, %",
            by="strategy",
            reference=0,
        ),
        n=Column("n", "n", "deals", "count"),
    )
    for part in rows.partition_by("strategy", maintain_order=True):
        yield _worth_to(part, data, given, unit)
    head = f"One more of the {given}, {data.players} players"
    when = pl.format("{} {}", "unit", "time").alias("when")
    yield from strategy_differences(rows.with_columns(when), "when", data, WORTH, head)


_POINTS = "points at the end with one more, less without"


def _worth_to(rows: pl.DataFrame, data: ReportData, given: str, unit: str) -> Finding:
    """Return the finding on what one more is worth to a strategy."""
    times, who = rows.to_dicts(), rows["strategy"][0]
    whose = data.who if who == data.lead else f"to one {who} among {data.lead}"
    verdicts = judge(rows["estimate"], rows["se"], -WORTH, WORTH)
    best, least = (
        pick(times, key=lambda row: row["estimate"] or 0.0) for pick in (max, min)
    )
    spread = f", and least in {unit} {least['time']}: {points(least)}"
    spread = spread if len(times) > 1 else ""
    return Finding(
        f"One more of the {given}, {data.players} players, {whose}: it is "
        f"worth most in {unit} {best['time']}: {points(best)} points of win "
        f"share{spread}. Shown to be worth over {100 * WORTH:g} point: "
        f"{_times(times, verdicts, unit, 1)}; to cost as much: "
        f"{_times(times, verdicts, unit, -1)}.",
        label(verdicts),
        tested=how_tested(
            f"{100 * WORTH:g} point",
            f"{unit}s",
            len(times),
            min(row["n"] for row in times),
            "deals",
        ),
    )


def _story_of(data: ReportData, table: str, thing: str) -> pl.DataFrame:
    """Return a table of the story about a thing, of the leading strategy and search."""
    tables = (data.story.get(f"{table}{of}") for of in ("", OF_SEARCH))
    parts = [rows.filter(thing=thing) for rows in tables if rows is not None]
    return pl.concat(parts, how="diagonal_relaxed") if parts else pl.DataFrame()


def _times(rows: Sequence[Any], verdicts: Sequence[str], unit: str, side: int) -> str:
    here = [
        str(row["time"])
        for row, verdict in zip(rows, verdicts, strict=True)
        if verdict == "outside" and side * row["estimate"] > 0
    ]
    return f"{unit} {', '.join(here)}" if here else "never"


_OFTEN = pl.col("n") * 20 >= pl.col("n").max().over("players")  # one game in twenty


def ginis(ledger: Ledger, data: ReportData) -> SectionParts:
    """Yield how unequal seats are, compared with independent rounds."""
    names = [*GINIS]
    what = ledger.name if ledger.wealth is None else "points"
    yield MeasureTable(
        f"{ledger.id}-gini",
        f"How unequal seats are in {what} at the end of each {ledger.time}",
        f"Gini index of the {what}: 0 if all are equal, near 1 if one has all; less "
        f"than 0 counts as 0. By chance: the {ledger.time}s of the game in another "
        "order, each dealt to the seats anew. More than by chance: the rich get "
        "richer; less: those behind are helped. Before the end, they also differ if "
        f"early {ledger.time}s bring more, or less, than late ones."
        + (" Points are owed: less is better." if ledger.owed else "")
        + f" The figure shows each {ledger.time} that one game in twenty reaches.",
        (
            "players",
            ledger.time,
            Number(ledger.measure_name(names[0]), "Gini"),
            Number(ledger.measure_name(names[1]), "by chance", name="chance"),
            Number(ledger.measure_name(names[2]), "difference", name="beyond"),
        ),
        draw=lines(
            ledger.time, "Gini index, less by chance", "beyond", by="table", only=_OFTEN
        ),
    )
    played, last, rows = (
        data.leading(ledger.measure_name(name), players=data.players).to_dicts()
        for name in (names[0], f"{FINAL} {names[0]}", f"{FINAL} {names[2]}")
    )
    if not rows:
        return
    (end,) = rows
    (verdict,) = judge([end["estimate"]], [end["se"]], -WORTH, WORTH)
    side = "more" if end["estimate"] > 0 else "less"
    words = {
        "outside": f"{side} unequal than with independent {ledger.time}s",
        "within": f"as unequal as with independent {ledger.time}s",
        "undecided": f"undecided whether it is as with independent {ledger.time}s",
    }[verdict]
    yield Finding(
        f"Inequality in {what}, {data.players} players, {data.who}: the Gini index is "
        f"{number(played[0])} after the first {ledger.time} and {number(last[0])} at "
        f"the end, {number(end)} against independent "
        f"{ledger.time}s: {words} (by {WORTH:g}).",
        label([verdict]),
        tested=how_tested(f"{WORTH:g}", "number", 1, end["n"]),
    )


def brake(ledger: Ledger, data: ReportData) -> SectionParts:
    """Yield what the brake does, compared with the same deals without it."""
    rows = _story_of(data, BRAKES, ledger.name)
    if rows.is_empty() or ledger.brake is None:
        return
    without = rows["rule"][0]
    yield MeasureTable(
        f"{ledger.id}-brake",
        f"What holds back the leader: {ledger.name} with the brake and without",
        f"{data.players} players, the strategy in every seat. The same deals twice: by "
        f"the rules in force, and with {without}. Seats that lead or are last together "
        "count a part each.",
        (
            "strategy",
            Column("what", "what", "whose, and what"),
            estimated("in force", "by the rules in force"),
            estimated("without", f"with {without}", name="without"),
            estimated("difference", "in force less without", name="more"),
        ),
        rows=rows,
        n=Column("n", "n", "deals", "count"),
    )
    for part in rows.partition_by("strategy", maintain_order=True):
        yield _braked(part, data, without)
    for end, words in (("wins", points), ("next", number)):
        part = rows.filter(pl.col("what").str.ends_with(end))
        tolerance = WORTH if end == "wins" else ALIKE
        head = f"Brake, {data.players} players, in force less without, {end}"
        yield from strategy_differences(
            part, "what", data, tolerance, head, "more", words
        )


_OVER = {
    "outside": f"by over {100 * WORTH:g}",
    "within": f"by under {100 * WORTH:g}",
    "undecided": f"undecided whether by over {100 * WORTH:g}",
}


def _braked(rows: pl.DataFrame, data: ReportData, without: str) -> Finding:
    """Return the finding on what the brake does if all play a strategy."""
    who = rows["strategy"][0]
    wins = rows.filter(pl.col("what").str.ends_with("wins"))
    receives = rows.filter(pl.col("what").str.contains("receives"))
    verdicts = judge(wins["more"], wins["more_se"], -WORTH, WORTH)
    texts = [f"{row['what']} {number(row, 'more')}" for row in receives.to_dicts()]
    texts += [
        f"{row['what']} {points(row, 'more')} points ({_OVER[verdict]})"
        for row, verdict in zip(wins.to_dicts(), verdicts, strict=True)
    ]
    return Finding(
        f"Brake, {data.players} players, {who} in every seat: on the same deals, by "
        f"the rules in force less with {without}: {'; '.join(texts)}.",
        label(verdicts),
        tested=how_tested(
            f"{100 * WORTH:g} point",
            "shares",
            len(verdicts),
            min(wins["n"].drop_nulls(), default=0.0),
            "deals",
        ),
    )
