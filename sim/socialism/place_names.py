"""Place names: transcripts name things on the table by where they lie."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from sim import masks
from sim.batch_state import LazyIds
from sim.socialism.layout import NAMES, NONE


def names_in(state: Any, words: str, row: int) -> Sequence[Any]:
    """The id of every bit of a vocabulary, in this row of a state."""
    if words not in _PLACED:
        ids: Sequence[Any] = state.vocabularies[words]
        return ids
    return LazyIds(partial(_PLACED[words], state, row))


def _cell_of(state: Any, row: int, number: int) -> Any:
    """Where a User lies."""
    if number >= state.layout.size:
        return None
    x, y = state.placed_at(state.lies[number, row])
    return int(x), int(y)


def _user(state: Any, row: int, number: int) -> Any:
    """Where a User lies, and which of the two on a card."""
    if masks.bit(number) == NONE:
        return "stop"
    place, layout = _cell_of(state, row, number), state.layout
    if place is None or np.bitwise_count(layout.both[number]) == 1:
        return place
    return (*place, "B" if layout.card[number] != number else "A")


def _cell(state: Any, row: int, number: int) -> Any:
    """A cell around the one to play beside, which is in the middle."""
    x, y = state.placed_at(state.spot[row])
    return int(x) + number % 3 - 1, int(y) + number // 3 - 1


def _front(state: Any, row: int, number: int) -> Any:
    """The seat before which an Action in play lies, and its name."""
    seat, name = divmod(number, len(NAMES))
    return seat, NAMES[name]


_PLACED: Mapping[str, Callable[[Any, int, int], Any]] = {
    "user": _user,
    "lies": _cell_of,
    "cell": _cell,
    "front": _front,
}
