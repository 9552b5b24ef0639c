"""The recorder: a listener that keeps events and choices as columns of tables.

An event with fields by seat makes a row for each seat and game, other events a row for
each game that they are about; lists are left out. Choices are kept under the name of
their kind.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.listener import Choice, Fields, Listener
from sim.masks import Flags
from sim.view import Rows

Columns = dict[str, NDArray[Any]]


class Recorder(Listener):
    """Keeps the events and choices of these names."""

    needs_event_order = False
    ignores_public_history = True

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(names)
        self._kept: dict[str, list[Columns]] = {}

    def hears(self, name: str) -> bool:
        """Whether events or choices of this name are kept."""
        return name in self._names

    def table(self, name: str) -> Columns:
        """The columns of one table; empty if nothing of this name was heard.

        A field that only some of the events have (the round, say) is 0 in the others.
        """
        parts = self._kept.get(name, [])
        keys = dict.fromkeys(key for part in parts for key in part)
        return {
            key: np.concatenate([part.get(key, _none(part)) for part in parts])
            for key in keys
        }

    def choice(self, state: Any, choice: Choice) -> None:
        """Keep a choice: time, seat, legal options and the chosen ones."""
        fields = {
            **state.clock.labels(),
            "seat": choice.seat,
            "legal": choice.legal,
            "chosen": choice.answer,
        }
        self.event(state, choice.kind.name, choice.asked, fields)

    def event(self, state: Any, name: str, where: Flags | None, fields: Fields) -> None:
        """Keep an event."""
        rows = None if where is None else np.flatnonzero(where)
        self._keep(state, name, rows, rows, fields)

    def event_of(self, state: Any, name: str, rows: Rows, fields: Fields) -> None:
        """Keep an event of some rows, in their order."""
        if (rows[1:] > rows[:-1]).all():
            self._keep(state, name, rows, None, fields)
        else:
            super().event_of(state, name, rows, fields)

    def event_sequence(
        self, state: Any, name: str, rows: Rows, order: Rows, fields: Fields
    ) -> None:
        """Keep a sequence of events, in this order."""
        self._keep(state, name, rows, None, fields)

    def _keep(
        self,
        state: Any,
        name: str,
        rows: Rows | None,
        of: Rows | None,
        fields: Fields,
    ) -> None:
        """Keep an event of ``rows`` as columns; arrays are read at the rows ``of``."""
        fields = {k: v for k, v in fields.items() if getattr(v, "ndim", 0) < 3}
        by_seat = any(getattr(value, "ndim", 0) == 2 for value in fields.values())
        seats = state.players if by_seat else 1
        columns = {"game": _column(state.games, rows, seats)}
        size = len(columns["game"])
        if by_seat:
            columns["seat"] = np.repeat(np.arange(seats, dtype=np.uint8), size // seats)
        for key, value in fields.items():
            if isinstance(value, np.ndarray):
                columns[key] = _column(value, of, seats)
            else:
                columns[key] = np.full(size, value, dtype=np.int16)
        self._kept.setdefault(name, []).append(columns)


def _none(part: Columns) -> NDArray[Any]:
    """A column of zeros, as long as these."""
    return np.zeros(len(part["game"]), dtype=np.int16)


def _column(
    value: NDArray[Any], rows: NDArray[np.int64] | None, seats: int
) -> NDArray[Any]:
    """A copy of these rows, seat by seat; a value by game is repeated for each seat."""
    part = value if rows is None else value.take(rows, axis=-1)
    if part.ndim == 1 and seats > 1:
        return np.tile(part, seats)
    return part.reshape(-1).copy()
