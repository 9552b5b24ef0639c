"""Every change of a single rule that a designer could try next: the levers of a game.

    for step in rule_steps(game.rules(), players=4).steps:
        print(step.setting, "|", step.sentence)

    life=2 | Life gems of a player at the start: 2 gems instead of 3 (life).
    squares.blue.remove=true | No square blue: it was pledge P3; when trick; ...

They are made from the schema of the rules alone, so every game and variant has them. A
number goes one step up and one step down within its range (by 1; numbers above 20 by
about a tenth), as does each number of a list; a choice takes each of its other values;
a row of a table is removed, and each of its numbers changed. With ``fine`` the choices,
lists and ranges of rows change, too. Text has no step. Changes that the rules refuse,
or that are not in force, are returned with the reason.
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
from experiments.variants.variants import settings_as_changes
from sim.parameters import (
    BY_PLAYERS,
    Group,
    RuleError,
    Rules,
    TableRow,
    item_name,
    items_of,
    nearest,
)

_GUARD = "guard"  # where a simulation gives up; not a rule of the game
MOST = 1_000
"""The most values of a rule that are tried."""
_UNIT_STEPS = 20  # numbers up to this change by one

Sort = Literal["number", "choice", "removed"]


@dataclass(frozen=True)
class RuleStep:
    """One change of one rule.

    ``label`` is short (``life 3 -> 2``), ``sentence`` is in the words of the rules.
    ``setting`` is what ``--set`` takes, ``key`` its rule, ``changes`` the value by key.
    ``size`` is how far a number moves, in steps; 1 for other changes.
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
class RefusedStep:
    """A change that cannot be made, and why."""

    setting: str
    why: str


@dataclass(frozen=True)
class RuleSteps:
    """The changes that can be made, and those that the rules refuse."""

    steps: tuple[RuleStep, ...]
    refused: tuple[RefusedStep, ...] = ()


@dataclass(frozen=True)
class _Candidate:
    """A change that the rules may refuse: its key, new value and label."""

    key: str
    value: Any
    sort: Sort
    label: str


def rule_steps(
    rules: Rules, players: int, only: Sequence[str] = (), *, fine: bool = False
) -> RuleSteps:
    """Return every change of one rule, in the order of the rules.

    ``only``: keys (``life``, ``squares``, ``squares.blue``) to which they are limited.
    Raises ``UsageError`` for a key that has no step, with the nearest that has.
    """
    candidates = list(_candidates(rules, players, fine, only))
    for key in only:
        if not any(_is_among(each.key, [key]) for each in candidates):
            known = dict.fromkeys(c.key.removesuffix(".remove") for c in candidates)
            near = nearest(key, [*known, *(name.partition(".")[0] for name in known)])
            raise UsageError(f"{key}: no step of a rule of this name{near}")
    made, left_out = [], []
    for new in candidates:
        if only and not _is_among(new.key, only):
            continue
        setting = f"{new.key}={as_toml(new.value)}"
        try:
            changes = {new.key: new.value}
            made.append(make_step(rules, changes, players, new.label, new.sort))
        except RuleError as error:
            left_out.append(RefusedStep(setting, str(error)))
    return RuleSteps(tuple(made), tuple(left_out))


def make_step(
    rules: Rules,
    changes: Mapping[str, Any],
    players: int,
    label: str,
    sort: Sort = "number",
    size: int = 1,
) -> RuleStep:
    """Return the step of changes by key.

    Raises ``RuleError`` if they cannot be played, or change nothing that is in force.
    """
    changed = rules.changed(
        settings_as_changes([(k, as_change(v)) for k, v in changes.items()])
    )
    changed.check(players)
    if changed.plain_with(players) == rules.plain_with(players):
        raise RuleError(f"{', '.join(changes)}: not in force in this game.")
    return RuleStep(
        ", ".join(changes),
        label,
        " ".join(f"{key}={as_toml(value)}" for key, value in changes.items()),
        sort,
        changed,
        " ".join(rule_diff.sentences(rules, changed)),
        dict(changes),
        size,
    )


def step_to(
    rules: Rules, changes: Mapping[str, Any], players: int, size: int = 1
) -> RuleStep:
    """Return the step to new values by key; raises ``RuleError`` as ``make_step``."""
    labels = []
    for key, value in changes.items():
        old, new = map(rule_diff.field_words, (_in_force(rules, key), value))
        labels.append(f"{key_words(rules, key)} {old} -> {new}")
    sort: Sort = "number" if _numbers([*changes.values()]) else "choice"
    return make_step(rules, changes, players, ", ".join(labels), sort, size)


def _in_force(rules: Rules, key: str) -> Any:
    """Return the value of a rule; of one that is not set, what is in force."""
    now = as_change(value_of(rules, key))
    return rules.unset().get(key) if now is None else now


