"""Dealing anew what a seat of Article II cannot know.

Used by search, and by the check that strategies do not see hidden cards. Kept are the
seat's own cards, all that lies open, and how many cards each hand and the deck hold.
"""

import numpy as np

from sim import masks
from sim.article_ii.state import State
from sim.chance import Purpose
from sim.view import Seat


def redeal(state: State, seat: Seat, salt: int = 0) -> State:
    """A copy with the other hands, and the deck, drawn at random.

    ``seat`` is one for all games or (games,); each ``salt`` gives another deal.
    """
    other, layout = state.copy(), state.layout
    me = np.broadcast_to(np.asarray(seat), state.games.shape)
    open_cards = masks.join([*state.lying, state.discard, state.card])
    own = [masks.where(me == s, held) for s, held in enumerate(state.hands)]
    unseen = layout.everything & ~open_cards & ~masks.join(own)
    order = state.chance.shuffle(range(64), Purpose.HIDDEN, salt).T
    bits = masks.ONE << order.astype(np.uint64)
    game, place = np.nonzero(bits & unseen[:, None])
    # The sum of so many cards in a row, game after game
    sums = np.zeros(len(game) + 1, dtype=np.uint64)
    np.cumsum(bits[game, place], out=sums[1:])
    at = np.searchsorted(game, state._rows)
    for number, held in enumerate(state.hands):
        until = at + masks.count(masks.where(me != number, held))
        other.hands[number] = own[number] | (sums.take(until) - sums.take(at))
        at = until
    rank = np.arange(len(game)) - at.take(game)
    deck = rank >= 0
    game, place, rank = game[deck], place[deck], rank[deck]
    slot = (state.top.take(game) + rank) % 64
    other.stack[slot, game] = order[game, place]
    return other
