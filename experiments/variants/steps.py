"""Every change of a single rule that a designer could try next: the levers of a game.

    for one in steps(game.rules(), players=4).made:
        print(one.setting, "|", one.sentence)

    life=2 | Life gems of a player at the start: 2 gems instead of 3 (life).
    squares.blue.remove=true | No square blue: it was pledge P3; when trick; ...

They are made of the schema of the rules alone, so every game and every variant has
them. A number goes one step up and one step down within its range (by 1; of numbers
above 20 by about a tenth), as does each number of a list; a choice takes each of its
other values; a row of a table is taken out, and each of its numbers changed. With
``fine`` the choices, lists and ranges of rows are changed, too. Text has no step. What
the rules refuse, and what is not in force, is told with the reason.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from experiments.core.cells import UsageError
from experiments.variants import rule_diff, toml
from experiments.variants.provenance import value_of
from experiments.variants.variants import together
from sim.parameters import BY_PLAYERS, Group, RuleError, Rules, TableRow, nearest

_GUARD = "guard"  # where a simulation gives up: no rule of the game
MOST = 1_000
"""Values of a rule that are tried."""
_FINE = 20  # numbers up to this go in steps of one

Sort = Literal["number", "choice", "removed"]


@dataclass(frozen=True)
class Step:
    """One change of one rule.

    ``label`` says it in short (``life 3 -> 2``), ``sentence`` in the words of the
    rules; ``setting`` is what ``--set`` takes, ``key`` the rule in it, ``changes`` the
    same by key. ``size`` is how far a number moves, in steps; 1 of all else.
    """

    key: str
    label: str
    setting: str
    sort: Sort
    rules: Rules
    sentence: str
    changes: Mapping[str, Any]
    size: int = 1


@dataclass(frozen=True)
class LeftOut:
    """A change that cannot be made, and why."""

    setting: str
    why: str


@dataclass(frozen=True)
class Steps:
    """The changes that can be made, and those that the rules refuse."""

    made: tuple[Step, ...]
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True)
class _Try:
    """A change that may be refused: the place in the rules, its new value, in short."""

    key: str
    value: Any
    sort: Sort
    label: str


def steps(
    rules: Rules, players: int, only: Sequence[str] = (), *, fine: bool = False
) -> Steps:
    """Every change of one rule, with so many players, in the order of the rules.

    ``only``: keys (``life``, ``squares``, ``squares.blue``) to which they are limited.
    Raises ``UsageError`` for a key that has no step, with the nearest that has.
    """
    every = list(_all(rules, players, fine))
    for key in only:
        if not any(_in(one.key, [key]) for one in every):
            known = dict.fromkeys(one.key.removesuffix(".remove") for one in every)
            near = nearest(key, [*known, *(name.partition(".")[0] for name in known)])
            raise UsageError(f"{key}: no step of a rule of this name{near}")
    made, left_out = [], []
    for one in every:
        if only and not _in(one.key, only):
            continue
        setting = f"{one.key}={as_toml(one.value)}"
        try:
            changes = {one.key: one.value}
            made.append(step(rules, changes, players, one.label, one.sort))
        except RuleError as error:
            left_out.append(LeftOut(setting, str(error)))
    return Steps(tuple(made), tuple(left_out))


def step(
    rules: Rules,
    changes: Mapping[str, Any],
    players: int,
    label: str,
    sort: Sort = "number",
    size: int = 1,
) -> Step:
    """These changes, by key; raises ``RuleError`` where they cannot be played.

    And where they change nothing that is in force with so many players.
    """
    changed = rules.changed(together([(k, as_change(v)) for k, v in changes.items()]))
    changed.check(players)
    if changed.plain_with(players) == rules.plain_with(players):
        raise RuleError(f"{', '.join(changes)}: not in force in this game.")
    return Step(
        ", ".join(changes),
        label,
        " ".join(f"{key}={as_toml(value)}" for key, value in changes.items()),
        sort,
        changed,
        " ".join(rule_diff.sentences(rules, changed)),
        dict(changes),
        size,
    )


def varied(rules: Rules, text: str, players: int) -> Steps:
    """The changes of one rule that ``--vary`` names: ``life=1..8``, ``gem=1,3``.

    Of a rule that is a list: ``sums=[5,9],[4,8]``. ``rules.`` before the key may be
    left out. The size of a change is how many of the
    named values lie between. Raises ``UsageError`` where it is not to be read.
    """
    key, equals, values = text.partition("=")
    key = key.strip().removeprefix("rules.")
    named_ = _values_of(key, values.strip())
    if not equals or not key or not named_:
        raise UsageError(
            f"--vary {text!r}: write a rule and its values, as life=1..8 or gem=1,3."
        )
    now = as_change(value_of(rules, key))
    order = sorted({*named_, now}) if _numbers([*named_, now]) else named_
    made, left_out = [], []
    for value in named_:
        if value == now:
            continue
        size = abs(order.index(value) - order.index(now)) if now in order else 1
        old, new = rule_diff.field(now), rule_diff.field(value)
        sort: Sort = "number" if _numbers([value]) else "choice"
        try:
            label = f"{key} {old} -> {new}"
            made.append(step(rules, {key: value}, players, label, sort, size))
        except RuleError as error:
            left_out.append(LeftOut(f"{key}={as_toml(value)}", str(error)))
    if not made:
        why = left_out[0].why if left_out else "it has this value anyhow."
        raise UsageError(f"--vary {text!r}: no value of it can be played: {why}")
    return Steps(tuple(made), tuple(left_out))


def _values_of(place: str, text: str) -> list[Any]:
    """The values in a text; none where it is not to be read."""
    first, dots, last = text.partition("..")
    try:
        low, high = (int(first), int(last)) if dots else (0, 0)
    except ValueError:
        return []
    if high - low >= MOST:
        many = f"{high - low + 1:,} values; at most {MOST:,}."
        raise UsageError(f"--vary {place}: {text} are {many}")
    if dots:
        return list(range(low, high + 1))
    if text.startswith("["):  # commas within lists, too
        lists = toml.parsed(f"[{text}]")
        return lists if isinstance(lists, list) else []
    return [toml.parsed(part.strip()) for part in text.split(",") if part.strip()]


def _numbers(values: Sequence[Any]) -> bool:
    return all(isinstance(v, int) and not isinstance(v, bool) for v in values)


def both(rules: Rules, one: Step, other: Step, players: int) -> Step:
    """Two changes at once; raises ``RuleError`` where they cannot be."""
    return step(
        rules,
        {**one.changes, **other.changes},
        players,
        f"{one.label}, {other.label}",
        size=one.size + other.size,
    )


def as_change(value: Any) -> Any:
    """A value as TOML has it: lists, not tuples."""
    many = isinstance(value, list | tuple)
    return [as_change(one) for one in value] if many else value


def as_toml(value: Any) -> str:
    """A value as ``--set`` takes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return f"[{','.join(map(as_toml, value))}]"
    return str(value) if isinstance(value, int | float) else f'"{value}"'


