"""Read tables as spreadsheets write them: the one reader of rows and columns.

Workbooks (xlsx, xls, ods) are read by ``workbooks``. Of text it accepts commas,
semicolons, tabs or bars between cells (declared by a first line ``sep=;``, or
detected), points or commas in numbers, UTF-8 and UTF-16, all line ends, cells with line
breaks, and the empty columns and rows that a spreadsheet leaves behind. It refuses
anything ambiguous, by line and column.
"""

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import NoReturn

from experiments.core import workbooks
from experiments.core.cells import UsageError
from experiments.core.workbooks import MAX_BYTES

_DELIMITERS = (",", ";", "\t", "|")
_DECLARED = re.compile(r'"?sep=([^"\s\w]|\t)"?\1* *(?:\r\n|\r|\n|\Z)', re.IGNORECASE)
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is its beginning
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_BINARY_FORMATS = (
    (b"%PDF", "a PDF"),
    (b"PAR1", "a parquet file"),
)
_THOUSANDS = (
    "' \N{RIGHT SINGLE QUOTATION MARK}\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"
)
_MAX_SHOWN = 40  # letters of a cell in a message


@dataclass(frozen=True)
class Row:
    """The cells of a row, one for each column, and the line on which it begins."""

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Sheet:
    """A table of texts: a heading and rows, without empty rows and columns.

    ``line`` is that of the heading; ``delimiter`` separates cells, and is empty in a
    workbook; ``unit`` is what lines count. ``written`` has what the file calls columns
    that are known by other names here.
    """

    path: Path
    heading: tuple[str, ...]
    rows: tuple[Row, ...]
    line: int
    delimiter: str
    unit: str = "line"
    written: Mapping[str, str] = field(default_factory=dict)

    def wrong(self, line: int, column: str, words: str) -> NoReturn:
        """Raise a ``UsageError`` that names the place; ``column`` may be empty."""
        column = self.written.get(column, column)
        where = f", column {shorten_text(column)}" if column else ""
        raise UsageError(f"{self.path}, {self.unit} {line}{where}: {words}")

    def column(self, name: str) -> list[str]:
        """Return the cells below a heading."""
        at = self.heading.index(name)
        return [row.cells[at] for row in self.rows]

    def numbers(self, columns: Sequence[str]) -> dict[str, list[float | None]]:
        """Return the numbers in columns, None for empty cells; raises ``UsageError``.

        All have one decimal sign, the one that makes every cell a number. Separators
        of thousands are read if they are unambiguous.
        """
        mark = self._decimal(columns)
        return {
            name: [_number(text, mark) if text else None for text in self.column(name)]
            for name in columns
        }

    def _decimal(self, columns: Sequence[str]) -> str:
        """Return the decimal sign in these columns; raises ``UsageError``."""
        sure: dict[str, tuple[int, str]] = {}
        unclear: tuple[int, str, str] | None = None
        for name in columns:
            for row, text in zip(self.rows, self.column(name), strict=True):
                point, comma = (_number(text, mark) for mark in ".,")
                if text and point is None and comma is None:
                    words = f"{quoted(text)} is no number. Allowed: such as 12 or 3.5."
                    self.wrong(row.line, name, words)
                if comma is None and point is not None:
                    sure.setdefault(".", (row.line, text))
                elif point is None and comma is not None:
                    sure.setdefault(",", (row.line, text))
                elif point != comma and (
                    self.delimiter not in ("", ",") or "," in text
                ):
                    unclear = unclear or (row.line, name, text)
        if len(sure) > 1:
            (first, earlier), (second, later) = sorted(sure.values())
            words = f"{later} here and {earlier} in line {first} have different decimal"
            self.wrong(second, "", f"{words} signs. Use the same one everywhere.")
        if unclear and not sure:
            line, name, text = unclear
            words = f"{text} may be {re.sub('[.,]', '', text)}, or have a fraction."
            self.wrong(line, name, f"{words} Write thousands without a separator.")
        return next(iter(sure), ".")


@cache
def _pattern(mark: str) -> re.Pattern[str]:
    """Return the pattern of numbers with this decimal sign."""
    between = f"[{',' if mark == '.' else '.'}{_THOUSANDS}]"
    return re.compile(
        "([+-]?)"
        rf"([0-9]+|[0-9]{{1,3}}({between})[0-9]{{3}}(?:\3[0-9]{{3}})*|(?={re.escape(mark)}))"
        rf"(?:{re.escape(mark)}([0-9]+))?([eE][+-]?[0-9]+)?"
    )


