"""The notes of games that differ in length, in the order of games, rounds and turns."""

import numpy as np
import polars as pl

from reports.counts import Array

_ROUND_BITS, _TURN_BITS, _SEAT_BITS = 20, 16, 3


class EventRows:
    """The notes of one name, in the order of games, rounds and turns."""

    def __init__(self, frame: pl.DataFrame, first: int, seats: int) -> None:
        """Read a raw table whose games start at ``first``; without columns: no notes.

        seats: 1, or the number of seats if every note has a row per seat.
        """
        self._frame = frame
        units = ("game", "round", "turn", "seat")
        game, round_, turn, seat = map(self._unit, units)
        game = np.maximum(game - first, 0)
        # Game, round, turn and seat packed into one number sort in a single pass.
        key = ((game << _ROUND_BITS | round_) << _TURN_BITS) | turn
        order = np.argsort(key << _SEAT_BITS | seat * (seats > 1))
        self._order = order.reshape(-1, seats).T  # (seats, notes)
        self.key: Array = key[self._order[0]]  # (notes,) game, round and turn

    @property
    def game(self) -> Array:
        """The game, (notes,), from 0."""
        return self.key >> _ROUND_BITS + _TURN_BITS

    @property
    def round(self) -> Array:
        """The round, (notes,), from 1."""
        return self.when & (1 << _ROUND_BITS) - 1

    @property
    def turn(self) -> Array:
        """The turn, (notes,), from 1; 0 if none is recorded."""
        return self.key & (1 << _TURN_BITS) - 1

    @property
    def when(self) -> Array:
        """Game and round in one rising number, (notes,)."""
        return self.key >> _TURN_BITS

    def each(self, column: str) -> Array:
        """Return a column with a value for each seat, (seats, notes)."""
        return self._all(column)[self._order]

    def once(self, column: str) -> Array:
        """Return a column with one value for all seats, (notes,)."""
        return self._all(column)[self._order[0]]

    def _unit(self, name: str) -> Array:
        """Return a column of when or whose a note is; 0 if not recorded."""
        if name in self._frame.columns:
            return self._all(name)
        return np.zeros(self._frame.height, dtype=np.int64)

    def _all(self, column: str) -> Array:
        """Return a column as signed whole numbers (masks have at most 63 bits)."""
        if not self._frame.columns:
            return np.zeros(0, dtype=np.int64)
        return self._frame[column].to_physical().to_numpy().astype(np.int64)
