"""What a seat of The Virtues of the Drake may know.

Everything is public but the order of the decks. Cards are given as codes, whose words
are in ``layout.ids``; 0 is no card.
"""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from sim.drake.layout import NO_CARD, Layout
from sim.drake.rules import Drake
from sim.drake.state import State
from sim.masks import Counts, Flags
from sim.view import CachedField, Rows, View, clock_field


class DrakeView(View):
    """A seat's view; fields by seat start with this seat and go clockwise."""

    _state: State
    rules: Drake
    layout: Layout
    names_of: ClassVar[Mapping[str, str]] = {
        "in_play": "card",
        "lying": "card",
        "rightmost": "card",
        "virtues": "virtue",
        "waits": "",
    }

    turn = clock_field("turn", "The turn, from 1.")

    @CachedField
    def virtues(self) -> Counts:
        """(seats, rows) everybody's Virtue, a number of ``VIRTUES``."""
        return self.each(self._state.virtues)

    @CachedField
    def waits(self) -> Counts:
        """(virtues, rows) turns until it is each Virtue's turn; 255 if absent.

        0 for the player whose turn it is.
        """
        state = self._state
        waits = np.full((4, len(self)), 255, dtype=np.uint8)
        rows = np.arange(len(self))
        for later in range(self.players):
            seat = self.common(
                state.order[(state.clock.turn - 1 + later) % self.players]
            )
            at = rows if self._rows is None else self._rows
            waits[state.virtues[seat, at], rows] = later
        return waits

    @CachedField
    def spent(self) -> Flags:
        """(virtues, rows) absent Virtues whose first win has shuffled (update I)."""
        return self.common(self._state.spent)

    @CachedField
    def _sizes(self) -> Counts:
        return self._state.sizes(self._rows)

    @property
    def piles(self) -> Counts:
        """(piles, rows) cards in the Gullet, the Lair and the Bed."""
        return self._sizes[0]

    @property
    def decks(self) -> Counts:
        """(decks, rows) cards left to turn up: Maidens, Knights, Treasures."""
        return self._sizes[1]

    @property
    def discards(self) -> Counts:
        """(decks, rows) cards discarded."""
        return self._sizes[2]

    @CachedField
    def _at_rows(self) -> Rows:
        return np.arange(len(self)) if self._rows is None else self._rows

    @CachedField
    def rightmost(self) -> Counts:
        """(piles, rows) the rightmost card of each pile; 0 where it is empty."""
        state, rows = self._state, self._at_rows
        return np.stack([state.rightmost(pile, rows) for pile in range(3)])

    @CachedField
    def in_play(self) -> Counts:
        """(2, rows) the Maiden and the Knight in play; 0 where there is none."""
        state, rows = self._state, self._at_rows
        cards = np.stack([state.before_top(deck, rows) for deck in range(2)])
        cards *= self.common(state.in_play)
        return cards

    @CachedField
    def lying(self) -> Counts:
        """(positions, rows) the cards in the piles; elsewhere 0.

        The positions of a pile, from left to right, are its ``layout.lines``.
        """
        state = self._state
        positions = np.arange(self.layout.size, dtype=np.uint8)[:, None]
        ends = self.common(state.pile_end).take(self.layout.deck_at, axis=0)
        lying: Counts = self.common(state.cards) * (positions < ends)
        return lying

    @CachedField
    def left(self) -> Counts:
        """(codes, rows) how many of each card are left in the decks."""
        return self._count(self.common(self._state.top))

    @CachedField
    def gone(self) -> Counts:
        """(codes, rows) how many of each card are discarded."""
        state = self._state
        gone = self._count(self.common(state.pile_end)) - self.left
        for cards in self.in_play:
            gone[cards, np.arange(len(self))] -= cards != NO_CARD
        return gone

    def _count(self, first: Counts) -> Counts:
        """(codes, rows) how many of each card lie from these positions on."""
        cards = self.common(self._state.cards)
        counts = np.zeros((len(self.layout.ids), len(self)), dtype=np.uint8)
        for deck, line in enumerate(self.layout.lines):
            positions = np.arange(line.start, line.stop, dtype=np.uint8)[:, None]
            there = cards[line] * (positions >= first[deck])
            for code in self.layout.kinds[deck].tolist():
                counts[code] = (there == code).sum(axis=0, dtype=np.uint8)
        return counts
