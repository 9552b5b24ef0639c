"""Who is told of what is decided and what becomes of it: tables, transcripts, counts.

A listener overrides what it hears; the rest is silence.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.events import Decision
from sim.masks import Flags, Masks
from sim.view import Rows, Seat


class Choice(NamedTuple):
    """A decision of all rows, (games,) each, and its answer."""

    kind: Decision
    seat: Seat
    legal: Masks
    most: NDArray[np.uint8] | None  # tokens or cards that an answer takes; None: one
    answer: Masks
    asked: Flags  # the rows that had it


EVERY = slice(None)
"""All rows of a state, for who hears of some."""


class Listener:
    """Who is told of choices and events, by name.

    ``needs_event_order`` is whether it has to hear events of different names in the order in
    which they happen, beside each other; tables of each name need not. ``ignores_public_history``
    says of a class, not of those derived from it, that it does not play games on from
    states that it is shown, nor shows them to who does.
    """

    needs_event_order: ClassVar[bool] = True
    ignores_public_history: ClassVar[bool] = False

    def hears(self, name: str) -> bool:
        """Whether choices or events of this name are wanted."""
        raise NotImplementedError

    def choice(self, state: Any, choice: Choice) -> None:
        """A choice of all rows."""

    def choice_of(self, state: Any, rows: Rows, choice: Choice) -> None:
        """A choice of these rows: its arrays are theirs alone."""
        kind, *parts = choice
        size = len(state.games)
        spread_parts: Any = [spread(part, rows, size) for part in parts]
        self.choice(state, Choice(kind, *spread_parts))

    def event(
        self, state: Any, name: str, where: Flags | None, fields: Mapping[str, Any]
    ) -> None:
        """What became of all rows, or of those flagged in ``where``."""

    def event_of(
        self, state: Any, name: str, rows: Rows, fields: Mapping[str, Any]
    ) -> None:
        """What became of these rows: the fields' last axis is theirs alone."""
        self.event(state, name, *spread_event(state, rows, fields))

    def event_sequence(
        self, state: Any, name: str, rows: Rows, order: Rows, fields: Mapping[str, Any]
    ) -> None:
        """What became of rows one after the other: a row may come several times.

        ``order`` rises; what has the same number comes at once, of different rows.
        """
        for some in np.split(np.arange(len(rows)), np.flatnonzero(np.diff(order)) + 1):
            its = {
                key: part.take(some) if isinstance(part, np.ndarray) else part
                for key, part in fields.items()
            }
            self.event_of(state, name, rows.take(some), its)

    def final_state(self, state: Any, rows: Rows) -> None:
        """These rows are over, or are dealt to anew, before the result is told."""


def spread_event(
    state: Any, rows: Rows, fields: Mapping[str, Any]
) -> tuple[Flags, dict[str, Any]]:
    """A note of some rows as one of all rows: which it is about, and its fields."""
    size = len(state.games)
    where: Flags = spread(np.ones(len(rows), dtype=np.bool_), rows, size)
    return where, {key: spread(part, rows, size) for key, part in fields.items()}


def spread(part: Any, rows: Rows, size: int) -> Any:
    """A value of some rows as one of all rows, nothing elsewhere."""
    if not isinstance(part, np.ndarray):
        return part
    found = np.zeros((*part.shape[:-1], size), dtype=part.dtype)
    found[..., rows] = part
    return found