def is_number(text: str) -> bool:
    """Return whether a cell is a number with any decimal sign."""
    return any(_number(text, mark) is not None for mark in ".,")


def _number(text: str, mark: str) -> float | None:
    """Return a text as a number with this decimal sign; None if it is none."""
    match = _pattern(mark).fullmatch(text.replace("\N{MINUS SIGN}", "-"))
    if not match:
        return None
    sign, whole, between, part, power = match.groups(default="")
    return float(f"{sign}{whole.replace(between, '')}.{part}{power}")


def quoted(text: str) -> str:
    """Return a cell for a message: in quotation marks, and cut if it is long."""
    return repr(shorten_text(text))


def shorten_text(text: str) -> str:
    """Return a text, cut to what fits into a message."""
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}..."


def read_sheet(path: Path, wanted: str, encoding: str = "", sheet: str = "") -> Sheet:
    """Read the table in a file; raises ``UsageError`` that names place and problem.

    Args:
        path: of the file.
        wanted: what the file must contain, for error messages.
        encoding: of the text, as Python names it; "": detected.
        sheet: of a workbook, by name; needed if several have cells.

    >>> read_sheet(Path("cards.csv"), "a row a card").heading  # doctest: +SKIP
    ('name', 'cost')
    """
    data = _data(path)
    if workbooks.is_workbook(data):
        rows = workbooks.cells(path, data, wanted, sheet)
        raw = [Row(at, cells) for at, cells in rows if any(cells)]
        delimiter, unit = "", "row"
    else:
        text = _text(path, data, wanted, encoding)
        if kind := text_kind(text):
            _refuse_kind(path, kind, wanted)
        declared = _DECLARED.match(text)
        lines, sign, unit = 0, "", "line"
        if declared:
            text, lines, sign = text[declared.end() :], 1, declared.group(1)
        raw, delimiter = _table(path, text, lines, sign)
    if not raw:
        raise UsageError(f"{path}: the file is empty. Wanted: {wanted}.")
    head, *body = raw
    return _sheet(Sheet(path, (), (), head.line, delimiter, unit), head, body)


def read_text(path: Path, wanted: str, encoding: str = "") -> str:
    """Return the text of a file, "" of a workbook; arguments as for ``read_sheet``."""
    data = _data(path)
    return "" if workbooks.is_workbook(data) else _text(path, data, wanted, encoding)


def _refuse_kind(path: Path, kind: str, wanted: str) -> NoReturn:
    """Refuse a file that is no table."""
    raise UsageError(
        f"{path}: this is {kind}, but a table is needed: CSV, or a workbook (xlsx, "
        f"ods). Wanted: {wanted}."
    )


def _data(path: Path) -> bytes:
    """Return the bytes of a file; raises ``UsageError``."""
    try:
        if not path.is_file():
            reason = "this is not a file" if path.exists() else "there is no such file"
            raise UsageError(f"{path}: {reason}.")
        if path.stat().st_size > MAX_BYTES:
            raise UsageError(f"{path}: too large; at most {MAX_BYTES:,} bytes.")
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}.") from None
    except UsageError:
        raise
    except ValueError as error:  # a path that cannot be
        raise UsageError(f"{str(path)!r} cannot be read: {error}.") from None


def _text(path: Path, data: bytes, wanted: str, encoding: str) -> str:
    """Return the text in the bytes of a file; raises ``UsageError``."""
    mark, name = next(
        ((m, n) for m, n in _MARKS if data.startswith(m)), (b"", encoding or "utf-8")
    )
    kind = next((k for start, k in _BINARY_FORMATS if data.startswith(start)), "")
    if kind:
        _refuse_kind(path, kind, wanted)
    text = _decoded(path, data[len(mark) :], name)
    if "\0" in text:
        _refuse_kind(
            path, "not text in UTF-8 (if it is UTF-16, use --encoding utf-16)", wanted
        )
    return text


