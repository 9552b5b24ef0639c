"""Dealing anew what a seat of Devil cannot know.

Used by search, and by the check that strategies do not see hidden cards. Kept are the
seat's own cards, the discard pile, how many cards each hand and the draw pile hold, and
what a hand has shown to lack: all of it, or all but the cards that came later.
"""

import numpy as np

from sim import masks
from sim.devil.state import State
from sim.redeal import deal_without
from sim.view import Seat


def redeal(state: State, seat: Seat, salt: int = 0) -> State:
    """A copy with the other hands, and the draw pile, drawn at random.

    ``seat`` is one for all games or (games,); each ``salt`` gives another deal.
    """
    other, players = state.copy(), state.players
    own = np.arange(players)[:, None] == np.asarray(seat)
    held = np.where(own, masks.NOTHING, state.hands)
    unseen = state.pile | masks.join(list(held))
    sizes = masks.count(held)
    late = np.minimum(state.late, sizes)
    sizes = np.concatenate([sizes - late, late])
    lacks = np.concatenate([state.lacked | state.voids, state.voids])
    lacks = masks.where(sizes > 0, lacks)
    parts = deal_without(unseen, sizes, lacks, state.chance, 2 * salt * players)
    dealt = parts[:players] | parts[players:]
    other.hands = np.where(own, state.hands, dealt)
    other.pile = unseen & ~masks.join(list(dealt))
    return other
