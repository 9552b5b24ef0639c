"""The declaration of a game's report: what is counted, and what is shown.

A game declares one in ``reports/GAME/report.py``:

    REPORT = GameReport(records=("deal", "trick", "result"), reads=DevilArrays,
                        sections=(seats.SECTION, cards.SECTION), groups=(WEEK,))

and each section in a file of its own:

    def section(data):
        yield Section("returns", "Returns", f"With {data.who}. ...")
        yield MeasureTable("returns-week", "How often a gem goes back, by week", ...)
        yield Finding(f"Returns, {data.players} players: ...", "")


    SECTION = ReportSection(section, MEASURES, tables=tables, counts=counts)

A worker plays games, prepares the recorded notes (``reads``), and counts every measure
of every section (``counts_of``). When all games are played, ``section`` shows the data.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from enum import StrEnum
from functools import cached_property, partial
from itertools import chain
from typing import Any

import polars as pl

from reports.counts import Counts
from reports.formatting import GROUPS
from reports.measure_tables import MeasureTable
from reports.measures import Measure
from reports.recorded_notes import RecordedNotes
from reports.report_data import CELL, ReportData
from reports.report_document import Column, Exhibit, Finding, Section
from reports.scorecard.line_statistics import SCORECARD_MEASURES
from reports.table_counts import count_rows

_SIDES = ("one", "other")
"""Columns of comparisons: no group may have such a name."""
Raw = Mapping[str, pl.DataFrame]
"""What was recorded: a table for each kind of note, with a row for each note."""
About = Mapping[str, Any]
"""About the cell that was played: players, rules, words (vocabularies), and more."""
Tables = Mapping[str, pl.DataFrame]
WantedCells = Callable[[Mapping[str, Any]], Sequence[Mapping[str, Any]]]
"""Returns the cells of a kind that a report wants, as plain data, given the rules."""

SectionParts = Iterator[Section | MeasureTable | Exhibit | Finding]
"""What a section yields: its heading (a ``Section``), then tables and findings."""


class MeasureSet(StrEnum):
    """Which measures are collected in a cell (``Cell.measure_set``)."""

    ALL = ""
    END = "end"
    OWN = "own"
    LINEUP = "lineup"
    MIXED = "mixed"
    NOISY = "noisy"
    ONE = "one"
    BESIDE = "beside"
    SCORED = "scored"
    ENDS = "ends"


PARTIAL_KINDS = tuple(
    kind for kind in MeasureSet if kind not in (MeasureSet.ALL, MeasureSet.END)
)
"""Kinds of cells from which a report reads few measures besides who wins.

