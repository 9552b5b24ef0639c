"""The section of a report on the course of a game, common to all games."""

from collections.abc import Callable
from functools import partial
from typing import Any

import polars as pl

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
    join_words,
    number,
    percent,
    points,
    renamed,
    share,
)
from reports.game_report import ReportSection, SectionParts
from reports.measure_tables import MeasureTable
from reports.report_data import ReportData
from reports.report_document import Column, Finding
from reports.search_vs_baseline import search_vs_baseline
from reports.statistics.equivalence import judge, label, sureness
from reports.verdicts import how_tested

TOLERANCE = 0.05
"""Differences from chance matter beyond 5 points (lead changes: 0.25 a game)."""
_TOLERANCES = {CHANGES: 0.25}
_ORDER = {what.name: place for place, what in enumerate(COURSE_MEASURES)}
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
        partial(_shown, note, own.contents),
        (*MEASURES, GAMES_BY_CHANGES, *options, *own.measures),
        own.tidy,
        counted,
        (decisions.DECISIONS, *records, *own.records),
        standing,
        id="course",
        title=title,
        question="Who is ahead when, and can those behind still win?",
        what_ifs=own.what_ifs,
    )


def claim(data: ReportData, subject: str, measure: str) -> Claim:
    """Return the claim that a measure is as by chance, to be tested in other ways."""
    return Claim(
        subject,
        f"{measure} {BEYOND}",
        data.players,
        even=0.0,
        reference="chance",
        tolerance=TOLERANCE,
    )


def _shown(
    note: str, more: Callable[[ReportData], Any], data: ReportData
) -> SectionParts:
    """Yield measures and their null models, changes of the lead, and the game's own."""
    yield f"With {data.who}. {note}"
    rows = _rows(data)
    fractions = pl.col("what") != CHANGES
    what = Column("what", "what", "name of the measure")
    yield MeasureTable(
        "course-measures",
        "Leads, comebacks and how soon games are decided, against chance",
        "; ".join(
            f"{of.name}: {of.doc}" for of in COURSE_MEASURES if of.name != CHANGES
        )
        + f". {_NULL} Only the difference says something about the game.",
        (
            what,
            PLAYERS,
            estimated("as played", "share of games, or of the game", "share"),
            estimated(BY_CHANCE, "if rounds were independent", "share", "chance"),
            estimated("difference", "as played less by chance", "points", "beyond"),
            Column("verdict", "5 points", _VERDICT),
        ),
        rows=rows.filter(fractions),
        draw=dots(
            "what", "as played less by chance, %", "beyond", by="players", reference=0
        ),
    )
    yield MeasureTable(
        "course-lead",
        "Changes of the lead, against chance",
        f"A change counts when another seat becomes the sole leader. {_NULL}",
        (
            PLAYERS,
            estimated("as played", "changes a game"),
            estimated(BY_CHANCE, "if rounds were independent", name="chance"),
            estimated("difference", "as played less by chance", name="beyond"),
            Column("verdict", "0.25", _VERDICT),
        ),
        rows=rows.filter(~fractions),
    )
    yield changes(
        data, "The first leader does not count.", "changes of the sole leader"
    )
    yield from win_probability_section(data)
    yield from _findings(data, rows.filter(players=data.players))
    yield from search_vs_baseline(
        data,
        "course-search",
        "The course if everyone searches",
        {of.name: _TOLERANCES.get(of.name, TOLERANCE) for of in COURSE_MEASURES},
    )
    yield from more(data)


_VERDICT = (
    "above or below: shown to differ from chance by more than this; within: by less; "
    "Holm over the measures"
)


def _rows(data: ReportData) -> pl.DataFrame:
    """Return measures as played, by chance, and the difference, by players."""
    parts = []
    for what in COURSE_MEASURES:
        rows = data.leading(what.name)
        for ending, name in ((BY_CHANCE, "chance"), (BEYOND, "beyond")):
            beside = renamed(data.leading(f"{what.name} {ending}"), ("players",), name)
            rows = join(rows, beside, ("players",))
        parts.append(rows.with_columns(what=pl.lit(what.name)))
    judged = []
    for part in pl.concat(parts).partition_by("players", maintain_order=True):
        most = [_TOLERANCES.get(name, TOLERANCE) for name in part["what"]]
        least = [-limit for limit in most]
        verdicts = judge(part["beyond"], part["beyond_se"], least, most)
        words = [
            verdict if verdict != "outside" else "above" if (more or 0) > 0 else "below"
            for verdict, more in zip(verdicts, part["beyond"], strict=True)
        ]
        judged.append(part.with_columns(verdict=pl.Series(words, dtype=pl.String)))
    rows = pl.concat(judged) if judged else pl.concat(parts).with_columns(verdict=None)
    place = pl.col("what").replace_strict(_ORDER, return_dtype=pl.Int64)
    return rows.sort(place, "players")


def _findings(data: ReportData, rows: pl.DataFrame) -> SectionParts:
    """Yield findings on where the course differs from chance."""
    by = {row["what"]: row for row in rows.drop_nulls("estimate").to_dicts()}
    if not set(_ORDER) <= set(by):
        return
    setting = f"{data.players} players, {data.who}"
    tested = how_tested("5 points or 0.25", "measures", len(by), data.games)
    for name, whose in _LEADING.items():
        row = by[name]
        yield Finding(
            f"Course, {setting}: {whose} at half-time wins {share(row)} of the games "
            f"won, {_SIDES[row['verdict']]} by chance ({percent(row['chance'])}: if "
            "its rounds were independent).",
            sureness(row["verdict"]),
            claim=claim(data, f"wins of {whose} at half-time", name),
            tested=tested,
        )
    names_by: dict[str, list[str]] = {word: [] for word in _VERDICT_WORDS}
    for name, row in by.items():
        word = row["verdict"]
        size = points if name != CHANGES else number
        value = "" if word == "within" else f" ({size(row, 'beyond')})"
        names_by[word].append(f"{name}{value}")
    texts = [
        _VERDICT_WORDS[word].format(join_words(names))
        for word, names in names_by.items()
        if names
    ]
    yield Finding(
        f"Against independent rounds, {setting} (5 points, or 0.25 changes of the "
        f"lead): {'; '.join(texts)}.",
        label(by[name]["verdict"] for name in by),
        tested=tested,
    )


_LEADING = {LEADS: "the leader", "comeback": "last place"}
"""The measures whose differences from chance are tested in other ways to play."""
_SIDES = {
    "above": "more than",
    "below": "less than",
    "within": "about as",
    "undecided": "perhaps not as",
}
_VERDICT_WORDS = {
    "above": "more than by chance: {}",
    "below": "less: {}",
    "within": "no different: {}",
    "undecided": "undecided: {}",
}
