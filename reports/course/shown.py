"""The section of a report on the course of a game, which is the same for all games."""

from collections.abc import Callable
from functools import partial
from typing import Any

import polars as pl

from reports.claims import Claim
from reports.course import decisions
from reports.course.followed import followed
from reports.course.measures import (
    BEYOND,
    BY_CHANCE,
    CHANGES,
    LEADS,
    MEASURES,
    SO_MANY,
    WHAT,
    counts,
)
from reports.course.parts import changes
from reports.course.standing import Standing
from reports.drawing import dots
from reports.formatting import (
    PLAYERS,
    estimated,
    joined,
    listed,
    named,
    number,
    percent,
    points,
    share,
)
from reports.game_report import Parts, ReportSection, Shown
from reports.page import Column, Finding, Section
from reports.report_data import ReportData
from reports.searched import searched
from reports.statistics.equivalence import judge, label
from reports.tabled import Table
from reports.verdicts import how_tested

TOLERANCE = 0.05
"""Course measures differ from chance by more than 5 points, or changes of the lead by
more than 0.25 a game, or they do not matter."""
_MOST = {CHANGES: 0.25}
_ORDER = {what.name: place for place, what in enumerate(WHAT)}
_NULL = (
    "By chance: the rounds of each game in another order, and each dealt to the seats "
    "anew, as independent rounds would have it; whoever comes to the rank at which the "
    "game was won wins."
)


def section(
    standing: Callable[[Any], Standing | None],
    note: str,
    own: ReportSection | None = None,
    title: str = "Course of the game",
    *,
    records: tuple[str, ...] = (),
    with_decisions: bool = True,
) -> ReportSection:
    """The section of a game.

    ``standing`` finds how seats stand in what the report reads; None where that is not
    told; ``records`` are the notes that it reads. ``note`` says what stands for it, and
    what a round is. ``own`` has what the game tells besides: it is shown without a
    heading.
    """
    own = ReportSection(_nothing) if own is None else own

    def counted(read: Any) -> list[Any]:
        found = standing(read)
        return [
            *(counts(found) if found is not None else ()),
            *(decisions.counts(read) if with_decisions else ()),
            *(own.counts(read) if own.counts is not None else ()),
        ]

    options = decisions.OPTIONS if with_decisions else ()
    return ReportSection(
        partial(_shown, title, note, own.show),
        (*MEASURES, SO_MANY, *options, *own.measures),
        own.tables,
        counted,
        (decisions.DECISIONS, *records, *own.records),
        standing,
        elsewhere=own.elsewhere,
        tabled=own.tabled,
    )


def _nothing(_: ReportData) -> Parts:
    """A game tells no more than all."""
    return iter(())


def claim(data: ReportData, subject: str, measure: str) -> Claim:
    """That a measure is as by chance; to be tried with other ways to play."""
    return Claim(
        subject,
        f"{measure} {BEYOND}",
        data.players,
        even=0.0,
        called="chance",
        tolerance=TOLERANCE,
    )


def _shown(
    title: str, note: str, more: Callable[[ReportData], Any], data: ReportData
) -> Shown:
    """Measures beside their null models, changes of the lead, and the game's own."""
    yield Section("course", title, f"With {data.who}. {note}")
    rows = _rows(data)
    fractions = pl.col("what") != CHANGES
    what = Column("what", "what", "name of the measure")
    yield Table(
        "course-measures",
        "Leads, comebacks and how soon games are decided, against chance",
        "; ".join(f"{one.name}: {one.doc}" for one in WHAT if one.name != CHANGES)
        + f". {_NULL} Only the difference says something of the game.",
        (
            what,
            PLAYERS,
            estimated("as played", "share of games, or of the game", "share"),
            estimated(BY_CHANCE, "of independent rounds", "share", "chance"),
            estimated("difference", "as played less by chance", "points", "beyond"),
            Column("verdict", "5 points", _VERDICT),
        ),
        rows=rows.filter(fractions),
        draw=dots(
            "what", "as played less by chance, %", "beyond", by="players", reference=0
        ),
        formula="; ".join(f"{one.name} = {one.formula}" for one in WHAT),
    )
    yield Table(
        "course-lead",
        "Changes of the lead, against chance",
        f"A change is counted when another seat becomes sole leader. {_NULL}",
        (
            PLAYERS,
            estimated("as played", "changes a game"),
            estimated(BY_CHANCE, "of independent rounds", name="chance"),
            estimated("difference", "as played less by chance", name="beyond"),
            Column("verdict", "0.25", _VERDICT),
        ),
        rows=rows.filter(~fractions),
    )
    yield changes(data, "The first leader is none.", "changes of the sole leader")
    yield _options(data)
    yield from followed(data)
    yield from _findings(data, rows.filter(players=data.players))
    yield from searched(
        data,
        "course-search",
        "The course where everybody searches",
        {what.name: _MOST.get(what.name, TOLERANCE) for what in WHAT},
    )
    yield from more(data)


