"""Dealing anew what a seat of Kunitame cannot know.

Used by search, and by the check that strategies do not see hidden cards. Kept are the
seat's own cards, what was played, and every public number: how many cards and Devils
each hand holds, and suits that it has shown to lack.
"""

import numpy as np

from sim import masks
from sim.chance import Purpose
from sim.kunitame.state import Phase, State
from sim.masks import Masks
from sim.redeal import deal, deal_without
from sim.view import Seat


def redeal(state: State, seat: Seat, salt: int = 0) -> State:
    """A copy with the other hands, and secret contracts, drawn at random.

    ``seat`` is one for all games or (games,); each ``salt`` gives another deal.
    """
    other, layout = state.copy(), state.layout
    me = np.broadcast_to(np.asarray(seat), state.games.shape)
    own = np.arange(state.players)[:, None] == me
    mine = np.bitwise_or.reduce(np.where(own, state.hands, np.uint64(0)), axis=0)
    table = state.cards if state.clock.phase is Phase.PLAY else []
    seen = masks.join([state.played, mine, *table])
    unseen = layout.everything & ~seen
    seats = [state.seat_after(state.leader, at) for at in range(state.players)]
    others = np.stack(seats) != me
    held = np.where(others, state.hands_by_turn, masks.NOTHING)
    lacks = np.where(others, _by_turn(state, state.voids), masks.NOTHING)
    devils, rest = masks.count(held & layout.devils), masks.count(held & ~layout.devils)
    counter = 2 * salt * state.players
    dealt = deal(unseen & layout.devils, devils, state.chance, counter)
    dealt |= deal_without(
        unseen & ~layout.devils, rest, lacks, state.chance, counter + state.players
    )
    other.hands_by_turn = np.where(others, dealt, state.hands_by_turn)
    if state.clock.phase is Phase.CONTRACT:
        secret = state.chance.below(len(layout.fields), Purpose.HIDDEN, salt + 1)
        made = layout.fields[secret] & layout.columns[0]
        other.stakes = np.where(own, state.stakes, made)
    return other


def _by_turn(state: State, field: Masks) -> Masks:
    """(places, games) a field of the seats in playing order."""
    places = range(state.players)
    at = [state.at(state.seat_after(state.leader, place)) for place in places]
    return np.stack([field.reshape(-1).take(one) for one in at])


def rewind_simultaneous(state: State) -> None:
    """Take back this week's secret contracts, so that all are asked anew."""
    if state.clock.phase is Phase.CONTRACT:
        state.clock.turn = 0
