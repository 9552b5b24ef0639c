"""A report as data: what was simulated, the findings, and how sure they are.

Sections have exhibits, each a table with documented columns and perhaps a figure.
``reports.report_files`` writes a report to a folder.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Literal

import polars as pl

from reports.claims import Claim
from reports.column_format import Column, Style, format_column
from reports.number_text import NO_DATA

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "Cause",
    "Column",
    "Exhibit",
    "Finding",
    "PageOne",
    "ReportDocument",
    "Rows",
    "ScoreRow",
    "Section",
    "SectionLink",
    "Sentence",
    "Style",
    "Sure",
]

Sure = Literal["sure", "likely", "open", ""]
LABELS: dict[Sure, str] = {
    "sure": "shown by a test that could have failed: the chance that it calls any "
    "false claim of the family (the numbers judged together) true is at most 5 %",
    "likely": "a part of the claim is shown by such a test, or more than half of the "
    "ways to play show it; the rest is open",
    "open": "these games do not decide it, or most ways to play do not show it",
}
"""The meaning of a finding's label; a finding without a label describes what was
counted and claims no more than its intervals."""
LEVEL = 0.95
"""Confidence level of the intervals that are printed."""
Rows = tuple[tuple[str, ...], ...]


UNDECIDED = "undecided"
"""The verdict of a row that the games do not decide."""
_LONG = 8  # rows: a longer table prints only what is decided


@dataclass(frozen=True)
class ShownTable:
    """A table as texts; ``left_out`` says in words how much is in the files only."""

    columns: tuple[Column, ...]
    rows: Rows
    left_out: str = ""


@dataclass(frozen=True, eq=False)
class Exhibit:
    """A table, what its numbers mean, and perhaps its figure."""

    id: str  # names its files: lower-case letters, digits and hyphens
    title: str
    note: str
    table: pl.DataFrame
    columns: tuple[Column, ...]
    figure: "Figure | Callable[[], Figure | None] | None" = None  # or what draws it
    nearest: int = 0  # rows to print, decided or not, of a table that is ranked

    def __post_init__(self) -> None:
        """Raise ValueError for a column that the table lacks, with the nearest name."""
        names = [n for c in self.columns for n in (c.name, c.low, c.high) if n]
        for name in names:
            if name not in self.table.columns:
                near = get_close_matches(name, self.table.columns, 1, 0.0)
                raise ValueError(f"{self.id}: no column {name!r}; nearest is {near}")

    @property
    def shown(self) -> "ShownTable":
        """The table as it is printed: what says nothing is counted instead.

        This leaves out columns without any data and, in a long table, the rows that
        the games do not decide; of a ranked table, those after the ``nearest``.
        """
        table, left_out = self.table, []
        if self.nearest:
            table = table.head(self.nearest)
            if rest := self.table.height - table.height:
                left_out.append(_count(rest, "more row"))
        elif "verdict" in table.columns and table.height > _LONG:
            decided = pl.col("verdict").is_null() | (pl.col("verdict") != UNDECIDED)
            table = table.filter(decided)
            if rest := self.table.height - table.height:
                left_out.append(_count(rest, "undecided row"))
        texts = {column: [*format_column(table, column)] for column in self.columns}
        kept = {
            column: cells
            for column, cells in texts.items()
            if not cells or {*cells} != {NO_DATA}
        }
        if empty := len(texts) - len(kept):
            left_out.append(f"{_count(empty, 'column')} without data")
        note = f"Left out: {' and '.join(left_out)}; the files have them."
        rows = tuple(zip(*kept.values(), strict=True))
        return ShownTable(tuple(kept), rows, note if left_out else "")


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'s' * (number > 1)}"


@dataclass(frozen=True)
class Cause:
    """How a line of the scorecard comes about, as an experiment shows it.

    ``line``: its id; ``words``: a sentence for page one. ``changes``: changes of rules,
    by key, that act on the cause; they are tried first as cures.
    """

    line: str
    words: str
    changes: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class Finding:
    """A sentence that answers a question, how sure it is, and the section to see.

    ``sure`` is the verdict of a test (``LABELS``), or "" for a description. Without a
    ``section``, a finding belongs to the section that yields it. ``why`` says
    how a line of the scorecard comes about. A leading finding has a ``claim``, which is
    tested in other ways to play.
    ``tested`` names the test of a claim, its family and count
    (``verdicts.how_tested``). Raises ``ValueError`` for a claim without a test.
    """

    text: str
    sure: Sure
    section: str = ""
    claim: Claim | None = None
    tested: str = ""
    why: Cause | None = None

    def __post_init__(self) -> None:
        """Raise ValueError for a label without a test, or a test without a label."""
        if self.sure in ("sure", "likely") and not self.tested:
            raise ValueError(f"{self.sure!r} needs a test (tested=...): {self.text}")
        if self.tested and not self.sure:
            raise ValueError(f"tested, but no claim (a label): {self.text}")

    @property
    def labelled(self) -> str:
        """The sentence, after its label if it has one."""
        return f"{self.sure}: {self.text}" if self.sure else self.text

    def plain(self) -> dict[str, str]:
        """Return what is printed, as plain data for a file."""
        return {
            "text": self.text,
            "sure": self.sure,
            "section": self.section,
            "tested": self.tested,
        }


@dataclass(frozen=True)
class Sentence:
    """A sentence of page one.

    ``line`` is the line of the scorecard that it is about ("" all), and ``section`` the
    one to look at ("" none). ``sure`` depends on all ways to play
    (``reports.statistics.robustness.earned_label``); it is "likely" if only one table
    of heuristics was asked. ``cure`` is the change that mends it best, ``price`` what
    else it moves, and ``variant`` the path of its file ("" without one).
    """

    text: str
    line: str
    sure: Sure
    section: str
    why: str = ""  # how it comes about
    cure: str = ""
    price: str = ""
    variant: str = ""
    players: int = 0  # at the table; 0: it is about no one number

    @property
    def told(self) -> str:
        """The sentence, how it comes about, and what mends it at what price."""
        why = f"Why: {self.why}" if self.why else ""
        return " ".join(filter(None, (self.text, why, self.cure, self.price)))


@dataclass(frozen=True)
class ScoreRow:
    """A line of the scorecard, as it is printed.

    ``value`` is its number with the interval, and ``chance`` what chance would give
    ("" if that says nothing). ``shape`` and ``word``
    are its verdict; ``picture`` is an inline SVG of the interval and the tolerance, ""
    if it was not measured. ``section`` is the one to look at ("" none).
    """

    id: str
    title: str
    asks: str
    doc: str
    value: str
    chance: str
    tolerance: str
    word: str
    shape: str
    picture: str
    note: str
    section: str

    @property
    def told(self) -> str:
        """The number, and what chance would give."""
        return f"{self.value}, by chance {self.chance}" if self.chance else self.value


@dataclass(frozen=True)
class PageOne:
    """Page one: the scorecard, a table of its numbers, and what to do.

    ``pictures`` are inline SVGs of the first sentences' numbers, one each.
    """

    lines: tuple[ScoreRow, ...]
    sentences: tuple[Sentence, ...]
    table: pl.DataFrame
    pictures: tuple[str, ...] = ()
    left_out: str = ""  # a sentence, if the report is quick or not finished
    assumed: str = ""  # a sentence that names assumed rule values, if there are any
    players: tuple[str, ...] = ()  # sentences on how much they are to be trusted

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what was left out, on the players, and on assumed values."""
        return tuple(filter(None, (self.left_out, *self.players, self.assumed)))

    @property
    def meanings(self) -> Rows:
        """For each line: its question, its number, what is allowed, found, and of whom.

        The number is said in words: how it is measured.
        """
        return tuple(
            (line.title, line.asks, line.doc, line.tolerance, line.told, line.note)
            for line in self.lines
        )


