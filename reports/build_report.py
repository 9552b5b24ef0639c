"""Building the report of any game from the sums of a run."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

import polars as pl

from reports import glossary, player_trust, strengths, variant_additions
from reports.claims import Claim
from reports.further_games import (
    LEADING,
    LeadingSums,
    SearchSums,
    Settle,
    open_claims,
    open_lines,
    with_further,
    with_looks,
)
from reports.game_report import GameReport, ReportSection
from reports.measures import Measure
from reports.report_data import CELL, ReportData
from reports.report_document import (
    Exhibit,
    Finding,
    ReportDocument,
    Section,
    SectionLink,
    Sentence,
)
from reports.robustness_text import ROBUSTNESS_ID
from reports.scorecard import auxiliary_runs, page_one
from reports.scorecard.lines import LINES, SECONDS
from reports.scorecard.score import ScorecardRun, scores
from reports.scorecard.score_line import ScoreLine
from reports.scorecard.sentences import section_to_see, sentences
from reports.search_player_rows import with_search

_CHECKS = (page_one.TAKEN, auxiliary_runs.LUCK, ROBUSTNESS_ID)
"""Sections that only support other numbers; they go to the appendix."""


def build(  # noqa: PLR0913 - all parts of a report
    report: GameReport,
    known: Mapping[str, Measure],
    sums: pl.DataFrame,
    cells: pl.DataFrame,
    about: Mapping[str, Any],
    searched: Sequence[SearchSums] = (),
    *,
    leading: Sequence[LeadingSums] = (),
    settle: Settle | None = None,
    lines: tuple[ScoreLine, ...] = LINES,
    seconds: float = SECONDS,
    left_out: str = "",
    made: Collection[str] | None = None,
    brief: bool = False,
    story: Mapping[str, pl.DataFrame] | None = None,
    own: Mapping[str, Any] | None = None,
    begun: Callable[[Sequence[Exhibit]], None] | None = None,
) -> ReportDocument:
    """Make the report of a run.

    known: the measures that every detailed run of the game has. sums: a row for each
    cell, measure and group, as ``reports.measures`` adds them up. cells: a row for each
    cell, with the columns of ``report_data.CELL``. about: title (of the game), begins
    (who has the first position, in words), games (of each cell; fewer: exceptions, by
    cell; ends: games by cell of which only the end is counted), lead (the lineup that
    findings are about; lead_called: what such players are called, if they are no
    heuristic; levels: the lineups of each strength of play), rules, printed (rules of
    the base game), seed, version, follow_ups (``reports.option_follow_ups``), searched
    and windfalls (as in ``ScorecardRun``), full (whether tables show search players,
    too), added (rows of tables that the base lacks), given (what all deals have in
    common, in words; deals: as a sentence), lead_told and unread (who leads, and that
    no player reads some rules, in words), and texts to print, as rows of words:
    simulated, differences, assumed and all_rules. searched: cells with search
    players; leading: the tables of the leading lineup; settle: plays more games of
    both. lines: lines of the scorecard. seconds:
    the time of a decision. left_out: a sentence on what was left out. made: the ids of
    the sections to make (None: all). brief: page one only. story: tables of the course
    of whole games, by name. own: data from runs of their own (luck, worth, trust).
    begun: a callback for exhibits as soon as they are made, so that drawing can begin.
    """

    def data(sums: pl.DataFrame, cells: pl.DataFrame, games: int) -> ReportData:
        return _data(report, known, sums, cells, games, about, story)

    def strong(
        tables: Sequence[SearchSums], claims: Sequence[Claim] = ()
    ) -> list[ReportData]:
        return [
            with_looks(data(table.sums, table.cells, table.games), table, claims)
            for table in tables
            if not isinstance(table, LeadingSums)
        ]

    fewer, ends = about.get("fewer", {}), about.get("ends", {})
    lead_data = replace(
        data(sums, cells, about["games"]),
        search_data=strong(searched),
        cell_games=fewer,
        outcome_games=ends,
    )
    several = not cells.filter(kind=LEADING).is_empty()
    played: list[SearchSums] = [*leading, *searched]

    def scorecard(data: ReportData) -> ScorecardRun:
        return ScorecardRun(
            data,
            data.search_data,
            tuple(report.undecided),
            seconds,
            lines=lines,
            searched=about.get("searched", {}),
            windfalls=about.get("windfalls", ()),
            option_player=report.option_player,
            **(own or {}),
        )

    if settle is not None and leading:
        played = settle.of(played, open_lines(lead_data, scorecard))
        lead_data = with_further(lead_data, played)
    every = () if brief else report.sections
    shown = [section for section in every if made is None or section.id in made]
    make = with_search if about.get("full") else partial(ReportSection.of, keeps=True)
    sections: tuple[Section, ...] = ()
    for section in shown:
        sections += (make(section, lead_data),)
        if begun is not None:
            begun(sections[-1].exhibits)
    if settle is not None and shown and several:
        claims = [own.claim for part in sections for own in part.findings if own.claim]
        left = open_claims(lead_data, claims, strong, tuple(report.undecided))
        played = settle.of(played, left)
        lead_data = replace(lead_data, search_data=strong(played, claims))
    games = sum(fewer.get(at, lead_data.games) for at in cells["cell"])
    games += sum(ends.values())
    games += sum(table.played for table in played)
    run = scorecard(lead_data)
    trust = (
        player_trust.section(run.player_trust)
        if player_trust.LINK.id in (made or ())
        else None
    )
    backing = (page_one.taken(run), auxiliary_runs.luck(run), trust)
    if shown and several:  # there are ways to play to compare
        budget = 0.0 if settle is None else settle.seconds
        sections = run.robustness.annotate(sections, budget)
    added = () if brief else about.get("added", ())
    sections = (*sections, *filter(None, [variant_additions.section(lead_data, added)]))
    sections = (*sections, *filter(None, backing))
    sections = strengths.add(sections, run) if shown else sections
    sections = _ordered(sections, lines, report.first)
    ids = [section.id for section in sections]
    in_words = {name: put(about["rules"]) for name, put in report.assumed.items()}
    return ReportDocument(
        title=f"{about['title']}: balance report",
        subtitle=f"{games:,} games of fairdeal "
        f"{about['version']}, seed {about['seed']}"
        + (f", given {about['given']}" if about.get("given") else ""),
        simulated=(
            *about["simulated"],
            *(row for table in played for row in _games_at(table)),
        ),
        findings=_once(chain.from_iterable(section.findings for section in sections)),
        sections=sections,
        differences=about["differences"],
        assumed=tuple(
            (name, in_words.get(name, value), why)
            for name, value, why in about["assumed"]
        ),
        rules=about["all_rules"],
        verdict=page_one.verdict(
            run,
            ids,
            left_out,
            [name for name, *_ in about["assumed"]],
            (
                about.get("deals", ""),
                about.get("lead_told", ""),
                strengths.reversal(run),
                about.get("unread", ""),
            ),
            {
                **page_one.how_games_end(
                    run, report.ends, report.undecided, report.lasts
                ),
                **{
                    found.why.line: found.why.words
                    for part in sections
                    for found in part.findings
                    if found.why
                },
            },
        ),
        left=tuple(
            SectionLink(section.id, section.title, section.question)
            for section in every
            if section not in shown
        ),
        appendix=tuple(id_ for id_ in ids if id_ in _CHECKS),
        glossary=(
            *glossary.of_page(),
            *(
                (m.name, m.doc, m.kind, ", ".join(m.by))
                for m in lead_data.measures.values()
            ),
            *((c.name, c.doc, "group", "") for c in lead_data.columns.values()),
        ),
    )


def backing_sections(report: GameReport, lines: Sequence[ScoreLine]) -> set[str]:
    """Return the ids of the sections that page one refers to, and of the first."""
    ids = [section.id for section in report.sections]
    return {section_to_see(line, ids) for line in lines} & {*ids} | {report.first} - {
        ""
    }


def early(
    report: GameReport,
    known: Mapping[str, Measure],
    sums: pl.DataFrame,
    cells: pl.DataFrame,
    about: Mapping[str, Any],
    *,
    lines: tuple[ScoreLine, ...] = LINES,
    seconds: float = SECONDS,
) -> tuple[Sentence, ...]:
    """Return sentences on what these sums alone show to be wrong; see ``build``."""
    data = _data(report, known, sums, cells, about["games"], about)
    run = ScorecardRun(data, (), tuple(report.undecided), seconds, lines=lines)
    problems = sentences(scores(run))
    return tuple(sentence for sentence in problems if sentence.sure != "open")


def _games_at(table: SearchSums) -> Iterator[tuple[str, str]]:
    """Yield how many games were played at a table of strong players, if any."""
    kind, players = table.cells.select("kind", "players").row(0)
    lineups = table.cells.height
    each = f" of each of {lineups} lineups" if lineups > 1 else ""
    if table.played:
        games = f"{table.played // lineups:,}{each}"
        yield f"games {_STRONG[kind]}, {players} players", games


_STRONG = {
    LEADING: "more of the leading lineup",
    "search": "with search players",
    "one": "with one search player",
    "paired": "with one search player who declines",
    "strong": "with strong players",
    "one strong": "with one strong player",
    "taught": "with players taught by heuristics",
    "one taught": "with one player taught by heuristics",
}
"""What the players of such tables are called, by the kind of the first cell."""


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
        base_rules=about.get("printed", {}),
        continuation=about.get("plays_on"),
        follow_ups=about.get("follow_ups", {}),
        lead_called=about.get("lead_called", ""),
        levels=about.get("levels", {}),
        begins=about["begins"],
    )


def _ordered(
    sections: Sequence[Section], lines: Sequence[ScoreLine], first: str
) -> tuple[Section, ...]:
    """Sort sections into the order of the scorecard's lines, with checks at the end."""
    ids = [section.id for section in sections if section.id not in _CHECKS]
    wanted = [section_to_see(line, ids) for line in lines]
    order = [first, *dict.fromkeys(filter(None, wanted)), *ids, *_CHECKS]
    return tuple(sorted(sections, key=lambda section: order.index(section.id)))


def _once(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Drop findings with the same text as another."""
    return tuple({finding.text: finding for finding in findings}.values())
