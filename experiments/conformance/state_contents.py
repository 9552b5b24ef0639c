"""The contents of a state, for comparisons."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np


def contents(state: Any) -> dict[str, Any]:
    """Return copies of the arrays and numbers of a state by name.

    Rules and chance are left out, as they do not change while a game is played.
    """
    copies = dict(_contents(vars(state)))
    for part in state.parts:
        for name, value in _contents(vars(getattr(state, part))):
            copies[f"{part}.{name}"] = value
    return copies


def _contents(values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if hasattr(value, "__array__") and np.ndim(value):
            yield name, np.array(value)
        elif isinstance(value, list) and all(isinstance(v, np.ndarray) for v in value):
            yield name, [array.copy() for array in value]
        elif value is None or isinstance(value, int):
            yield name, value


def changes(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """Return the names under which two states have different values."""
    lone = set(one) ^ set(other)
    both = set(one) & set(other)
    return sorted(lone | {name for name in both if not same(one[name], other[name])})


def same(one: Any, other: Any) -> bool:
    """Return whether two values are equal: arrays, lists of arrays, or numbers."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(np.array_equal(one, other))
