"""Dealing anew what a seat of Socialism cannot know.

Kept are the seat's own cards, all that lies on the table, how many cards each hand and
the draw pile hold, cards seen going to a hand, and, after a reshuffle, which cards are
still in hands: all that were not discarded.
"""

import numpy as np

from sim import masks
from sim.chance import Purpose
from sim.hidden import draw
from sim.socialism.state import State
from sim.view import Seat


def redeal(state: State, seat: Seat, salt: int = 0) -> State:
    """A copy with the other hands, and the draw pile, drawn at random.

    ``seat`` is one for all games or (games,); another ``salt`` deals otherwise.
    """
    other = state.copy()
    me = np.broadcast_to(np.asarray(seat), state.games.shape)
    hidden = [
        masks.where(me != one, hand & ~known)
        for one, (hand, known) in enumerate(zip(state.hands, state.known, strict=True))
    ]
    order = state.chance.shuffle(range(64), Purpose.HIDDEN, salt)
    old = masks.join(hidden) & state.held
    new = (masks.join(hidden) | state.pile) & ~state.held
    for one, cards in enumerate(hidden):
        from_old = draw(old, cards & state.held, order)
        from_new = draw(new, cards & ~state.held, order)
        old ^= from_old
        new ^= from_new
        other.hands[one] ^= cards ^ from_old ^ from_new
    other.pile = new
    return other
