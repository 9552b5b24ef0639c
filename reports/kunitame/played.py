"""The raw notes of a block as arrays: what happened in each game, by week and seat.

A note that every game has comes in the order (week, seat, game) or (week, round,
game), so it is read by reshaping; gems won and given back are put in their place.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

Raw = Mapping[str, pl.DataFrame]
About = Mapping[str, Any]
Array = NDArray[Any]


class PlayedGames:
    """Some games of Kunitame that were played to the end."""

    def __init__(self, raw: Raw, about: About) -> None:
        """Read raw tables; ``about`` has players, rules and words."""
        self.raw = raw
        self.players: int = about["players"]
        self.rules: Mapping[str, Any] = about["rules"]
        self.vocabularies: Mapping[str, list[str]] = about["vocabularies"]
        self.weeks: int = self.rules["weeks"]
        self.rounds: int = self.rules["rounds"]
        self.size = raw["result"].height // self.players
        self.game = raw["result"]["game"].to_numpy()[: self.size]  # (games,)
        strategy = raw["result"]["strategy"]
        self.strategies = strategy.dtype  # the Enum of strategies at the table
        # (seats, games)
        self.strategy = self._seats("result", "strategy")[0]
        self.points = self._seats("result", "points")[0].astype(np.int16)
        self.lives = self._seats("result", "lives")[0]
        self.winner = self._seats("result", "winner")[0, 0]  # (games,) -1 nobody
        # (games,)
        self.first_dealer = raw["dealer"]["seat"].to_numpy()

    def _seats(self, name: str, column: str) -> Array:
        """(weeks, seats, games) a column of a note that each seat has."""
        values = self.raw[name][column].to_physical().to_numpy()
        shaped: Array = values.reshape(-1, self.players, self.size)
        return shaped

    def _rounds(self, column: str) -> Array:
        """(weeks, rounds, games) a column of the tricks."""
        values = self.raw["trick"][column].to_physical().to_numpy()
        shaped: Array = values.reshape(self.weeks, self.rounds, self.size)
        return shaped

    @cached_property
    def seats(self) -> Array:
        """(seats, 1) the number of each seat."""
        return np.arange(self.players, dtype=np.int16)[:, None]

    @cached_property
    def place(self) -> Array:
        """(seats, games) places after the first dealer, who is 0."""
        return (self.seats - self.first_dealer) % self.players

    @cached_property
    def won(self) -> Array:
        """(seats, games) who won."""
        return self.winner == self.seats

    @cached_property
    def week_points(self) -> Array:
        """(weeks, seats, games) points at the end of each week."""
        return self._seats("week", "points").astype(np.int16)

    @cached_property
    def week_gain(self) -> Array:
        """(weeks, seats, games) points won in a week, less those given back."""
        start = np.zeros_like(self.week_points[:1])
        return np.diff(self.week_points, axis=0, prepend=start)

    @cached_property
    def hands(self) -> Array:
        """(weeks, seats, games) cards dealt, a mask."""
        return self._seats("deal", "hands")

    @cached_property
    def dealer(self) -> Array:
        """(weeks, games) who dealt."""
        return self._seats("deal", "dealer")[:, 0]

    @cached_property
    def stakes(self) -> Array:
        """(weeks, seats, games) contract gems by square, a mask."""
        return self._seats("contracts", "stakes")

    @cached_property
    def staked(self) -> Array:
        """(weeks, seats, games) gems staked on contracts."""
        staked: Array = np.bitwise_count(self.stakes)
        return staked

    def staked_on(self, square: int) -> Array:
        """(weeks, seats, games) gems staked on the contract square of this number."""
        width = len(self.rules["contract_squares"])
        bits = sum(1 << bit for bit in range(square, 64, width))
        staked: Array = np.bitwise_count(self.stakes & np.uint64(bits))
        return staked

    @cached_property
    def tricks(self) -> Array:
        """(weeks, seats, games) tricks won in a week."""
        return self._seats("contracts", "tricks")

    @cached_property
    def lives_left(self) -> Array:
        """(weeks, seats, games) Life gems after the contracts were settled."""
        return self._seats("contracts", "lives")

    @cached_property
    def taker(self) -> Array:
        """(weeks, rounds, games) who won the trick."""
        return self._rounds("winner")

    @cached_property
    def met(self) -> Array:
        """(weeks, rounds, games) squares that the trick met, a mask."""
        return self._rounds("met")

    @cached_property
    def gems(self) -> Array:
        """(weeks, rounds, games) squares that held a gem then, a mask."""
        return self._rounds("gems")

    @cached_property
    def won_with(self) -> Array:
        """(weeks, rounds, games) number of the card that won, as words go."""
        return self._rounds("card")

    @cached_property
    def led(self) -> Array:
        """(weeks, rounds, games) number of the card that was led."""
        return self._rounds("led")

    @cached_property
    def _moves(self) -> dict[str, Array]:
        """Each gem won or given back: week, round, seat, game, value from 0."""
        names = ("game", "week", "round", "seat", "square", "value")
        gem = self.raw.get("gem")
        if gem is None:
            return {name: np.zeros(0, dtype=np.int64) for name in names}
        moves = {n: gem[n].to_physical().to_numpy().astype(np.int64) for n in names}
        moves["game"] -= int(self.game[0])
        moves["week"] -= 1
        return moves

    def moves(self, *, won: bool) -> dict[str, Array]:
        """The gems won, or those given back (their value positive)."""
        return self._won if won else self._given_back

    @cached_property
    def _won(self) -> dict[str, Array]:
        return self._part(self._moves["value"] > 0)

    @cached_property
    def _given_back(self) -> dict[str, Array]:
        return self._part(self._moves["value"] < 0)

    def _part(self, flags: Array) -> dict[str, Array]:
        rows = np.flatnonzero(flags)
        part = {name: column.take(rows) for name, column in self._moves.items()}
        np.abs(part["value"], out=part["value"])
        return part

    def at_tricks(self, *, won: bool) -> Array:
        """(weeks, rounds, games) value of the gem won, or given back, by the trick."""
        moves = self.moves(won=won)
        rows = moves["round"] > 0
        values = np.zeros((self.weeks, self.rounds, self.size), dtype=np.int8)
        at = (moves["week"][rows], moves["round"][rows] - 1, moves["game"][rows])
        values[at] = moves["value"][rows]
        return values

    def at_liquidation(self, *, won: bool) -> Array:
        """(weeks, seats, games) value of the gem won, or given back, then."""
        moves = self.moves(won=won)
        rows = moves["round"] == 0
        values = np.zeros((self.weeks, self.players, self.size), dtype=np.int8)
        at = (moves["week"][rows], moves["seat"][rows], moves["game"][rows])
        values[at] = moves["value"][rows]
        return values

    def liquidation(self, column: str) -> Array:
        """(weeks, seats, games) ``met`` or ``open`` squares then; the dead: none."""
        found = np.zeros((self.weeks, self.players, self.size), dtype=np.uint64)
        frame = self.raw.get("liquidation")
        if frame is not None:
            week, seat = frame["week"].to_numpy() - 1, frame["seat"].to_numpy()
            game = (frame["game"] - int(self.game[0])).to_numpy()
            found[week, seat, game] = frame[column].to_numpy()
        return found
