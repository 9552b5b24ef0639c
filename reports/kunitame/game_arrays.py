"""The recorded games of a block as arrays: what happened, by week, seat and game.

A note that every game has comes in the order (week, seat, game) or (week, round,
game), so it is read by reshaping; gems won and given back are placed by index.
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from reports.counts import Array
from reports.game_arrays import About, GameArrays, Raw, seat_column, shared_column


def _of_tricks(column: str) -> "cached_property[Array]":
    """Return a property that reads a column of the tricks."""

    def read(played: "KunitameArrays") -> Array:
        values = played.raw["trick"][column].to_physical().to_numpy()
        return values.reshape(played.weeks, played.rounds, played.size)

    return cached_property(read)


class KunitameArrays(GameArrays):
    """Games of Kunitame that were played to the end."""

    def __init__(self, raw: Raw, about: About) -> None:
        """Read the result of each game."""
        super().__init__(raw, about)
        self.weeks: int = self.rules["weeks"]
        self.rounds: int = self.rules["rounds"]
        self.lives = self.of_result("lives")  # (seats, games)

    # By week and seat: (weeks, seats, games)

    week_points = seat_column("week", "points", np.int16)  # at the end of each week
    hands = seat_column("deal", "hands")  # cards dealt, a mask
    dealer = shared_column("deal", "dealer")  # (weeks, games) the seat that dealt
    stakes = seat_column("contracts", "stakes")  # contract gems by square, a mask
    tricks = seat_column("contracts", "tricks")  # tricks won in a week
    lives_left = seat_column("contracts", "lives")  # Life gems after contracts

    @cached_property
    def week_gain(self) -> Array:
        """Points won in a week, less those given back, (weeks, seats, games)."""
        start = np.zeros_like(self.week_points[:1])
        return np.diff(self.week_points, axis=0, prepend=start)

    @cached_property
    def staked(self) -> Array:
        """Gems staked on contracts, (weeks, seats, games)."""
        staked: Array = np.bitwise_count(self.stakes)
        return staked

    def staked_on(self, square: int) -> Array:
        """Return gems staked on the contract square of this index, as ``staked``."""
        width = max(len(self.rules["contract_squares"]), 1)
        bits = sum(1 << bit for bit in range(square, 64, width))
        staked: Array = np.bitwise_count(self.stakes & np.uint64(bits))
        return staked

    def paid(self, each: Sequence[int]) -> Array:
        """Return gems paid on kept contracts, (weeks, seats, games).

        each: gems paid for each gem staked, by contract square.
        """
        paid = np.zeros(self.stakes.shape, dtype=np.int64)
        for square, target in enumerate(self.rules["contract_squares"]):
            kept = self.tricks == target
            paid += each[square] * kept * self.staked_on(square).astype(np.int64)
        return paid

    # By trick: (weeks, rounds, games)

    taker = _of_tricks("winner")  # the seat that won the trick
    met = _of_tricks("met")  # squares that the trick met, a mask
    gems = _of_tricks("gems")  # squares that held a gem then, a mask
    won_with = _of_tricks("card")  # index of the card that won, in the vocabulary

    # Gems and squares

    @cached_property
    def _moves(self) -> dict[str, Array]:
        """Each gem won or given back: game, week, round, seat, square and value."""
        names = ("game", "week", "round", "seat", "square", "value")
        gem = self.raw.get("gem")
        if gem is None:
            return {name: np.zeros(0, dtype=np.int64) for name in names}
        moves = {n: gem[n].to_physical().to_numpy().astype(np.int64) for n in names}
        moves["game"] -= self.first
        moves["week"] -= 1
        return moves

    def moves(self, *, won: bool) -> dict[str, Array]:
        """Return the gems won, or those given back (as positive values)."""
        return self._won_and_given_back[0 if won else 1]

    @cached_property
    def _won_and_given_back(self) -> list[dict[str, Array]]:
        parts = []
        for sign in (1, -1):
            rows = np.flatnonzero(sign * self._moves["value"] > 0)
            part = {name: column.take(rows) for name, column in self._moves.items()}
            parts.append(part | {"value": sign * part["value"]})
        return parts

    def at_tricks(self, *, won: bool) -> Array:
        """Return values of gems won, or given back, by each trick."""
        return self._values(self.rounds, "round", won=won)

    def at_liquidation(self, *, won: bool) -> Array:
        """Return values of gems won, or given back, by each seat at liquidation."""
        return self._values(self.players, "seat", won=won)

    def _values(self, many: int, of: str, *, won: bool) -> Array:
        """Return values by round, or by seat at liquidation, (weeks, many, games)."""
        moves = self.moves(won=won)
        trick = of == "round"
        rows = (moves["round"] > 0) == trick
        values = np.zeros((self.weeks, many, self.size), dtype=np.int8)
        place = moves[of][rows] - trick  # rounds count from 1
        values[moves["week"][rows], place, moves["game"][rows]] = moves["value"][rows]
        return values

    def liquidation(self, column: str) -> Array:
        """Return squares ``met`` or ``open`` at liquidation, (weeks, seats, games)."""
        masks = np.zeros((self.weeks, self.players, self.size), dtype=np.uint64)
        frame = self.raw.get("liquidation")
        if frame is not None:
            week, seat = frame["week"].to_numpy() - 1, frame["seat"].to_numpy()
            masks[week, seat, self.game_index(frame)] = frame[column].to_numpy()
        return masks
