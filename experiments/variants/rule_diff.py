"""The difference between two rule sets, in plain English.

A sentence for each rule value, or row of a table, made from the rules' declarations:

    Life gems of a player at the start: 4 gems instead of 3 (life).
    New square card-9-10: pledge P1; when trick; num 9 to 10; gem 1 (squares).
    Square blue: gem 3 instead of 1 (squares).
    No square card-11: it was pledge P1; when trick; num 11; gem 1 (squares).
    With 4 players: hannah 1 instead of 2 (by_players).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sim.parameters import BY_PLAYERS, Parameter, Rules, TableRow, item_name

_SHORT_LIST = 4  # items up to which a list is shown whole


@dataclass(frozen=True)
class Change:
    """A difference in one rule value, or in one row of a table.

    ``key`` is the rule (``life``) or the row (``squares.blue``), ``fields`` are the
    fields of the row that differ; ``before`` and ``after`` are JSON, or None (no row).
    """

    key: str
    before: Any
    after: Any
    sentence: str
    fields: tuple[str, ...] = ()


def sentences(base: Rules, here: Rules) -> list[str]:
    """Return a sentence for each difference of ``here`` from ``base``."""
    return [change.sentence for change in changes(base, here)]


def changes(base: Rules, here: Rules) -> list[Change]:
    """Return the differences of ``here`` from ``base``, in the order of the rules.

    Raises ``ValueError`` if they are the rules of two games.
    """
    if type(base) is not type(here):
        raise ValueError(
            f"the rules of two games cannot be compared: {type(base).__name__} "
            f"and {type(here).__name__}."
        )
    before = {parameter.key: parameter for parameter in base.parameters()}
    return [
        change
        for parameter in here.parameters()
        if parameter.value != before[parameter.key].value
        for change in _changed(
            parameter, before[parameter.key], _noun_of(parameter, base, here)
        )
    ]


def noun(row: type[TableRow]) -> str:
    """Return the name for a row of a table."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", row.__name__).lower()


def row_name(row: Mapping[str, Any]) -> str:
    """Return the printed name of a row, or else its id."""
    return str(row.get("name") or row["id"])


def _noun_of(parameter: Parameter, *rules: Rules) -> str:
    """Return the name for a row of a table; "" if the parameter is not a table."""
    for each in rules:
        value = getattr(each, parameter.key)
        if isinstance(value, tuple) and value and isinstance(value[0], TableRow):
            return noun(type(value[0]))
    return ""


def _changed(parameter: Parameter, base: Parameter, noun_: str) -> Iterator[Change]:
    before = base.value
    if noun_:
        yield from _rows(parameter, before, noun_)
        return
    words = _items(parameter, before)
    if not words:
        values = parameter.doc.strip().removesuffix(".").replace(": ", ", ")
        subject = f"{_capital(values)}: " if values else ""
        if base.in_force == parameter.in_force:
            words = f"{subject}{_counted(base.in_force, parameter.unit)}, as before"
        else:
            pair = base.in_force, parameter.in_force
            words = f"{subject}{_instead(*pair, parameter.unit)}"
    sentence = f"{words} ({parameter.key})."
    yield Change(parameter.key, before, parameter.value, sentence)


def _items(parameter: Parameter, before: Any) -> str:
    """Return the items of a list that differ by name, if they are few; else ""."""
    after = parameter.value
    if not parameter.items or not isinstance(before, list) or len(before) != len(after):
        return ""
    parts = [
        f"{item_name(parameter.items, parameter.key, place)} "
        f"{_in_words(new)} instead of {_in_words(old)}"
        for place, old, new in _numbers(before, after)
        if old != new
    ]
    return "; ".join(parts) if len(parts) <= _SHORT_LIST else ""


def _numbers(
    before: Sequence[Any], after: Sequence[Any]
) -> Iterator[tuple[tuple[int, ...], Any, Any]]:
    """Yield the place, the old and the new number of two lists of the same form."""
    for at, (old, new) in enumerate(zip(before, after, strict=True), start=1):
        if isinstance(old, list):
            yield from (((at, *place), *pair) for place, *pair in _numbers(old, new))
        else:
            yield (at,), old, new


def _rows(
    parameter: Parameter, before: Sequence[Mapping[str, Any]], noun: str
) -> Iterator[Change]:
    """Yield changed, added and removed rows, then a change of their order."""
    old = {row["id"]: row for row in before}
    new = {row["id"]: row for row in parameter.value}
    for name in [*old, *(name for name in new if name not in old)]:
        was, now = old.get(name), new.get(name)
        if was != now:
            words, fields = _row(noun, name, was, now, parameter.key == BY_PLAYERS)
            place = f"{parameter.key}.{name}"
            yield Change(place, was, now, f"{words} ({parameter.key}).", fields)
    old_order, new_order = [n for n in old if n in new], [n for n in new if n in old]
    if old_order != new_order:
        words = f"The rows of the table are in another order ({parameter.key})."
        yield Change(parameter.key, old_order, new_order, words)


