"""Changing rule values: dotted keys, and rows of tables by their id."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from sim.parameters.tables import (
    RuleError,
    TableRow,
    group_of,
    no_such,
    one_of,
    row_type_of,
)

BY_PLAYERS = "by_players"


def change_value(
    model: type[BaseModel],
    values: dict[str, Any],
    path: list[str],
    change: Any,
    place: str,
) -> None:
    """Set one value, or patch the rows of a table by id."""
    name, rest = path[0], path[1:]
    field = model.model_fields.get(name)
    if field is None and name in _columns(model):
        if rest or isinstance(change, dict):
            number = [*rest, *change][0] if isinstance(change, dict) else rest[0]
            raise RuleError(
                f"{place}: {name!r} is set for every number of players at once; "
                f"for one of them it is {BY_PLAYERS}.{number}.{name}."
            )
        rows = {key: {name: change} for key in _by_id(values[BY_PLAYERS], place)}
        change_value(model, values, [BY_PLAYERS], rows, place)
        return
    if field is None:
        names = [*model.model_fields, *_columns(model)]
        raise RuleError(f"{place}: {no_such('rule value', name, names)}")
    row_type, part = row_type_of(field), group_of(field)
    for key in reversed(rest):
        change = {key: change}
    if row_type is None and part is None and (rest or isinstance(change, dict)):
        _check_whole(name, values.get(name), place, bool(rest))
    if part is not None and isinstance(change, dict):
        values[name] = dict(values[name])
        for key, value in change.items():
            change_value(part, values[name], [key], value, place)
    elif row_type is not None and isinstance(change, dict):
        values[name] = _patch(row_type, values[name], change, place)
    else:
        values[name] = _word(field, change)


def _check_whole(name: str, whole: Any, place: str, inside: bool) -> None:
    """Refuse to change a part of a single value; raises ``RuleError``."""
    if isinstance(whole, list | tuple):
        text = f"{name} = [{', '.join(map(repr, whole))}]"
        raise RuleError(f"{place}: {name!r} is one list; write it whole: {text}.")
    if inside or not isinstance(whole, dict):
        raise RuleError(f"{place}: {name!r} is one value, it has no parts.")


def _word(field: FieldInfo, change: Any) -> Any:
    """A change as text where the field allows that word, such as ``deck=440``."""
    choice = get_origin(field.annotation) is Literal
    number = isinstance(change, int) and not isinstance(change, bool)
    words = get_args(field.annotation) if choice and number else ()
    return str(change) if str(change) in words else change


def _columns(model: type[BaseModel]) -> list[str]:
    """The values that differ by number of players and can be set for all at once."""
    field = model.model_fields.get(BY_PLAYERS)
    row = None if field is None else row_type_of(field)
    return [] if row is None else [name for name in row.model_fields if name != "id"]


def _patch(
    row_type: type[TableRow],
    rows: Iterable[dict[str, Any]],
    change: Mapping[str, Any],
    place: str,
) -> list[dict[str, Any]]:
    """Add, change or remove rows of a table, by id."""
    table = _by_id(rows, place)
    for key, fields in change.items():
        if not isinstance(fields, dict):
            raise RuleError(
                f"{place}.{key}: give the row's fields, such as "
                f"{one_of(name for name in row_type.model_fields if name != 'id')}."
            )
        row = dict(fields)
        remove = row.pop("remove", False)
        if not isinstance(remove, bool):
            raise RuleError(f"{place}.{key}.remove: true or false.")
        known = [*row_type.model_fields, "remove"]
        for name in row:
            if name not in known:
                raise RuleError(f"{place}.{key}: {no_such('field', name, known)}")
        if key not in table:
            needs = [n for n, f in row_type.model_fields.items() if f.is_required()]
            lacks = [n for n in needs if n != "id" and n not in row]
            if remove or lacks:
                why = "nothing to remove" if remove else f"a new row lacks {lacks[0]}"
                raise RuleError(
                    f"{place}: " + no_such("row", key, table, "Rows", f" ({why})")
                )
        if remove:
            del table[key]
        else:
            table[key] = {**table.get(key, {}), **row, "id": key}
    return list(table.values())


def _by_id(rows: Any, place: str) -> dict[str, dict[str, Any]]:
    """The rows of a table by id; raises ``RuleError`` if it is no table."""
    table = rows if isinstance(rows, list | tuple) else [rows]
    if not all(isinstance(row, dict) and "id" in row for row in table):
        raise RuleError(f"{place}: there are no rows with an id in {rows!r}.")
    return {row["id"]: dict(row) for row in table}


def as_tuples(value: Any) -> Any:
    """Lists as tuples, at every depth, as the models are frozen and strict."""
    if isinstance(value, list | tuple):
        return tuple(as_tuples(item) for item in value)
    if isinstance(value, dict):
        return {key: as_tuples(item) for key, item in value.items()}
    return value


def flatten(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """All values by dotted key; a row of a table by its id."""
    by_key: dict[str, Any] = {}
    for key, value in values.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            for row in value:
                rest = {name: item for name, item in row.items() if name != "id"}
                by_key |= flatten(rest, f"{prefix}{key}.{row['id']}.")
        elif isinstance(value, dict):
            by_key |= flatten(value, f"{prefix}{key}.")
        else:
            by_key[prefix + key] = value
    return by_key
