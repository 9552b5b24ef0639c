"""Short forms of a study file, written out: one value for a list, a file for a table.

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


class Part(BaseModel):
    """A table of a study file."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Precision(Part):
    """How narrow the intervals of the first measure have to be before we stop."""

    text: str
    half_width: float = Field(gt=0)


def written_out(values: Mapping[str, Any]) -> dict[str, Any]:
    """The long form of a file's values, lists as tuples; raises ``UsageError``."""
    found = dict(values)
    for key, written in _SHORT.items():
        if key in found:
            found[key] = written(found[key])
    return _tuples(found, (*_LISTS, "design"))


def precision(text: Any) -> Precision:
    """``0.2pp`` is percentage points of a share; a plain number is of the measure."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?|\.\d+)\s*(pp)?\s*", str(text))
    if match is None or float(match[1]) <= 0:
        raise UsageError(
            f"precision: {text!r} is no width. Write 0.2pp (percentage points of a "
            "share), or a number above 0 in the unit of the measure."
        )
    scale = 0.01 if match[2] else 1.0
    return Precision(text=str(text).strip(), half_width=float(match[1]) * scale)


def _variants(given: Any) -> Any:
    """A list of files, or a table: name -> file, or base and rules."""
    if isinstance(given, list):
        given = _labelled("variants", given, _stem)
    if not isinstance(given, dict):
        raise UsageError(
            'variants: a list of files, as in ["base", "richer.toml"], or a table.'
        )
    return {str(name): _inline(str(name), one) for name, one in given.items()}


def _labelled(
    key: str, given: Sequence[Any], label: Callable[[Any], str]
) -> dict[str, Any]:
    """A list as a table, by labels that differ."""
    found: dict[str, Any] = {}
    for one in given:
        if (name := label(one)) in found:
            raise UsageError(
                f"{key}: {name[:80]!r} stands there twice. Name it once; or write a "
                f"table, whose names differ, as in {key} = {{ first = ..., ... }}."
            )
        found[name] = one
    return found


def _stem(text: Any) -> str:
    if not isinstance(text, str):
        raise UsageError(f"variants: a file or base, not {text!r}.")
    return Path(text).stem


def _inline(name: str, given: Any) -> Any:
    if isinstance(given, str):
        return {} if given == BASE else {"base": given}
    if not isinstance(given, dict):
        raise UsageError(f"variants.{name}: a file, or base and rules, not {given!r}.")
    return given


def _lineups(given: Any) -> Any:
    """A list of lineups, or a table: label -> lineup (a text, or a list of seats)."""
    if isinstance(given, str):
        given = [given]
    if isinstance(given, list):
        given = _labelled("lineups", given, _seats)
    if not isinstance(given, dict):
        raise UsageError('lineups: a list, as in ["allround"], or a table.')
    if len(given) > MOST_LINEUPS:
        raise UsageError(
            f"lineups: these are {len(given):,}; at most {MOST_LINEUPS:,}."
        )
    return {str(label): _seats(one) for label, one in given.items()}


def _seats(one: Any) -> str:
    if isinstance(one, list) and one and all(isinstance(seat, str) for seat in one):
        return ",".join(one)
    if isinstance(one, str) and one.strip():
        return one
    raise UsageError(
        f"lineups: a strategy for each seat, as in allround,greedy, not {one!r}."
    )


def numbers(text: str) -> tuple[int, ...]:
    """The numbers of players in ``3,4`` or ``3-5``; raises ``UsageError``."""
    found: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,3})\s*(?:-\s*([0-9]{1,3})\s*)?", part)
        low, high = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if low > high:
            raise UsageError(f"players: numbers, as in 3,4 or 3-5, not {text!r}.")
        found += range(low, high + 1)
    return tuple(dict.fromkeys(found))


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
    "measures": _texts,
    "tables": _texts,
    "strategies": _texts,
    "precision": _precision,
}
_LISTS = ("players", "measures", "tables", "strategies", "panel")


def _tuples(values: dict[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    """These lists as tuples: the models are strict."""
    found = dict(values)
    for key in keys:
        if isinstance(found.get(key), list):
            found[key] = tuple(found[key])
        elif key == "design" and isinstance(found.get(key), dict):
            found[key] = _tuples(found[key], ("points",))
    return found
