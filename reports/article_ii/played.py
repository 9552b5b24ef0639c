"""The raw notes of a block as arrays: what happened, by phase, seat and game.

A game that the guard breaks off has no standing from then on: there ``over`` is
False, and numbers are 0. Sets of seats become flags (seats, games).
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from reports.counts import Array

Raw = Mapping[str, pl.DataFrame]
About = Mapping[str, Any]

PHASES = (1, 2)
"""Primary and General, as groups of sums."""
PHASE_WORDS = {1: "Primary", 2: "General"}


class PlayedGames:
    """Some games of Article II that were played to the end."""

    def __init__(self, raw: Raw, about: About) -> None:
        """Read raw tables; ``about`` has players, rules and words."""
        self.raw = raw
        self.players: int = about["players"]
        self.rules: Mapping[str, Any] = about["rules"]  # plain values in force
        self.vocabularies: Mapping[str, list[str]] = about["vocabularies"]
        result = raw["result"]
        self.size = result.height // self.players
        self.game = result["game"].to_numpy()[: self.size].astype(np.int64)  # (games,)
        self.winner = self._of_result("winner")[0].astype(np.int16)  # (games,) or -1
        self.by = self._of_result("by")[0]  # (games,) number in words["by"]
        self.candidates = self._flags(self._of_result("candidates")[0])
        self.winners = self._flags(self._of_result("winners")[0])
        self.points = self._of_result("points").astype(np.int16)  # (seats, games)

    def _of_result(self, column: str) -> Array:
        """(seats, games) a column of the result, which every game has."""
        values = self.raw["result"][column].to_physical().to_numpy()
        shaped: Array = values.reshape(self.players, self.size)
        return shaped

    def _flags(self, sets: Array) -> Array:
        """(seats, games) who is in a set of seats."""
        flags: Array = (sets >> self.seats.astype(np.uint64) & np.uint64(1)) == 1
        return flags

    @cached_property
    def seats(self) -> Array:
        """(seats, 1) the number of each seat."""
        return np.arange(self.players, dtype=np.int16)[:, None]

    @cached_property
    def one(self) -> Array:
        """(1, games) ones: games, to sum something per game."""
        return np.ones((1, self.size), dtype=np.int16)

    @cached_property
    def victory(self) -> Array:
        """(seats, games) who has won alone."""
        return self.winner == self.seats

    @cached_property
    def alone(self) -> bool:
        """Whether the same strategy sits in every seat."""
        return self.raw["result"]["strategy"].n_unique() == 1

    def ended(self, *how: str) -> Array:
        """(games,) whether the game was decided in one of these ways."""
        return np.isin(self.by, [self.vocabularies["by"].index(name) for name in how])

    # By phase

    def _at(self, table: pl.DataFrame) -> Array:
        """Where the games of a table's rows are."""
        found: Array = table["game"].to_numpy().astype(np.int64) - self.game[0]
        return found

    def _by_seat(self, name: str, column: str) -> Array:
        """(phases, seats, games) a column of a note of each phase and seat."""
        table = self.raw[name]
        values = table[column].to_physical().to_numpy()
        found = np.zeros((2, self.players, self.size), dtype=values.dtype)
        phase = table["phase"].to_physical().to_numpy()
        found[phase, table["seat"].to_numpy(), self._at(table)] = values
        return found

    @cached_property
    def over(self) -> Array:
        """(phases, games) whether the phase was played to its end."""
        table = self.raw["standing"]
        found = np.zeros((2, self.size), dtype=np.bool_)
        found[table["phase"].to_physical().to_numpy(), self._at(table)] = True
        return found

    @cached_property
    def start(self) -> Array:
        """(phases, games) who began the phase."""
        return self._by_seat("standing", "start")[:, 0].astype(np.int16)

    @cached_property
    def place(self) -> Array:
        """(phases, seats, games) places after who began the phase, who is 0."""
        return (self.seats - self.start[:, None]) % self.players

    @cached_property
    def hands(self) -> Array:
        """(phases, seats, games) cards dealt, a mask."""
        return self._by_seat("hands", "hands")

    @cached_property
    def primary(self) -> Array:
        """(phases, seats, games) total of the Primary at the end of the phase."""
        return self._by_seat("standing", "primary")

    @cached_property
    def general(self) -> Array:
        """(phases, seats, games) total of the General, as if all were contenders."""
        return self._by_seat("standing", "general")

    @cached_property
    def electability(self) -> Array:
        """(phases, seats, games) Electability with all Styles."""
        return self._by_seat("standing", "electability")

    @cached_property
    def contenders(self) -> Array:
        """(seats, games) who competed in the General."""
        return self._flags(self._by_seat("standing", "contenders")[1, 0])

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
        return {"at": self._at(table), **columns}

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