def steps_of_vary(rules: Rules, text: str, players: int) -> RuleSteps:
    """Return the changes of one rule that ``--vary`` names: ``life=1..8``, ``gem=1,3``.

    A list needs brackets: ``sums=[5,9],[4,8]``. It may begin ``rules.sums``. The
    size of a change is how many named values it moves by. Raises ``UsageError``.
    """
    key, equals, values = text.partition("=")
    key = key.strip().removeprefix("rules.")
    named_ = _values_of(key, values.strip())
    if not equals or not key or not named_:
        raise UsageError(
            f"--vary {text!r}: write a rule and values, such as life=1..8 or gem=1,3."
        )
    now = _in_force(rules, key)
    order = sorted({*named_, now}) if _numbers([*named_, now]) else named_
    made, left_out = [], []
    for value in named_:
        if value == now:
            continue
        size = abs(order.index(value) - order.index(now)) if now in order else 1
        try:
            made.append(step_to(rules, {key: value}, players, size))
        except RuleError as error:
            left_out.append(RefusedStep(f"{key}={as_toml(value)}", str(error)))
    if not made:
        why = left_out[0].why if left_out else "it has this value already."
        raise UsageError(f"--vary {text!r}: no value of it can be played: {why}")
    return RuleSteps(tuple(made), tuple(left_out))


def _values_of(place: str, text: str) -> list[Any]:
    """Return the values in a text; [] if it cannot be read."""
    first, dots, last = text.partition("..")
    try:
        low, high = (int(first), int(last)) if dots else (0, 0)
    except ValueError:
        return []
    if high - low >= MOST:
        count = f"{high - low + 1:,}"
        raise UsageError(
            f"--vary {place}: {text} are {count} values; at most {MOST:,}."
        )
    if dots:
        return list(range(low, high + 1))
    if text.startswith("["):  # commas within lists, too
        lists = toml.parse_value(f"[{text}]")
        return lists if isinstance(lists, list) else []
    return [toml.parse_value(part.strip()) for part in text.split(",") if part.strip()]


def _numbers(values: Sequence[Any]) -> bool:
    return all(isinstance(v, int) and not isinstance(v, bool) for v in values)


def combine_steps(
    rules: Rules, one: RuleStep, other: RuleStep, players: int
) -> RuleStep:
    """Return the step of two changes at once; raises ``RuleError``."""
    return make_step(
        rules,
        {**one.changes, **other.changes},
        players,
        f"{one.label}, {other.label}",
        size=one.size + other.size,
    )


def longer_step(
    rules: Rules, step: RuleStep, players: int, times: int
) -> RuleStep | None:
    """Return a step of one number, made so many times as long; None if there is none.

    >>> from sim.games import load
    >>> kunitame = load("kunitame").rules()
    >>> [one] = rule_steps(kunitame, 4, ["weeks"]).steps[:1]
    >>> one.label, longer_step(kunitame, one, 4, 2).label
    ('weeks 4 -> 3', 'weeks 4 -> 2')
    """
    [(key, value), *more] = step.changes.items()
    now = _in_force(rules, key)
    if more or not _numbers([now, value]):
        return None
    new = now + times * (value - now)
    label = f"{key_words(rules, key)} {rule_diff.field_words(now)} -> {new}"
    try:
        return make_step(rules, {key: new}, players, label, size=times)
    except RuleError:
        return None


def as_change(value: Any) -> Any:
    """Return a value with lists in place of tuples, as TOML has it."""
    listed = isinstance(value, list | tuple)
    return [as_change(item) for item in value] if listed else value


