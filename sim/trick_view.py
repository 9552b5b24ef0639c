"""The view of trick-taking games: what a seat may know of a trick."""

import numpy as np

from sim.masks import Masks
from sim.trick_state import TrickState
from sim.view import CachedField, View


class TrickView(View):
    """A seat's view of its hand and of the trick on the table."""

    _state: TrickState

    @CachedField
    def hand(self) -> Masks:
        """(rows,) the cards in hand."""
        state = self._state
        if state.position is not None:
            return self.common(state.hands_by_turn[state.position])
        leader, players = self.common(state.leader), np.uint8(self.players)
        position = np.asarray(self.seat, dtype=np.uint8) + players - leader
        position -= (position >= players).view(np.uint8) * players
        rows = np.arange(len(state.games)) if self._rows is None else self._rows
        at = position.astype(np.int64) * len(state.games) + rows
        return state.hands_by_turn.reshape(-1).take(at)

    @CachedField
    def lead(self) -> Masks:
        """(rows,) the suit led in this trick, as a mask; nothing where none is."""
        return self.common(self._state.lead)

    @CachedField
    def voids(self) -> Masks:
        """(seats, rows) the suits that each player has shown to lack, as one mask.

        They show it by not following suit. This seat first, then clockwise.
        """
        return self.each(self._state.voids)

    @CachedField
    def cards(self) -> list[Masks]:
        """The cards of this trick in playing order, (rows,) each."""
        return [self.common(card) for card in self._state.cards]
