"""Pledges: which squares pay, which are dead, and which pay too much."""

from collections.abc import Iterator

import numpy as np
import polars as pl

from reports.counts import Counts
from reports.figure_specs import dots
from reports.formatting import LINEUPS, join, join_words, number, renamed
from reports.game_report import ReportSection, SectionParts
from reports.kunitame import board, claim_counterfactuals, square_counts, what_ifs
from reports.kunitame.game_arrays import KunitameArrays
from reports.kunitame.tidy_tables import gems
from reports.measure_tables import MeasureTable, Number
from reports.pledges import pledge_parts
from reports.report_data import ReportData
from reports.report_document import Column, Finding
from reports.simultaneous_intervals import simultaneous_intervals
from reports.statistics.equivalence import judge

DEAD = 0.10
"""A square is dead in a week in which fewer gems are won from it than this."""
OVER_VALUED = 1.5
"""A square is over-valued if it pays more than this times the mean of its kind."""

MEASURES = (*board.MEASURES, *square_counts.MEASURES, *claim_counterfactuals.MEASURES)
_RATES = ("met", "open", "claimed", "contested", "refilled", "worth")
_GAMES = Column("paid_n", "n", "games", "count")


def section(data: ReportData) -> SectionParts:
    """Yield what each square pays, by week, position, strategy and players."""
    squares = judge_squares(data)
    yield (
        f"With {data.who}, {data.players} players unless stated otherwise. Squares "
        "are tested on every trick, or on a seat's tricks at liquidation; a square is "
        "met if its condition holds."
    )
    yield MeasureTable(
        "pledges-points",
        "Points won from each square in a game",
        "All seats together. Returned 3-point gems may lie on 1-point squares, too.",
        (
            "square",
            Column("gem", "gem", "value of the gem printed on it", "count"),
            Number("paid by square", "points", name="paid"),
            Number("worth by square", "when met", name="worth"),
            Number("ever claimed by square", "ever won", name="ever"),
            Column("dead", "dead in week", "weeks in which it is dead, if shown"),
            Column("verdict", "verdict", "over-valued, if shown"),
            LINEUPS,
        ),
        rows=squares,
        draw=dots("square", "points a game", "paid", by="kind"),
        n=_GAMES,
    )
    heading = "Weeks in which two or more seats met a square"
    yield MeasureTable(
        "pledges-use",
        "How often each square is met, open, claimed, contested and refilled",
        "A trick or liquidation that meets an open square may claim its gem, or "
        "another one.",
        ("square", *(Number(f"{n} by square", n, name=n) for n in _RATES[:-1])),
        rows=squares,
        draw=dots("square", "share of the weeks, %", "contested", heading=heading),
        n=_GAMES,
    )
    yield from board.shown(data)
    yield from pledge_parts(claim_counterfactuals.SQUARES, data, "paid by square")
    yield from _findings(data, squares)


def judge_squares(data: ReportData) -> pl.DataFrame:
    """Return every square with its rates, dead weeks, and whether it is over-valued."""
    by = ("square",)
    rows = board.kinds(data).with_columns(kind=_kind())
    for name in ("paid", *_RATES, "ever claimed"):
        part = data.leading(f"{name} by square", players=data.players)
        rows = join(rows, renamed(part, by, name.partition(" ")[0]), by)
    rows = rows.filter(pl.col("paid").is_not_null())
    rows = rows.with_columns(par=pl.col("paid").mean().over("gem", "when"))
    spread = data.spread("paid by square")
    spread = spread.filter(players=data.players).drop("players")
    rows = join(_over_valued(rows), spread, by)
    return join(rows, _dead_weeks(data), by).with_columns(pl.col("dead").fill_null(""))


def _kind() -> pl.Expr:
    """Return the printed gem and the time of testing, in words."""
    when = pl.col("when").replace_strict(
        {"trick": "every trick", "all": "liquidation", "rank": "rank of tricks"},
        default="other",
    )
    return pl.format("{}-point gem, {}", pl.col("gem"), when)


