"""Listeners hear choices and events: tables, transcripts and counts are made of these.

A listener overrides the methods for what it hears; the others do nothing.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.events import Decision
from sim.masks import Flags, Masks
from sim.view import Rows, Seat


class Choice(NamedTuple):
    """A decision in all rows and its answers, (games,) each."""

    kind: Decision
    seat: Seat
    legal: Masks
    most: NDArray[np.uint8] | None  # tokens or cards that an answer takes; None: one
    answer: Masks
    asked: Flags  # the rows in which it was asked
    # Those in which it was made at the same time as the one before; None: nowhere
    simultaneous: Flags | None = None


Fields = Mapping[str, Any]
"""The fields of an event by name; arrays are (games,), or of the rows named."""
EVERY = slice(None)
"""All rows of a state, where a listener handles rows."""


class Listener:
    """Hears choices and events by name.

    ``needs_event_order``: it has to hear events of different names in the order in
    which they happen; tables of one name each do not. ``ignores_public_history``: this
    class (its subclasses declare it for themselves) does not play games on from states
    that it is shown, nor passes them to anything that does.
    """

    needs_event_order: ClassVar[bool] = True
    ignores_public_history: ClassVar[bool] = False

    def hears(self, name: str) -> bool:
        """Whether choices or events of this name are wanted."""
        raise NotImplementedError

    def choice(self, state: Any, choice: Choice) -> None:
        """Hear a choice in all rows."""

    def choice_of(self, state: Any, rows: Rows, choice: Choice) -> None:
        """Hear a choice in these rows; its arrays are (rows,)."""
        kind, *parts = choice
        size = len(state.games)
        spread_parts: Any = [spread(part, rows, size) for part in parts]
        self.choice(state, Choice(kind, *spread_parts))

    def event(self, state: Any, name: str, where: Flags | None, fields: Fields) -> None:
        """Hear an event in all rows, or in those flagged in ``where``."""

    def event_of(self, state: Any, name: str, rows: Rows, fields: Fields) -> None:
        """Hear an event in these rows, which are the last axis of its fields."""
        self.event(state, name, *spread_event(state, rows, fields))

    def event_sequence(
        self, state: Any, name: str, rows: Rows, order: Rows, fields: Fields
    ) -> None:
        """Hear a sequence of events, in which a row may occur several times.

        ``order`` rises; entries of the same number are one event of different rows.
        """
        for at in np.split(np.arange(len(rows)), np.flatnonzero(np.diff(order)) + 1):
            values = {
                key: part.take(at) if isinstance(part, np.ndarray) else part
                for key, part in fields.items()
            }
            self.event_of(state, name, rows.take(at), values)

    def final_state(self, state: Any, rows: Rows) -> None:
        """See the state of rows that end or are dealt anew, before the result."""


def spread_event(
    state: Any, rows: Rows, fields: Fields
) -> tuple[Flags, dict[str, Any]]:
    """Turn an event of some rows into one of all rows: their flags, and the fields."""
    size = len(state.games)
    where: Flags = spread(np.ones(len(rows), dtype=np.bool_), rows, size)
    return where, {key: spread(part, rows, size) for key, part in fields.items()}


def spread(part: Any, rows: Rows, size: int) -> Any:
    """Spread the values of some rows over all ``size`` rows, 0 elsewhere."""
    if not isinstance(part, np.ndarray):
        return part
    whole = np.zeros((*part.shape[:-1], size), dtype=part.dtype)
    whole[..., rows] = part
    return whole
