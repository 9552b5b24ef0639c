"""An experiment on a deal: what a card is worth in hand, or lying on a player.

When a phase is dealt, a random card of each hand is picked and a coin tossed for each
player: with heads they have the card (it stays in hand, or is placed on them at once),
with tails it is discarded. In the second game of a pair every coin is turned over, and
all else is the same, so each player once has and once lacks the same card of the same
deal. How the other cards are distributed is the same in both.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from sim import masks
from sim.article_ii.layout import PHASES
from sim.article_ii.resolve import place
from sim.article_ii.state import State
from sim.chance import Purpose
from sim.masks import Flags
from sim.table import Table
from sim.view import Rows

_SEATS = 8  # at most, so that every seat of both phases has counts of its own
_HEADS, _STYLES = masks.bit(0), masks.bit(1)  # two coins of the same random bits


@dataclass(frozen=True)
class Trial:
    """A coin toss for a card of each hand, in a ``phase`` (0 is the Primary).

    ``lying``: the card is placed on the player; otherwise it stays in hand.
    """

    phase: int
    lying: bool
    turned: bool | Flags = False  # the second game of a pair; or which games are

    @property
    def title(self) -> str:
        """The experiment in words."""
        return f"{PHASES[self.phase]} card {'on oneself' if self.lying else 'in hand'}"

    def __call__(self, state: Any, table: Table, rows: Rows) -> None:
        """Carry it out in these rows, whose phase was just dealt."""
        if state.clock.phase == self.phase:
            for seat in range(state.players):
                self._try(state, table, seat, rows)

    def _try(self, state: State, table: Table, seat: int, rows: Rows) -> None:
        """Toss the coin of one player."""
        layout, hand = state.layout, state.hands[seat]
        count = 2 * (self.phase * _SEATS + seat)
        among = layout.each_once(
            hand & (layout.lies if self.lying else layout.everything)
        )
        coins = state.chance.short_bits(Purpose.TRIAL, count + 1)
        # Rare: so preferred in half of the hands that have some
        styles = among & layout.styles
        first = ((coins & _STYLES) != masks.NOTHING) & (styles != masks.NOTHING)
        among = masks.blend(first, styles, among)
        card = masks.pick(among, state.chance.short_bits(Purpose.TRIAL, count))
        has = ((coins & _HEADS) != masks.NOTHING) != self.turned
        rows = rows[card[rows] != masks.NOTHING]
        card, has = card.take(rows), has.take(rows)
        if not len(rows):
            return
        gone = ~has
        hand[rows] ^= card if self.lying else masks.where(gone, card)
        state.discard[rows] |= masks.where(gone, card)
        if self.lying and has.any():
            who = np.full(int(has.sum()), seat, dtype=np.uint8)
            place(state, table, rows[has], who, who, card[has])
        table.emit(
            state, "trial", rows=rows, phase=self.phase, seat=seat, card=card, has=has
        )
