"""The state of a batch of games of Article II: arrays, one row per game.

Fields are ``(games,)`` or ``(seats, games)``. All rows take a turn at the same time,
whichever seat it is in each; seats without cards are skipped. Rows in which the phase
is over wait for the others.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.article_ii.layout import CONTENDS, ONCE, TRAITS, Layout, Traits
from sim.article_ii.rules import ArticleII
from sim.batch_state import BatchState
from sim.chance import Seed
from sim.flags import sets_of
from sim.masks import Counts, Flags, Mask, Masks
from sim.view import Rows

Points = NDArray[np.int16]


class Step(IntEnum):
    """What comes next. Chance shares a draw among three steps in a row."""

    PLAY = 0
    TARGET = 1
    REACT = 2
    REMOVE_FROM = 3
    REMOVE = 4
    TEFLON = 5
    SECOND = 6
    # steps of a second card, as above
    TURN = 12  # begins
    END_TURN = 13
    DEAL = 14
    PRIMARY = 15
    NECROMANCY = 16
    GENERAL = 17
    OVER = 18


SECOND_CARD = 6  # what a step of a second card counts more
MOMENTS = 12  # of a turn
_LONGEST = 10_000  # more turns than a phase can have


@dataclass
class Clock:
    """Phase and turn, both counted from 0, and the step that comes next.

    ``second`` says that this is about the second card of a turn; ``asked`` is the seat
    that is asked next where several are, after the turns.
    """

    step: Step = Step.DEAL
    phase: int = 0
    turn: int = 0
    second: bool = False
    asked: int = 0

    @property
    def tick(self) -> int:
        """A number unique to this moment, as the counter of random numbers."""
        turn = self.phase * _LONGEST + self.turn
        if self.step is Step.NECROMANCY:
            return 2 * _LONGEST * MOMENTS + self.asked
        later = SECOND_CARD if self.second else 0
        return turn * MOMENTS + self.step + later

    def labels(self) -> dict[str, int]:
        """The phase as a number of its words, and the turn, from 1."""
        return {"phase": self.phase, "turn": self.turn + 1}


class State(BatchState):
    """A batch of games of Article II."""

    game_id = "article_ii"
    row_numbers = ("going",)

    def __init__(
        self, rules: ArticleII, players: int, seed: Seed, games: NDArray[np.uint64]
    ) -> None:
        self.layout = Layout(rules, players)
        super().__init__(rules, players, seed, games)
        self.clock = Clock()
        size, both = len(games), (players, len(games))
        # What the seats have, (seats, games)
        self.hands: Masks = np.zeros(both, dtype=np.uint64)
        self.lying: Masks = np.zeros(both, dtype=np.uint64)  # cards on each player
        self.electability: Points = np.zeros(both, dtype=np.int16)  # raw, of the cards
        self.affiliation: Points = np.zeros(both, dtype=np.int16)  # raw, of the cards
        self.traits: Traits = np.full(both, ONCE, dtype=np.int16)  # see ``layout``
        self.changes = 0  # of the table: cards that came or left, and Candidates
        self._kept: tuple[Any, int, dict[int, Any]] = self.games, 0, {}
        # The deck: a ring of card numbers, drawn from ``top`` up to ``bottom``
        self.stack: Counts = np.zeros((64, size), dtype=np.uint8)
        self.top: Counts = np.zeros(size, dtype=np.uint8)
        self.bottom: Counts = np.full(size, self.layout.size, dtype=np.uint8)
        self.discard: Masks = np.zeros(size, dtype=np.uint64)
        self.shuffles: NDArray[np.uint16] = np.zeros(size, dtype=np.uint16)  # so far
        # Elections, (games,)
        self.start: Counts = np.zeros(size, dtype=np.uint8)  # who begins the phase
        self.candidates: Masks = np.zeros(size, dtype=np.uint64)  # seats
        self.stopped: Flags = np.zeros(size, dtype=np.bool_)  # by the guard
        self.played: NDArray[np.uint16] = np.zeros(size, dtype=np.uint16)  # cards
        # This turn, (games,)
        self.going: Rows = self._rows  # rows in which the phase goes on
        self.seat: Counts = np.zeros(size, dtype=np.uint8)  # whose turn it is
        self.card: Masks = np.zeros(size, dtype=np.uint64)  # to be resolved
        self.victim: Counts = np.zeros(size, dtype=np.uint8)  # whose card is removed
        self.pending: Masks = np.zeros(size, dtype=np.uint64)  # seats that may react
        self.drawing: Flags = np.zeros(size, dtype=np.bool_)  # for a second card
        # Whose Affiliation a Necromancer takes, (seats, games) seats
        self.taken: Masks = np.zeros(both, dtype=np.uint64)

    @property
    def match(self) -> int:
        """With parties, "four games" make a match."""
        return 4 if self.rules.parties else 1

    @property
    def left(self) -> Counts:
        """(games,) cards in the deck."""
        return self.bottom - self.top

    @property
    def contenders(self) -> Masks:
        """(games,) the seats that compete in the General."""
        return sets_of((self.traits & CONTENDS) != 0)

    def conserved(self) -> dict[str, NDArray[Any]]:
        """(games,) the cards in all places; not while one is being resolved."""
        held = masks.join([*self.hands, *self.lying, self.discard, self.card])
        return {"cards": masks.count(held).astype(np.int64) + self.left}

    def kept_by(self) -> dict[int, Any]:
        """A cache for strategies, which is emptied when the table changes.

        Copies and branches of these games have a cache of their own.
        """
        if self._kept[0] is not self.games or self._kept[1] != self.changes:
            self._kept = self.games, self.changes, {}
        return self._kept[2]

    def place_of(self, seat: Counts, rows: Rows) -> NDArray[np.int64]:
        """(rows,) the indices of these seats in a flat (seats * games) field."""
        place = seat.astype(np.int64)
        place *= len(self.games)
        place += rows
        return place

    def having(self, trait: str, seat: Counts, rows: Rows) -> Rows:
        """The places in ``rows`` whose seat has this trait."""
        traits = self.traits.reshape(-1).take(self.place_of(seat, rows))
        return masks.rows_where((traits & TRAITS[trait]) != 0)

    def resolving(self, cards: Mask) -> Rows:
        """Rows in which one of these cards is being resolved."""
        return masks.rows_with(self.card, cards)

    def question_rows(self, rows: Rows) -> Rows | None:
        """These rows as an argument of ``Table.ask``: None if they are all rows."""
        return None if len(rows) == len(self.games) else rows