def _over_valued(rows: pl.DataFrame) -> pl.DataFrame:
    """Flag the squares that pay far more than their kind.

    The mean of a kind is estimated from the same games: the standard error assumes that
    its parts are perfectly negatively correlated, so it is never too small.
    """
    kind = ("gem", "when")
    part = OVER_VALUED / pl.len().over(kind)
    error, every = pl.col("paid_se"), pl.col("paid_se").sum().over(kind)
    rows = rows.with_columns(
        over=pl.col("paid") - OVER_VALUED * pl.col("par"),
        over_se=(1 - part).abs() * error + part * (every - error),
    )
    verdicts = judge(rows["over"], rows["over_se"], -np.inf, 0.0)
    words = ["over-valued" if side == "outside" else "" for side in verdicts]
    rows = rows.drop("over", "over_se")
    return rows.with_columns(pl.Series("verdict", words, dtype=pl.String))


def _dead_weeks(data: ReportData) -> pl.DataFrame:
    """Return the weeks in which each square is shown to be dead, in words."""
    rows = data.leading("claims by square and week", players=data.players)
    verdicts = judge(rows["estimate"], rows["se"].fill_null(1 / data.games), DEAD, 99.0)
    rows = rows.filter(pl.Series(verdicts, dtype=pl.String) == "outside")
    weeks = rows.sort("week").group_by("square", maintain_order=True)
    return weeks.agg(dead=pl.col("week").cast(pl.String).str.join(", "))


def _findings(data: ReportData, rows: pl.DataFrame) -> SectionParts:
    if rows.is_empty():
        yield Finding("Pledges: no data.", "open")
        return
    head = f"Pledges, {data.players} players, {data.who}: "
    for text in (_dead_words(data, rows), _over_valued_words(rows)):
        yield Finding(f"{head}{text}.", "")


def _dead_words(data: ReportData, rows: pl.DataFrame) -> str:
    last = str(data.rules["weeks"])
    weeks = rows["dead"].str.split(", ")
    never = rows.filter(weeks.list.len() == data.rules["weeks"], pl.col("dead") != "")
    at_end = rows.filter(weeks.list.contains(last))
    limit = f"fewer than {DEAD:g} gems are won from them a week"
    if at_end.is_empty():
        return f"no square is shown to be dead in the last week ({limit})"
    names = join_words(at_end["square"].to_list())
    whole = (
        f"; in every week: {join_words(never['square'].to_list())}"
        if never.height
        else "; none is dead in every week"
    )
    return f"dead in the last week ({limit}) are {names}{whole}"


def _over_valued_words(rows: pl.DataFrame) -> str:
    rows = simultaneous_intervals(rows, "paid")
    part = rows.filter(verdict="over-valued").sort("paid", descending=True)
    limit = f"more than {OVER_VALUED:g} times the points of its kind"
    if part.is_empty():
        return f"no square is shown to be used for {limit}"
    texts = [
        f"{row['square']} ({number(row, 'paid')} points a game, its kind "
        f"{row['par']:.2f}, over all lineups {row['lineups']})"
        for row in part.iter_rows(named=True)
    ]
    return (
        f"used most, as players choose what they claim ({limit}; this is not what it "
        f"is worth): {join_words(texts)}"
    )


def _tables(played: KunitameArrays) -> dict[str, pl.DataFrame]:
    return {"gems": gems(played), **claim_counterfactuals.tables(played)}


def _counts(played: KunitameArrays) -> Iterator[Counts]:
    yield from square_counts.of_squares(played)
    yield from claim_counterfactuals.counts(played)


SECTION = ReportSection(
    section,
    MEASURES,
    _tables,
    _counts,
    ("deal", "gem", "liquidation", "trick"),
    id="pledges",
    title="Pledges",
    question="What does each square pay, and what is it worth?",
    what_ifs=(what_ifs.CONTRACTS,),
)