def as_toml(value: Any) -> str:
    """Return a value as ``--set`` takes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return f"[{','.join(map(as_toml, value))}]"
    return str(value) if isinstance(value, int | float) else f'"{value}"'


def width(value: int) -> int:
    """Return the size of one step: 1, or about a tenth of numbers above 20.

    >>> [width(n) for n in (0, 7, 20, 50, 180, 440)]
    [1, 1, 1, 5, 10, 20]
    """
    if abs(value) <= _UNIT_STEPS:
        return 1
    tenth, scale = abs(value) // 10, 1
    while tenth >= 10 * scale:
        scale *= 10
    return max(n * scale for n in (1, 2, 5) if n * scale <= tenth)


def _is_among(key: str, only: Sequence[str]) -> bool:
    return any(key == name or key.startswith(f"{name}.") for name in only)


def _candidates(
    rules: Rules, players: int, fine: bool, only: Sequence[str]
) -> Iterator[_Candidate]:
    unset = rules.unset()
    for key, field in type(rules).model_fields.items():
        value = getattr(rules, key)
        if key == _GUARD:
            continue
        if isinstance(value, Group):
            yield from _fields(value, key, f"{key}.", True)
        elif _is_table(value):
            named = any(name.partition(".")[0] == key for name in only)
            if not (value[0].stepped or named):
                continue
            yield from _rows(rules, key, players, fine)
        else:
            yield from _values(unset.get(key) if value is None else value, field, key)


def _is_table(value: Any) -> bool:
    return isinstance(value, tuple) and any(isinstance(row, TableRow) for row in value)


def _rows(rules: Rules, key: str, players: int, fine: bool) -> Iterator[_Candidate]:
    """Yield changes and removals of rows; by players, only of the row in force."""
    for row in getattr(rules, key):
        place = f"{key}.{row.id}"
        called = key_words(rules, place)
        if key != BY_PLAYERS:
            yield _Candidate(f"{place}.remove", True, "removed", f"without {called}")
            yield from _fields(row, place, f"{called}: ", fine)
        elif row.id == str(players):
            yield from _fields(row, place, f"{called}: ", True)


def key_words(rules: Rules, key: str) -> str:
    """Return what a rule, a row of a table or its field is called.

    >>> from sim.games import load
    >>> key_words(load("kunitame").rules(), "squares.black.gem")
    'square black: gem'
    """
    table, _, place = key.partition(".")
    name, _, field = place.partition(".")
    rows = getattr(rules, table, ())
    row = next((r for r in rows if r.id == name), None) if _is_table(rows) else None
    if row is None:
        return key
    called = f"{rule_diff.noun(type(row))} {rule_diff.row_name(row.model_dump())}"
    if table == BY_PLAYERS:
        called = f"with {name} players"
    return f"{called}: {field}" if field else called


def _fields(of: BaseModel, place: str, called: str, fine: bool) -> Iterator[_Candidate]:
    """Yield changes of the fields of a row; unless ``fine``, only of numbers."""
    for name, field in type(of).model_fields.items():
        value = getattr(of, name)
        number = isinstance(value, int) and not isinstance(value, bool)
        if name != "id" and (number or fine):
            yield from _values(value, field, f"{place}.{name}", f"{called}{name}")


def _values(
    value: Any, field: FieldInfo, key: str, called: str = ""
) -> Iterator[_Candidate]:
    """Yield the other values of one rule value, or of one field of a row."""
    choices, called = choices_of(field.annotation), called or key
    moves: list[tuple[Any, Sort]] = []
    if isinstance(value, bool):
        moves = [(not value, "choice")]
    elif value in choices:
        moves = [(choice, "choice") for choice in choices if choice != value]
    elif isinstance(value, int):
        moves = [(new, "number") for new in _neighbours(value, field)]
    elif isinstance(value, list | tuple):
        for place, old, new, whole in _lists(value):
            name = item_name(items_of(field), called, place)
            yield _Candidate(key, whole, "number", f"{name} {old} -> {new}")
    now = rule_diff.field_words(value)
    for new, sort in moves:
        label = f"{called} {now} -> {rule_diff.field_words(new)}"
        yield _Candidate(key, new, sort, label)


def choices_of(annotation: Any) -> list[Any]:
    """Return the values of a choice; [] for any other type."""
    if get_origin(annotation) is Literal:
        return list(get_args(annotation))
    parts = [part for part in get_args(annotation) if part is not NoneType]
    plain = get_origin(annotation) is not tuple and parts
    if plain and all(get_origin(part) is Literal for part in parts):
        return [value for part in parts for value in get_args(part)]
    return []


def limits_of(field: FieldInfo) -> tuple[int | None, int | None]:
    """Return the least and the greatest allowed number; None if there is no limit."""
    low = max((m.ge for m in field.metadata if hasattr(m, "ge")), default=None)
    high = min((m.le for m in field.metadata if hasattr(m, "le")), default=None)
    return low, high


def _neighbours(value: int, field: FieldInfo) -> Iterator[int]:
    """Yield the values a step down and a step up, within the range."""
    low, high = limits_of(field)
    for new in (value - width(value), value + width(value)):
        if (low is None or new >= low) and (high is None or new <= high):
            yield new


def _lists(
    values: Sequence[Any],
) -> Iterator[tuple[tuple[int, ...], int, int, tuple[Any, ...]]]:
    """Yield place, old number, new number and list, for a step of each number.

    In a list within the list the place is ``(2, 1)``.
    """
    for at, old_item in enumerate(values):
        moves: Iterable[tuple[tuple[int, ...], int, int, Any]] = ()
        if isinstance(old_item, list | tuple):
            moves = _lists(old_item)
        elif isinstance(old_item, int) and not isinstance(old_item, bool):
            news = (old_item - width(old_item), old_item + width(old_item))
            moves = (((), old_item, new, new) for new in news)
        for inner, old, new, item in moves:
            whole = (*values[:at], item, *values[at + 1 :])
            yield (at + 1, *inner), old, new, whole
