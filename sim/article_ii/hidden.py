"""Dealing anew what a seat of Article II cannot know.

For the check that strategies are blind to hidden cards, and for search by
sampling. Kept are the seat's own cards, all that lies open, and how many cards each
hand and the deck hold.
"""

import numpy as np

from sim import masks
from sim.article_ii.state import State
from sim.chance import Purpose
from sim.hidden import draw
from sim.view import Seat


def redeal(state: State, seat: Seat, salt: int = 0) -> State:
    """A copy with the other hands, and the deck, drawn at random.

    ``seat`` is one for all games or (games,); another ``salt`` deals otherwise.
    """
    other, layout = state.copy(), state.layout
    me = np.broadcast_to(np.asarray(seat), state.games.shape)
    open_cards = masks.join([*state.lying, state.discard, state.card])
    own = [masks.where(me == s, held) for s, held in enumerate(state.hands)]
    unseen = layout.everything & ~open_cards & ~masks.join(own)
    order = state.chance.shuffle(range(64), Purpose.HIDDEN, salt)
    for number, held in enumerate(state.hands):
        taken = draw(unseen, masks.where(me != number, held), order)
        unseen &= ~taken
        other.hands[number] = own[number] | taken
    stack, bottom = other.stack.reshape(-1), state.top.copy()
    for card in order:
        slot = (bottom & np.uint8(63)).astype(np.int64) * len(state.games)
        stack[slot + np.arange(len(state.games))] = card
        bottom += (unseen >> card & masks.ONE).astype(np.uint8)
    return other