def _decoded(path: Path, data: bytes, encoding: str) -> str:
    """Return bytes as text; raises ``UsageError``."""
    try:
        if encoding.lower() in ("utf-16", "utf16"):
            encoding = "utf-16-le"  # without a mark, as Windows writes
        return data.decode(encoding)
    except (LookupError, ValueError) as error:
        if isinstance(error, UnicodeError):
            line = data[: getattr(error, "start", 0)].count(b"\n") + 1
            raise UsageError(
                f"{path}, line {line}: this is not text in {encoding.upper()}. Save it "
                "as CSV UTF-8, or name its encoding, such as --encoding cp1252 (Excel "
                "in western Europe)."
            ) from None
        raise UsageError(
            f"encoding: unknown encoding {encoding!r}. Allowed: utf-8, utf-16, cp1252 "
            "(Excel in western Europe), cp1250 (central Europe), cp1251 (Cyrillic), ..."
        ) from None


def text_kind(text: str) -> str:
    """Return what a text is if it is no table ("JSON", "XML", ...), otherwise ""."""
    start = text[:200].lstrip().lower()
    if start.startswith(("{", "[")):
        return "JSON"
    if start.startswith("<"):
        return "a web page" if re.match("<(!doctype )?html", start) else "XML"
    return ""


def _table(path: Path, text: str, before: int, declared: str) -> tuple[list[Row], str]:
    """Return the rows that are not empty, and the delimiter that fits most rows."""
    readings: list[tuple[int, list[Row], str]] = []
    failed = ""
    for delimiter in declared or _DELIMITERS:
        try:
            rows = list(_rows(text, before, delimiter))
        except _Broken as error:
            failed = failed or f"{path}, {error}"
            continue
        width = len(rows[0].cells) if rows else 1
        fit = sum(1 < len(row.cells) <= width for row in rows)
        readings.append(((width - 1) * fit, rows, delimiter))
    fit, rows, delimiter = max(readings, key=itemgetter(0), default=(0, [], ","))
    if failed and not fit:
        raise UsageError(failed)
    return rows, delimiter


class _Broken(ValueError):
    """A line that is not CSV."""


def _rows(text: str, before: int, delimiter: str) -> Iterator[Row]:
    """Yield the rows that are not empty, without the empty cells at their ends."""
    lines = io.StringIO(text, newline="")  # breaks at CR and LF alone
    reader = csv.reader(
        lines, delimiter=delimiter, skipinitialspace=delimiter != " ", strict=True
    )
    while True:
        line = before + reader.line_num + 1
        try:
            cells = [cell.strip() for cell in next(reader)]
        except StopIteration:
            return
        except csv.Error as error:
            raise _Broken(f"line {line}: {_csv_error(str(error))}") from None
        while cells and not cells[-1]:
            cells.pop()
        if cells:
            yield Row(line, tuple(cells))


def _csv_error(error: str) -> str:
    """Return an error of the csv module in plain words."""
    if "end of data" in error:
        return "a quotation mark begins a cell, but none ends it."
    if "field limit" in error:
        most = f"{csv.field_size_limit():,}"
        return f"a cell of more than {most} characters; is a quotation mark missing?"
    if "expected after" in error:
        return (
            "text after the quotation mark that ends a cell. Inside a cell, write it "
            'twice: "".'
        )
    return f"{error}."


def _sheet(sheet: Sheet, head: Row, body: list[Row]) -> Sheet:
    """Return a sheet with heading and rows, every row as wide as the heading."""
    names = [" ".join(name.split()) for name in head.cells]
    for name, count in Counter(names).items():
        if name and count > 1:
            sheet.wrong(head.line, name, f"{count} columns have this name.")
    for row in body:
        if row.cells == head.cells:
            words = "the heading is repeated here; was the sheet pasted twice?"
            sheet.wrong(row.line, "", words)
        for at, cell in enumerate(row.cells):
            if cell and (at >= len(names) or not names[at]):
                words = f"{quoted(cell)} is in column {at + 1}, which has no heading."
                if sheet.delimiter == ",":
                    words += (
                        " If a decimal comma split a cell in two, save the table with "
                        "semicolons."
                    )
                sheet.wrong(row.line, "", words)
    kept = [at for at, name in enumerate(names) if name]
    rows = tuple(
        Row(
            row.line, tuple(row.cells[at] if at < len(row.cells) else "" for at in kept)
        )
        for row in body
    )
    return replace(sheet, heading=tuple(names[at] for at in kept), rows=rows)
