"""Read the cells of workbooks: xlsx, xls and ods, by python-calamine.

The package is an extra, ``fairdeal[sheets]``: text files do not need it.
"""

import io
import zipfile
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from pathlib import Path

from experiments.core.cells import UsageError
from sim.parameters import no_such, one_of

MAX_BYTES = 64_000_000
"""The size that a file may have, and the parts of a workbook together."""
_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"


def is_workbook(data: bytes) -> bool:
    """Return whether a file begins as a workbook does.

    >>> is_workbook(b"name,cost")
    False
    """
    return data.startswith((_ZIP, _OLE))


def cells(
    path: Path, data: bytes, wanted: str, sheet: str = ""
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the rows of a workbook as texts: the number of each, from 1, and its cells.

    Args:
        path: of the workbook, for messages. data: its bytes.
        wanted: what it must contain, for messages.
        sheet: by name; "" if only one has cells.

    Raises ``UsageError``.
    """
    table = _table(path, data, wanted, sheet)
    for at, row in enumerate(table, 1):
        texts = [_text(cell) for cell in row]
        while texts and not texts[-1]:
            texts.pop()
        yield at, tuple(texts)


def _table(path: Path, data: bytes, wanted: str, sheet: str) -> list[list[object]]:
    """Return the cells of one sheet."""
    try:
        import python_calamine as calamine
    except ImportError:
        raise UsageError(
            f"{path}: this is a workbook, and to read it takes python-calamine (pip "
            "install 'fairdeal[sheets]'); or save it as CSV."
        ) from None
    _refuse_bombs(path, data)
    try:
        book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
        tables: dict[str, list[list[object]]] = {
            name: [list(r) for r in book.get_sheet_by_name(name).to_python(False)]
            for name in book.sheet_names
            if not sheet or name == sheet
        }
        names = book.sheet_names
    except (calamine.CalamineError, ValueError, OSError, zipfile.BadZipFile) as error:
        raise UsageError(
            f"{path}: this cannot be read as a workbook ({error}). Wanted: {wanted}."
        ) from None
    if sheet and sheet not in names:
        raise UsageError(f"{path}: {no_such('sheet', sheet, names, told='There are')}")
    filled = [name for name, rows in tables.items() if any(map(any, rows))]
    if len(filled) > 1:
        raise UsageError(
            f"{path}: several sheets have cells: {one_of(filled)}. Say which: "
            f"--where 'sheet={filled[0]}'."
        )
    return tables[filled[0]] if filled else []


def _refuse_bombs(path: Path, data: bytes) -> None:
    """Refuse a workbook whose parts are far larger than the file."""
    if not data.startswith(_ZIP):
        return
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            size = sum(part.file_size for part in parts.infolist())
    except (zipfile.BadZipFile, ValueError, OSError) as error:
        raise UsageError(f"{path}: this is a damaged workbook ({error}).") from None
    if size > MAX_BYTES:
        raise UsageError(f"{path}: too large; at most {MAX_BYTES:,} bytes of cells.")


def _text(cell: object) -> str:
    """Return a cell as it would stand in a text file.

    >>> _text(3.0), _text(2.5), _text(True), _text(date(2025, 5, 1))
    ('3', '2.5', 'yes', '2025-05-01')
    """
    match cell:
        case bool():
            return "yes" if cell else "no"
        case float() if cell.is_integer() and abs(cell) < 1e15:
            return str(int(cell))
        case float():
            return repr(cell)
        case datetime() | date() | time():
            return cell.isoformat()
        case timedelta():
            return str(cell)
        case _:
            return str(cell).strip()
