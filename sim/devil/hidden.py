"""Dealing anew what a seat of Devil cannot know.

For the check that strategies are blind to hidden cards, and for search by
sampling. Kept are the seat's own cards, the discard pile, and how many cards each
hand and the draw pile hold.
"""

import numpy as np

from sim import masks
from sim.chance import Purpose
from sim.devil.state import State
from sim.hidden import draw
from sim.view import Seat


def redeal(state: State, seat: Seat, salt: int = 0) -> State:
    """A copy with the other hands, and the draw pile, drawn at random.

    ``seat`` is one for all games or (games,); another ``salt`` deals otherwise.
    """
    other = state.copy()
    me = np.broadcast_to(np.asarray(seat), state.games.shape)
    mine = [np.full_like(me, s) == me for s in range(state.players)]
    unseen = state.pile.copy()
    for own, hand in zip(mine, state.hands, strict=True):
        unseen |= masks.where(~own, hand)
    order = state.chance.shuffle(range(64), Purpose.HIDDEN, salt)
    for number, hand in enumerate(state.hands):
        taken = draw(unseen, masks.where(~mine[number], hand), order)
        unseen &= ~taken
        other.hands[number] = np.where(mine[number], hand, taken)
    other.pile = unseen
    return other
