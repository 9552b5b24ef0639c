"""Rules as knobs: validated values with a unit, a range and a source.

A game's rules are one frozen model whose fields are the knobs. Tables of cards
or squares are tuples of rows with an ``id``; a change names the row by its id,
so a designer writes only what differs. Every mistake is a ``RuleError`` that
names the place, what is allowed, and the nearest valid name.
"""

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Self, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

BY_PLAYERS = "by_players"


class RuleError(ValueError):
    """A rule value that cannot be: says where, what is allowed, what is near."""


class Row(BaseModel):
    """A row of a table that a designer edits, known by its id."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    id: str = Field(min_length=1, pattern=r"^[A-Za-z0-9+./_-]+$")


class Part(BaseModel):
    """A few values that belong together, such as the copies of each card in a deck."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def knob(
    default: Any,
    doc: str,
    *,
    unit: str = "",
    source: str = "",
    assumed: str = "",
    **limits: Any,
) -> Any:
    """A rule value: its default, what it means, its unit, range and source.

    ``assumed`` says why, where the value is not from the rulebook.
    """
    about: dict[str, Any] = {"unit": unit, "source": source, "assumed": assumed}
    return Field(default, description=doc, json_schema_extra=about, **limits)


@dataclass(frozen=True)
class Knob:
    """A rule value as it is shown to a designer."""

    key: str
    value: Any
    default: Any
    doc: str
    unit: str
    allowed: str
    source: str
    assumed: str


