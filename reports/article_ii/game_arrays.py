"""The recorded games of a block as arrays: what happened, by phase, seat and game.

A game that the guard breaks off has no standing from then on: there ``over`` is
False, and numbers are 0. Sets of seats become flags (seats, games).
"""

from functools import cached_property

import numpy as np

from reports.counts import Array
from reports.game_arrays import About, GameArrays, Raw, seat_column

PHASES = (1, 2)
"""Primary and General, as groups of sums."""
PHASE_WORDS = {1: "Primary", 2: "General"}


class ArticleIIArrays(GameArrays):
    """Games of Article II that were played to the end."""

    def __init__(self, raw: Raw, about: About) -> None:
        """Read the result of each game."""
        super().__init__(raw, about)
        self.decided_by = self.of_result("by")[0]  # (games,) index in vocabularies
        named = self.of_result("candidates")[0] >> self.seats.astype(np.uint64)
        self.candidates = (named & np.uint64(1)) == 1  # (seats, games)
        self.points = self.of_result("points").astype(np.int16)  # (seats, games)

    def by_seat(self, note: str, column: str) -> Array:
        """Return a column of a note, (phases, seats, games); 0 in phases without it."""
        table = self.raw[note]
        values = table[column].to_physical().to_numpy()
        array = np.zeros((2, self.players, self.size), dtype=values.dtype)
        phase = table["phase"].to_physical().to_numpy()
        array[phase, table["seat"].to_numpy(), self.game_index(table)] = values
        return array

    # By phase and seat: (phases, seats, games)

    hands = seat_column("hands", "hands")  # cards dealt, a mask
    primary = seat_column("standing", "primary")  # total as the phase ends
    general = seat_column("standing", "general")  # as if all were contenders
    electability = seat_column("standing", "electability")  # with all Styles

    @cached_property
    def over(self) -> Array:
        """Whether the phase was played to its end, (phases, games)."""
        table = self.raw["standing"]
        over = np.zeros((2, self.size), dtype=np.bool_)
        over[table["phase"].to_physical().to_numpy(), self.game_index(table)] = True
        return over

    @cached_property
    def rank(self) -> Array:
        """The rank in the Primary, from 1, (seats, games); equal seats share a rank."""
        total = self.primary[0].astype(np.int64) * 1024 + self.electability[0]
        above = [(total > mine).sum(axis=0) + 1 for mine in total]
        return np.array(above, dtype=np.int16)

    # Cards

    @cached_property
    def cards(self) -> dict[str, np.uint64]:
        """All copies of each card, by id, as a mask."""
        return self.masks("card")

    @cached_property
    def changes(self) -> dict[str, Array]:
        """Columns of the changes: each card that was placed on a player or left."""
        table = self.raw["change"]
        columns = {name: table[name].to_physical().to_numpy() for name in _CHANGE}
        return {"at": self.game_index(table), **columns}

    def counted(self, rows: Array, groups: Array, many: int) -> Array:
        """Return how many of these changes are in each group, (groups, games)."""
        at = self.changes["at"][rows] + groups[rows].astype(np.int64) * self.size
        return np.bincount(at, minlength=many * self.size).reshape(many, self.size)


_CHANGE = ("phase", "seat", "on", "card", "change", "leader", "gain")
