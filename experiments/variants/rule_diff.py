"""The difference between two rule sets, told in plain English.

A sentence a rule value, or a row of a table; made of what the rules say of
themselves, so that every game has them:

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

from sim.parameters import BY_PLAYERS, Parameter, Rules, TableRow

_SHORT = 4  # lists of so many things are told whole


@dataclass(frozen=True)
class Change:
    """What differs in one rule value, or in one row of a table.

    ``key`` is the rule (``life``) or the row (``squares.blue``), ``fields`` are the
    fields of the row that differ; ``before`` and ``after`` are as JSON knows them,
    nothing where the row is not there.
    """

    key: str
    before: Any
    after: Any
    sentence: str
    fields: tuple[str, ...] = ()


def sentences(base: Rules, here: Rules) -> list[str]:
    """Where ``here`` differs from ``base``, a sentence each; none if nothing does."""
    return [change.sentence for change in changes(base, here)]


def changes(base: Rules, here: Rules) -> list[Change]:
    """Where ``here`` differs from ``base``, in the order of the rules.

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
            parameter, before[parameter.key].value, _noun(parameter, base, here)
        )
    ]


def _noun(parameter: Parameter, *rules: Rules) -> str:
    """What a row of the table is called; nothing where the parameter is no table."""
    for one in rules:
        value = getattr(one, parameter.key)
        if isinstance(value, tuple) and value and isinstance(value[0], TableRow):
            return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(value[0]).__name__).lower()
    return ""


def _changed(parameter: Parameter, before: Any, noun: str) -> Iterator[Change]:
    if noun:
        yield from _rows(parameter, before, noun)
        return
    values = parameter.doc.strip().removesuffix(".").replace(": ", ", ")
    what = f"{_capital(values)}: " if values else ""
    words = (
        f"{what}{_instead(before, parameter.value, parameter.unit)} ({parameter.key})."
    )
    yield Change(parameter.key, before, parameter.value, words)


def _rows(
    parameter: Parameter, before: Sequence[Mapping[str, Any]], noun: str
) -> Iterator[Change]:
    """The rows that were changed, added, removed; then whether the order differs."""
    old = {row["id"]: row for row in before}
    new = {row["id"]: row for row in parameter.value}
    for name in [*old, *(name for name in new if name not in old)]:
        one, other = old.get(name), new.get(name)
        if one != other:
            words, fields = _row(noun, name, one, other, parameter.key == BY_PLAYERS)
            place = f"{parameter.key}.{name}"
            yield Change(place, one, other, f"{words} ({parameter.key}).", fields)
    kept, now = [n for n in old if n in new], [n for n in new if n in old]
    if kept != now:
        words = f"The rows of the table stand in another order ({parameter.key})."
        yield Change(parameter.key, kept, now, words)


def _row(
    noun: str,
    name: str,
    before: Mapping[str, Any] | None,
    after: Mapping[str, Any] | None,
    by_players: bool,
) -> tuple[str, tuple[str, ...]]:
    """A row that was added, removed or changed, and the fields that differ."""
    new, gone, here = f"New {noun}", f"No {noun}", _capital(noun)
    if by_players:
        name, new, gone, here = f"{name} players", "Also with", "Not with", "With"
    if before is None:
        return f"{new} {name}: {described(after or {})}", ()
    if after is None:
        return f"{gone} {name}: it was {described(before)}", ()
    keys = [*before, *(key for key in after if key not in before)]
    fields = tuple(key for key in keys if before.get(key) != after.get(key))
    values = [f"{key} {_other(before.get(key), after.get(key))}" for key in fields]
    return f"{here} {name}: {'; '.join(values)}", fields


def described(row: Mapping[str, Any]) -> str:
    """The fields of a row in words; what is not so is left out."""
    values = [
        key if value is True else f"{key} {field(value)}"
        for key, value in row.items()
        if key != "id" and value is not None and value is not False
    ]
    return "; ".join(values) or "nothing else"


def field(value: Any) -> str:
    """The value of a field; two numbers that do not fall are a range."""
    pair = isinstance(value, list | tuple) and len(value) == 2
    if pair and all(isinstance(n, int) for n in value) and value[0] <= value[1]:
        low, high = value
        return f"{low} to {high}" if low < high else str(low)
    return _said(value)


def _other(before: Any, after: Any) -> str:
    return f"{field(after)} instead of {field(before)}"


def _instead(before: Any, after: Any, unit: str) -> str:
    """The value now and before; of a longer list what differs, then the whole.

    Of values that belong together those that differ.
    """
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
    return f"{_counted(after, unit)} instead of {_said(before)}"


def _places(before: list[Any], after: list[Any]) -> list[str]:
    """The places where two lists differ, if they are few."""
    pairs = list(zip(before, after, strict=True))
    other = [at for at, (old, new) in enumerate(pairs) if old != new]
    if len(after) <= _SHORT or len(other) > len(after) // 2:
        return []
    return [
        f"{_said(after[at])} instead of {_said(before[at])} at place {at + 1}"
        for at in other
    ]


def _members(before: list[Any], after: list[Any]) -> list[str]:
    """What was added or taken out, if that is all and something is left."""
    come = [item for item in after if item not in before]
    gone = [item for item in before if item not in after]
    if [i for i in after if i not in come] != [i for i in before if i not in gone]:
        return []
    if len(gone) == len(before) or (come and gone):
        return []
    return [f"{_said(i)} added" for i in come] + [f"{_said(i)} taken out" for i in gone]


def _counted(value: Any, unit: str) -> str:
    """A value with its unit: 4 gems; 1 gem; for a list 1, 2 gems."""
    if not unit or value is None or value == []:
        return _said(value)
    first, space, rest = unit.partition(" ")
    one = value == 1 and value is not True
    if one and first.endswith("s") and not first.endswith("ss"):
        first = f"{first[:-3]}y" if first.endswith("ies") else first[:-1]
    return f"{_said(value)} {first}{space}{rest}"


def _said(value: Any) -> str:
    """A value in words; numbers exactly as they are."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, list | tuple):
        inside = [f"[{_said(v)}]" if isinstance(v, list) else _said(v) for v in value]
        return ", ".join(inside) or "nothing"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_said(v)}" for key, v in value.items()) or "nothing"
    return str(value) or '""'


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
