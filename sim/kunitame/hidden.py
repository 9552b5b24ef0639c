"""Dealing anew what a seat of Kunitame cannot know.

For the check that strategies are blind to hidden cards, and for search by
sampling. Kept are the seat's own cards, what was played, and every public
number: how many cards and Devils each hand holds.
"""

import numpy as np

from sim import masks
from sim.chance import Purpose
from sim.hidden import draw
from sim.kunitame.state import Phase, State
from sim.view import Seat


def redeal(state: State, seat: Seat, salt: int = 0) -> State:
    """A copy with the other hands, and secret contracts, drawn at random.

    ``seat`` is one for all games or (games,); another ``salt`` deals otherwise.
    """
    other, layout = state.copy(), state.layout
    me = np.broadcast_to(np.asarray(seat), state.games.shape)
    own = np.arange(state.players)[:, None] == me
    mine = np.bitwise_or.reduce(np.where(own, state.hands, np.uint64(0)), axis=0)
    table = state.cards if state.clock.phase is Phase.PLAY else []
    seen = masks.join([state.played, mine, *table])
    unseen = layout.everything & ~seen
    order = state.chance.shuffle(range(64), Purpose.HIDDEN, salt)
    for place, held in enumerate(state.hands_by_turn):
        my_place = state.seat_after(state.leader, place) == me
        hand = np.zeros_like(mine)
        for part in (layout.devils, layout.everything & ~layout.devils):
            taken = draw(unseen & part, held & part, order)
            taken = np.where(my_place, np.uint64(0), taken)
            unseen &= ~taken
            hand |= taken
        other.hands_by_turn[place] = np.where(my_place, held, hand)
    if state.clock.phase is Phase.CONTRACT:
        secret = state.chance.below(len(layout.fields), Purpose.HIDDEN, salt + 1)
        made = layout.fields[secret] & layout.columns[0]
        other.stakes = np.where(own, state.stakes, made)
    return other
