"""Tables of rules as sheets: cards, squares and rows out to a spreadsheet and back.

A sheet is a variant: each row is a row of a table (``sheet_tables``), named by its
``id``. It has the table as it is to be, so a row that is missing is removed and a new
``id`` added. Cells hold values as in a variant file (``[9, 10]``, ``true`` or yes).
Columns that are no fields of the table, such as notes, are ignored and named, and kept
on the way out.
"""

import csv
import io
import types
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

import sim.games
from experiments.core.cells import UsageError
from experiments.core.declared_columns import declared_columns
from experiments.core.spreadsheets import Row, Sheet, quoted, read_sheet
from experiments.variants import toml
from experiments.variants.sheet_tables import SheetTable, sheet_tables
from sim.games import Game
from sim.parameters import RuleError, Rules, nearest, one_of

ENDINGS = (".csv", ".tsv", ".xlsx", ".ods", ".xls")
"""How the names of sheets end."""
_GAME, _TABLE, _ID = "game", "table", "id"
_WANTED = f"a row per card, with {_TABLE}, {_ID} and its fields"
_BOOLEANS = {"yes": True, "true": True, "x": True, "no": False, "false": False}
_SIMILAR = 0.75


def is_sheet(path: Path) -> bool:
    """Return whether a path is that of a sheet, by its ending.

    >>> is_sheet(Path("cards.csv")), is_sheet(Path("mine.toml"))
    (True, False)
    """
    return path.suffix.lower() in ENDINGS


@dataclass(frozen=True)
class OwnColumns:
    """Columns of a sheet that are no fields, and their cells by table and id."""

    heading: tuple[str, ...] = ()
    cells: Mapping[tuple[str, str], Sequence[str]] = field(default_factory=dict)


def sheet_text(game: Game, rules: Rules, own: OwnColumns | None = None) -> str:
    """Return all tables of rules as CSV; raises ``UsageError`` if there are none.

    ``own`` columns are added behind the fields.
    """
    tables = sheet_tables(rules)
    if not tables:
        declare = ' Declare one in its class: box = cards_of("my_cards.csv").'
        raise UsageError(
            f"{game.id}: its rules have no tables of cards or squares."
            f"{declare if game.scalar else ''}"
        )
    names = dict.fromkeys(name for table in tables.values() for name in table.fields)
    own = own or OwnColumns()
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([_GAME, _TABLE, _ID, *names, *own.heading])
    for key, table in tables.items():
        for id_, row in table.rows.items():
            cells = [_cell(row.get(name)) for name in names]
            more = own.cells.get((key, id_), [""] * len(own.heading))
            writer.writerow([Path(game.id).name, key, id_, *cells, *more])
    return file.getvalue().rstrip("\n")


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else toml.value(value)


def sheet_game(path: Path) -> str:
    """Return the id of the game of a sheet; raises ``UsageError``.

    It is named in a column ``game``; without one it is the game whose ids these are.
    """
    sheet = read_sheet(path, _WANTED)
    if named := _named_game(sheet):
        return named
    ids = {*sheet.column(_ID)} if _ID in sheet.heading else set()
    own = {id_ for id_ in ids if not id_.isdecimal()}  # places in a list say nothing
    known = {
        game: len(own & {id_ for table in tables.values() for id_ in table.rows})
        for game in sim.games.REGISTRY
        if (tables := sheet_tables(sim.games.load(game).rules()))
    }
    best = max(known, key=lambda game: known[game])
    if known[best] * 2 < max(len(own), 1):
        games = one_of(known)
        words = (
            "there is no such column, and no game has these ids. Add it, or name the "
            f"game, as in fairdeal compare my_game.py cards.csv. Games: {games}."
        )
        sheet.wrong(sheet.line, _GAME, words)
    return best


def _named_game(sheet: Sheet) -> str:
    """Return the game that a sheet names; "" if it has no such column."""
    if _GAME not in sheet.heading:
        return ""
    named = dict.fromkeys(filter(None, sheet.column(_GAME)))
    if len(named) != 1:
        sheet.wrong(sheet.line, _GAME, "one game is needed, the same in every row.")
    return next(iter(named))