class Rules(BaseModel):
    """The rules of a game; the base of each game's own model."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    @classmethod
    def of(cls, changes: Mapping[str, Any] | None = None) -> Self:
        """The base rules with these changes.

        Keys may be dotted (``squares.blue.gem``) or nested. Raises ``RuleError``.
        """
        return cls().changed(changes or {})

    def changed(self, changes: Mapping[str, Any]) -> Self:
        """These rules with these changes; raises ``RuleError``."""
        values = self.model_dump(exclude_none=True)
        for key, change in changes.items():
            _change(type(self), values, key.split("."), change, key)
        try:
            return type(self).model_validate(_tuples(values))
        except ValidationError as error:
            raise RuleError(_explain(type(self), error, values)) from None

    def check(self, players: int) -> None:
        """Refuse what cannot be played with this many; raises ``RuleError``."""

    def shortages(self, players: int) -> list[str]:
        """What the game needs beyond the parts in its box, in words."""
        return []

    def plain(self) -> dict[str, Any]:
        """Every rule value in force, as JSON knows it."""
        return self.model_dump(mode="json", exclude_none=True)

    def plain_with(self, players: int) -> dict[str, Any]:
        """The same with so many players: what differs by that as plain values.

        A table ``by_players`` has a row for each number of players, which is its id.
        """
        values = self.plain()
        for row in values.pop(BY_PLAYERS, []):
            if row.pop("id") == str(players):
                values |= row
        return values

    def knobs(self) -> list[Knob]:
        """Every rule value with what a designer must know of it."""
        return list(_knobs(self))

    def differences(self) -> dict[str, tuple[Any, Any]]:
        """Where these rules differ from the base: key -> (base, here)."""
        base = _flat(type(self)().plain())
        here = _flat(self.plain())
        keys = [*base, *(key for key in here if key not in base)]
        return {
            key: (base.get(key), here.get(key))
            for key in keys
            if base.get(key) != here.get(key)
        }


def nearest(name: str, names: Iterable[str]) -> str:
    """End a sentence: ``; did you mean X?`` with the nearest valid name, or a stop."""
    near = difflib.get_close_matches(name, list(names), n=1, cutoff=0.5)
    return f"; did you mean {near[0]!r}?" if near else "."


def one_of(names: Iterable[str]) -> str:
    """A list of valid names for a message."""
    return ", ".join(names)


def _flat(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in values.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            for row in value:
                rest = {name: item for name, item in row.items() if name != "id"}
                flat |= _flat(rest, f"{prefix}{key}.{row['id']}.")
        elif isinstance(value, dict):
            flat |= _flat(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = value
    return flat


def _change(
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
        _change(model, values, [BY_PLAYERS], rows, place)
        return
    if field is None:
        names = [*model.model_fields, *_columns(model)]
        raise RuleError(
            f"{place}: no rule value {name!r}{nearest(name, names)} "
            f"Allowed: {one_of(names)}."
        )
    row_type, part = _row_type(field), _part(field)
    for key in reversed(rest):
        change = {key: change}
    if row_type is None and part is None and rest:
        raise RuleError(f"{place}: {name!r} is one value, it has no parts.")
    if part is not None and isinstance(change, dict):
        values[name] = dict(values[name])
        for key, value in change.items():
            _change(part, values[name], [key], value, place)
    elif row_type is not None and isinstance(change, dict):
        values[name] = _patch(row_type, values[name], change, place)
    else:
        values[name] = _word(field, change)


def _word(field: FieldInfo, change: Any) -> Any:
    """A word that looks like a number, where words are allowed, as in ``deck=440``."""
    choice = get_origin(field.annotation) is Literal
    number = isinstance(change, int) and not isinstance(change, bool)
    words = get_args(field.annotation) if choice and number else ()
    return str(change) if str(change) in words else change


def _columns(model: type[BaseModel]) -> list[str]:
    """What differs by the number of players, and can be set for all of them at once."""
    field = model.model_fields.get(BY_PLAYERS)
    row = None if field is None else _row_type(field)
    return [] if row is None else [name for name in row.model_fields if name != "id"]


def _patch(
    row_type: type[Row],
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
                raise RuleError(
                    f"{place}.{key}: no field {name!r}{nearest(name, known)} "
                    f"Allowed: {one_of(known)}."
                )
        if key not in table:
            needs = [n for n, f in row_type.model_fields.items() if f.is_required()]
            lacks = [n for n in needs if n != "id" and n not in row]
            if remove or lacks:
                what = "nothing to remove" if remove else f"a new row lacks {lacks[0]}"
                raise RuleError(
                    f"{place}: no row {key!r} ({what}){nearest(key, table)} "
                    f"Rows: {one_of(table)}."
                )
        if remove:
            del table[key]
        else:
            table[key] = {**table.get(key, {}), **row, "id": key}
    return list(table.values())


def _by_id(rows: Any, place: str) -> dict[str, dict[str, Any]]:
    """The rows of a table by id, where what was given is one."""
    table = rows if isinstance(rows, list | tuple) else [rows]
    if not all(isinstance(row, dict) and "id" in row for row in table):
        raise RuleError(f"{place}: there are no rows with an id in {rows!r}.")
    return {row["id"]: dict(row) for row in table}


def _tuples(value: Any) -> Any:
    """Lists as tuples, all the way down: the models are frozen and strict."""
    if isinstance(value, list | tuple):
        return tuple(_tuples(item) for item in value)
    if isinstance(value, dict):
        return {key: _tuples(item) for key, item in value.items()}
    return value


def _row_type(field: FieldInfo) -> type[Row] | None:
    for part in get_args(field.annotation):
        if isinstance(part, type) and issubclass(part, Row):
            return part
    return None


def _part(field: FieldInfo) -> type[Part] | None:
    kind = field.annotation
    return kind if isinstance(kind, type) and issubclass(kind, Part) else None


def _explain(
    model: type[BaseModel], error: ValidationError, values: Mapping[str, Any]
) -> str:
    """The first mistake, in words: place, value, what is allowed."""
    first = error.errors()[0]
    if not first["loc"]:
        return str(first["msg"]).removeprefix("Value error, ")
    names = [str(part) for part in first["loc"]]
    field = model.model_fields.get(names[0])
    row_type = _row_type(field) if field else None
    part = _part(field) if field else None
    if part is not None and len(names) > 1:
        place, field = ".".join(names), part.model_fields.get(names[1])
    elif row_type is not None and len(names) > 1:
        row = values[names[0]][int(names[1])]
        name = row.get("id", names[1]) if isinstance(row, dict) else names[1]
        place = ".".join([names[0], str(name), *names[2:]])
        field = row_type.model_fields.get(names[2]) if len(names) > 2 else None
    else:
        place = ".".join(names)
    message = str(first["msg"]).removeprefix("Value error, ")
    given = first.get("input")
    text = f"{place}: {message[0].lower()}{message[1:]}, not {given!r}."
    if first["type"] == "value_error":
        text = f"{place}: {message}"
    if first["type"] == "tuple_type":
        text = f"{place}: a list in brackets is needed, not {given!r}."
    if first["type"] == "model_type":
        text = f"{place}: a row is a table of its fields, not {given!r}."
    if isinstance(given, str) and field is not None:
        near = nearest(given, _choices(field.annotation)).removeprefix("; did")
        text += "" if near == "." else f" Did{near}"
    return text + (f" Allowed: {_allowed(field)}." if field is not None else "")


def _choices(annotation: Any) -> list[str]:
    """The texts that a field, or an item of a list, may be."""
    parts = get_args(annotation)
    if get_origin(annotation) is tuple:
        return [choice for part in parts for choice in _choices(part)]
    return [str(part) for part in parts]


def _allowed(field: FieldInfo) -> str:
    """What a field may hold, in words."""
    text = _words(field.annotation)
    low = [m.ge for m in field.metadata if getattr(m, "ge", None) is not None]
    high = [m.le for m in field.metadata if getattr(m, "le", None) is not None]
    if low and high:
        text += f" {low[0]} to {high[0]}"
    elif low:
        text += f" of at least {low[0]}"
    return text


_PLAIN = {int: "whole number", bool: "true or false", str: "text", float: "number"}


def _words(annotation: Any) -> str:
    """A type in words."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return " | ".join(str(part) for part in parts)
    if origin in (Union, UnionType):
        return " or ".join(_words(part) for part in parts if part is not NoneType)
    if origin is tuple:
        rows = [p for p in parts if isinstance(p, type) and issubclass(p, Row)]
        if rows:
            return "table with " + one_of(rows[0].model_fields)
        many = " each" if parts[-1] is Ellipsis else f", {len(parts)} of them"
        return f"list ({_words(parts[0])}{many})"
    if isinstance(annotation, type) and issubclass(annotation, Part):
        return one_of(annotation.model_fields)
    return _PLAIN.get(annotation, str(annotation))


def _knobs(rules: Rules) -> Iterator[Knob]:
    plain = rules.plain()
    for key, field in type(rules).model_fields.items():
        about = field.json_schema_extra
        extra = about if isinstance(about, dict) else {}
        default = type(rules)().plain().get(key)
        yield Knob(
            key=key,
            value=plain.get(key),
            default=default,
            doc=field.description or "",
            unit=str(extra.get("unit", "")),
            allowed=_allowed(field),
            source=str(extra.get("source", "")),
            assumed=str(extra.get("assumed", "")),
        )
