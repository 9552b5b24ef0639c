"""The raw notes of a block as arrays: what happened, by phase, seat and game.

A game that the guard breaks off has no standing from then on: there ``over`` is
False, and numbers are 0. Sets of seats become flags (seats, games).
"""

from functools import cached_property

import numpy as np

from reports.counts import Array
from reports.played import About, Played, Raw, told, told_once

PHASES = (1, 2)
"""Primary and General, as groups of sums."""
PHASE_WORDS = {1: "Primary", 2: "General"}


class PlayedGames(Played):
    """Some games of Article II that were played to the end."""

    def __init__(self, raw: Raw, about: About) -> None:
        """Read what every game has."""
        super().__init__(raw, about)
        self.decided_by = self.of_result("by")[0]  # (games,) number in vocabularies
        self.candidates = self._flags(self.of_result("candidates")[0])
        self.winners = self._flags(self.of_result("winners")[0])
        self.points = self.of_result("points").astype(np.int16)  # (seats, games)

    def by_seat(self, note: str, column: str) -> Array:
        """(phases, seats, games) a column of a note; 0 in phases without it."""
        table = self.raw[note]
        values = table[column].to_physical().to_numpy()
        found = np.zeros((2, self.players, self.size), dtype=values.dtype)
        phase = table["phase"].to_physical().to_numpy()
        found[phase, table["seat"].to_numpy(), self.at(table)] = values
        return found

    def _flags(self, sets: Array) -> Array:
        """(seats, games) who is in a set of seats."""
        flags: Array = (sets >> self.seats.astype(np.uint64) & np.uint64(1)) == 1
        return flags

    # By phase and seat: (phases, seats, games)

    hands = told("hands", "hands")  # cards dealt, a mask
    start = told_once("standing", "start")  # (phases, games) who began the phase
    primary = told("standing", "primary")  # total of the Primary as the phase ends
    general = told("standing", "general")  # of the General, as if all were contenders
    electability = told("standing", "electability")  # with all Styles

    @cached_property
    def one(self) -> Array:
        """(1, games) ones: games, to sum something per game."""
        return np.ones((1, self.size), dtype=np.int16)

    @cached_property
    def alone(self) -> bool:
        """Whether the same strategy sits in every seat."""
        return self.raw["result"]["strategy"].n_unique() == 1

    def ended(self, *how: str) -> Array:
        """(games,) whether the game was decided in one of these ways."""
        return np.isin(
            self.decided_by, [self.vocabularies["by"].index(name) for name in how]
        )

    @cached_property
    def over(self) -> Array:
        """(phases, games) whether the phase was played to its end."""
        table = self.raw["standing"]
        found = np.zeros((2, self.size), dtype=np.bool_)
        found[table["phase"].to_physical().to_numpy(), self.at(table)] = True
        return found

    @cached_property
    def contenders(self) -> Array:
        """(seats, games) who competed in the General."""
        return self._flags(self.by_seat("standing", "contenders")[1, 0])

    @cached_property
    def rank(self) -> Array:
        """(seats, games) 1 for the winner of the Primary, and so on; equals share."""
        total = self.primary[0].astype(np.int64) * 1024 + self.electability[0]
        above = [(total > mine).sum(axis=0) + 1 for mine in total]
        return np.array(above, dtype=np.int16)

    # Cards

    @cached_property
    def cards(self) -> dict[str, np.uint64]:
        """All copies of each card, by id, as a mask."""
        found: dict[str, int] = {}
        for number, name in enumerate(self.vocabularies["card"]):
            found[name] = found.get(name, 0) | 1 << number
        return {name: np.uint64(mask) for name, mask in found.items()}

    @cached_property
    def changes(self) -> dict[str, Array]:
        """Columns of the changes: each card that came to lie on a player or left."""
        table = self.raw["change"]
        columns = {name: table[name].to_physical().to_numpy() for name in _CHANGE}
        return {"at": self.at(table), **columns}

    def counted(self, rows: Array, groups: Array, many: int) -> Array:
        """(groups, games) how many of these changes are in each group."""
        at = self.changes["at"][rows] + groups[rows].astype(np.int64) * self.size
        return np.bincount(at, minlength=many * self.size).reshape(many, self.size)


_CHANGE = (
    "phase",
    "seat",
    "on",
    "card",
    "change",
    "leader",
    "leader_after",
    "gain",
)
