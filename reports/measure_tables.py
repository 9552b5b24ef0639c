"""Tables of measures as declared: their groups, numbers, cells and figure.

    BUSTS = MeasureTable(
        "busts-strategy",
        "How often each strategy busts",
        "Each strategy at a table of its own kind, {players} players.",
        ("strategy", Number("over by strategy", "over"),
         Number("lost by strategy", "lost", name="lost")),
        only=uniform, draw=dots("strategy", "seats that bust, %"))

Tables are data: what depends on the run has a name. ``{players}``, ``{who}`` and
``{lead}`` in texts are filled in; ``only=here`` and ``only=uniform`` select cells;
``figure_here`` draws the main number of players alone. The kind of a measure decides
the style and interval of its number, and its doc is the meaning of the number, unless
the table gives another.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import polars as pl

from reports.figure_specs import Draw
from reports.formatting import (
    LINEUPS,
    N,
    estimated,
    exhibit,
    join,
    points,
    renamed,
    share,
)
from reports.formatting import number as plain
from reports.report_data import PAIRED, ReportData
from reports.report_document import Column, Exhibit, Style
from reports.verdicts import with_verdict

Rows = Callable[[pl.DataFrame], pl.DataFrame]
Source = Callable[[ReportData], pl.DataFrame]
"""Returns all rows of a table, with the columns that it declares."""
Cells = pl.Expr | Callable[[ReportData], pl.Expr]
"""Selects cells: an expression, or a function that returns it."""


def here(data: ReportData) -> pl.Expr:
    """Select the leading lineup with the main number of players."""
    return data.leads(data.players)


def uniform(data: ReportData) -> pl.Expr:
    """Select tables of one strategy each, with the main number of players."""
    return data.uniform


LINEUP = Column("lineup", "lineup", "who plays; a name alone: in every seat")


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
    """A column of text: ``words`` of each value in the column ``of``.

    ``MeasureTable.sort`` puts the words of a mapping into its order. Values that it
    lacks stay as they are, and come last.
    """

    name: str
    title: str
    doc: str
    words: Callable[..., str] | Mapping[Any, str]
    of: str

    def add_to(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Return rows with this column."""
        words = self.words

        def word(value: Any) -> str:
            if isinstance(words, Mapping):
                return words.get(value, str(value))
            return words(value)

        return with_words(self.name, word, self.of)(rows)

    def key(self) -> pl.Expr:
        """Return what sorts the rows: the place in the mapping, or else the value."""
        if not isinstance(self.words, Mapping):
            return pl.col(self.of)
        last = len(self.words)
        return pl.col(self.of).replace_strict(
            [*self.words], range(last), default=last, return_dtype=pl.Int64
        )


