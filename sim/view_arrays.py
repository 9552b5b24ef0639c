"""The public fields of a view as arrays: which are read, as sets of bits or as numbers.

Every public field is read as the game declares it (see ``View``); nothing is left out
that no game declares left out.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.events import Decision
from sim.masks import Masks
from sim.view import CachedField, View

Place = tuple[str, tuple[int, ...]]
"""A part of a field: its name, and where in the field, as (1,) for the next seat."""
Look = dict[Place, NDArray[Any]]
"""The parts of fields, (rows,) each: sets as masks, and numbers."""
LEGAL: Place = "legal", ()
"""The legal options, which every view has."""
BITS = 64
"""The most members of a set."""
OF_ALL_GAMES = ("players", "most", "supply")
"""Fields of every view that are read."""


def fields_of(view: type[View]) -> list[str]:
    """The public fields of a game's views that policies read."""
    return [
        name
        for name in sorted(dir(view))
        if not name.startswith("_")
        and not hasattr(View, name)
        and isinstance(getattr(view, name), property | CachedField)
        and name not in view.not_observed
    ]


def arrays_of(view: View, name: str) -> dict[tuple[int, ...], NDArray[Any]]:
    """The arrays (rows,) of a field, by their place in it.

    Sets, names and flags are masks, all else numbers; ``time.week`` is the week. Raises
    ``TypeError`` where a field is none of these, so none is left out in silence.
    """
    time = name.startswith("time.")
    value = view.time.get(name[5:]) if time else getattr(view, name)
    if value is None:
        return {}
    parts: dict[tuple[int, ...], NDArray[Any]]
    if isinstance(value, list):
        parts = {(at,): part for at, part in enumerate(value)}
    elif isinstance(value, bool | int | float | np.generic):
        parts = {(): np.full(len(view), value)}
    elif isinstance(value, np.ndarray) and value.shape[-1:] == (len(view),):
        parts = {at: value[at] for at in _places(value.shape[:-1])}
    else:
        raise TypeError(f"{type(view).__name__}.{name} is not declared, nor a number.")
    if name in view.names_of:
        return {at: _one_of(part) for at, part in parts.items()}
    if is_set(type(view), name):
        return {at: part.astype(np.uint64, copy=False) for at, part in parts.items()}
    return parts


def is_set(view: type[View], name: str) -> bool:
    """Whether a field is read as bits."""
    return name == LEGAL[0] or _declared(view, name)[0]  # type: ignore[arg-type]


def words_of(view: type[View], kind: Decision, name: str) -> str:
    """The vocabulary of a field's bits; "" where it has none."""
    if name == LEGAL[0]:
        return kind.vocabulary
    return _declared(view, name)[1]  # type: ignore[arg-type]


@cache  # asked for each field at each decision; classes are hashable, mypy thinks not
def _declared(view: Any, name: str) -> tuple[bool, str]:
    """Whether a field is declared as bits, and their vocabulary."""
    declared = view.vocabulary_of, view.names_of, view.flag_fields, view.relations
    words = view.vocabulary_of.get(name) or view.names_of.get(name) or ""
    return any(name in one for one in declared), words.removeprefix("one ")


@cache
def _places(shape: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return tuple(np.ndindex(shape))


def _one_of(number: NDArray[Any]) -> Masks:
    """(rows,) numbers as sets of one; nothing where a number is none of 0 to 63."""
    known = (number >= 0) & (number < BITS)
    shift = np.where(known, number, 0).astype(np.uint64)
    return masks.where(known, masks.ONE << shift)
