"""The tables and findings about chances to win and decisions tried during games."""

from typing import Any

import polars as pl

from reports.course import turning_points
from reports.course.turning_points import WHAT
from reports.course.win_probability import WIN_MEASURES
from reports.course.win_probability_tables import calibration_error
from reports.figure_specs import dots, lines
from reports.formatting import estimated, points, share
from reports.game_report import SectionParts
from reports.measure_tables import MeasureTable
from reports.report_data import ReportData
from reports.report_document import Column, Finding
from reports.strategy_differences import strategy_differences

_WHAT = Column("what", "what", "name of the number")
_TOLERANCE = 0.02
"""Shares that differ by less than 2 points are alike."""
_ENOUGH = 16
"""Kinds of decision that were tried less often are not compared in findings."""
_MODEL = (
    "A logit of standing, gap to the best other, and time, fitted on half of the games "
    "and measured on the other half; it knows how seats stand and nothing else"
)


def win_probability_section(data: ReportData) -> SectionParts:
    """Yield chances to win, their calibration, and what decisions matter, if known."""
    story = data.story
    if "odds" in story:
        yield from _chances(data)
    if "turns" in story:
        yield from _turns(data, _both(data, "turns"))


def _chances(data: ReportData) -> SectionParts:
    tables = data.story
    error = calibration_error(tables["reliability"])
    n = Column("n", "n", "games measured", "count")
    yield MeasureTable(
        "course-odds",
        "The course in chances to win, against chance",
        f"{data.players} players. {_MODEL}. "
        + "; ".join(f"{what.name}: {what.doc}" for what in WIN_MEASURES)
        + ". By chance: if rounds were independent, with a model of their own.",
        (
            _WHAT,
            estimated("as played", "mean over games, or share of them", "share"),
            estimated("by chance", "if rounds were independent", "share", "chance"),
            estimated("difference", "as played less by chance", "points", "beyond"),
        ),
        rows=tables["odds"],
        draw=dots("what", "as played less by chance, %", "beyond", reference=0),
        n=n,
    )
    yield MeasureTable(
        "course-reliability",
        "Whether chances to win come true",
        f"{_MODEL}. The expected calibration error, the mean of |chance - share that "
        f"wins|, is {100 * error:.1f} points.",
        (
            Column("said", "chance", "mean chance of seats in this tenth", "share"),
            estimated("wins", "share of these seats that win", "share"),
        ),
        rows=tables["reliability"],
        draw=_draw_reliability,
    )
    if "odds of search" in tables:
        yield _of_search(data)
    yield MeasureTable(
        "course-fan",
        "How sure the winner is, as the game goes on",
        "The greatest chance of any seat: quantiles over games. In each tenth, half of "
        "the games are between the 25 % and the 75 % quantile.",
        (
            Column("tenth", "tenth", "tenths of the game that are over", "count"),
            Column("quantile", "quantile", "share of games with less"),
            estimated("chance", "greatest chance to win of any seat", "share"),
        ),
        rows=tables["fan"],
        draw=lines("tenth", "greatest chance to win, %", by="quantile"),
        n=n,
    )
    by = {row["what"]: row for row in tables["odds"].to_dicts()}
    chance = turning_points.median_chance
    half, late = (chance(tables["fan"], tenth) for tenth in (5, 9))
    yield Finding(
        f"Chances to win, {data.players} players, {data.who}: half-way, the greatest "
        f"chance is {share(half)} in a median game, after nine tenths {share(late)}; "
        f"the winner once had less than half an even chance in {share(by['comeback'])} "
        f"of the games ({points(by['comeback'], 'beyond')} points against independent "
        "rounds). Chances are estimated from standing alone, and off by "
        f"{100 * error:.1f} points on average.",
        "",
    )


def _of_search(data: ReportData) -> MeasureTable:
    """Return the table of chances to win if everyone searches."""
    rows = data.story["odds of search"]
    calibration = calibration_error(data.story["reliability of search"])
    return MeasureTable(
        "course-odds-search",
        "The course in chances to win if everyone searches",
        f"{data.players} players. Chances are from the model of {data.lead}'s games, "
        "so that only play makes the numbers differ; in the games of search players, "
        f"they are off by {100 * calibration:.1f} points on average.",
        (
            _WHAT,
            estimated(data.lead, "of the leading strategy", "share"),
            estimated("search", "if everyone searches", "share", "search"),
            estimated("difference", "search less the leading one", "points", "more"),
        ),
        rows=rows,
        draw=dots("what", "search less the leading one, %", "more", reference=0),
        n=Column("n", "n", "games of search players", "count"),
    )