@dataclass(frozen=True)
class SectionLink:
    """A section that can be made: its id, its title, and what it answers."""

    id: str
    title: str
    question: str


@dataclass(frozen=True)
class Section:
    """Exhibits on one subject, with their findings.

    ``failed`` is the error that ended the section; what came before it is shown.
    """

    id: str
    title: str
    intro: str
    exhibits: tuple[Exhibit, ...] = ()
    findings: tuple[Finding, ...] = ()
    failed: Exception | None = field(default=None, compare=False)

    @property
    def lead(self) -> tuple[str, tuple[Finding, ...]]:
        """The sentence that opens the section, and its other findings.

        It is the first finding that is shown, or else the first at all, or the
        introduction.
        """
        for wanted in (("sure",), ("likely",), LABELS.keys() | {""}):
            for finding in self.findings:
                if finding.sure in wanted:
                    rest = tuple(each for each in self.findings if each is not finding)
                    return finding.text, rest
        return self.intro, ()

    def broken(self, error: Exception) -> "Section":
        """Return the section as far as it was made, with a finding about the error."""
        text = (
            f"This section is incomplete because of an error in fairdeal: "
            f"{type(error).__name__}: {str(error).strip().rstrip('.')}. The games are "
            "kept, and all other sections are complete; please report it."
        )
        finding = Finding(text, "", self.id)
        return replace(self, findings=(*self.findings, finding), failed=error)


