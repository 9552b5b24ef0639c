"""The limits of rule values in words, and messages about values outside of them."""

from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from sim.parameters.tables import (
    Group,
    Range,
    TableRow,
    group_of,
    nearest,
    one_of,
    row_type_of,
)


def explain(
    model: type[BaseModel], error: ValidationError, values: Mapping[str, Any]
) -> str:
    """The first mistake, in words: place, value, what is allowed."""
    first = error.errors()[0]
    if not first["loc"]:
        return str(first["msg"]).removeprefix("Value error, ")
    names = [str(part) for part in first["loc"]]
    field = model.model_fields.get(names[0])
    row_type = row_type_of(field) if field else None
    part = group_of(field) if field else None
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
    return text + (f" Allowed: {_allowed(field)}" if field is not None else "")


def _allowed(field: FieldInfo) -> str:
    """What a field may hold, with its description."""
    about = f" ({field.description})" if field.description else ""
    return f"{allowed(field)}.{about}"


def _choices(annotation: Any) -> list[str]:
    """The texts that a field, or an item of a list, may be."""
    parts = get_args(annotation)
    if get_origin(annotation) is tuple:
        return [choice for part in parts for choice in _choices(part)]
    return [str(part) for part in parts]


def allowed(field: FieldInfo) -> str:
    """What a field may hold, in words."""
    text = _words(field.annotation)
    low = [m.ge for m in field.metadata if getattr(m, "ge", None) is not None]
    high = [m.le for m in field.metadata if getattr(m, "le", None) is not None]
    if low and high:
        text += f" {low[0]} to {high[0]}"
    elif low:
        text += f" of at least {low[0]}"
    return text


_PLAIN = {
    int: "whole number",
    bool: "true or false",
    str: "text",
    float: "number",
    Range: "whole number, or list of two (from, to)",
}


def _words(annotation: Any) -> str:
    """A type in words."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return " | ".join(str(part) for part in parts)
    if origin in (Union, UnionType):
        return " or ".join(_words(part) for part in parts if part is not NoneType)
    if origin is tuple:
        rows = [p for p in parts if isinstance(p, type) and issubclass(p, TableRow)]
        if rows:
            return "table with " + one_of(rows[0].model_fields)
        many = " each" if parts[-1] is Ellipsis else f", {len(parts)} of them"
        return f"list ({_words(parts[0])}{many})"
    if isinstance(annotation, type) and issubclass(annotation, Group):
        return one_of(annotation.model_fields)
    return _PLAIN.get(annotation, str(annotation))
