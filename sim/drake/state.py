"""The state of a batch of games of The Virtues of the Drake: arrays, one row per game.

The cards of each deck are one line in ``cards``: first its pile from left to right,
then its discards, then the card in play, then the deck with its top card first. Why: a
card moves by moving a boundary, so cards can neither appear nor vanish.

All rows take the same turn at the same time. Games that are over are dropped when they
are many; how each ended is kept in ``ends``.
"""

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from sim.batch_state import BatchState
from sim.chance import Chance, Purpose, Seed
from sim.drake.layout import GOES_ON, NO_CARD, PRIDE, VIRTUES, Layout
from sim.drake.rules import MOST_CARDS, Drake
from sim.masks import Counts, Flags
from sim.view import Rows

_VIRTUES = 3  # the counter for shuffling Virtues; the decks have 0 to 2
_BY_VIRTUE = (3, 1, 2, 0)  # update I: "strictly: Pride, Greed, Wrath, Gluttony"
_CODE_BITS, _LATER = np.uint32(8), np.uint32(1 << 16)
ONE = np.uint8(1)


class Phase(IntEnum):
    """The phases: what comes next."""

    SETUP = 0
    PLAY = 1
    ACT = 2
    OVER = 3


@dataclass
class Clock:
    """The turn of all rows, from 1, and its phase that comes next."""

    turn: int = 1
    phase: Phase = Phase.SETUP

    @property
    def tick(self) -> int:
        """A number unique to this moment, as the counter of random numbers."""
        return self.turn * 2 + (self.phase is Phase.ACT)

    def labels(self) -> dict[str, int]:
        """The turn."""
        return {"turn": self.turn}


class Ends:
    """How games ended, in the order in which they started; (..., games) each."""

    def __init__(self, games: NDArray[np.uint64], players: int) -> None:
        size, both = len(games), (players, len(games))
        self.games = games
        self.by: Counts = np.full(size, GOES_ON, dtype=np.uint8)
        self.virtue: Counts = np.zeros(size, dtype=np.uint8)
        self.winner: NDArray[np.int8] = np.full(size, -1, dtype=np.int8)
        self.turns: NDArray[np.uint16] = np.zeros(size, dtype=np.uint16)
        self.deck: Counts = np.zeros(size, dtype=np.uint8)  # that ran out
        self.sizes: Counts = np.zeros((3, 3, size), dtype=np.uint8)
        self.holds: Counts = np.zeros(both, dtype=np.uint8)  # the Virtue of each seat
        self.place: Counts = np.zeros(both, dtype=np.uint8)  # in the order of turns

    def write(self, places: Rows, **fields: Any) -> None:
        """Write how these games ended."""
        for name, value in fields.items():
            getattr(self, name)[..., places] = value

    def of(self, places: Rows) -> "Ends":
        """How these games ended, which may be given several times."""
        other = copy.copy(self)
        for name, value in vars(self).items():
            setattr(other, name, value.take(places, axis=-1))
        return other