class FigureFailed(RuntimeError):
    """Figures could not be drawn; the report is written without them."""


@dataclass(frozen=True)
class ReportDocument:
    """All content of a report; ``report_files.write_report`` writes it to a folder."""

    title: str
    subtitle: str
    simulated: Rows  # (what, value): lineups, games, seed, version, ...
    findings: tuple[Finding, ...]
    sections: tuple[Section, ...]
    differences: Rows = ()  # (rule, how it differs from the base, in words)
    assumed: Rows = ()  # (rule, value, why it had to be assumed)
    rules: Rows = ()  # (rule, value): every rule in force
    verdict: PageOne | None = None  # page one
    full: bool = False  # whether all sections are unfolded and printed
    appendix: tuple[str, ...] = ()  # ids of sections that only check other numbers
    glossary: Rows = ()  # (measure, meaning, kind, by): terms and measures
    left: tuple[SectionLink, ...] = ()  # sections that are made when asked for

    def __post_init__(self) -> None:
        """Raise ValueError for ids that are no file names, repeat, or do not exist."""
        sections = [section.id for section in self.sections]
        ids = sections + [exhibit.id for exhibit in self.exhibits]
        for name in ids:
            if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
                raise ValueError(f"id {name!r}: use a-z, 0-9 and single hyphens")
            if ids.count(name) > 1:
                raise ValueError(f"id {name!r} is used more than once")
        for finding in self.findings:
            if finding.section not in sections:
                near = get_close_matches(finding.section, sections, 1, 0.0)
                raise ValueError(f"no section {finding.section!r}; nearest is {near}")

    @staticmethod
    def command_of(link: SectionLink) -> str:
        """Return the command that makes a section, in the folder of the report."""
        return f"fairdeal report . --section {link.id}"

    @property
    def intervals(self) -> int:
        """Number of intervals that the tables print."""
        return sum(
            exhibit.table[column.low].count()
            for exhibit in self.exhibits
            for column in exhibit.columns
            if column.low
        )

    @property
    def reading(self) -> tuple[str, ...]:
        """Sentences on how to read the findings and intervals."""
        missing = round((1 - LEVEL) * self.intervals)
        means = "; ".join(f"{label}: {words}" for label, words in LABELS.items())
        return (
            f"{means.capitalize()}. Without a label: a description, which says what "
            "was counted and claims no more.",
            f"The tables print {self.intervals:,} intervals of 95 %, each by itself: "
            f"about {missing:,} of them miss the truth. If a finding picks numbers out "
            "of several (the greatest, the least, those shown to differ), its "
            "intervals hold for all of these at once, and are wider than the tables'. "
            "A mean that depends on a few games with large numbers has no interval.",
        )

    @property
    def failed(self) -> tuple[Section, ...]:
        """The sections that an error ended."""
        return tuple(part for part in self.sections if part.failed is not None)

    @property
    def exhibits(self) -> tuple[Exhibit, ...]:
        """All exhibits, in order."""
        return tuple(exhibit for part in self.sections for exhibit in part.exhibits)