def width(value: int) -> int:
    """How far one step goes: 1, or of numbers above 20 about a tenth.

    >>> [width(n) for n in (0, 7, 20, 50, 180, 440)]
    [1, 1, 1, 5, 10, 20]
    """
    if abs(value) <= _FINE:
        return 1
    tenth, scale = abs(value) // 10, 1
    while tenth >= 10 * scale:
        scale *= 10
    return max(n * scale for n in (1, 2, 5) if n * scale <= tenth)


def _in(key: str, only: Sequence[str]) -> bool:
    return any(key == one or key.startswith(f"{one}.") for one in only)


def _all(rules: Rules, players: int, fine: bool) -> Iterator[_Try]:
    in_force = rules.plain_with(players)
    for key, field in type(rules).model_fields.items():
        value = getattr(rules, key)
        if key == _GUARD:
            continue
        if isinstance(value, Group):
            yield from _fields(value, key, True)
        elif _is_table(value):
            yield from _rows(value, key, players, fine)
        else:
            yield from _values(
                in_force.get(key) if value is None else value, field, key
            )


def _is_table(value: Any) -> bool:
    return isinstance(value, tuple) and any(isinstance(row, TableRow) for row in value)


def _rows(
    rows: Sequence[TableRow], key: str, players: int, fine: bool
) -> Iterator[_Try]:
    """A row is taken out, or changed; with a row a number of players, only theirs."""
    for row in rows:
        place = f"{key}.{row.id}"
        if key != BY_PLAYERS:
            yield _Try(f"{place}.remove", True, "removed", f"without {place}")
            yield from _fields(row, place, fine)
        elif row.id == str(players):
            yield from _fields(row, place, True)


