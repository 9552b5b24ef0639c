"""Dealing anew what a seat of Socialism cannot know.

Kept are the seat's own cards, all that lies on the table, how many cards each hand and
the draw pile hold, cards seen going to a hand, and, after a reshuffle, which cards are
still in hands: all that were not discarded.
"""

import numpy as np

from sim import masks
from sim.chance import Purpose
from sim.redeal import draw_each
from sim.socialism.state import State
from sim.view import Seat


def redeal(state: State, seat: Seat, salt: int = 0) -> State:
    """A copy with the other hands, and the draw pile, drawn at random.

    ``seat`` is one for all games or (games,); each ``salt`` gives another deal.
    """
    other = state.copy()
    me = np.broadcast_to(np.asarray(seat), state.games.shape)
    seats = np.arange(state.players)[:, None]
    hidden = masks.where(me != seats, state.hands & ~state.known)
    order = state.chance.shuffle(range(64), Purpose.HIDDEN, salt)
    every = np.bitwise_or.reduce(hidden, axis=0)
    other.hands ^= hidden
    other.pile = every | state.pile
    for among in (state.held, ~state.held):
        sizes = masks.count(hidden & among)
        drawn = draw_each(other.pile & among, sizes, order)
        other.hands ^= drawn
        other.pile ^= np.bitwise_or.reduce(drawn, axis=0)
    return other
