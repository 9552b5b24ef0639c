"""The section of a report on the course of a game, common to all games."""

from collections.abc import Callable
from typing import Any

import polars as pl

from reports.bounded_claims import RowsClaim
from reports.claims import Claim
from reports.course import decisions
from reports.course.course_tables import changes
from reports.course.measures import (
    BEYOND,
    BY_CHANCE,
    CHANGES,
    COURSE_MEASURES,
    GAMES_BY_CHANGES,
    LEADS,
    MEASURES,
    counts,
)
from reports.course.standings import Standings
from reports.course.win_probability_section import win_probability_section
from reports.figure_specs import dots
from reports.formatting import (
    PLAYERS,
    estimated,
    join,
    percent,
    renamed,
    share,
)
from reports.game_report import ReportSection, SectionParts
from reports.measure_tables import MeasureTable, VerdictColumn
from reports.report_data import ReportData
from reports.report_document import Column, Finding
from reports.search_vs_baseline import search_vs_baseline
from reports.statistics.equivalence import sureness
from reports.verdicts import how_tested

TOLERANCE = 0.05
"""Differences from chance matter beyond 5 points (lead changes: 0.25 a game)."""
_CHANGES_ALIKE = 0.25
_PLACE = pl.col("what").cast(pl.Enum([what.name for what in COURSE_MEASURES]))
_NULL = (
    "By chance: as if rounds were independent, with the rounds of each game in random "
    "order and each dealt to the seats anew; the seat that gets the winner's rank wins."
)


def section(
    standing: Callable[[Any], Standings | None],
    note: str,
    own: ReportSection | None = None,
    title: str = "Course of the game",
    *,
    records: tuple[str, ...] = (),
    with_decisions: bool = True,
) -> ReportSection:
    """Return the section of a game.

    ``standing`` returns how seats stand in what the report reads, or None if that is
    unknown; ``records`` are the notes that it reads. ``note`` says who is ahead, and
    what a round is. ``own`` has the game's own tables, shown without a heading.
    """
    own = ReportSection() if own is None else own

    def counted(read: Any) -> list[Any]:
        seats = standing(read)
        return [
            *(counts(seats) if seats is not None else ()),
            *(decisions.decision_counts(read) if with_decisions else ()),
            *(own.counts(read) if own.counts is not None else ()),
        ]

    options = decisions.OPTIONS if with_decisions else ()
    return ReportSection(
        measures=(*MEASURES, GAMES_BY_CHANGES, *options, *own.measures),
        tidy=own.tidy,
        counts=counted,
        records=(decisions.DECISIONS, *records, *own.records),
        standing=standing,
        id="course",
        title=title,
        question="Who is ahead when, and can those behind still win?",
        what_ifs=own.what_ifs,
        intro=f"With {{who}}. {note}",
        tables=(AGAINST_CHANCE, LEAD, _changes, win_probability_section, own.contents),
        claims=(_leading, AGAINST, _with_search),
    )


def _against_chance(data: ReportData) -> pl.DataFrame:
    """Return measures as played, by chance, and the difference, by players."""
    parts = []
    for what in COURSE_MEASURES:
        rows = data.leading(what.name)
        for ending, name in ((BY_CHANCE, "chance"), (BEYOND, "beyond")):
            beside = renamed(data.leading(f"{what.name} {ending}"), ("players",), name)
            rows = join(rows, beside, ("players",))
        parts.append(rows.with_columns(what=pl.lit(what.name)))
    main = pl.col("players") == data.players
    return pl.concat(parts).with_columns(main=main)


AGAINST_CHANCE = MeasureTable(
    "course-measures",
    "Leads, comebacks and how soon games are decided, against chance",
    "; ".join(f"{of.name}: {of.doc}" for of in COURSE_MEASURES if of.name != CHANGES)
    + f". {_NULL} Only the difference says something about the game.",
    (
        Column("what", "what", "name of the measure"),
        PLAYERS,
        estimated("as played", "share of games, or of the game", "share"),
        estimated(BY_CHANCE, "if rounds were independent", "share", "chance"),
        estimated("difference", "as played less by chance", "points", "beyond"),
        VerdictColumn(TOLERANCE, "5 points", {}, "beyond", ("players",)),
    ),
    source=_against_chance,
    where=pl.col("what") != CHANGES,
    rows=lambda rows: rows.sort(_PLACE, "players"),
    draw=dots(
        "what", "as played less by chance, %", "beyond", by="players", reference=0
    ),
)
LEAD = MeasureTable(
    "course-lead",
    "Changes of the lead, against chance",
    f"A change counts when another seat becomes the sole leader. {_NULL}",
    (
        PLAYERS,
        estimated("as played", "changes a game"),
        estimated(BY_CHANCE, "if rounds were independent", name="chance"),
        estimated("difference", "as played less by chance", name="beyond"),
        VerdictColumn(_CHANGES_ALIKE, "0.25 changes", {}, "beyond", ("players",)),
    ),
    source=_against_chance,
    where=pl.col("what") == CHANGES,
)
AGAINST = RowsClaim(
    "Against independent rounds, {players} players, {who}",
    AGAINST_CHANCE,
    "what",
    {"above": "more than by chance", "below": "less"},
    where=pl.col("main"),
    many=len(COURSE_MEASURES),
)


def _changes(data: ReportData) -> SectionParts:
    yield changes(
        data, "The first leader does not count.", "changes of the sole leader"
    )


def _with_search(data: ReportData) -> SectionParts:
    limits = dict.fromkeys((what.name for what in COURSE_MEASURES), TOLERANCE)
    limits[CHANGES] = _CHANGES_ALIKE
    title = "The course if everyone searches"
    yield from search_vs_baseline(data, "course-search", title, limits)


_LEADING = {LEADS: "the leader", "comeback": "last place"}
"""The measures whose differences from chance are tested in other ways to play."""
_SIDES = {
    "above": "over 5 points more",
    "below": "over 5 points less",
    "within": "that is within 5 points",
    "undecided": "whether that is over 5 points apart is undecided",
}


def leading_claims(players: int) -> dict[str, Claim]:
    """Return what is claimed of who wins from ahead, and from behind, by measure."""
    return {
        name: Claim(
            f"wins of {whose} at half-time",
            f"{name} {BEYOND}",
            players,
            even=0.0,
            reference="chance",
            tolerance=TOLERANCE,
        )
        for name, whose in _LEADING.items()
    }


def _leading(data: ReportData) -> SectionParts:
    """Yield findings on who wins from ahead, and from behind, against chance."""
    rows = AGAINST_CHANCE.rows_of(data).filter("main").drop_nulls("estimate")
    by = {row["what"]: row for row in rows.to_dicts()}
    for name, claim in leading_claims(data.players).items():
        if name not in by:
            continue
        row = by[name]
        yield Finding(
            f"Course, {data.players} players, {data.who}: {_LEADING[name]} at "
            "half-time wins "
            f"{share(row)} of the games won, and by chance {percent(row['chance'])}, "
            f"if rounds were independent: {_SIDES[row['verdict']]}.",
            sureness(row["verdict"]),
            claim=claim,
            tested=how_tested("5 points", "measures", len(by), data.games),
        )
