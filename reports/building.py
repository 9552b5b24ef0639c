"""Building the report of any game from what a run found."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any

import polars as pl

from reports import glossary, new_rows
from reports.game_report import ENDS, GameReport, ReportSection
from reports.measures import Measure
from reports.page import Exhibit, Finding, Report, Section, Sentence
from reports.report_data import CELL, ReportData
from reports.robust_words import ID as ROBUST
from reports.scorecard import own_runs, page_one
from reports.scorecard.lines import LINES, SECONDS, Line
from reports.scorecard.score import Run, scores
from reports.scorecard.sentences import place, sentences
from reports.search_rows import with_search

_CHECKS = (page_one.TAKEN, own_runs.LUCK, own_runs.WORTH, ROBUST)
"""Sections that back others up, and stand in the appendix."""


@dataclass(frozen=True)
class Searched:
    """What was found of tables with searchers, and the games of each cell."""

    sums: pl.DataFrame
    cells: pl.DataFrame
    games: int


def build(  # noqa: PLR0913 - all that a report is made of
    report: GameReport,
    known: Mapping[str, Measure],
    sums: pl.DataFrame,
    cells: pl.DataFrame,
    about: Mapping[str, Any],
    searched: Sequence[Searched] = (),
    *,
    lines: tuple[Line, ...] = LINES,
    seconds: float = SECONDS,
    left_out: str = "",
    brief: bool = False,
    story: Mapping[str, pl.DataFrame] | None = None,
    own: Mapping[str, Any] | None = None,
    begun: Callable[[Sequence[Exhibit]], None] | None = None,
) -> Report:
    """Make the report of a run.

    known: the measures that every detailed run of the game has. sums: a row a cell,
    measure and group, as ``reports.measures`` adds them up. cells: a row a cell with
    the columns of ``report_data.CELL``. about: title (of the game), begins (who has the
    first position, in words), games (of each cell; fewer: those of some, by cell; ends:
    games of those, by cell, of which only the end is counted), lead (the lineup that
    findings are about), rules, printed (those of the base game), seed, version,
    follow_ups (``reports.follow_ups``), searched and windfalls (as of
    ``scorecard.score.Run``), and texts to print: simulated, differences, assumed and
    all_rules, as rows of words; added (rows of tables that the base lacks). searched:
    of the cells in which somebody searches. full (in about): whether tables are told of
    them too. lines: those of the scorecard. seconds: of a decision. left_out: what was
    left out, in a sentence. brief: page one only. story: tables of the course of whole
    games, by name. own: what lines with runs of their own are made of (luck, worth).
    begun: is told of exhibits as they are made, which may be drawn from then on.
    """

    def data(sums: pl.DataFrame, cells: pl.DataFrame, games: int) -> ReportData:
        return _data(report, known, sums, cells, games, about, story)

    fewer = about.get("fewer", {})
    search = [data(one.sums, one.cells, one.games) for one in searched]
    found = data(sums, cells, about["games"])
    ends = about.get("ends", {})
    found = replace(found, searched=search, fewer=fewer, ends=ends)
    shown = () if brief else report.sections
    told = with_search if about.get("full") else partial(ReportSection.of, keeps=True)
    sections: tuple[Section, ...] = ()
    for section in shown:
        sections += (told(section, found),)
        if begun is not None:
            begun(sections[-1].exhibits)
    games = sum(fewer.get(at, found.games) for at in cells["cell"])
    games += sum(ends.values())
    games += sum(one.cells.height * one.games for one in searched)
    run = Run(
        found,
        search,
        report.undecided,
        about["begins"],
        seconds,
        lines=lines,
        searched=about.get("searched", {}),
        windfalls=about.get("windfalls", ()),
        **(own or {}),
    )
    backing = (page_one.taken(run), own_runs.luck(run), own_runs.worth(run))
    several = not cells.filter(kind="self").is_empty()
    if shown and several:  # ways to play, not one lineup
        sections = run.robustness.told(sections)
    added = None if brief else new_rows.section(found, about.get("added", ()))
    sections = (*sections, *filter(None, [added]))
    sections = _ordered((*sections, *filter(None, backing)), lines, report.first)
    ids = [section.id for section in sections]
    in_words = {name: put(about["rules"]) for name, put in report.assumed.items()}
    return Report(
        title=f"{about['title']}: balance report",
        subtitle=f"{games:,} games of fairdeal "
        f"{about['version']}, seed {about['seed']}",
        simulated=about["simulated"],
        findings=_once(chain.from_iterable(section.findings for section in sections)),
        sections=sections,
        differences=about["differences"],
        assumed=tuple(
            (name, in_words.get(name, value), why)
            for name, value, why in about["assumed"]
        ),
        rules=about["all_rules"],
        verdict=page_one.verdict(
            run, ids, left_out, [name for name, *_ in about["assumed"]]
        ),
        appendix=tuple(one for one in ids if one in _CHECKS),
        glossary=(
            *glossary.of_page(),
            *(
                (m.name, m.doc, m.kind, ", ".join(m.by))
                for m in found.measures.values()
            ),
            *((c.name, c.doc, "group", "") for c in found.columns.values()),
        ),
    )


def early(
    report: GameReport,
    known: Mapping[str, Measure],
    sums: pl.DataFrame,
    cells: pl.DataFrame,
    about: Mapping[str, Any],
    *,
    lines: tuple[Line, ...] = LINES,
    seconds: float = SECONDS,
) -> tuple[Sentence, ...]:
    """What is surely wrong by these sums alone, in sentences; as ``build``."""
    found = _data(report, known, sums, cells, about["games"], about)
    run = Run(
        found,
        (),
        report.undecided,
        about["begins"],
        seconds,
        lines=lines,
    )
    told = sentences(scores(run), advice=False)
    return tuple(one for one in told if one.sure != "open")


def _data(
    report: GameReport,
    known: Mapping[str, Measure],
    sums: pl.DataFrame,
    cells: pl.DataFrame,
    games: int,
    about: Mapping[str, Any],
    story: Mapping[str, pl.DataFrame] | None = None,
) -> ReportData:
    return ReportData(
        sums,
        cells.select(pl.col(name).cast(type_) for name, type_ in CELL.items()),
        games,
        about["rules"],
        about["lead"],
        {**known, **report.measures},
        report.columns,
        story or {},
        printed=about.get("printed", {}),
        plays_on=about.get("plays_on"),
        follow_ups=about.get("follow_ups", {}),
        told_there=report.read_in(ENDS) or frozenset(),
    )


def _ordered(
    sections: Sequence[Section], lines: Sequence[Line], first: str
) -> tuple[Section, ...]:
    """The sections in the order of the scorecard's lines, checks at the end."""
    ids = [section.id for section in sections if section.id not in _CHECKS]
    wanted = [place(line, ids) for line in lines]
    order = [first, *dict.fromkeys(filter(None, wanted)), *ids, *_CHECKS]
    return tuple(sorted(sections, key=lambda section: order.index(section.id)))


def _once(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings without those that say again what another said."""
    return tuple({finding.text: finding for finding in findings}.values())
