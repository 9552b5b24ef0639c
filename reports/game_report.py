"""The declaration of a game's report: what is counted, and what is shown.

A game declares one in ``reports/GAME/report.py``:

    REPORT = GameReport(records=("deal", "trick", "result"), reads=DevilArrays,
                        sections=(seats.SECTION, cards.SECTION), groups=(WEEK,))

A section is data, in a file of its own:

    SECTION = ReportSection(
        id="returns",
        title="Returns",
        question="How often do players give a gem back, and what does it cost?",
        intro="With {who}.",
        measures=(RETURNED, COST),
        counts=counts,
        tables=(
            MeasureTable("returns-week", "How often a gem goes back, by week", "",
                         ("players", "week", Number("returned", "returned"))),
        ),
        claims=(
            BoundedClaim("In week 1 {value} of the tricks cost a gem: {verdict}",
                         "returned", {"within": ...}, most=0.5, where={"week": 1}),
        ),
    )

There is prose only where a test could have failed: a claim (``reports.bounded_claims``)
becomes a finding with its verdict, and what only describes is a table. Where a
declaration does not do, a function of the data stands in its place.

A worker plays games, prepares the recorded notes (``reads``), and counts every measure
of every section (``counts_of``). When all games are played, sections show the data.
A report makes the sections that page one refers to, and others when asked for; a
section says which games it needs beyond those of all sections (``what_ifs``).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cache, cached_property
from itertools import chain
from typing import Any

import polars as pl

from reports.counts import Counts
from reports.formatting import GROUPS
from reports.measure_tables import MeasureTable
from reports.measures import Measure
from reports.paired_differences import PairedDifferences
from reports.report_data import CELL, ReportData
from reports.report_document import Column, Exhibit, Finding, Section
from reports.table_counts import RowCounter, row_counters

_SIDES = ("one", "other")
"""Columns of comparisons: no group may have such a name."""
Raw = Mapping[str, pl.DataFrame]
"""What was recorded: a table for each kind of note, with a row for each note."""
About = Mapping[str, Any]
"""About the cell that was played: players, rules, words (vocabularies), and more."""
Tables = Mapping[str, pl.DataFrame]
WantedCells = Callable[[Mapping[str, Any]], Sequence[Mapping[str, Any]]]
"""Returns the cells of a kind that a report wants, as plain data, given the rules."""

SectionParts = Iterator[str | MeasureTable | Exhibit | Finding]
"""What a section yields: its introduction, then tables and findings."""
Presenter = Callable[[ReportData], Iterable[str | MeasureTable | Exhibit | Finding]]
"""Makes tables or findings that depend on the data; claims are such functions, too."""


NOT_RELEARNED = (
    "Other rules than those of this report are played by players who did not relearn; "
    "fairdeal compare tells what players make of them who adapt."
)
"""What a section says that shows games by other rules."""


def no_cells(_: Mapping[str, Any]) -> tuple[()]:
    """Return no cells, whatever the rules."""
    return ()


@dataclass(frozen=True, eq=False)
class WhatIfs:
    """Cells for comparisons: the same games with one thing changed.

    ``decline``: a seat declines a decision once. ``trials``: cards are taken out of a
    deal once. For these two, ``pairs`` says what is compared in both games of a pair
    (with ``records`` beyond the report's), and ``measures`` are counted in its table.
    ``other_rules``: other rules, played by the leading strategy or the given ones.
    ``counterfactuals``: decisions tried with every option.
    ``forbidden``: options that one player, or nobody, may take, in games that are
    otherwise the same. A report has one set of what-ifs with ``pairs``, and one that
    tries or forbids options.
    """

    decline: WantedCells = no_cells
    trials: WantedCells = no_cells
    other_rules: WantedCells = no_cells
    counterfactuals: WantedCells = no_cells
    forbidden: WantedCells = no_cells
    pairs: PairedDifferences | None = None
    measures: Sequence[Measure] = ()
    records: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class ReportSection:
    """A section of a game's report.

    ``id`` names the section, ``title`` is its heading, and ``question`` says what it
    answers; parts of another section have none. ``intro``, ``tables`` and ``claims``
    are what it shows, as declarations, or as functions of the data; ``show`` yields the
    introduction, in place of ``intro``, and parts that come before the tables.
    ``what_ifs``: games that it needs and other sections do not; sections that name the
    same object share its games.
    ``measures`` are counted in ``tidy`` tables, by name, or, without a table, as arrays
    in ``counts`` (a ``reports.counts.grid`` for each). Both are made from what the
    report ``reads``, or the section itself; sections may share them. ``groups`` are
    those of its measures that the report does not have.
    ``records`` are notes that it reads beyond the report's. ``standing`` returns how
    seats stand, in a section on the course of a game, and ``ledgers`` say what seats
    hold, in one on the economy.
    """

    show: Presenter | None = None
    measures: Sequence[Measure] = ()
    tidy: Callable[[Any], Tables] | None = None
    counts: Callable[[Any], Iterable[Counts]] | None = None
    records: tuple[str, ...] = ()
    standing: Callable[[Any], Any] | None = None
    ledgers: Sequence[Any] = ()
    id: str = ""
    title: str = ""
    question: str = ""
    what_ifs: tuple[WhatIfs, ...] = ()
    intro: str | Callable[[ReportData], str] = "With {who}."
    tables: Sequence[MeasureTable | Presenter] = ()
    claims: Sequence[Presenter] = ()
    reads: Callable[[Raw, About], Any] | None = None
    groups: Sequence[Column] = ()

    def check(self) -> None:
        """Raise ValueError for a missing name, or a measure that nothing counts."""
        if not (self.id and self.title and self.question):
            raise ValueError(f"section {self.id!r}: it needs id, title and question")
        for measure in self.measures:
            if (self.tidy if measure.table else self.counts) is None:
                missing = "tidy tables" if measure.table else "counts"
                raise ValueError(f"{measure.name}: its section has no {missing}")

    def of(self, data: ReportData, *, keeps: bool = False) -> Section:
        """Return the section made from the data.

        With ``keeps``, an error ends the section, which shows it below the parts made
        before; otherwise it is raised. Raises TypeError for a part of a wrong type.
        """
        parts: list[str | Exhibit | Finding] = []
        failed: Exception | None = None
        try:
            parts.extend(
                part.of(data) if isinstance(part, MeasureTable) else part
                for part in self._parts(data)
            )
        except Exception as error:
            if not keeps:
                raise
            parts, failed = parts or [""], error
        made = self._of(*parts)
        return made if failed is None else made.broken(failed)

    def contents(self, data: ReportData) -> SectionParts:
        """Yield tables and findings, as another section that this is part of does."""
        if self.show is not None:
            yield from self.show(data)
        for part in (*self.tables, *self.claims):
            yield from (part,) if isinstance(part, MeasureTable) else part(data)

    def _parts(self, data: ReportData) -> SectionParts:
        if self.show is None:
            intro = self.intro
            yield data.in_words(intro) if isinstance(intro, str) else intro(data)
        yield from self.contents(data)

    def _of(self, intro: Any, *parts: Any) -> Section:
        """Make the section from its introduction, exhibits and findings."""
        if not isinstance(intro, str):
            raise TypeError(f"{self.id}: a section begins with words, not with {intro}")
        if any(each.other_rules is not no_cells for each in self.what_ifs):
            intro = f"{intro} {NOT_RELEARNED}".strip()
        exhibits, findings = [], []
        for part in parts:
            if isinstance(part, Finding):
                findings.append(replace(part, section=part.section or self.id))
            elif isinstance(part, Exhibit):
                exhibits.append(part)
            else:
                raise TypeError(f"{self.id}: {part!r} is neither a table nor a finding")
        return Section(self.id, self.title, intro, tuple(exhibits), tuple(findings))


@dataclass(frozen=True, eq=False)
class GameReport:
    """The report of a game.

    ``records``: the notes and choices that the whole report uses; ``reads`` prepares
    them, and those that sections name, for the sections.
    ``groups``: a column for each group of a measure that is particular to this game;
    its style tells numbers (count) from text. ``games`` of each cell, and ``players``:
    numbers of players for which lineups beyond the leading one are played (default:
    all); both keep a report quick. So do ``search``, the search players with which
    leading findings are tested, their ``search_games``, the ``strong_games`` of tables
    of strong players (``strategies.strength_levels``), and ``decisions_tried``: the
    decisions that are tried with every option at each moment. Who wins and how games
    end is counted in ``outcome_factor`` times as many games of the leading lineup, in
    which nothing else is counted, as that is cheap. ``luck_deals``: deals to measure
    luck, at most as many as the games asked for. These are the usual numbers: a pilot
    says whether a verdict needs more (``experiments.analysis.pilot_size``).
    ``option_replays``: games in which options of each kind of decision are forbidden or
    forced (0: none; ``experiments.analysis.option_worth``), by ``option_player``, a
    heuristic, where who leads is too slow (by default who leads). ``ends`` say how a
    game ends, by what the result calls it (``by``), after "games end as";
    ``undecided`` says it, in the same way, of those that play does not decide, or that
    nobody wins alone. ``lasts`` is the number of the result that says how long a game
    is, and its unit.
    ``lesson_seconds``: what a block of lessons of players who adapt to a variant takes
    one core, with the games that judge it
    (``experiments.learning.adaptation``); other lessons are reckoned from it
    (``experiments.learning.best_response``). ``strong_seconds`` and ``search_seconds``:
    what a game takes one core if all have learned, or all search, among many games
    with the usual number of players (``experiments.analysis.further_rounds``).
    ``first`` is the id of the section that comes before all others. ``assumed`` says
    long assumed rule values in words, by name.
    """

    sections: Sequence[ReportSection]
    records: tuple[str, ...] = ()
    reads: Callable[[Raw, About], Any] = lambda raw, about: (raw, about)
    groups: Sequence[Column] = ()
    games: int = 16_384
    players: tuple[int, ...] = ()
    search: str = "search:samples=4"
    search_games: int = 1_024
    strong_games: int = 2_048
    outcome_factor: int = 1
    luck_deals: int = 1_024
    option_replays: int = 4_096
    option_player: str = ""
    decisions_tried: int = 8
    lesson_seconds: float = 10.0
    strong_seconds: float = 0.001
    search_seconds: float = 0.005
    ends: Mapping[str, str] = field(default_factory=dict)
    undecided: Mapping[str, str] = field(default_factory=dict)
    lasts: tuple[str, str] = ("", "")
    first: str = ""
    assumed: Mapping[str, Callable[[Mapping[str, Any]], str]] = field(
        default_factory=dict
    )

    def __post_init__(self) -> None:
        """Raise ValueError for names that are missing or used twice."""
        for section in self.sections:
            section.check()
        for measure in (*self.section_measures, *self.paired.measures):
            if self.measures[measure.name] is not measure:
                raise ValueError(f"measure {measure.name!r} is declared twice")
            for name in measure.by:
                if name in CELL and name != "players":
                    raise ValueError(f"{measure.name}: cells have a {name!r} already")
                if name in _SIDES:
                    raise ValueError(f"{measure.name}: comparisons have a {name!r}")
                if name not in self.columns:
                    raise ValueError(
                        f"{measure.name}: group {name!r} is not in the report's groups"
                    )

    @cached_property
    def section_measures(self) -> tuple[Measure, ...]:
        """The measures of all sections, which every detailed run counts."""
        return tuple(m for section in self.sections for m in section.measures)

    @cached_property
    def all_notes(self) -> tuple[str, ...]:
        """All notes and choices that the report uses."""
        more = (section.records for section in self.sections)
        return tuple(dict.fromkeys([*self.records, *chain(*more)]))

    @cached_property
    def standing(self) -> Callable[[Any], Any] | None:
        """The function that returns how seats stand; None if no section has one."""
        return None if self._course is None else self._course.standing

    @cached_property
    def course_notes(self) -> tuple[str, ...]:
        """The notes and choices that ``standing`` uses."""
        more = () if self._course is None else self._course.records
        return tuple(dict.fromkeys([*self.records, *more]))

    @cached_property
    def _course(self) -> ReportSection | None:
        """The section with ``standing``."""
        return next((part for part in self.sections if part.standing is not None), None)

    @cached_property
    def what_ifs(self) -> dict[WhatIfs, list[str]]:
        """All what-ifs, each with the ids of the sections that need it."""
        found: dict[WhatIfs, list[str]] = {}
        for section in self.sections:
            for what_ifs in section.what_ifs:
                found.setdefault(what_ifs, []).append(section.id)
        return found

    @cached_property
    def paired(self) -> WhatIfs:
        """The what-ifs whose games are compared in pairs; without cells if none are."""
        paired = (each for each in self.what_ifs if each.pairs is not None)
        return next(paired, WhatIfs())

    def wanted(self, kind: str, rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
        """Return the cells of a kind, a field of ``WhatIfs``, that sections want.

        ``of`` has the ids of the sections that want it.
        """
        return tuple(
            {**want, "of": sections}
            for what_ifs, sections in self.what_ifs.items()
            for want in getattr(what_ifs, kind)(rules)
        )

    @property
    def ledgers(self) -> tuple[Any, ...]:
        """The ledgers of all sections."""
        return tuple(ledger for section in self.sections for ledger in section.ledgers)

    @cached_property
    def measures(self) -> Mapping[str, Measure]:
        """All measures by name, including those of what-ifs."""
        return {m.name: m for m in (*self.section_measures, *self.paired.measures)}

    @cached_property
    def columns(self) -> Mapping[str, Column]:
        """The columns of all groups, by name."""
        own = chain(*(section.groups for section in self.sections))
        return {column.name: column for column in (*own, *GROUPS, *self.groups)}

    def counts_of(self, raw: Raw, about: About, first: int) -> Iterator[Counts]:
        """Count every measure of games from number ``first`` on, section by section."""
        read = cache(lambda reads: reads(raw, about))
        tables: dict[Any, Mapping[str, RowCounter]] = {}
        for section in self.sections:
            reads = section.reads or self.reads
            for measure in section.measures:
                if measure.table and (make := section.tidy) is not None:
                    if make not in tables:
                        tables[make] = row_counters(make(read(reads)), first)
                    yield tables[make][measure.table].counts(measure)
        left = {measure.name for measure in self.section_measures if not measure.table}
        arrays = {
            section.counts: section.reads or self.reads
            for section in self.sections
            if section.counts is not None
        }
        for counted, how in arrays.items():
            for counts in counted(read(how)):
                self._check(counts, left)
                yield counts

    def differences_of(
        self, raw: Raw, other: Raw, about: About, first: int
    ) -> Iterator[Counts]:
        """Count the measures of pairs of games from number ``first`` on."""
        if self.paired.pairs is None:
            return
        tables = row_counters(self.paired.pairs.of(raw, other, about), first)
        for measure in self.paired.measures:
            yield tables[measure.table].counts(measure)

    def _check(self, counts: Counts, left: set[str]) -> None:
        """Raise ValueError for arrays without a measure, or counted twice.

        ``left``: the measures not yet counted; this one is removed.
        """
        measure = self.measures.get(counts.measure)
        if measure is None or measure.table:
            known = [name for name, of in self.measures.items() if not of.table]
            near = get_close_matches(counts.measure, known, 1, 0.0)
            raise ValueError(f"counts of {counts.measure!r}: no measure; {near}?")
        if tuple(counts.labels) != measure.by:
            raise ValueError(
                f"counts of {counts.measure!r} are by {tuple(counts.labels)}, "
                f"the measure is by {measure.by}"
            )
        if counts.measure not in left:
            raise ValueError(f"measure {counts.measure!r} is counted twice")
        left.remove(counts.measure)
