"""Expand the short forms of a study file: a value for a list, a file for a table.

``players = 4`` is ``[4]``, ``variants = ["a.toml"]`` is a table ``a`` whose ``base`` is
that file, a lineup is a text or a list of seats, ``precision = "0.2pp"`` is a width.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from experiments.core.cells import UsageError
from experiments.variants.variant_files import BASE

MOST_LINEUPS = 10_000


class StudyTable(BaseModel):
    """A table of a study file."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Precision(StudyTable):
    """How narrow the intervals of the first measure must be before a cell stops."""

    text: str
    half_width: float = Field(gt=0)


def expand_short_forms(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the long form of a file's values; raises ``UsageError``."""
    expanded = dict(values)
    for key, expand in _SHORT.items():
        if key in expanded:
            expanded[key] = expand(expanded[key])
    return _tuples(expanded, (*_LISTS, "design"))


def precision(text: Any) -> Precision:
    """Parse a width: 0.2pp is in percentage points, a number in the measure's unit."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?|\.\d+)\s*(pp)?\s*", str(text))
    if match is None or float(match[1]) <= 0:
        raise UsageError(
            f"precision: {text!r} is not a width. Write 0.2pp (percentage points of a "
            "share), or a number above 0 in the unit of the measure."
        )
    scale = 0.01 if match[2] else 1.0
    return Precision(text=str(text).strip(), half_width=float(match[1]) * scale)


def _variants(given: Any) -> Any:
    """Return variants as a table, from a list of files or name -> file or table."""
    if isinstance(given, list):
        given = _labelled("variants", given, _stem)
    if not isinstance(given, dict):
        raise UsageError(
            'variants: a list of files, such as ["base", "richer.toml"], or a table.'
        )
    return {str(name): _inline(str(name), variant) for name, variant in given.items()}


def _labelled(
    key: str, given: Sequence[Any], label: Callable[[Any], str]
) -> dict[str, Any]:
    """Return a list as a table by label; raises ``UsageError`` for equal labels."""
    table: dict[str, Any] = {}
    for item in given:
        if (name := label(item)) in table:
            raise UsageError(
                f"{key}: {name[:80]!r} is given twice. Name it once, or write a table "
                f"with different names: {key} = {{ first = ..., ... }}."
            )
        table[name] = item
    return table


def _stem(text: Any) -> str:
    if not isinstance(text, str):
        raise UsageError(f"variants: a file or base, not {text!r}.")
    return Path(text).stem


def _inline(name: str, given: Any) -> Any:
    if isinstance(given, str):
        return {} if given == BASE else {"base": given}
    if not isinstance(given, dict):
        raise UsageError(f"variants.{name}: a file, or base and rules, not {given!r}.")
    texts = _texts(given.get("given", ()))
    if not isinstance(texts, list | tuple) or not all(
        isinstance(t, str) for t in texts
    ):
        raise UsageError(
            f'variants.{name}: given: a list of conditions, as ["last: hand has 2 P"], '
            f"not {texts!r}."
        )
    return {**given, "given": [*texts]} if texts else given


def _lineups(given: Any) -> Any:
    """Return lineups by label, from a text, a list or a table of texts or seats."""
    if isinstance(given, str):
        given = [given]
    if isinstance(given, list):
        given = _labelled("lineups", given, _seats)
    if not isinstance(given, dict):
        raise UsageError('lineups: a list, such as ["allround"], or a table.')
    if len(given) > MOST_LINEUPS:
        raise UsageError(
            f"lineups: these are {len(given):,}; at most {MOST_LINEUPS:,}."
        )
    return {str(label): _seats(lineup) for label, lineup in given.items()}


def _seats(given: Any) -> str:
    if isinstance(given, list) and given and all(isinstance(s, str) for s in given):
        return ",".join(given)
    if isinstance(given, str) and given.strip():
        return given
    raise UsageError(
        f"lineups: a strategy for each seat, such as allround,greedy, not {given!r}."
    )


def numbers(text: str) -> tuple[int, ...]:
    """Return the numbers of players in ``3,4`` or ``3-5``; raises ``UsageError``."""
    players: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,3})\s*(?:-\s*([0-9]{1,3})\s*)?", part)
        low, high = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if low > high:
            raise UsageError(f"players: numbers, as in 3,4 or 3-5, not {text!r}.")
        players += range(low, high + 1)
    return tuple(dict.fromkeys(players))


def _numbers(given: Any) -> Any:
    if isinstance(given, str):
        return list(numbers(given))
    return [given] if isinstance(given, int) else given


def _texts(given: Any) -> Any:
    return [given] if isinstance(given, str) else given


def _precision(given: Any) -> Any:
    return given if isinstance(given, Precision | dict) else precision(given)


_SHORT = {
    "variants": _variants,
    "lineups": _lineups,
    "players": _numbers,
    "given": _texts,
    "measures": _texts,
    "tables": _texts,
    "strategies": _texts,
    "precision": _precision,
}
_LISTS = ("players", "given", "measures", "tables", "strategies", "panel")


def _tuples(values: dict[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    """Return the values with these lists as tuples, which the strict models need."""
    converted = dict(values)
    for key in keys:
        if isinstance(converted.get(key), list):
            converted[key] = tuple(converted[key])
        elif key == "design" and isinstance(converted.get(key), dict):
            converted[key] = _tuples(converted[key], ("points",))
    return converted
