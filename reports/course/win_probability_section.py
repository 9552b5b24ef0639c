"""The tables about chances to win and decisions tried during games."""

from typing import Any

import polars as pl

from reports.course import turning_points
from reports.course.turning_points import WHAT
from reports.course.win_probability import WIN_MEASURES
from reports.course.win_probability_tables import calibration_error
from reports.figure_specs import dots, lines
from reports.formatting import estimated, share
from reports.game_report import SectionParts
from reports.measure_tables import MeasureTable
from reports.report_data import ReportData
from reports.report_document import Column
from reports.strategy_differences import strategy_differences

_WHAT = Column("what", "what", "name of the number")
_TOLERANCE = 0.02
"""Shares that differ by less than 2 points are alike."""
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
    head = f"Decisions, {data.players} players"
    yield from strategy_differences(rows, "what", data, _TOLERANCE, head, words=share)
    if "kinds" in data.story and data.story["kinds"].height > 1:
        yield from _kinds(data, _both(data, "kinds"))


def _kinds(data: ReportData, rows: pl.DataFrame) -> SectionParts:
    """Yield the table of the kinds of decision, and where strategies differ in them."""
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
