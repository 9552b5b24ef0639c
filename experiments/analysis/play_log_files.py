"""Open a play log, whatever its format, as the table of one game's sessions."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from experiments.analysis import play_exports
from experiments.analysis.play_log_vocabulary import GAMES, VERSIONS, key
from experiments.core import spreadsheets
from experiments.core.cells import UsageError
from experiments.core.spreadsheets import Sheet, quoted
from sim.parameters import no_such, one_of

_SHEET = "sheet"


def open_play_log(
    path: Path,
    wanted: str,
    names: Sequence[str] = (),
    where: Sequence[str] = (),
    encoding: str = "",
) -> tuple[Sheet, list[str]]:
    """Return the rows of one game, and remarks on what was left out.

    Args:
        path: of a table in text, a workbook, or an export of plays.
        wanted: what it must contain, for messages.
        names: of the game: its rows are taken where a column names several games.
        where: texts of ``HEADING=VALUE``, e.g. "version=2": only such rows are taken;
            ``sheet=NAME`` names the sheet of a workbook.
        encoding: of a text; detected if none is named.

    Raises ``UsageError``.
    """
    said = _conditions(where)
    text = spreadsheets.read_text(path, wanted, encoding)
    remarks: list[str] = []
    if text and play_exports.is_export(text):
        sheet, kept = play_exports.read_export(path, text)
        remarks += kept
    else:
        named = "" if text else said.pop(_SHEET, "")
        sheet = spreadsheets.read_sheet(path, wanted, encoding, named)
    for name, value in said.items():
        sheet = _where(sheet, name, value)
    sheet, words = _of_game(sheet, names, said)
    return sheet, [*remarks, *words, *_versions(sheet)]


def _conditions(where: Sequence[str]) -> dict[str, str]:
    """Return the values by heading."""
    said = {}
    for text in where:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not name:
            raise UsageError(f"where: {text!r} is not HEADING=VALUE, as version=2.")
        said[name] = value
    return said


def _where(sheet: Sheet, name: str, value: str) -> Sheet:
    """Return the rows with this value below a heading."""
    same = [heading for heading in sheet.heading if key(heading) == key(name)]
    if not same:
        words = no_such("column", name, sheet.heading, told="There are")
        raise UsageError(f"where: {words}")
    cells = sheet.column(same[0])
    kept = [
        row
        for row, cell in zip(sheet.rows, cells, strict=True)
        if _plain(cell) == _plain(value)
    ]
    if not kept:
        words = no_such(same[0], value, _values(cells), told="There are")
        raise UsageError(f"where: {words}")
    return replace(sheet, rows=tuple(kept))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _values(cells: Sequence[str]) -> list[str]:
    """Return the different values, the most frequent first, at most twenty."""
    return [quoted(value)[1:-1] for value, _ in Counter(cells).most_common(20) if value]


def _of_game(
    sheet: Sheet, names: Sequence[str], said: Mapping[str, str]
) -> tuple[Sheet, list[str]]:
    """Return the rows of the game, if a column names several games, and a remark."""
    columns = [name for name in sheet.heading if key(name) in GAMES]
    if not columns or not names or columns[0] in said:
        return sheet, []
    column = columns[0]
    values = _values(sheet.column(column))
    if len(values) < 2:
        return sheet, []
    own = [value for value in values if key(value) in {*map(key, names)}]
    if len(own) != 1:
        words = f"{column} names several games: {one_of(values)}."
        sheet.wrong(sheet.line, column, f"{words} Say which: --where '{column}=NAME'.")
    others = f"rows of other games than {own[0]} are left out"
    return _where(sheet, column, own[0]), [others]


def _versions(sheet: Sheet) -> list[str]:
    """Return a remark if a column names several versions of the rules."""
    for name in sheet.heading:
        if key(name) in VERSIONS:
            values = _values(sheet.column(name))
            if len(values) > 1:
                one = f"--where '{name}={values[0]}'"
                return [f"{name} {' and '.join(values)} are taken together ({one})"]
    return []
