"""Tables of measures: which groups, which numbers, of which cells, drawn how.

    tabled(found, "busts-strategy", "How often each strategy busts",
           "Each strategy at a table of its own kind.",
           ("strategy", Number("over by strategy", "over"),
            Number("lost by strategy", "lost", name="lost")),
           only=found.alone, draw=dots("strategy", "seats that bust, %"))

A number says its own kind, so its style and its interval follow; what it means is what
its measure says, where the table says no more.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import polars as pl

from reports.drawing import Draw
from reports.formatting import N, estimated, exhibit, joined, named
from reports.page import Column, Exhibit, Style
from reports.report_data import ReportData

Rows = Callable[[pl.DataFrame], pl.DataFrame]


@dataclass(frozen=True)
class Number:
    """A column of a table: a measure under a heading, and its interval.

    ``doc`` stands for what the measure means. The first number of a table is the
    column ``estimate``; those that follow have a ``name``.
    """

    measure: str
    title: str
    doc: str = ""
    name: str = "estimate"

    def column(self, data: ReportData) -> Column:
        """How it is printed."""
        measure = data.measure(self.measure)
        style: Style = "share" if measure.share else "number"
        style = "points" if measure.unit == "pp" else style
        return estimated(self.title, self.doc or measure.doc, style, self.name)


Part = str | Column | Number
"""A group of measures by its name, a column of the table, or a number."""


def tabled(  # noqa: PLR0913 - a table is what it is declared to be
    data: ReportData,
    name: str,
    title: str,
    note: str,
    parts: Sequence[Part],
    *,
    only: pl.Expr | None = None,
    rows: Rows | pl.DataFrame | None = None,
    draw: Draw | None = None,
    formula: str | None = None,
    n: Column = N,
) -> Exhibit:
    """A table of measures, with its figure.

    ``parts`` are its columns from left to right; ``n`` follows them. ``only``: of which
    cells (those of the leading lineup). ``rows`` changes the rows at last: words for
    labels, their order, which are left out; or it is all rows, where they are more than
    the measures beside one another.
    """
    if isinstance(rows, pl.DataFrame):
        table = rows
    else:
        table = beside(data, [p for p in parts if isinstance(p, Number)], only)
        table = table if rows is None else rows(table)
    columns = [_column(data, part) for part in parts]
    return exhibit(name, title, note, table, (*columns, n), draw, formula)


def beside(
    data: ReportData, numbers: Sequence[Number], only: pl.Expr | None = None
) -> pl.DataFrame:
    """Measures side by side: the rows of the first, where the others have them.

    A later one goes by the groups that it has in common with the first. ``only``: of
    which cells (those of the leading lineup).
    """
    only = data.leads() if only is None else only
    first, *others = numbers
    table = data.of(first.measure, only=only)
    groups = data.measure(first.measure).by
    for number in others:
        by = data.measure(number.measure).by
        keys = ("cell", *(name for name in by if name in groups))
        part = data.of(number.measure, only=only)
        table = joined(table, named(part, keys, number.name), keys)
    return table


def _column(data: ReportData, part: Part) -> Column:
    if isinstance(part, Number):
        return part.column(data)
    return data.columns[part] if isinstance(part, str) else part


def worded(name: str, words: Callable[..., str], *of: str) -> Rows:
    """Adds a column of text: what ``words`` calls the values of these columns."""

    def added(rows: pl.DataFrame) -> pl.DataFrame:
        texts = [words(*values) for values in rows.select(of).rows()]
        return rows.with_columns(pl.Series(name, texts, dtype=pl.String))

    return added
