"""The state of a batch of games of Devil: arrays, one row per game.

Fields are ``(games,)`` or ``(seats, games)``. Rows are out of step: each has its own
round and seat to act. All take a turn at the same time, except that rows whose round is
over, or in which an end may be declared, wait until they are many. Why: a step costs
about the same for any number of rows. Of many games some begin only when others are
over, and take their rows; at last rows are dropped. How each game ended is kept in
``finals``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.batch_state import BatchState
from sim.chance import Chance, Purpose, Seed
from sim.devil.layout import GOES_ON, Layout
from sim.devil.rules import Devil
from sim.masks import Counts, Masks

WINDOW = 65_536  # games played at a time; the others begin when some are over
# Waiting rows go on once they are one in so many: few cost as many calls as many do.
# 2 to 4 are quickest; one in 32 takes half as long again, to wait for all twice.
WAIT = 3
# Rows of games that are over are reused once they are one in so many: 4 or 8 are
# quickest; to wait for half of them takes a fifth longer.
REST = 8
AHEAD = np.uint32(8)  # turns that search plays on: see ``stage``
TURN, ROUND = np.uint8(4), np.uint64(1 << 18)  # of the clock's count
_TURNS, ROUND_BITS = np.uint64(0xFFFF), np.uint64(18)


COUNTED = {  # events of a round, and the names of their counts
    "draw": "draws",
    "penalty": "penalties",
    "reshuffle": "reshuffles",
    "skip": "skips",
}


class Phase(IntEnum):
    """The phases: what comes next."""

    DEAL = 0
    TURN = 1
    OFFER = 2
    PLAY = 3
    DECLARE = 4
    FINISH = 5
    OVER = 6


@dataclass
class Clock:
    """The phase that comes next in all rows, and the round and turn of each.

    ``count`` (games,) has 2 bits for draws within a turn, 16 for turns, then rounds.
    """

    count: Masks
    phase: Phase = Phase.DEAL
    steps: int = 0  # turns taken in all: no round can have more

    @property
    def tick(self) -> Masks:
        """(games,) a number unique to this moment, as the counter of random numbers."""
        return self.count + _MOMENT[self.phase]

    @property
    def round(self) -> Masks:
        """(games,) the round, from 1."""
        return self.count >> ROUND_BITS

    @property
    def turn(self) -> Masks:
        """(games,) the turn of the round, from 1; 0 before the first."""
        return self.count >> np.uint64(2) & _TURNS

    def labels(self) -> dict[str, Masks]:
        """Round and turn, counted from 1."""
        return {"round": self.round, "turn": self.turn}

    def take(self, rows: NDArray[np.int64]) -> "Clock":
        """The clock of these rows only."""
        return Clock(self.count.take(rows), self.phase)


_MOMENT = dict.fromkeys(Phase, np.uint64(0)) | {
    Phase.PLAY: np.uint64(1),
    Phase.DECLARE: np.uint64(2),
}


@dataclass
class Finals:
    """How all games ended, in the order in which they started."""

    games: Masks
    players: int
    scores: NDArray[np.int64] = field(init=False)  # (seats, games)
    winners: Masks = field(init=False)  # a bit a seat
    by: Counts = field(init=False)
    rounds: NDArray[np.uint32] = field(init=False)
    turns: NDArray[np.uint32] = field(init=False)
    hands: Masks = field(init=False)  # (seats, games) where they stopped in a round

    def __post_init__(self) -> None:
        """Make room for all games."""
        size = len(self.games)
        self.scores = np.zeros((self.players, size), dtype=np.int64)
        self.winners = np.zeros(size, dtype=np.uint64)
        self.by = np.zeros(size, dtype=np.uint8)
        self.rounds = np.zeros(size, dtype=np.uint32)
        self.turns = np.zeros(size, dtype=np.uint32)
        self.hands = np.zeros((self.players, size), dtype=np.uint64)


class State(BatchState):
    """A batch of games of Devil."""

    game_id = "devil"
    parts = ("clock", "finals")
    flat_places: ClassVar[Mapping[str, str]] = {"place": "seat"}
    out_of_step = True
    shows = True  # whether voids, lacked and late are tracked

    def __init__(
        self, rules: Devil, players: int, seed: Seed, games: NDArray[np.uint64]
    ) -> None:
        self.layout = Layout(rules, players)
        super().__init__(rules, players, seed, games)
        size, both = len(games), (players, len(games))
        self.clock = Clock(np.zeros(size, dtype=np.uint64))
        self.finals = Finals(games, players)
        self.begun = min(WINDOW, size)  # how many games have begun
        self.deals = self.chance  # of all games, those still to begin included
        dealer = self.chance.below(players, Purpose.START, 0)
        self.dealer: Counts = dealer.astype(np.uint8)  # of this round
        self.seat: Counts = self.dealer.copy()  # whose turn it is, or was the last
        # Cards; those in no hand, not in the pile and not on top lie under the top
        self.hands: Masks = np.zeros(both, dtype=np.uint64)
        self.pile: Masks = np.zeros(size, dtype=np.uint64)  # to draw from
        self.voids: Masks = np.zeros(both, dtype=np.uint64)  # shown to lack
        # Shown to be lacked but by late cards
        self.lacked: Masks = np.zeros(both, dtype=np.uint64)
        self.late: Counts = np.zeros(both, dtype=np.uint8)  # cards that came since
        self.top: Masks = np.zeros(size, dtype=np.uint64)  # of the discard pile
        self.fits: Masks = np.zeros(size, dtype=np.uint64)  # cards that may follow it
        # This turn's, (games,)
        self.fitting: Masks = np.zeros(size, dtype=np.uint64)  # cards to play
        self.played: Masks = np.zeros(size, dtype=np.uint64)  # if instead of drawing
        self.place: NDArray[np.int64] = self.at(self.seat)  # of the seat among hands
        self.ending: Counts = np.full(size, GOES_ON)  # how the round ended, if it did
        # The game's
        self.score: NDArray[np.int64] = np.zeros(both, dtype=np.int64)
        self.rounds_won: NDArray[np.uint32] = np.zeros(both, dtype=np.uint32)  # D5
        self.turns: NDArray[np.uint32] = np.zeros(size, dtype=np.uint32)  # until then
        # This round's, (events, games), where somebody listens
        self.tally: NDArray[np.uint16] = np.zeros((len(COUNTED), size), dtype=np.uint16)

    @property
    def taken(self) -> NDArray[np.uint32]:
        """(games,) the turns of the game so far, including this one."""
        return self.turns + self.clock.turn.astype(np.uint32)

    def under(self, rows: NDArray[np.int64] | None = None) -> Masks:
        """(games,) or (rows,) the discard pile without its top card."""
        hidden = [*self.hands, self.pile, self.top]
        if rows is not None:
            hidden = [part.take(rows) for part in hidden]
        return self.layout.everything & ~masks.join(hidden)

    def branch(self, rows: NDArray[np.int64], chance: Chance | None = None) -> Self:
        """Copy these rows into a new state; a row may be given several times."""
        other = super().branch(rows, chance)
        other.begun = len(rows)
        return other

    def concatenate(self, others: Sequence[Self]) -> Self:
        """These games followed by those of other states, as one state."""
        other = super().concatenate(others)
        other.begun = len(other.games)
        other.clock.steps = max(one.clock.steps for one in (self, *others))
        return other

    def begin(self, over: NDArray[np.int64]) -> NDArray[np.int64]:
        """Begin waiting games in rows whose games are over, as many as possible."""
        numbers = self.finals.games[self.begun : self.begun + len(over)]
        rows = over[: len(numbers)]
        if self.origin is None or not len(rows):
            return rows[:0]
        self.games[rows] = numbers
        self.origin[rows] = np.arange(self.begun, self.begun + len(numbers))
        self.begun += len(numbers)
        chance = self.deals.take(self.origin.take(rows))
        self.chance.replace(rows, chance)
        self.dealer[rows] = chance.below(self.players, Purpose.START, 0)
        self.clock.count[rows] = 0
        self.score[:, rows] = 0
        self.rounds_won[:, rows] = 0
        self.turns[rows] = 0
        self.memory[:, rows] = 0
        return rows

    def drop_public_history(self) -> None:
        """Stop tracking what hands have shown; reading it is an error from now on."""
        if self.shows:
            self.shows = False
            del self.voids, self.lacked, self.late

    def comes(self, place: NDArray[np.int64], card: Masks) -> None:
        """Note that a card unseen by the others, or none, comes to these hands."""
        if not self.shows:
            return
        self.voids.reshape(-1)[place] = masks.NOTHING
        self.late.reshape(-1)[place] = self.late_with(place, card)[0]

    def late_with(self, place: NDArray[np.int64], card: Masks) -> tuple[Counts, Counts]:
        """How many cards of these hands are late, with this one; and their sizes."""
        number = self.late.reshape(-1).take(place)
        number += (card != masks.NOTHING).view(np.uint8)
        size = masks.count(self.hands.reshape(-1).take(place))
        return np.minimum(number, size), size

    def count(self, event: str, rows: NDArray[np.int64]) -> None:
        """Count an event in the rounds of these rows."""
        self.tally[list(COUNTED).index(event)][rows] += np.uint16(1)

    def next_seat(self, rows: NDArray[np.int64]) -> Counts:
        """(rows,) the seat to the left of the active one."""
        return self.seat_after(self.seat.take(rows), 1)

    def conserved(self, rows: NDArray[np.int64] | None = None) -> dict[str, Counts]:
        """(rows,) cards in two places or missing; 0 unless there is a bug."""
        parts = [*self.hands, self.pile, self.top]
        if rows is not None:
            parts = [part.take(rows) for part in parts]
        held = masks.count(masks.join(parts) & self.layout.everything)
        wrong: Counts = sum(map(masks.count, parts), np.zeros_like(held)) - held
        return {"cards in two places": wrong}