class State(BatchState):
    """A batch of games of The Virtues of the Drake."""

    game_id = "drake"
    parts = ("clock", "ends")

    def __init__(
        self, rules: Drake, players: int, seed: Seed, games: NDArray[np.uint64]
    ) -> None:
        self.layout = Layout(rules, players)
        super().__init__(rules, players, seed, games)
        size = len(games)
        self.clock = Clock()
        self.ends = Ends(games, players)
        self.spot: Rows = self._rows.copy()  # of each row among the ends
        # Cards: positions of ``cards`` after each pile, and of the top of each deck
        self.cards: Counts = np.full((self.layout.size, size), NO_CARD, dtype=np.uint8)
        self.pile_end: Counts = np.zeros((3, size), dtype=np.uint8)
        self.top: Counts = np.zeros((3, size), dtype=np.uint8)
        self.in_play: Counts = np.zeros((2, size), dtype=np.uint8)  # flags of decks
        # Virtues and seats
        self.virtues: Counts = np.zeros((players, size), dtype=np.uint8)
        self.holder = np.full((4, size), -1, dtype=np.int8)  # of each Virtue, or -1
        self.order: Counts = np.zeros((players, size), dtype=np.uint8)  # of turns
        self.ending: Counts = np.full(size, GOES_ON, dtype=np.uint8)
        self.won: Counts = np.zeros(size, dtype=np.uint8)  # the Virtue, of games over
        self.ran_out: Counts = np.zeros(size, dtype=np.uint8)  # the deck, the same
        self.turns: NDArray[np.uint16] = np.zeros(size, dtype=np.uint16)  # the same
        self.spent = np.zeros((4, size), dtype=np.bool_)  # first wins that shuffled
        self._shuffle_decks()
        self._deal_virtues()
        self.ends.holds[:] = self.virtues
        self.ends.place[:] = np.argsort(self.order, axis=0)

    def _shuffle_decks(self) -> None:
        """Shuffle all decks, and put "the top card" of each into its pile."""
        for deck, (line, codes) in enumerate(
            zip(self.layout.lines, self.layout.codes, strict=True)
        ):
            order = self.chance.shuffle(range(len(codes)), Purpose.DEAL, deck)
            self.cards[line] = codes.take(order)
            self.pile_end[deck] = self.top[deck] = line.start + 1

    def _deal_virtues(self) -> None:
        """Deal one Virtue each ("in a two player game, set Pride aside first")."""
        dealt = range(len(VIRTUES) if self.players > 2 else PRIDE)
        order = self.chance.shuffle(dealt, Purpose.DEAL, _VIRTUES)
        self.virtues[:] = order[: self.players]
        seats = np.arange(self.players, dtype=np.int8)
        for seat in seats:
            self.holder[self.virtues[seat], self._rows] = seat
        if self.rules.ruleset == "update_II":
            start = self.chance.below(self.players, Purpose.START, 0).astype(np.uint8)
            self.order[:] = (start + seats[:, None].astype(np.uint8)) % self.players
        else:
            rank = np.array(_BY_VIRTUE).take(self.virtues)
            self.order[:] = np.argsort(rank, axis=0)

    # --- Whose turn, and which games go on ---

    @property
    def seat(self) -> Counts:
        """(games,) whose turn it is."""
        seat: Counts = self.order[(self.clock.turn - 1) % self.players]
        return seat

    @property
    def goes_on(self) -> Flags:
        """(games,) which games are not over."""
        return self.ending == GOES_ON

    @property
    def start_rows(self) -> Rows:
        """(games,) the place of each row in ``ends``."""
        return self.spot

    def branch(self, rows: Rows, chance: Chance | None = None) -> Self:
        """Copy these rows into a new state; a row may be given several times."""
        other = super().branch(rows, chance)
        other.spot = other._rows.copy()
        return other

    def concatenate(self, others: Sequence[Self]) -> Self:
        """These games followed by those of other states, as one state."""
        every, parts = super().concatenate(others), [self, *others]
        before = np.cumsum([0, *(len(one.ends.games) for one in parts)])
        spots = [one.spot + first for one, first in zip(parts, before, strict=False)]
        every.spot = np.concatenate(spots)
        return every

    def keep(self, rows: Rows) -> None:
        """Keep these games only, as if there had never been others."""
        ends = self.ends.of(self.spot.take(rows))
        super().keep(rows)
        self.ends, self.spot = ends, self._rows.copy()

    def drop(self, rows: Rows) -> None:
        """Drop games that are over, keeping these rows and all ends."""
        super().keep(rows)

    # --- Cards ---

    def card_at(self, position: NDArray[np.integer[Any]], rows: Rows) -> Counts:
        """(rows,) the codes of the cards at these positions (rows,)."""
        return self.cards.reshape(-1).take(self._flat(position, rows))

    def rightmost(self, pile: int, rows: Rows) -> Counts:
        """(rows,) the codes of the rightmost cards of a pile, NO_CARD of empty ones."""
        return self.card_at(self.pile_end[pile].take(rows) - ONE, rows)

    def before_top(self, deck: int, rows: Rows) -> Counts:
        """(rows,) the codes of the cards just turned up, or in play."""
        return self.card_at(self.top[deck].take(rows) - ONE, rows)

    def lay(self, deck: int, which: Flags) -> None:
        """Move the card just turned up, or in play, to the right end of its pile."""
        end, card = self.pile_end[deck], self.top[deck] - ONE
        rows = np.flatnonzero((end != card) & which)  # elsewhere it is there already
        if len(rows):
            self.swap(end.take(rows), card.take(rows), rows)
        end += which.view(np.uint8)

    def swap(
        self,
        one: NDArray[np.integer[Any]],
        other: NDArray[np.integer[Any]],
        rows: Rows,
    ) -> None:
        """Swap the cards at two positions (rows,)."""
        cards = self.cards.reshape(-1)
        here, there = self._flat(one, rows), self._flat(other, rows)
        card = cards.take(here)
        cards[here] = cards.take(there)
        cards[there] = card

    def _flat(self, position: NDArray[np.integer[Any]], rows: Rows) -> Rows:
        """The indices of these positions in the flat array."""
        place = position.astype(np.int64)
        place *= len(self.games)
        place += rows
        return place

    def shuffle_from(
        self, first: Counts, rows: Rows, purpose: Purpose, count: int
    ) -> None:
        """Shuffle the cards of all lines from positions (decks, rows) on."""
        layout = self.layout
        keys = self.chance.row_keys(layout.size, purpose, count, rows).astype(np.uint32)
        keys += _LATER
        positions = np.arange(layout.size, dtype=np.uint32)
        stay = positions < first.T[:, layout.deck_at]
        np.copyto(keys, positions, where=stay)
        keys += layout.deck_at.astype(np.uint32) * (_LATER + _LATER)
        self.arrange(slice(0, layout.size), rows, keys)

    def arrange(self, line: slice, rows: Rows, keys: NDArray[np.uint32]) -> None:
        """Sort the cards of a line by keys (rows, positions), below 2**24."""
        keys <<= _CODE_BITS
        keys |= self.cards[line].take(rows, axis=1).T
        keys.sort(axis=1)
        self.cards[line, rows] = keys.T.astype(np.uint8)

    # --- How many ---

    def sizes(self, rows: Rows | None = None) -> Counts:
        """(3, 3, rows) cards in each pile, left in each deck, and discarded of each."""
        end, top, in_play = self.pile_end, self.top, self.in_play
        if rows is not None:
            end, top, in_play = (
                part.take(rows, axis=1) for part in (end, top, in_play)
            )
        gone = top - end
        gone[: len(in_play)] -= in_play
        starts, stops = self.layout.bounds
        return np.stack([end - starts, stops - top, gone])

    def conserved(self, rows: Rows | None = None) -> dict[str, Counts]:
        """(rows,) how many lines have a wrong card; 0 unless there is a bug."""
        rows = self._rows if rows is None else rows
        cards, wrong = self.cards.take(rows, axis=1), np.zeros(len(rows), np.uint8)
        ends, tops = self.pile_end.take(rows, axis=1), self.top.take(rows, axis=1)
        lines = zip(self.layout.lines, self.layout.codes, strict=True)
        for deck, (line, codes) in enumerate(lines):
            now = np.sort(cards[line], axis=0)
            wrong += (now != np.sort(codes)[:, None]).any(axis=0)
            wrong += cards[line.start - 1] != NO_CARD  # the ground
            wrong += (ends[deck] < line.start) | (tops[deck] > line.stop)
        wrong += (self.sizes(rows) > MOST_CARDS).any(axis=(0, 1))
        return {"cards in a wrong line": wrong}
