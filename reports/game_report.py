"""The report of a game as it is declared: what is counted, and what is shown of it.

A game declares one in ``reports/GAME/report.py``:

    REPORT = GameReport(records=("deal", "trick", "result"), reads=Played,
                        sections=(seats.SECTION, cards.SECTION), groups=(WEEK,))

and each section in a file of its own:

    def section(data):
        yield Section("returns", "Returns", f"With {data.who}. ...")
        yield Table("returns-week", "How often a gem goes back, by week", ...)
        yield Finding(f"Returns, {data.players} players: ...", "")


    SECTION = ReportSection(section, MEASURES, tables=tables, counts=counts)

A worker plays games, reads what was recorded (``reads``), and counts every measure
of every section (``counts_of``); when all is played, ``section`` shows what was found.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property, partial
from itertools import chain
from typing import Any

import polars as pl

from reports.counts import Counts
from reports.formatting import GROUPS
from reports.heard import Heard
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section
from reports.report_data import CELL, ReportData
from reports.row_counts import of_table
from reports.scorecard.numbers import MEASURES as SCORED
from reports.tabled import Table

_SIDES = ("one", "other")
"""Columns of comparisons: no group has such a name."""
Raw = Mapping[str, pl.DataFrame]
"""What was recorded: a table for each kind of note, a row a note."""
About = Mapping[str, Any]
"""Of the cell that was played: players, rules, words (vocabularies), and more."""
Tables = Mapping[str, pl.DataFrame]
Wanted = Callable[[Mapping[str, Any]], Sequence[Mapping[str, Any]]]
"""From the rules: which cells of a sort a report wants, as plain data."""


Part = Table | Exhibit | Finding
Shown = Iterator[Section | Part]
"""What a section yields: its heading (a ``Section``), then parts of it."""
Parts = Iterator[Part]
"""Some parts of a section, to be yielded from it."""


ENDS = "ends"
ELSEWHERE = ("own", "lineup", "mixed", "noisy", "one", "beside", "scored", ENDS)
"""Kinds of cells of which a report reads few measures, beside who wins.

