"""Dealing anew what a seat of Evilpact cannot know.

Used by search, and by the check that strategies do not see hidden cards.
Hidden are the order of the deck, and where the opponent's spells are that nobody has
seen since the start: in hand, sealed, or under contract.
"""

import numpy as np

from sim import masks
from sim.chance import Purpose
from sim.evilpact.state import State
from sim.evilpact.tables import SPELLS
from sim.redeal import draw
from sim.view import Seat


def redeal(state: State, seat: Seat, salt: int = 0) -> State:
    """A copy with the opponent's spells, and the deck to come, in another order.

    ``seat`` is one for all games or (games,); each ``salt`` gives another deal.
    """
    other = state.copy()
    me = np.broadcast_to(np.asarray(seat), state.games.shape)
    order = state.chance.shuffle(range(len(SPELLS)), Purpose.HIDDEN, 2 * salt)
    for place, who in enumerate(state.seats):
        hidden = state.spells[place] | state.sealed[place] | state.secret[place]
        for part in (other.sealed, other.secret, other.spells):
            drawn = draw(hidden, part[place], order)
            part[place] = np.where(who == me, part[place], drawn)
            hidden &= ~drawn
    seen = int(masks.count(state.seen[:1])[0]) if len(state.games) else 0
    if rest := range(state.layout.size - seen):  # cards that nobody has seen
        order = state.chance.shuffle(rest, Purpose.HIDDEN, 2 * salt + 1)
        left = other.deck[seen:]
        left.sort(axis=0)  # their order so far has no part in the next
        left[:] = np.take_along_axis(left, order.astype(np.int64), axis=0)
    return other