def read_card_sheet(
    game: Game, path: Path, columns: Sequence[str] = (), encoding: str = ""
) -> Sheet:
    """Return a sheet with rows of this game; raises ``UsageError``.

    columns: headings that mean a field of the rules, as ``gem=Edelsteine``.
    """
    read = read_sheet(path, _WANTED, encoding)
    tables = sheet_tables(game.rules())
    fields = {_GAME, _TABLE, _ID, *_all_fields(tables)}
    said = declared_columns(
        read, columns, sorted(fields), role="field", example="gem=Edelsteine"
    )
    if _ID not in {*read.heading, *said.values()}:
        said |= {name: _ID for name in _id_headings(tables) if name in read.heading}
    sheet = replace(
        read,
        heading=tuple(said.get(name, name) for name in read.heading),
        written={field: name for name, field in said.items()},
    )
    for name, count in Counter(sheet.heading).items():
        if count > 1:
            raise UsageError(
                f"columns: {path} has another column {name}. Rename it, or remove it."
            )
    if not sheet.rows:
        sheet.wrong(sheet.line, "", f"no rows follow the heading. Wanted: {_WANTED}.")
    if (named := _named_game(sheet)) and Path(named).name != Path(game.id).name:
        sheet.wrong(sheet.line, _GAME, f"game is {named!r}, not {game.id!r}.")
    if _ID not in sheet.heading:
        words = f"there is no such column. Wanted: {_WANTED}. {_declare(_ID)}"
        sheet.wrong(sheet.line, _ID, words)
    return sheet


def _id_headings(tables: Mapping[str, SheetTable]) -> set[str]:
    """Return what a sheet may call the id, such as the first column of its cards."""
    return {table.id_called for table in tables.values()}


def _declare(name: str) -> str:
    """Say how a field's column is declared."""
    return (
        f"If it has another heading: fairdeal cards GAME --variant SHEET --columns "
        f"{name}=HEADING --file cards.csv."
    )


def own_columns(
    game: Game, path: Path, columns: Sequence[str] = (), encoding: str = ""
) -> OwnColumns:
    """Return the columns of a sheet that are no fields of the game's tables."""
    sheet, tables = (
        read_card_sheet(game, path, columns, encoding),
        sheet_tables(game.rules()),
    )
    heading = tuple(_unknown_columns(sheet, tables))
    places = [sheet.heading.index(name) for name in heading]
    ids = sheet.column(_ID)
    cells = {
        (_table_of(sheet, at, tables), ids[at]): [row.cells[place] for place in places]
        for at, row in enumerate(sheet.rows)
    }
    return OwnColumns(heading, cells)


def sheet_variant(
    game: Game, path: Path, columns: Sequence[str] = (), encoding: str = ""
) -> dict[str, Any]:
    """Return a sheet as the contents of a variant file.

    ``columns`` and ``encoding`` are as for ``read_card_sheet``. Raises ``UsageError``,
    which names row and column of what is not valid.
    """
    sheet, rules = read_card_sheet(game, path, columns, encoding), game.rules()
    tables = sheet_tables(rules)
    ignored = _unknown_columns(sheet, tables)
    changed: dict[str, dict[str, Mapping[str, Any] | None]] = {}
    seen: dict[tuple[str, str], Row] = {}
    for at, row in enumerate(sheet.rows):
        table = _table_of(sheet, at, tables)
        name = sheet.column(_ID)[at]
        if not name:
            sheet.wrong(row.line, _ID, "is empty; a name is needed.")
        if before := seen.get((table, name)):
            words = f"{name} is in {sheet.unit} {before.line}, too."
            sheet.wrong(row.line, _ID, words)
        seen[table, name] = row
        _refuse_other_fields(sheet, row, tables, table)
        fields = dict(_fields(sheet, row, tables[table], name))
        if fields or name not in tables[table].rows:
            changed.setdefault(table, {})[name] = fields
    for key in {table for table, _ in seen}:
        for name in tables[key].rows:
            if (key, name) not in seen:
                changed.setdefault(key, {})[name] = None
    about = f"ignored columns: {', '.join(ignored)}" if ignored else ""
    changes = _as_changes(sheet, rules, changed, seen)
    return {"game": game.id, "about": about, "rules": changes}


def _as_changes(
    sheet: Sheet,
    rules: Rules,
    changed: Mapping[str, Mapping[str, Mapping[str, Any] | None]],
    places: Mapping[tuple[str, str], Row],
) -> dict[str, Any]:
    """Return the rows that differ as changes; what is wrong is named by row and cell.

    Rows may be valid only together, so each is looked at only if all are not.
    """
    tables = sheet_tables(rules)
    changes: dict[str, Any] = {}
    try:
        for key, rows in changed.items():
            changes |= tables[key].changes(rows)
        rules.changed(changes)
    except RuleError as error:
        for key, rows in changed.items():
            for name, fields in rows.items():
                if fields is not None:
                    row = places[key, name]
                    _check_row(sheet, row, rules, tables[key], name, fields)
        sheet.wrong(sheet.line, "", str(error))
    return changes


def _all_fields(tables: Mapping[str, SheetTable]) -> set[str]:
    """Return the fields of all tables."""
    return {name for table in tables.values() for name in table.fields}