def _row(
    noun: str,
    name: str,
    before: Mapping[str, Any] | None,
    after: Mapping[str, Any] | None,
    by_players: bool,
) -> tuple[str, tuple[str, ...]]:
    """Return a row that was added, removed or changed in words, and changed fields."""
    new, gone, here = f"New {noun}", f"No {noun}", _capital(noun)
    name = row_name(after or before or {"id": name})
    if by_players:
        name, new, gone, here = f"{name} players", "Also with", "Not with", "With"
    if before is None:
        return f"{new} {name}: {row_words(after or {})}", ()
    if after is None:
        return f"{gone} {name}: it was {row_words(before)}", ()
    keys = [*before, *(key for key in after if key not in before)]
    fields = tuple(key for key in keys if before.get(key) != after.get(key))
    values = [f"{key} {_other(before.get(key), after.get(key))}" for key in fields]
    return f"{here} {name}: {'; '.join(values)}", fields


def row_words(row: Mapping[str, Any]) -> str:
    """Return the fields of a row in words, without those that are false or None."""
    values = [
        key if value is True else f"{key} {field_words(value)}"
        for key, value in row.items()
        if key not in {"id", "name"} and value is not None and value is not False
    ]
    return "; ".join(values) or "nothing else"


def field_words(value: Any) -> str:
    """Return the value of a field in words; two ascending numbers are a range."""
    pair = isinstance(value, list | tuple) and len(value) == 2
    if pair and all(isinstance(n, int) for n in value) and value[0] <= value[1]:
        low, high = value
        return f"{low} to {high}" if low < high else str(low)
    return _in_words(value)


def _other(before: Any, after: Any) -> str:
    return f"{field_words(after)} instead of {field_words(before)}"


def _instead(before: Any, after: Any, unit: str) -> str:
    """Return a value and the old one in words; of lists and mappings what differs."""
    alike = isinstance(before, Mapping) and isinstance(after, Mapping)
    if alike and before.keys() == after.keys():
        keys = [key for key in after if after[key] != before[key]]
        return "; ".join(f"{k} {_instead(before[k], after[k], '')}" for k in keys)
    if isinstance(before, list) and isinstance(after, list):
        alike = len(before) == len(after)
        values = (_places if alike else _members)(before, after)
        if values:
            return f"{', '.join(values)}; now {_counted(after, unit)}"
    if before is None:
        return f"{_counted(after, unit)}; it was not set"
    if after is None:
        return f"no longer set; it was {_counted(before, unit)}"
    return f"{_counted(after, unit)} instead of {_in_words(before)}"


def _places(before: list[Any], after: list[Any]) -> list[str]:
    """Return the places where two lists differ, if they are few."""
    pairs = list(zip(before, after, strict=True))
    other = [at for at, (old, new) in enumerate(pairs) if old != new]
    if len(after) <= _SHORT_LIST or len(other) > len(after) // 2:
        return []
    return [
        f"{_in_words(after[at])} instead of {_in_words(before[at])} at place {at + 1}"
        for at in other
    ]


def _members(before: list[Any], after: list[Any]) -> list[str]:
    """Return the items that were added or removed, if that is the only difference."""
    come = [item for item in after if item not in before]
    gone = [item for item in before if item not in after]
    if [i for i in after if i not in come] != [i for i in before if i not in gone]:
        return []
    if len(gone) == len(before) or (come and gone):
        return []
    return [f"{_in_words(i)} added" for i in come] + [
        f"{_in_words(i)} removed" for i in gone
    ]


def _counted(value: Any, unit: str) -> str:
    """Return a value with its unit: 4 gems; 1 gem; for a list 1, 2 gems."""
    if not unit or value is None or value == []:
        return _in_words(value)
    first, space, rest = unit.partition(" ")
    singular = value == 1 and value is not True
    if singular and first.endswith("s") and not first.endswith("ss"):
        first = f"{first[:-3]}y" if first.endswith("ies") else first[:-1]
    return f"{_in_words(value)} {first}{space}{rest}"


def _in_words(value: Any) -> str:
    """Return a value in words, with exact numbers."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, list | tuple):
        inside = [
            f"[{_in_words(v)}]" if isinstance(v, list) else _in_words(v) for v in value
        ]
        return ", ".join(inside) or "nothing"
    if isinstance(value, Mapping):
        return (
            ", ".join(f"{key} {_in_words(v)}" for key, v in value.items()) or "nothing"
        )
    return str(value) or '""'


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