@dataclass(frozen=True)
class VerdictColumn:
    """The column ``verdict``: whether a number differs from 0 by over ``tolerance``.

    ``limit`` is the tolerance in words, and heads the column. ``words`` are for numbers
    shown to be above or below it, or within. ``of`` is the name of the number. Rows
    with equal values in ``family`` are judged together.
    """

    tolerance: float
    limit: str
    words: Mapping[str, str]
    of: str = "estimate"
    family: tuple[str, ...] = ()

    @property
    def column(self) -> Column:
        """The column, whose meaning follows from the declaration."""
        above, below, within = (
            self.words.get(side, side) for side in ("above", "below", "within")
        )
        together = f" of equal {' and '.join(self.family)}" if self.family else ""
        doc = (
            f"{above}: shown to be more than {self.limit} above 0; {below}: as much "
            f"below; {within}: shown to be less; Holm over the rows{together}, 95 %"
        )
        return Column("verdict", self.limit, doc)

    def add_to(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Return rows with this column, families together."""
        return with_verdict(rows, self.tolerance, self.words, self.of, self.family)


TablePart = str | Column | Number | WordColumn | VerdictColumn
"""A group by its name, a column, a number, values in words, or verdicts."""


@dataclass(frozen=True)
class MeasureTable:
    """A table of measures, with its figure.

    ``parts`` are its columns from left to right; ``n`` follows them. The column
    ``LINEUPS`` has the range of the first number over all lineups. ``only`` selects
    cells (default: the leading lineup), ``where`` rows, before they are judged
    together; ``sort`` names the columns by which they are sorted. ``source`` returns
    the rows if they are more than the measures side by side (see ``stacked``). ``rows``
    is a function that changes the rows at the end, or all rows. Rows by number of
    players have it in words, too, in ``table``. With ``figure_here``, the figure shows
    the main number of players only. ``nearest``: the rows to print of a ranked table.
    ``paired``: the measures are of games in pairs, and added up over all cells that
    play them.
    """

    name: str
    title: str
    note: str
    parts: Sequence[TablePart]
    only: Cells | None = None
    rows: Rows | pl.DataFrame | None = None
    draw: Draw | None = None
    n: Column = N
    where: pl.Expr | None = None
    sort: tuple[str, ...] = ()
    source: Source | None = None
    figure_here: bool = False
    nearest: int = 0
    paired: bool = False

    def of(self, data: ReportData) -> Exhibit:
        """Return the table made from the data."""
        title, note = data.in_words(self.title), data.in_words(self.note)
        draw = self.draw
        if draw is not None and self.figure_here and len(data.counts) > 1:
            draw = partial(_draw_here, draw, data.players)
            note = f"{note} The figure shows {data.players} players.".strip()
        rows, columns = self.rows_of(data), self.columns(data)
        made = exhibit(self.name, title, note, rows, columns, draw)
        return replace(made, nearest=self.nearest)

    def columns(self, data: ReportData) -> tuple[Column, ...]:
        """Return the columns as they are printed."""
        return (*(_column(data, part) for part in self.parts), self.n)

    def rows_of(self, data: ReportData) -> pl.DataFrame:
        """Return the rows of the table."""
        rows = self._all_rows(data)
        rows = rows if self.where is None else rows.filter(self.where)
        if "players" in rows.columns and "table" not in rows.columns:
            rows = PLAYERS_IN_WORDS(rows)
        for part in self.parts:
            if isinstance(part, WordColumn):
                rows = part.add_to(rows)
        if LINEUPS in self.parts and "lineups" not in rows.columns:
            rows = over_lineups(data, rows, self._numbers[0].measure)
        for part in self.parts:
            if isinstance(part, VerdictColumn):
                rows = part.add_to(rows)
        if self.sort:
            words = [part for part in self.parts if isinstance(part, WordColumn)]
            keys = {part.name: part.key() for part in words}
            by = [keys.get(name, pl.col(name)) for name in self.sort]
            rows = rows.sort(by, maintain_order=True)
        return self.rows(rows) if callable(self.rows) else rows

    @property
    def _numbers(self) -> list[Number]:
        return [part for part in self.parts if isinstance(part, Number)]

    def _all_rows(self, data: ReportData) -> pl.DataFrame:
        if isinstance(self.rows, pl.DataFrame):
            return self.rows
        if self.source is not None:
            return self.source(data)
        if self.paired:
            return _added_up(data, self._numbers)
        only = self.only
        only = only(data) if callable(only) else only
        return side_by_side(data, self._numbers, only)


def _draw_here(draw: Draw, players: int, table: pl.DataFrame, title: str) -> Any:
    return draw(table.filter(players=players), f"{title}, {players} players")


Stack = Mapping[str, str | tuple[str, Mapping[str, Any]]]
"""Measures by their names in words, perhaps with the values of groups that count."""


def stacked(measures: Stack) -> Source:
    """Make a source of measures one below the other; ``what`` names each in words."""
    return lambda data: stack(data, measures, data.leads())


def stack(data: ReportData, measures: Stack, only: pl.Expr) -> pl.DataFrame:
    """Return the measures of some cells one below the other (``stacked``)."""
    parts = []
    for what, measure in measures.items():
        name, where = (measure, {}) if isinstance(measure, str) else measure
        of = data.of(name, only=only).filter(**where)
        parts.append(of.with_columns(what=pl.lit(what)))
    every = pl.concat(parts, how="diagonal_relaxed")
    return every.sort("players", maintain_order=True)


WHAT = Column("what", "what", "what is counted")


def over_lineups(data: ReportData, rows: pl.DataFrame, measure: str) -> pl.DataFrame:
    """Add ``lineups`` to rows: the range of a measure over all lineups, in words."""
    what = data.measure(measure)
    spread = data.spread(measure, percent=what.share)
    return join(rows, spread, ("players", *what.by))


def _added_up(data: ReportData, numbers: Sequence[Number]) -> pl.DataFrame:
    """Return measures side by side, each added up over all paired cells."""
    groups = data.measure(numbers[0].measure).by
    table = pl.DataFrame()
    for number in numbers:
        part = data.pooled(number.measure, groups, only=PAIRED)
        if number.name != "estimate":
            part = renamed(part, groups, number.name)
        table = join(table, part, groups) if table.width else part
    return table


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
    if isinstance(part, VerdictColumn):
        return part.column
    if isinstance(part, WordColumn):
        return Column(part.name, part.title, part.doc)
    return data.columns[part] if isinstance(part, str) else part


def value_in_words(
    data: ReportData, measure: str, row: Mapping[str, Any], name: str = "estimate"
) -> str:
    """Return a number of a row with its interval, in the style of its measure."""
    what = data.measure(measure)
    words = points if what.unit == "pp" else share if what.share else plain
    return words(row, name)


def with_words(name: str, words: Callable[..., str], *of: str) -> Rows:
    """Make a function that adds a column of text: ``words`` of these columns."""

    def added(rows: pl.DataFrame) -> pl.DataFrame:
        texts = [words(*values) for values in rows.select(of).rows()]
        return rows.with_columns(pl.Series(name, texts, dtype=pl.String))

    return added


PLAYERS_IN_WORDS = with_words("table", "{} players".format, "players")
"""Adds ``table``, the number of players in words, as a group of a figure."""