own: a strategy that does not lead, at a table of its own kind. lineup: the same with
other numbers of players than details are about, and one against a table of others.
mixed, noisy, one, beside: as in ``report_data.CELL``. scored: any, where no more than
the scorecard is told. ends: the leading lineup, in the games that tell who wins.
"""
_SCORED = ("own", "noisy", "scored")
_RANGES, _WAYS = ("own", "lineup", "mixed"), ("own", "lineup", "noisy")


def elsewhere(
    ranges: Sequence[str] = (), ways: Sequence[str] = (), **kinds: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """Which measures are read in cells of which kinds (``ELSEWHERE``).

    ranges: of which the range over all lineups is told. ways: which are claimed, and
    tried under all ways to play. kinds: what is read of one kind alone. Raises
    ValueError for any other kind.

    >>> elsewhere(["points"], own=["bids"])["own"]
    ('points', 'bids')
    """
    found: dict[str, tuple[str, ...]] = {}
    parts = [*((kind, ranges) for kind in _RANGES), *((kind, ways) for kind in _WAYS)]
    for kind, names in (*parts, *kinds.items()):
        if kind not in ELSEWHERE:
            raise ValueError(f"elsewhere: {kind!r}. Allowed: {', '.join(ELSEWHERE)}.")
        found[kind] = (*found.get(kind, ()), *names)
    return found


def none(_: Mapping[str, Any]) -> tuple[()]:
    """Nothing is wanted."""
    return ()


@dataclass(frozen=True, eq=False)
class ReportSection:
    """A section of a game's report.

    ``show`` tells what was found: it yields the heading, a ``Section``, and then tables
    and findings; or it makes the whole ``Section`` of them. ``measures`` are
    what it counts: in the tidy ``tables``, or, without a table, as arrays in ``counts``
    (a ``reports.counts.grid`` for each). Both are made of what the report ``reads``;
    sections may share them. ``records`` are the notes that it reads beyond the
    report's, and ``tabled`` those that only its tables do: where it is not counted,
    nobody listens to them. ``standing`` is how seats stand, where it tells the course
    of a game, and ``ledgers`` what seats hold, where it tells the economy.
    ``elsewhere``: which of its measures it reads of lineups that are there to be
    compared (``elsewhere``): no others are taken there.
    """

    show: Callable[[ReportData], "Section | Shown"]
    measures: Sequence[Measure] = ()
    tables: Callable[[Any], Tables] | None = None
    counts: Callable[[Any], Iterable[Counts]] | None = None
    records: tuple[str, ...] = ()
    standing: Callable[[Any], Any] | None = None
    ledgers: Sequence[Any] = ()
    elsewhere: Mapping[str, Sequence[str]] = field(default_factory=dict)
    tabled: tuple[str, ...] = ()

    def only(self, measures: Sequence[Measure]) -> "ReportSection":
        """The same section, which counts no other measures."""
        of_tables = {bool(measure.table) for measure in measures}
        return replace(
            self,
            measures=measures,
            tables=self.tables if True in of_tables else None,
            counts=self.counts if False in of_tables else None,
            tabled=self.tabled if True in of_tables else (),
        )

    def of(self, data: ReportData, *, keeps: bool = False) -> Section:
        """The section with all that it shows of what was found.

        An error ends it; with ``keeps`` it is told in the section, beneath all that
        was shown before. Raises TypeError for what can be in no section.
        """
        parts: list[Section | Exhibit | Finding] = []
        failed: Exception | None = None
        try:
            shown = self.show(data)
            every = (shown,) if isinstance(shown, Section) else shown
            parts.extend(
                one.of(data) if isinstance(one, Table) else one for one in every
            )
        except Exception as error:
            if not keeps:
                raise
            parts, failed = parts or [self._untitled], error
        made = _section(*parts)
        return made if failed is None else made.broken(failed)

    @property
    def _untitled(self) -> Section:
        """What stands for the section where it ends before its heading."""
        show: Any = self.show
        while isinstance(show, partial):
            show = show.func
        name = f"{show.__module__.rpartition('.')[2]}-{show.__name__}"
        words = [word for word in re.split("[^a-z0-9]+", name.lower()) if word]
        return Section(f"failed-{'-'.join(words)}", f"Not told: {' '.join(words)}", "")


def _section(heading: Any, *parts: Any) -> Section:
    """A section of its heading, its exhibits and its findings."""
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
    """Cells that are played for a comparison: the same games with one thing changed.

    ``decline``: a seat declines a decision once. ``trials``: cards of a deal are
    lacking once. Of these two, ``pairs`` makes tidy tables of what was recorded
    (``records`` beyond the report's) in a game, in the other game of the pair, and of
    what is known about them; ``measures`` count in these tables.
    ``beside``: other rules, played by the leading strategy or those asked for, and
    what decisions are ``tried`` there. ``otherwise``: decisions tried with every
    option. ``knocked``: options that one player, or nobody, may take in games that are
    otherwise the same.
    """

    decline: Wanted = none
    trials: Wanted = none
    beside: Wanted = none
    otherwise: Wanted = none
    knocked: Wanted = none
    pairs: Callable[[Raw, Raw, About], Tables] | None = None
    measures: Sequence[Measure] = ()
    records: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class GameReport:
    """The report of a game.

    ``records``: the notes and choices that all of it is made of; ``reads`` makes these
    handy, and those that sections name.
    ``groups``: a column for each group of a measure that not all games have; its
    style tells numbers (count) from text. ``games`` of each cell, and ``players``:
    numbers of players at which others sit than the leading strategy (all of them where
    it says none); both keep a report quick. So do ``search``, who the searchers are
    with whom leading findings are tried, their ``search_games``, and ``tried``: how
    many decisions are tried with every option at each moment. Who wins, and how games
    end, is counted in ``ends`` times as many games of the leading lineup, where nothing
    else is counted: that costs little. ``luck_deals`` are
    dealt to tell luck, and in ``knocked_games`` options are knocked out to tell traps
    (0: in none), or in all the games that are asked for, if those are fewer. Of these
    three it is the usual number: a pilot says whether a verdict takes more
    (``experiments.analysis.pilot``). ``undecided`` are
    ways in which games are decided (``by``), but not by play. ``first`` is the id of
    the section that comes before all others. ``assumed`` puts assumed
    rule values that are long into words of the game's own, by name.
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
    ends: int = 1
    luck_deals: int = 1_024
    knocked_games: int = 4_096
    tried: int = 8
    undecided: tuple[str, ...] = ()
    first: str = ""
    assumed: Mapping[str, Callable[[Mapping[str, Any]], str]] = field(
        default_factory=dict
    )
    left_out: frozenset[str] = frozenset()  # measures that are not wanted (``only``)
    unheard: frozenset[str] = frozenset()  # notes that these would have been made of

    def __post_init__(self) -> None:
        """Refuse measures of one name, and what nothing is said about."""
        for section in self.sections:
            for measure in section.measures:
                if (section.tables if measure.table else section.counts) is None:
                    lacks = "tables" if measure.table else "counts"
                    raise ValueError(f"{measure.name}: its section has no {lacks}")
        for measure in (*self.counted, *self.what_ifs.measures):
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
    def counted(self) -> tuple[Measure, ...]:
        """The measures of all sections, which every detailed run counts."""
        return tuple(m for section in self.sections for m in section.measures)

    @cached_property
    def recorded(self) -> tuple[str, ...]:
        """All notes and choices that the report is made of."""
        every = ((*section.records, *section.tabled) for section in self.sections)
        return tuple(dict.fromkeys([*self.records, *chain(*every)]))

    @cached_property
    def standing(self) -> Callable[[Any], Any] | None:
        """How seats stand in the games that the report ``reads``; None: not told."""
        return None if self._course is None else self._course.standing

    @cached_property
    def followed(self) -> tuple[str, ...]:
        """The notes and choices that ``standing`` is told of."""
        more = () if self._course is None else self._course.records
        return tuple(dict.fromkeys([*self.records, *more]))

    @cached_property
    def _course(self) -> ReportSection | None:
        """The section that tells how seats stand."""
        return next((one for one in self.sections if one.standing is not None), None)

    @property
    def ledgers(self) -> tuple[Any, ...]:
        """What seats hold, of all sections."""
        return tuple(one for section in self.sections for one in section.ledgers)

    @cached_property
    def measures(self) -> Mapping[str, Measure]:
        """Every measure by name, those of what-ifs too."""
        return {m.name: m for m in (*self.counted, *self.what_ifs.measures)}

    @cached_property
    def columns(self) -> Mapping[str, Column]:
        """What groups are, by name."""
        return {column.name: column for column in (*GROUPS, *self.groups)}

    def read_in(self, kind: str) -> Set[str] | None:
        """The measures that are read in cells of a kind; None: all of them.

        Not those of the end of games, which every cell has; those of the scorecard
        where it is held to how others play. Raises KeyError for what is no measure.
        """
        if kind not in ELSEWHERE:
            return None
        every = (section.elsewhere.get(kind, ()) for section in self.sections)
        names = {self.measures[name].name for some in every for name in some}
        return names | SCORED if kind in _SCORED else names

    def only(self, names: Set[str]) -> "GameReport":
        """The same report with these measures only, to be counted quickly.

        Nor is anything else recorded than what they need.
        """
        some = [
            section.only(kept)
            for section in self.sections
            if (kept := [m for m in section.measures if m.name in names])
        ]
        left = frozenset(m.name for m in self.counted if m.name not in names)
        less = replace(self, sections=tuple(some), what_ifs=WhatIfs(), left_out=left)
        unheard = self.unheard | set(self.recorded) - set(less.recorded)
        return replace(less, unheard=unheard)

    def read(self, raw: Raw, about: About, notes: Sequence[str] | None = None) -> Any:
        """What was recorded, made handy; of these ``notes``, or else all of its own.

        To read others raises ``reports.heard.Unheard``.
        """
        told = self.recorded if notes is None else notes
        unheard = self.unheard | set(self.recorded) - set(told)
        return self.reads(Heard(raw, unheard), about)

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
                    yield of_table(measure, table, first)
        left = {measure.name for measure in self.counted if not measure.table}
        arrays = dict.fromkeys(s.counts for s in self.sections if s.counts is not None)
        for counted in arrays:
            for counts in counted(read):
                if counts.measure not in self.left_out:
                    self._check(counts, left)
                    yield counts

    def differences_of(
        self, raw: Raw, other: Raw, about: About, first: int
    ) -> Iterator[Counts]:
        """Count what differs between pairs of games from number ``first`` on."""
        if self.what_ifs.pairs is None:
            return
        unheard = set(self.recorded) - {*self.records, *self.what_ifs.records}
        one, other = Heard(raw, unheard), Heard(other, unheard)
        tables = self.what_ifs.pairs(one, other, about)
        for measure in self.what_ifs.measures:
            yield of_table(measure, tables[measure.table], first)

    def _check(self, counts: Counts, left: set[str]) -> None:
        """Refuse arrays that no measure is declared for, or one of which was told."""
        measure = self.measures.get(counts.measure)
        if measure is None or measure.table:
            known = [name for name, one in self.measures.items() if not one.table]
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