def _fields(of: BaseModel, place: str, fine: bool) -> Iterator[_Try]:
    """Changes of the fields of a row; where they are not fine, of numbers alone."""
    for name, field in type(of).model_fields.items():
        value = getattr(of, name)
        number = isinstance(value, int) and not isinstance(value, bool)
        if name != "id" and (number or fine):
            yield from _values(value, field, f"{place}.{name}")


def _values(value: Any, field: FieldInfo, key: str) -> Iterator[_Try]:
    """The other values of one rule value, or of one field of a row."""
    choices = choices_of(field.annotation)
    if isinstance(value, bool):
        yield _to(key, value, not value, "choice")
    elif value in choices:
        others = (one for one in choices if one != value)
        yield from (_to(key, value, one, "choice") for one in others)
    elif isinstance(value, int):
        yield from (_to(key, value, one, "number") for one in _beside(value, field))
    elif isinstance(value, list | tuple):
        for place, old, new, whole in _lists(value):
            label = f"{key} (place {place}) {old} -> {new}"
            yield _Try(key, whole, "number", label)


def _to(key: str, old: Any, new: Any, sort: Sort) -> _Try:
    words = [rule_diff.field(value) for value in (old, new)]
    return _Try(key, new, sort, f"{key} {' -> '.join(words)}")


def choices_of(annotation: Any) -> list[Any]:
    """The values that a choice has; none of what is no choice."""
    if get_origin(annotation) is Literal:
        return list(get_args(annotation))
    parts = [part for part in get_args(annotation) if part is not NoneType]
    plain = get_origin(annotation) is not tuple and parts
    if plain and all(get_origin(part) is Literal for part in parts):
        return [value for part in parts for value in get_args(part)]
    return []


def limits_of(field: FieldInfo) -> tuple[int | None, int | None]:
    """The least and the greatest that a number may be; None where it is not said."""
    low = max((m.ge for m in field.metadata if hasattr(m, "ge")), default=None)
    high = min((m.le for m in field.metadata if hasattr(m, "le")), default=None)
    return low, high


def _beside(value: int, field: FieldInfo) -> Iterator[int]:
    """A step down and a step up, within the range."""
    low, high = limits_of(field)
    for new in (value - width(value), value + width(value)):
        if (low is None or new >= low) and (high is None or new <= high):
            yield new


def _lists(values: Sequence[Any]) -> Iterator[tuple[str, int, int, tuple[Any, ...]]]:
    """One number of a list a step down, or up: its place, it, the new one, the list.

    Of a list within the list the place is ``2.1``.
    """
    for at, one in enumerate(values):
        found: Iterable[tuple[str, int, int, Any]] = ()
        if isinstance(one, list | tuple):
            found = (
                (f".{place}", old, new, inner) for place, old, new, inner in _lists(one)
            )
        elif isinstance(one, int) and not isinstance(one, bool):
            found = (("", one, one + by, one + by) for by in (-width(one), width(one)))
        for place, old, new, item in found:
            yield f"{at + 1}{place}", old, new, (*values[:at], item, *values[at + 1 :])