def _draw_reliability(rows: pl.DataFrame, title: str) -> Any:
    """Draw the shares that win by their chance, and the line of perfect calibration."""
    ideal = rows.with_columns(pl.col("said").alias(end) for end in _ENDS)
    both = pl.concat(
        [rows.with_columns(what=pl.lit("won")), ideal.with_columns(what=pl.lit("said"))]
    ).with_columns((100 * pl.col("said")).alias("chance_said_in_percent"))
    return lines("chance_said_in_percent", "share that wins, %", by="what")(both, title)


_ENDS = ("estimate", "low", "high")


def _both(data: ReportData, table: str) -> pl.DataFrame:
    """Return a table of the leading strategy and, if there is one, of search."""
    parts = (data.story.get(f"{table}{of}") for of in ("", " of search"))
    return pl.concat([part for part in parts if part is not None])


def _turns(data: ReportData, rows: pl.DataFrame) -> SectionParts:
    alone = (
        f" The one search player sits among {data.lead}: the search player's decisions "
        f"are tried, and {data.lead} plays on."
    )
    yield MeasureTable(
        "course-turns",
        "How much a decision matters",
        f"{data.players} players. A sample of the decisions with several options. What "
        "the seat cannot know is dealt anew 32 times, each option is taken on the same "
        "deals, and the same strategies play on; so this holds for these players. The "
        "best option and the next are chosen on one half of the deals and measured on "
        f"the other.{alone if rows['strategy'].n_unique() > 1 else ''}",
        (
            "strategy",
            _WHAT,
            estimated("share", "of these decisions, or win share", "share"),
        ),
        rows=rows,
        draw=dots(
            "what",
            "share, %",
            by="strategy",
            only=pl.col("what") != turning_points.SEVERAL,
        ),
        n=Column("n", "n", "decisions", "count"),
    )
    for part in rows.partition_by("strategy", maintain_order=True):
        yield _turns_finding(data, part)
    head = f"Decisions, {data.players} players"
    yield from strategy_differences(rows, "what", data, _TOLERANCE, head, words=share)
    if "kinds" in data.story and data.story["kinds"].height > 1:
        yield from _kinds(data, _both(data, "kinds"))


def _turns_finding(data: ReportData, rows: pl.DataFrame) -> Finding:
    """Return the finding on how much the decisions of a strategy matter."""
    matters, dead, king, gap = (
        turning_points.table_row(rows, name)
        for name in ("matters", "dead", "kingmaker", "gap")
    )
    who = rows["strategy"][0]
    whose = data.who if who == data.lead else f"of one {who} among {data.lead}"
    kings = (
        f", and in {share(king)} that player cannot win but decides which other does "
        "(kingmaking)"
        if data.players > 2
        else ""
    )
    return Finding(
        f"Decisions, {data.players} players, {whose}: of those with several options "
        f"{share(matters)} are shown to matter by over a point of win share, "
        f"{share(dead)} change nothing for the player who decides{kings}; the best "
        "option wins "
        f"{points(gap)} points more than the next.",
        "",
    )


def _kinds(data: ReportData, rows: pl.DataFrame) -> SectionParts:
    """Yield the table and findings on which kinds of decision matter most."""
    yield MeasureTable(
        "course-kinds",
        "Which kinds of decision matter most",
        f"{data.players} players. The same decisions by kind; rare kinds are sampled "
        "more often than they occur. All numbers are per decision.",
        (
            "strategy",
            Column("kind", "kind", "kind of decision"),
            estimated("gap", "win share of the best option less the next", "points"),
            estimated("matters", WHAT["matters"], "share", "matters"),
            estimated("dead", WHAT["dead"], "share", "dead"),
            Column("part", "part", "share of all that have several options", "share"),
        ),
        rows=rows,
        draw=dots(
            "kind",
            "win share of the best option less the next, %",
            by="strategy",
            reference=0,
        ),
        n=Column("n", "n", "decisions", "count"),
    )
    head = f"Kinds of decision, {data.players} players, the best option less the next"
    yield from strategy_differences(rows, "kind", data, _TOLERANCE, head)
    known = rows.filter(pl.col("n") >= _ENOUGH, pl.col("low").is_not_null())
    known = known.filter(pl.col("strategy") == data.story["kinds"]["strategy"][0])
    if known.height < 2:
        return
    most, least = known.row(0, named=True), known.row(-1, named=True)
    distinct = most["low"] > least["high"]
    yield Finding(
        f"Kinds of decision, {data.players} players, {data.who}: {most['kind']!r} "
        f"matters most, as the best option wins {points(most)} points more than the "
        f"next, and {least['kind']!r} least: {points(least)}"
        f"{'' if distinct else '; their intervals overlap'}.",
        "",
    )
