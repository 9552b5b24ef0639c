"""The state of some games of Kunitame: arrays, one row a game.

Fields are ``(games,)`` or ``(seats, games)``. All rows share the clock. Nothing
of a game lives anywhere else, so a copy can be played on from any decision.
"""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Self

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.chance import Chance, Purpose
from sim.kunitame.box import Box
from sim.kunitame.rules import Kunitame
from sim.masks import Counts, Flags, Masks


class Phase(IntEnum):
    """What comes next."""

    DEAL = 0
    CONTRACT = 1
    DEVILS = 2
    CANCEL = 3
    PLAY = 4
    TRICK = 5
    CLAIM = 6
    RETURN = 7
    CONTRACTS = 8
    BONUS = 9
    BONUS_RETURN = 10
    WEEK = 11
    END = 12
    OVER = 13


@dataclass
class Clock:
    """Week, round and turn, all counted from 0, and the phase that comes next."""

    phase: Phase = Phase.DEAL
    week: int = 0
    round: int = 0
    turn: int = 0

    @property
    def tick(self) -> int:
        """A number of this moment's own, for chance."""
        return ((self.week * 32 + self.round) * 16 + self.phase) * 64 + self.turn

    def told(self) -> dict[str, int]:
        """Week, and in a trick the round, counted from 1."""
        told = {"week": self.week + 1}
        if Phase.PLAY <= self.phase <= Phase.RETURN:
            told["round"] = self.round + 1
        return told


class State:
    """Some games of Kunitame."""

    def __init__(
        self, rules: Kunitame, players: int, seed: int, games: NDArray[np.uint64]
    ) -> None:
        self.box = Box(rules, players)
        self.rules = rules
        self.players = players
        self.seed = seed
        self.games = games
        self.chance = Chance(seed, games)
        self.clock = Clock()
        size = len(games)
        dealer = self.chance.below(players, Purpose.START, 0)
        self.first_dealer: Counts = dealer.astype(np.uint8)
        # What the seats hold, (seats, games)
        self.hands: Masks = np.zeros((players, size), dtype=np.uint64)
        self.life: Counts = np.full((players, size), rules.life, dtype=np.uint8)
        self.ones: Counts = np.zeros((players, size), dtype=np.uint8)  # 1-point gems
        self.threes: Counts = np.zeros((players, size), dtype=np.uint8)
        # This week's, (seats, games)
        self.stakes: Masks = np.zeros((players, size), dtype=np.uint64)
        self.staked: Counts = np.zeros((players, size), dtype=np.uint8)
        self.excess: Counts = np.zeros((players, size), dtype=np.uint8)  # to cancel
        self.tricks: Counts = np.zeros((players, size), dtype=np.uint8)  # won
        self.streak: Masks = np.zeros((players, size), dtype=np.uint64)  # met by all
        self.won: Masks = np.zeros((players, size), dtype=np.uint64)  # winning cards
        # The table, (games,)
        self.gems_1: Masks = np.full(size, self.box.starting[0])  # squares with a 1
        self.gems_3: Masks = np.full(size, self.box.starting[1])  # squares with a 3
        self.played: Masks = np.zeros(size, dtype=np.uint64)  # cards seen this week
        self.devils: NDArray[np.uint32] = np.zeros((0, size), dtype=np.uint32)  # order
        # This trick's
        self.leader: Counts = dealer.astype(np.uint8)
        self.lead: Masks = np.zeros(size, dtype=np.uint64)  # suit led, as a mask
        self.cards: Masks = np.zeros((players, size), dtype=np.uint64)  # as played
        self.met: Masks = np.zeros(size, dtype=np.uint64)  # squares the trick met
        self.due: Flags = np.zeros(size, dtype=np.bool_)  # a return is due
        self._rows = np.arange(size, dtype=np.int64)

    @property
    def words(self) -> Mapping[str, Sequence[str]]:
        """Vocabularies: cards, squares, contract gems."""
        return self.box.words

    @property
    def width(self) -> int:
        """How many squares a contract gem may lie on."""
        return self.box.width

    @property
    def dealer(self) -> Counts:
        """(games,) this week's dealer."""
        return self.seat_after(self.first_dealer, self.clock.week)

    @property
    def gems(self) -> Masks:
        """(games,) squares that hold a gem."""
        return self.gems_1 | self.gems_3

    @property
    def points(self) -> Counts:
        """(seats, games) value of the gems held."""
        points: Counts = self.threes * np.uint8(3)
        points += self.ones
        return points

    @property
    def last_week(self) -> bool:
        """Whether this is the last week."""
        return self.clock.week == self.rules.weeks - 1

    def copy(self) -> Self:
        """A state of its own that can be played on."""
        other = copy.copy(self)
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                setattr(other, name, value.copy())
        other.clock = copy.copy(self.clock)
        return other

    def seat_after(self, seat: Counts, places: int) -> Counts:
        """(games,) the seat so many places clockwise of another."""
        after = seat + np.uint8(places % self.players)
        after -= (after >= self.players).view(np.uint8) * np.uint8(self.players)
        return after

    def at(self, seat: Counts) -> NDArray[np.int64]:
        """(games,) where each row's seat lies in a flat (seats * games) field."""
        place = seat.astype(np.int64)
        place *= len(self.games)
        place += self._rows
        return place

    def gain(self, seat: Counts, square: Masks) -> NDArray[np.int8]:
        """The gem on ``square`` goes to ``seat``; nothing where it is none.

        Returns (games,) the value gained.
        """
        at = self.at(seat)
        three = (square & self.gems_3) != 0
        one = (square & self.gems_1) != 0
        _add(self.threes, at, three)
        _add(self.ones, at, one)
        self.gems_1 &= ~square
        self.gems_3 &= ~square
        return three.view(np.int8) * np.int8(3) + one.view(np.int8)

    def give_back(self, seat: Counts, square: Masks) -> NDArray[np.int8]:
        """The highest gem of ``seat`` goes to ``square``; nothing where it is none.

        Returns (games,) the value given back, 0 or less.
        """
        at = self.at(seat)
        given = square != 0
        three = given & (self.threes.reshape(-1).take(at) != 0)
        one = given & ~three
        _add(self.threes, at, three, -1)
        _add(self.ones, at, one, -1)
        self.gems_3 |= masks.where(three, square)
        self.gems_1 |= masks.where(one, square)
        return three.view(np.int8) * np.int8(-3) - one.view(np.int8)


def _add(field: Counts, at: NDArray[np.int64], flag: Flags, by: int = 1) -> None:
    """Add ``by`` to one seat's value in the rows that are flagged."""
    flat = field.reshape(-1)
    now = flat.take(at)
    now += flag.view(np.uint8) * np.uint8(by & 0xFF)
    flat[at] = now
