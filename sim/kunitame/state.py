"""The state of a batch of games of Kunitame: arrays, one row per game.

Fields are ``(games,)`` or ``(seats, games)``. All rows share the clock. Nothing
of a game lives anywhere else, so a copy can be played on from any decision.
"""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.chance import Purpose, Seed
from sim.kunitame.layout import Layout
from sim.kunitame.rules import Kunitame
from sim.masks import Counts, Flags, Masks
from sim.trick_state import TrickState
from sim.view import Rows


class Phase(IntEnum):
    """The phases: what comes next."""

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
        """A number unique to this moment, as the counter of random numbers."""
        first, step = _TICKS[self.phase]
        return self.week * 256 + first + self.round * 9 + self.turn * step

    def labels(self) -> dict[str, int]:
        """Week, and in a trick the round, counted from 1."""
        labels = {"week": self.week + 1}
        if Phase.PLAY <= self.phase <= Phase.RETURN:
            labels["round"] = self.round + 1
        return labels


# First moment, and step between moments, of each phase. A week has one moment for each
# seat's contract and cancellation, nine for each of up to 20 rounds (plays, claim,
# return), then two for each seat at liquidation. Why so dense: three adjacent moments
# share one random draw.
_TICKS = dict.fromkeys(Phase, (0, 1)) | {
    Phase.CANCEL: (8, 1),
    Phase.PLAY: (18, 1),
    Phase.CLAIM: (18, 1),
    Phase.RETURN: (18, 1),
    Phase.BONUS: (198, 2),
    Phase.BONUS_RETURN: (199, 2),
}


