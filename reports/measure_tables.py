"""Tables of measures as declared: their groups, numbers, cells and figure.

    MeasureTable("busts-strategy", "How often each strategy busts",
          "Each strategy at a table of its own kind.",
          ("strategy", Number("over by strategy", "over"),
           Number("lost by strategy", "lost", name="lost")),
          only=data.alone, draw=dots("strategy", "seats that bust, %"))

The kind of a measure decides the style and interval of its number, and its doc is the
meaning of the number, unless the table gives another.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import polars as pl

from reports.figure_specs import Draw
from reports.formatting import LINEUPS, N, estimated, exhibit, join, renamed
from reports.report_data import ReportData
from reports.report_document import Column, Exhibit, Style

Rows = Callable[[pl.DataFrame], pl.DataFrame]


@dataclass(frozen=True)
class Number:
    """A column of a table: a measure under a heading, with its interval.

    ``doc`` replaces the measure's meaning. The first number of a table is the column
    ``estimate``; the others need a ``name``.
    """

    measure: str
    title: str
    doc: str = ""
    name: str = "estimate"

    def column(self, data: ReportData) -> Column:
        """Return the column as it is printed."""
        measure = data.measure(self.measure)
        style: Style = "share" if measure.share else "number"
        style = "points" if measure.unit == "pp" else style
        return estimated(self.title, self.doc or measure.doc, style, self.name)


@dataclass(frozen=True)
class WordColumn:
    """A column of text: ``words`` of each value in the column ``of``."""

    name: str
    title: str
    doc: str
    words: Callable[..., str]
    of: str

    def add_to(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Return rows with this column."""
        return with_words(self.name, self.words, self.of)(rows)


TablePart = str | Column | Number | WordColumn
"""A group of measures by its name, a column, a number, or values in words."""


@dataclass(frozen=True)
class MeasureTable:
    """A table of measures, with its figure.

    ``parts`` are its columns from left to right; ``n`` follows them. The column
    ``LINEUPS`` has the range of the first number over all lineups. ``only`` selects
    cells (default: the leading lineup). ``rows`` is a function that changes the rows at
    the end (words for labels, order, selection), or all rows, if they are more than the
    measures side by side.
    """

    name: str
    title: str
    note: str
    parts: Sequence[TablePart]
    only: pl.Expr | None = None
    rows: Rows | pl.DataFrame | None = None
    draw: Draw | None = None
    n: Column = N

    def of(self, data: ReportData) -> Exhibit:
        """Return the table made from the data."""
        columns = (*(_column(data, part) for part in self.parts), self.n)
        rows = self._rows(data)
        return exhibit(self.name, self.title, self.note, rows, columns, self.draw)

    def _rows(self, data: ReportData) -> pl.DataFrame:
        numbers = [part for part in self.parts if isinstance(part, Number)]
        if isinstance(self.rows, pl.DataFrame):
            rows = self.rows
        else:
            rows = side_by_side(data, numbers, self.only)
        for part in self.parts:
            if isinstance(part, WordColumn):
                rows = part.add_to(rows)
        if LINEUPS in self.parts and "lineups" not in rows.columns:
            rows = over_lineups(data, rows, numbers[0].measure)
        return self.rows(rows) if callable(self.rows) else rows


def over_lineups(data: ReportData, rows: pl.DataFrame, measure: str) -> pl.DataFrame:
    """Add ``lineups`` to rows: the range of a measure over all lineups, in words."""
    what = data.measure(measure)
    spread = data.spread(measure, percent=what.share)
    return join(rows, spread, ("players", *what.by))


def side_by_side(
    data: ReportData, numbers: Sequence[Number], only: pl.Expr | None = None
) -> pl.DataFrame:
    """Return measures side by side: the rows of the first, joined with the others.

    Later measures are joined on the groups that they share with the first. ``only``
    selects cells (default: the leading lineup).
    """
    only = data.leads() if only is None else only
    first, *others = numbers
    table = data.of(first.measure, only=only)
    groups = data.measure(first.measure).by
    for number in others:
        by = data.measure(number.measure).by
        keys = ("cell", *(name for name in by if name in groups))
        part = data.of(number.measure, only=only)
        table = join(table, renamed(part, keys, number.name), keys)
    return table


def _column(data: ReportData, part: TablePart) -> Column:
    if isinstance(part, Number):
        return part.column(data)
    if isinstance(part, WordColumn):
        return Column(part.name, part.title, part.doc)
    return data.columns[part] if isinstance(part, str) else part


def with_words(name: str, words: Callable[..., str], *of: str) -> Rows:
    """Make a function that adds a column of text: ``words`` of these columns."""

    def added(rows: pl.DataFrame) -> pl.DataFrame:
        texts = [words(*values) for values in rows.select(of).rows()]
        return rows.with_columns(pl.Series(name, texts, dtype=pl.String))

    return added


PLAYERS_IN_WORDS = with_words("table", "{} players".format, "players")
"""Adds ``table``, the number of players in words, as a group of a figure."""