own: a table of one strategy other than the leading one. lineup: the same with other
numbers of players than the main one, and one strategy against a table of others.
mixed, noisy, one, beside: as in ``report_data.CELL``. scored: any cell, if only the
scorecard is reported. ends: the leading lineup, in games that count only who wins.
"""
_SCORED = ("own", "noisy", "scored")
_RANGES, _WAYS = ("own", "lineup", "mixed"), ("own", "lineup", "noisy")


def measure_sets(
    ranges: Sequence[str] = (), ways: Sequence[str] = (), **kinds: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """Return the measures to read in cells of each kind (``PARTIAL_KINDS``).

    ranges: measures whose range over all lineups is shown. ways: measures of claims,
    which are tested in all ways to play. kinds: measures for one kind only. Raises
    ValueError for any other kind.

    >>> measure_sets(["points"], own=["bids"])["own"]
    ('points', 'bids')
    """
    by_kind: dict[str, tuple[str, ...]] = {}
    parts = [*((kind, ranges) for kind in _RANGES), *((kind, ways) for kind in _WAYS)]
    for kind, names in (*parts, *kinds.items()):
        if kind not in PARTIAL_KINDS:
            raise ValueError(
                f"no kind of cell: {kind!r}. Allowed: {', '.join(PARTIAL_KINDS)}."
            )
        by_kind[kind] = (*by_kind.get(kind, ()), *names)
    return by_kind


def no_cells(_: Mapping[str, Any]) -> tuple[()]:
    """Return no cells, whatever the rules."""
    return ()


@dataclass(frozen=True, eq=False)
class ReportSection:
    """A section of a game's report.

    ``show`` presents the data: it yields the heading, a ``Section``, then tables and
    findings; or it returns the whole ``Section``. ``measures`` are counted in the tidy
    ``tables``, or, without a table, as arrays in ``counts`` (a ``reports.counts.grid``
    for each). Both are made from what the report ``reads``; sections may share them.
    ``records`` are notes that it reads beyond the report's, and ``table_notes`` those
    that only its tables read: they are not recorded if the section is not counted.
    ``standing`` returns how seats stand, in a section on the course of a game, and
    ``ledgers`` say what seats hold, in one on the economy. ``measure_sets``: the
    measures that are taken in lineups that serve comparisons (``measure_sets``).
    """

    show: Callable[[ReportData], Section | SectionParts]
    measures: Sequence[Measure] = ()
    tables: Callable[[Any], Tables] | None = None
    counts: Callable[[Any], Iterable[Counts]] | None = None
    records: tuple[str, ...] = ()
    standing: Callable[[Any], Any] | None = None
    ledgers: Sequence[Any] = ()
    measure_sets: Mapping[str, Sequence[str]] = field(default_factory=dict)
    table_notes: tuple[str, ...] = ()

    def only(self, measures: Sequence[Measure]) -> "ReportSection":
        """Return this section with these measures only."""
        of_tables = {bool(measure.table) for measure in measures}
        return replace(
            self,
            measures=measures,
            tables=self.tables if True in of_tables else None,
            counts=self.counts if False in of_tables else None,
            table_notes=self.table_notes if True in of_tables else (),
        )

    def of(self, data: ReportData, *, keeps: bool = False) -> Section:
        """Return the section made from the data.

        With ``keeps``, an error ends the section, which shows it below the parts made
        before; otherwise it is raised. Raises TypeError for a part of a wrong type.
        """
        parts: list[Section | Exhibit | Finding] = []
        failed: Exception | None = None
        try:
            shown = self.show(data)
            yielded = (shown,) if isinstance(shown, Section) else shown
            parts.extend(
                part.of(data) if isinstance(part, MeasureTable) else part
                for part in yielded
            )
        except Exception as error:
            if not keeps:
                raise
            parts, failed = parts or [self._untitled], error
        made = _section(*parts)
        return made if failed is None else made.broken(failed)

    @property
    def _untitled(self) -> Section:
        """A heading for a section that an error ends before its own."""
        show: Any = self.show
        while isinstance(show, partial):
            show = show.func
        name = f"{show.__module__.rpartition('.')[2]}-{show.__name__}"
        words = [word for word in re.split("[^a-z0-9]+", name.lower()) if word]
        return Section(f"failed-{'-'.join(words)}", f"Missing: {' '.join(words)}", "")


def _section(heading: Any, *parts: Any) -> Section:
    """Make a section from its heading, exhibits and findings."""
    if not isinstance(heading, Section):
        raise TypeError(f"a section begins with its heading, not with {heading}")
    exhibits, findings = [*heading.exhibits], [*heading.findings]
    for part in parts:
        if isinstance(part, Finding):
            findings.append(replace(part, section=part.section or heading.id))
        elif isinstance(part, Exhibit):
            exhibits.append(part)
        elif isinstance(part, Section):
            raise TypeError(f"{heading.id}: a section has one heading")
        else:
            raise TypeError(f"{heading.id}: {part!r} is neither a table nor a finding")
    return replace(heading, exhibits=tuple(exhibits), findings=tuple(findings))


@dataclass(frozen=True, eq=False)
class WhatIfs:
    """Cells for comparisons: the same games with one thing changed.

    ``decline``: a seat declines a decision once. ``trials``: cards are taken out of a
    deal once. For these two, ``pairs`` makes tidy tables from the notes of both games
    of a pair (``records`` beyond the report's) and from what is known about them;
    ``measures`` are counted in these tables. ``other_rules``: other rules, played by
    the leading strategy or the given ones, with decisions ``tried``.
    ``counterfactuals``: decisions tried with every option. ``ablations``: options that
    are forbidden to one player, or to all, in games that are otherwise the same.
    """

    decline: WantedCells = no_cells
    trials: WantedCells = no_cells
    other_rules: WantedCells = no_cells
    counterfactuals: WantedCells = no_cells
    ablations: WantedCells = no_cells
    pairs: Callable[[Raw, Raw, About], Tables] | None = None
    measures: Sequence[Measure] = ()
    records: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class GameReport:
    """The report of a game.

    ``records``: the notes and choices that the whole report uses; ``reads`` prepares
    them, and those that sections name, for the sections.
    ``groups``: a column for each group of a measure that is particular to this game;
    its style tells numbers (count) from text. ``games`` of each cell, and ``players``:
    numbers of players for which lineups beyond the leading one are played (default:
    all); both keep a report quick. So do ``search``, the search players with which
    leading findings are tested, their ``search_games``, and ``decisions_tried``: the
    decisions that are tried with every option at each moment. Who wins and how games
    end is counted in ``outcome_factor`` times as many games of the leading lineup, in
    which nothing else is counted, as that is cheap. ``luck_deals``: deals to measure
    luck; ``ablation_games``: games in which options are forbidden to find traps (0:
    none); both at most as many as the games asked for. These three are the usual
    numbers: a pilot says whether a verdict needs more
    (``experiments.analysis.pilot_size``). ``undecided`` are endings (``by``) in which
    the winner is not decided by play. ``first`` is the id of the section that comes
    before all others. ``assumed`` says long assumed rule values in words, by name.
    """

    sections: Sequence[ReportSection]
    records: tuple[str, ...] = ()
    reads: Callable[[Raw, About], Any] = lambda raw, about: (raw, about)
    groups: Sequence[Column] = ()
    what_ifs: WhatIfs = field(default_factory=WhatIfs)
    games: int = 16_384
    players: tuple[int, ...] = ()
    search: str = "search:samples=4"
    search_games: int = 1_024
    outcome_factor: int = 1
    luck_deals: int = 1_024
    ablation_games: int = 4_096
    decisions_tried: int = 8
    undecided: tuple[str, ...] = ()
    first: str = ""
    assumed: Mapping[str, Callable[[Mapping[str, Any]], str]] = field(
        default_factory=dict
    )
    left_out: frozenset[str] = frozenset()  # measures that ``only`` removed
    not_recorded: frozenset[str] = frozenset()  # notes that only those measures need

    def __post_init__(self) -> None:
        """Raise ValueError for two measures of one name, or undeclared groups."""
        for section in self.sections:
            for measure in section.measures:
                if (section.tables if measure.table else section.counts) is None:
                    missing = "tables" if measure.table else "counts"
                    raise ValueError(f"{measure.name}: its section has no {missing}")
        for measure in (*self.section_measures, *self.what_ifs.measures):
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
        more = ((*section.records, *section.table_notes) for section in self.sections)
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

    @property
    def ledgers(self) -> tuple[Any, ...]:
        """The ledgers of all sections."""
        return tuple(ledger for section in self.sections for ledger in section.ledgers)

    @cached_property
    def measures(self) -> Mapping[str, Measure]:
        """All measures by name, including those of what-ifs."""
        return {m.name: m for m in (*self.section_measures, *self.what_ifs.measures)}

    @cached_property
    def columns(self) -> Mapping[str, Column]:
        """The columns of all groups, by name."""
        return {column.name: column for column in (*GROUPS, *self.groups)}

    def measures_in(self, kind: str) -> Set[str] | None:
        """Return the measures that are read in cells of a kind; None: all of them.

        They lack those of how games end, which every cell has, and include those of
        the scorecard if the kind is a way to play. Raises KeyError for an unknown one.
        """
        if kind == MeasureSet.END:
            return frozenset()
        if kind not in PARTIAL_KINDS:
            return None
        named = (section.measure_sets.get(kind, ()) for section in self.sections)
        names = {self.measures[name].name for name in chain(*named)}
        return names | SCORECARD_MEASURES if kind in _SCORED else names

    def only(self, names: Set[str]) -> "GameReport":
        """Return this report with these measures only, which is faster to count.

        Notes that they do not need are not recorded.
        """
        sections = [
            section.only(kept)
            for section in self.sections
            if (kept := [m for m in section.measures if m.name in names])
        ]
        left = frozenset(m.name for m in self.section_measures if m.name not in names)
        small = replace(
            self, sections=tuple(sections), what_ifs=WhatIfs(), left_out=left
        )
        missing = self.not_recorded | set(self.all_notes) - set(small.all_notes)
        return replace(small, not_recorded=missing)

    def read(self, raw: Raw, about: About, notes: Sequence[str] | None = None) -> Any:
        """Return the recorded notes as ``reads`` prepares them, of ``notes`` or all.

        Reading any other note raises ``reports.recorded_notes.NoNote``.
        """
        readable = self.all_notes if notes is None else notes
        missing = self.not_recorded | set(self.all_notes) - set(readable)
        return self.reads(RecordedNotes(raw, missing), about)

    def counts_of(self, raw: Raw, about: About, first: int) -> Iterator[Counts]:
        """Count every measure of games from number ``first`` on, section by section."""
        read = self.read(raw, about)
        tables: dict[Any, Tables] = {}
        for section in self.sections:
            if section.tables is not None and section.tables not in tables:
                tables[section.tables] = section.tables(read)
            for measure in section.measures:
                if measure.table and section.tables is not None:
                    table = tables[section.tables][measure.table]
                    yield count_rows(measure, table, first)
        left = {measure.name for measure in self.section_measures if not measure.table}
        arrays = dict.fromkeys(s.counts for s in self.sections if s.counts is not None)
        for counted in arrays:
            for counts in counted(read):
                if counts.measure not in self.left_out:
                    self._check(counts, left)
                    yield counts

    def differences_of(
        self, raw: Raw, other: Raw, about: About, first: int
    ) -> Iterator[Counts]:
        """Count the measures of pairs of games from number ``first`` on."""
        if self.what_ifs.pairs is None:
            return
        missing = set(self.all_notes) - {*self.records, *self.what_ifs.records}
        one, other = RecordedNotes(raw, missing), RecordedNotes(other, missing)
        tables = self.what_ifs.pairs(one, other, about)
        for measure in self.what_ifs.measures:
            yield count_rows(measure, tables[measure.table], first)

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
