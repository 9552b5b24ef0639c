"""What a seat of Devil may know.

Public are the discard pile, how many cards everybody holds, and the scores. Hidden are
the other hands and the order of the draw pile. Nobody knows which of several identical
copies is where, so cards that are gone are counted by kind.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.devil.layout import Layout
from sim.devil.rules import Devil
from sim.devil.state import State
from sim.masks import Counts, Masks
from sim.view import CachedField, View


class DevilView(View):
    """A seat's view; fields by seat start with this seat and go clockwise."""

    _state: State
    rules: Devil
    layout: Layout
    vocabulary_of: ClassVar[Mapping[str, str]] = {  # what the bits of each set are
        "hand": "card",
        "elsewhere": "card",
        "voids": "card",
        "lacked": "card",
        "top": "one card",
        "played": "one card",
    }
    names_of: ClassVar[Mapping[str, str]] = {"dealer": "seat"}

    @CachedField
    def round(self) -> NDArray[Any]:
        """(rows,) the round, from 1."""
        return self.common(self._state.clock.round)

    @CachedField
    def turn(self) -> NDArray[Any]:
        """(rows,) the turn of the round, from 1."""
        return self.common(self._state.clock.turn)

    @CachedField
    def hand(self) -> Masks:
        """(rows,) the cards in this seat's hand."""
        return self._hands[0]

    @CachedField
    def held(self) -> Counts:
        """(kinds, rows) how many of each kind of card this seat holds."""
        return self.layout.count(self.hand)

    @CachedField
    def top(self) -> Masks:
        """(rows,) the top card of the discard pile."""
        return self.common(self._state.top)

    @CachedField
    def gone(self) -> Counts:
        """(kinds, rows) how many of each kind lie in the discard pile."""
        under = self._state.under(self._rows)
        return self.layout.count(under | self.top)

    @CachedField
    def elsewhere(self) -> Masks:
        """(rows,) the cards in other hands or the draw pile."""
        others = np.bitwise_or.reduce(self._hands[1:], axis=0)
        others |= self.common(self._state.pile)
        return others

    @CachedField
    def unseen(self) -> Counts:
        """(kinds, rows) how many of each kind are in other hands or the draw pile."""
        return self.layout.count(self.elsewhere)

    @CachedField
    def sizes(self) -> Counts:
        """(seats, rows) how many cards everybody holds."""
        return masks.count(self._hands)

    @CachedField
    def _hands(self) -> Masks:
        """(seats, rows) the cards in all hands; not to be shown to strategies."""
        return self.each(self._state.hands)

    @CachedField
    def voids(self) -> Masks:
        """(seats, rows) cards that everybody has shown to lack, by drawing.

        An unknown card that comes to a hand may be any, but one kept did not fit.
        """
        return self.each(self._state.voids)

    @CachedField
    def lacked(self) -> Masks:
        """(seats, rows) cards that were shown to be in no hand when ``late`` ones came.

        So a hand has of them no more than ``late``.
        """
        return self.each(self._state.lacked)

    @CachedField
    def late(self) -> Counts:
        """(seats, rows) at most how many unknown cards have come to each hand since."""
        return self.each(self._state.late)

    @CachedField
    def left(self) -> Counts:
        """(rows,) how many cards are in the draw pile."""
        return self.common(masks.count(self._state.pile))

    @CachedField
    def cost(self) -> NDArray[np.int32]:
        """(rows,) what this seat's hand costs, doubled for each Special."""
        return self.layout.cost(self.hand)

    @CachedField
    def scores(self) -> NDArray[np.int64]:
        """(seats, rows) scores."""
        return self.each(self._state.score)

    @CachedField
    def dealer(self) -> Counts:
        """(rows,) the dealer of this round, in places to the left of this seat."""
        dealer = self.common(self._state.dealer)
        seats = np.uint8(self.players)
        return (dealer + seats - np.asarray(self.seat, dtype=np.uint8)) % seats

    @CachedField
    def played(self) -> Masks:
        """(rows,) the Special just played, where its effect is to be decided."""
        if self.kind.name != "declare":
            return np.zeros_like(self.legal)
        return self.top
