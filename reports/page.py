"""What a report is: what was simulated, what was found, and how sure that is.

Its sections have exhibits, each a table with documented columns and perhaps a figure.
``reports.writing`` puts it into a folder.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Literal

import polars as pl

from reports.claims import Claim
from reports.printing import Column, Style, printed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "Column",
    "Exhibit",
    "Finding",
    "Report",
    "Rows",
    "ScoreLine",
    "Section",
    "Sentence",
    "Style",
    "Sure",
    "Verdict",
]

Sure = Literal["sure", "likely", "open", ""]
LABELS: dict[Sure, str] = {
    "sure": "a test that could have failed says so: at most 5 % chance that any claim "
    "of its family (the numbers it is judged with) is false",
    "likely": "a part of the claim is so tested, or more than half of the ways to play "
    "show it; the rest is open",
    "open": "these games do not decide it, or most ways to play do not show it",
}
"""What the label of a finding means; without one it is a description, which tells what
was counted and claims no more than its intervals."""
LEVEL = 0.95
"""Of the intervals that are printed."""
Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, eq=False)
class Exhibit:
    """A table, what its numbers mean, and perhaps its figure and formula."""

    id: str  # names its files: lower-case letters, digits and hyphens
    title: str
    note: str
    table: pl.DataFrame
    columns: tuple[Column, ...]
    figure: "Figure | Callable[[], Figure | None] | None" = None  # or what draws it
    formula: str | None = None

    def __post_init__(self) -> None:
        """Refuse columns that the table lacks, naming the nearest it has."""
        asked = [n for c in self.columns for n in (c.name, c.low, c.high) if n]
        for name in asked:
            if name not in self.table.columns:
                near = get_close_matches(name, self.table.columns, 1, 0.0)
                raise ValueError(f"{self.id}: no column {name!r}; nearest is {near}")

    def printed(self) -> list[list[str]]:
        """Give the rows as they are printed, a text for each column."""
        columns = [list(printed(self.table, column)) for column in self.columns]
        return [list(row) for row in zip(*columns, strict=True)]


@dataclass(frozen=True)
class Finding:
    """A sentence that answers a question, how sure it is, and the section to see.

    ``sure`` is the verdict of a test (``LABELS``), or "" for a description.
    What a section yields belongs to that section, where it names no other.
    A leading finding has a ``claim``, which is tried with other ways to play.
    ``tested`` tells of a claim its test, family and count (``verdicts.how_tested``);
    raises ``ValueError`` for a claim without a test.
    """

    text: str
    sure: Sure
    section: str = ""
    claim: Claim | None = None
    tested: str = ""

    def __post_init__(self) -> None:
        """Refuse a label that no test has earned, and a test that labels nothing."""
        if self.sure in ("sure", "likely") and not self.tested:
            raise ValueError(f"{self.sure!r} needs a test (tested=...): {self.text}")
        if self.tested and not self.sure:
            raise ValueError(f"tested, but no claim (a label): {self.text}")

    @property
    def labelled(self) -> str:
        """The sentence behind its label, if it has one."""
        return f"{self.sure}: {self.text}" if self.sure else self.text

    def plain(self) -> dict[str, str]:
        """What is printed of it, for a file."""
        return {
            "text": self.text,
            "sure": self.sure,
            "section": self.section,
            "tested": self.tested,
        }


@dataclass(frozen=True)
class Sentence:
    """A sentence of page one.

    ``line`` is the line of the scorecard that it is about ("" about all), and
    ``section`` the one to look at ("" none). ``sure`` is earned by all ways to play
    (``reports.statistics.robustness.earned``), and "likely" where one table of
    heuristics was asked.
    """

    text: str
    line: str
    sure: Sure
    section: str


@dataclass(frozen=True)
class ScoreLine:
    """A line of the scorecard, as it is printed.

    ``shape`` and ``word`` are its verdict; ``picture`` is an inline SVG of its
    interval and the tolerance, "" where it was not measured. ``section`` is the one to
    look at ("" none).
    """

    id: str
    title: str
    asks: str
    doc: str
    value: str
    tolerance: str
    word: str
    shape: str
    picture: str
    note: str
    section: str


@dataclass(frozen=True)
class Verdict:
    """Page one: the scorecard, whose table has its numbers, and what to do."""

    lines: tuple[ScoreLine, ...]
    sentences: tuple[Sentence, ...]
    table: pl.DataFrame
    left_out: str = ""  # in a sentence, of a report made quickly, or written so far
    assumed: str = ""  # which rule values are, in a sentence, where some are

    @property
    def meanings(self) -> Rows:
        """What each line asks, how it is measured, and what is allowed."""
        return tuple(
            (line.title, line.asks, line.doc, line.tolerance) for line in self.lines
        )


@dataclass(frozen=True)
class Section:
    """Exhibits on one subject, with its findings.

    ``failed`` is the error for which it is not whole; it shows what came before.
    """

    id: str
    title: str
    intro: str
    exhibits: tuple[Exhibit, ...] = ()
    findings: tuple[Finding, ...] = ()
    failed: Exception | None = field(default=None, compare=False)

    def broken(self, error: Exception) -> "Section":
        """The section as far as it is made; it says what went wrong."""
        text = (
            f"This section is not whole, for an error of fairdeal: "
            f"{type(error).__name__}: {str(error).strip().rstrip('.')}. What was "
            "played is kept, and all other sections are whole; please report it."
        )
        said = Finding(text, "", self.id)
        return replace(self, findings=(*self.findings, said), failed=error)


class FigureFailed(RuntimeError):
    """A figure that could not be drawn, of a report that is written without it."""


@dataclass(frozen=True)
class Report:
    """All that a report says; `write` puts it into a folder."""

    title: str
    subtitle: str
    simulated: Rows  # (what, value): lineups, games, seed, version, ...
    findings: tuple[Finding, ...]
    sections: tuple[Section, ...]
    differences: Rows = ()  # (rule, how it differs from the base, in words)
    assumed: Rows = ()  # (rule, value, why it had to be assumed)
    rules: Rows = ()  # (rule, value): every rule in force
    verdict: Verdict | None = None  # page one
    full: bool = False  # unfolded, and printed whole
    appendix: tuple[str, ...] = ()  # ids of sections that check, and tell nothing new
    glossary: Rows = ()  # (measure, meaning, kind, by): terms, and what is counted

    def __post_init__(self) -> None:
        """Refuse ids that are no file names, that repeat, or that lead nowhere."""
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

    @property
    def intervals(self) -> int:
        """How many intervals its tables print."""
        return sum(
            exhibit.table[column.low].count()
            for exhibit in self.exhibits
            for column in exhibit.columns
            if column.low
        )

    @property
    def reading(self) -> tuple[str, ...]:
        """How its findings and intervals are to be read, in sentences."""
        missing = round((1 - LEVEL) * self.intervals)
        means = "; ".join(f"{label}: {words}" for label, words in LABELS.items())
        return (
            f"{means.capitalize()}. Without a label: a description, which tells "
            "what was counted and claims no more.",
            f"The tables print {self.intervals:,} intervals of 95 %, each by itself: "
            f"about {missing:,} of them miss the truth. Where a finding picks numbers "
            "out of several (the greatest, the least, those that surely differ), its "
            "intervals hold for all of these at once, and are wider than the tables'. "
            "A mean that a few games with large numbers make has no interval.",
        )

    @property
    def failed(self) -> tuple[Section, ...]:
        """The sections that are not whole."""
        return tuple(part for part in self.sections if part.failed is not None)

    @property
    def exhibits(self) -> tuple[Exhibit, ...]:
        """All exhibits in their order."""
        return tuple(exhibit for part in self.sections for exhibit in part.exhibits)