_VERDICT = (
    "above or below chance by surely more than this, within: surely less; Holm over "
    "the measures"
)


def _rows(data: ReportData) -> pl.DataFrame:
    """A row a measure and number of players: as played, by chance, the difference."""
    parts = []
    for what in WHAT:
        rows = data.leading(what.name)
        for ending, name in ((BY_CHANCE, "chance"), (BEYOND, "beyond")):
            beside = named(data.leading(f"{what.name} {ending}"), ("players",), name)
            rows = joined(rows, beside, ("players",))
        parts.append(rows.with_columns(what=pl.lit(what.name)))
    found = []
    for part in pl.concat(parts).partition_by("players", maintain_order=True):
        most = [_MOST.get(name, TOLERANCE) for name in part["what"]]
        least = [-one for one in most]
        verdicts = judge(part["beyond"], part["beyond_se"], least, most)
        words = [
            one if one != "outside" else "above" if (more or 0) > 0 else "below"
            for one, more in zip(verdicts, part["beyond"], strict=True)
        ]
        found.append(part.with_columns(verdict=pl.Series(words, dtype=pl.String)))
    rows = pl.concat(found) if found else pl.concat(parts).with_columns(verdict=None)
    place = pl.col("what").replace_strict(_ORDER, return_dtype=pl.Int64)
    return rows.sort(place, "players")


def _options(data: ReportData) -> Table:
    """How much there is to decide."""
    rows = pl.concat(
        [
            data.leading(one.name).with_columns(what=pl.lit(one.name))
            for one in decisions.OPTIONS
        ]
    )
    return Table(
        "course-decisions",
        "Decisions of a game, and options at one",
        "A decision is one choice of one player; of all players together.",
        (
            Column("what", "what", "what is counted"),
            PLAYERS,
            estimated("mean", "mean number"),
        ),
        rows=rows,
    )


def _findings(data: ReportData, rows: pl.DataFrame) -> Parts:
    """What the course is, and where it is not what chance would give."""
    players = data.players
    by = {row["what"]: row for row in rows.drop_nulls("estimate").rows(named=True)}
    if not set(_ORDER) <= set(by):
        yield Finding("Course: no data.", "open")
        return

    def told(name: str, words: Callable[..., str] = share) -> str:
        digits = number(by[name], "chance") if name == CHANGES else ""
        chance = digits or percent(by[name]["chance"])
        return f"{words(by[name])} (by chance {chance.partition(' [')[0]})"

    yield Finding(
        f"Course, {players} players, {data.who}: of the games won, who leads at "
        f"half-time wins {told(LEADS)}, who is last {told('comeback')}; the lead "
        f"changes {told(CHANGES, number)} times a game, and is final after "
        f"{told('decisiveness')} of it. By chance: of the same rounds, were they "
        "independent.",
        "",
        claim=claim(data, "wins of who leads at half-time", LEADS),
    )
    said: dict[str, list[str]] = {word: [] for word in _SAID}
    for name, row in by.items():
        word = row["verdict"]
        size = points if name != CHANGES else number
        value = "" if word == "within" else f" ({size(row, 'beyond')})"
        said[word].append(f"{name}{value}")
    texts = [
        words.format(listed(names))
        for (_, words), names in zip(_SAID.items(), said.values(), strict=True)
        if names
    ]
    yield Finding(
        f"Against independent rounds, {players} players, {data.who} (5 points, or 0.25 "
        f"changes of the lead): {'; '.join(texts)}.",
        label(by[name]["verdict"] for name in by),
        tested=how_tested("5 points or 0.25", "measures", len(by), data.games),
    )
    yield Finding(
        f"Comebacks, {players} players, {data.who}: who is last at half-time wins "
        f"{told('comeback')} of the games won.",
        "",
        claim=claim(data, "wins of who is last at half-time", "comeback"),
    )


_SAID = {
    "above": "surely more than by chance: {}",
    "below": "surely less: {}",
    "within": "no different: {}",
    "undecided": "undecided: {}",
}