def _unknown_columns(sheet: Sheet, tables: Mapping[str, SheetTable]) -> list[str]:
    """Return the columns that no table has; refuses those that are misspelt."""
    fields = {_GAME, _TABLE, _ID, *_all_fields(tables)}
    unknown = [name for name in sheet.heading if name not in fields]
    left = sorted(fields - set(sheet.heading))
    for name in unknown:
        if near := get_close_matches(name.lower(), left, 1, _SIMILAR):
            words = f"there is no such field; did you mean {near[0]!r}?"
            sheet.wrong(sheet.line, name, words)
    if len(unknown) == len(sheet.heading) - len(
        {*sheet.heading} & {_GAME, _TABLE, _ID}
    ):
        known = one_of(sorted(fields - {_GAME, _TABLE, _ID}))
        words = f"no column is a field. Fields: {known}. {_declare('FIELD')}"
        sheet.wrong(sheet.line, "", words)
    return unknown


def _table_of(sheet: Sheet, at: int, tables: Mapping[str, SheetTable]) -> str:
    """Return the table of a row: as its column says, or that which has its fields."""
    row = sheet.rows[at]
    if _TABLE in sheet.heading:
        name = sheet.column(_TABLE)[at]
        if name not in tables:
            words = f"no table {quoted(name)}{nearest(name, tables)}"
            sheet.wrong(row.line, _TABLE, f"{words} There are: {one_of(tables)}.")
        return name
    used = {name for name, cell in _cells(sheet, row) if cell}
    likely = {key: len(used & {*table.fields}) for key, table in tables.items()}
    most = [key for key, count in likely.items() if count == max(likely.values())]
    known = [key for key in most if dict(_cells(sheet, row))[_ID] in tables[key].rows]
    if len(known or most) > 1:
        words = f"there is no such column; it may be {one_of(most)}."
        sheet.wrong(sheet.line, _TABLE, words)
    return (known or most)[0]


def _cells(sheet: Sheet, row: Row) -> Iterator[tuple[str, str]]:
    """Yield heading and cell of a row."""
    return zip(sheet.heading, row.cells, strict=True)


def _fields(
    sheet: Sheet, row: Row, table: SheetTable, name: str
) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a row that differ from the base rules."""
    old = table.rows.get(name)
    for heading, cell in _cells(sheet, row):
        if heading not in table.fields:
            continue
        before = None if old is None else old[heading]
        if not cell:
            if before not in (None, ""):
                words = f"is empty; {name} has {_cell(before)} here. Write a value."
                sheet.wrong(row.line, heading, words)
            continue
        if old is None or cell != _cell(before):
            value = _value(cell, table.fields[heading])
            if old is None or value != before:
                yield heading, value


def _refuse_other_fields(
    sheet: Sheet, row: Row, tables: Mapping[str, SheetTable], table: str
) -> None:
    """Refuse a value in a column that only other tables have."""
    others = _all_fields(tables) - {*tables[table].fields}
    for heading, cell in _cells(sheet, row):
        if cell and heading in others:
            known = one_of(tables[table].fields)
            words = f"{table} has no such field. Its fields: {known}."
            sheet.wrong(row.line, heading, words)


def _value(cell: str, annotation: Any) -> Any:
    """Return the value of a cell; texts stay as they are."""
    kinds = {*_kinds(annotation)}
    if bool in kinds and cell.lower() in _BOOLEANS:
        return _BOOLEANS[cell.lower()]
    if str in kinds and not kinds - {str, type(None)}:
        return cell
    return toml.parse_value(cell)


def _kinds(annotation: Any) -> Iterator[Any]:
    """Yield the types that an annotation allows; a literal counts as its values'."""
    origin = get_origin(annotation)
    if origin is Literal:
        yield from map(type, get_args(annotation))
    elif origin in (Union, types.UnionType):
        for part in get_args(annotation):
            yield from _kinds(part)
    elif hasattr(annotation, "__metadata__"):
        yield from _kinds(get_args(annotation)[0])
    else:
        yield origin or annotation


def _check_row(
    sheet: Sheet,
    row: Row,
    rules: Rules,
    table: SheetTable,
    name: str,
    fields: Mapping[str, Any],
) -> None:
    """Refuse a row that is not valid, at the cell that is to blame, if one is."""
    try:
        rules.changed(table.changes({name: fields}))
    except RuleError as error:
        for field, value in fields.items():
            if name in table.rows:
                try:
                    rules.changed(table.changes({name: {field: value}}))
                except RuleError as single:
                    sheet.wrong(row.line, field, str(single))
            elif f".{field}" in str(error):
                sheet.wrong(row.line, field, str(error))
        sheet.wrong(row.line, "", str(error))