class State(TrickState):
    """A batch of games of Kunitame."""

    game_id = "kunitame"

    def __init__(
        self, rules: Kunitame, players: int, seed: Seed, games: NDArray[np.uint64]
    ) -> None:
        self.layout = Layout(rules, players)
        super().__init__(rules, players, seed, games)
        self.clock = Clock()
        size = len(games)
        dealer = self.chance.below(players, Purpose.START, 0)
        self.first_dealer: Counts = dealer.astype(np.uint8)
        self.lead_from(self.first_dealer)
        # What the seats hold, (seats, games)
        self.life: Counts = np.full((players, size), rules.life, dtype=np.uint8)
        # Gems held: 1 for each 1-point gem, and 256 for each 3-point gem.
        self.purse: NDArray[np.uint16] = np.zeros((players, size), dtype=np.uint16)
        # This week's, (seats, games)
        self.stakes: Masks = np.zeros((players, size), dtype=np.uint64)
        self.staked: Counts = np.zeros((players, size), dtype=np.uint8)
        self.excess: Counts = np.zeros((players, size), dtype=np.uint8)  # to cancel
        self.streak: Masks = np.zeros((players, size), dtype=np.uint64)  # met by all
        # What a seat can win at liquidation, and whether it may have to return a gem.
        self.open_to: Masks = np.zeros((players, size), dtype=np.uint64)
        self.may_return: Flags = np.zeros((players, size), dtype=np.bool_)
        # The table, (games,)
        self.gems_1: Masks = np.full(size, self.layout.starting[0])  # squares with a 1
        self.gems_3: Masks = np.full(size, self.layout.starting[1])  # squares with a 3
        self.played: Masks = np.zeros(size, dtype=np.uint64)  # in the week's tricks
        # This trick's
        self.met: Masks = np.zeros(size, dtype=np.uint64)  # squares the trick met
        self.due: Flags = np.zeros(size, dtype=np.bool_)  # a return is due

    @property
    def position(self) -> int | None:
        """The place whose turn it is, if all rows share it; else None."""
        return self.clock.turn if self.clock.phase is Phase.PLAY else None

    @property
    def options_per_token(self) -> int:
        """How many squares a contract gem may lie on."""
        return self.layout.options_per_token

    @property
    def dealer(self) -> Counts:
        """(games,) this week's dealer."""
        return self.seat_after(self.first_dealer, self.clock.week % self.players)

    @property
    def gems(self) -> Masks:
        """(games,) squares that hold a gem."""
        return self.gems_1 | self.gems_3

    @property
    def ones(self) -> Counts:
        """(seats, games) 1-point gems held."""
        return self.purse.astype(np.uint8)

    @property
    def threes(self) -> Counts:
        """(seats, games) 3-point gems held."""
        return (self.purse >> np.uint16(8)).astype(np.uint8)

    @property
    def points(self) -> Counts:
        """(seats, games) value of the gems held."""
        return self.ones + self.threes * np.uint8(3)

    @property
    def last_week(self) -> bool:
        """Whether this is the last week."""
        return self.clock.week == self.rules.weeks - 1

    def lead_next(self, position: Counts) -> None:
        """Have the player at this place in the trick lead the next one.

        After the last trick of the week there are no hands: cards left are discarded
        unseen.
        """
        if self.clock.round == self.rules.rounds - 1:
            self.hands_by_turn[:] = 0
            self.lead_from(self.seat_after(self.leader, position))
        else:
            super().lead_next(position)

    def conserved(self) -> dict[str, Counts]:
        """(games,) cards missing or in two places, and gems missing or too many."""
        found = {"cards astray": self._astray()}
        if not (self.rules.refill_weekly or self.layout.points_by.any()):
            found["1-point gems"] = masks.count(self.gems_1) + self.ones.sum(axis=0)
            found["3-point gems"] = masks.count(self.gems_3) + self.threes.sum(axis=0)
        return found

    def _astray(self) -> Counts:
        """(games,) cards in two places, and dealt or drawn cards that are missing.

        In a week: hands and Devils; once its last trick is won only what was played,
        for the other cards are dropped.
        """
        clock, rules = self.clock, self.rules
        table = self.cards if clock.phase is Phase.PLAY else []
        seen = twice = np.zeros_like(self.played)
        for part in (*self.hands_by_turn, *table, self.played):
            twice = twice | seen & part
            seen = seen | part
        there = masks.count(seen).astype(np.int64)
        wanted = there.copy()
        if Phase.CONTRACT <= clock.phase <= Phase.WEEK:
            wanted[:] = self.players * rules.hand
        if Phase.CANCEL <= clock.phase <= Phase.WEEK:
            devils = self.staked.sum(axis=0, dtype=np.int64)
            wanted += np.minimum(devils, rules.devil_ranks)
        last = clock.phase > Phase.TRICK and clock.round == rules.rounds - 1
        if last or Phase.CONTRACTS <= clock.phase <= Phase.WEEK:
            wanted[:] = self.players * rules.rounds
        return (np.abs(there - wanted) + masks.count(twice)).astype(np.uint8)

    def worth(self, square: Masks) -> NDArray[np.int8]:
        """(games,) the value of the gem on a square; 0 where there is none."""
        three, one = (square & self.gems_3) != 0, (square & self.gems_1) != 0
        return three.view(np.int8) * np.int8(3) + one.view(np.int8)

    def gain(self, at: NDArray[np.int64], square: Masks) -> None:
        """Move the gem on ``square`` to the seat whose flat index is ``at``.

        Does nothing in rows where ``square`` is empty.
        """
        three = (square & self.gems_3) != masks.NOTHING
        worth = three.view(np.uint8) * (_THREE - _ONE)
        worth += square != masks.NOTHING
        purse = self.purse.reshape(-1)
        purse[at] = purse.take(at) + worth
        kept = ~square
        self.gems_1 &= kept
        self.gems_3 &= kept

    def give_back(self, rows: Rows, at: Rows, square: Masks) -> None:
        """Move the highest gem of the seat ``at`` to ``square``, in these rows.

        Does nothing in rows where ``square`` is empty. (rows,) each.
        """
        giving = np.flatnonzero(square != masks.NOTHING)
        if len(giving) < len(rows):
            rows, at, square = rows.take(giving), at.take(giving), square.take(giving)
        purse = self.purse.reshape(-1)
        held = purse.take(at)
        three = held >= _THREE
        purse[at] = held - _worth(three)
        self.gems_3[rows] |= masks.where(three, square)
        self.gems_1[rows] |= masks.where(~three, square)


_ONE, _THREE = np.uint16(1), np.uint16(256)  # what gems add to a purse


def _worth(three: Flags) -> NDArray[np.uint16]:
    """What a gem adds to a purse."""
    return three.view(np.uint8) * (_THREE - _ONE) + _ONE
