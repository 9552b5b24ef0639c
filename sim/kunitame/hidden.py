"""Dealing anew what a seat of Kunitame cannot know.

For the check that strategies are blind to hidden cards, and for search by
sampling. Kept are the seat's own cards, what was played, and every public
number: how many cards and Devils each hand holds.
"""

import numpy as np

from sim import masks
from sim.chance import Purpose
from sim.hidden import deal
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
    others = np.stack(
        [state.seat_after(state.leader, at) != me for at in range(state.players)]
    )
    held = np.where(others, state.hands_by_turn, masks.NOTHING)
    dealt = np.where(others, masks.NOTHING, state.hands_by_turn)
    for number, part in enumerate((layout.devils, ~layout.devils)):
        sizes = masks.count(held & part)
        dealt |= deal(unseen & part, sizes, state.chance, 2 * salt + number)
    other.hands_by_turn = dealt
    if state.clock.phase is Phase.CONTRACT:
        secret = state.chance.below(len(layout.fields), Purpose.HIDDEN, salt + 1)
        made = layout.fields[secret] & layout.columns[0]
        other.stakes = np.where(own, state.stakes, made)
    return other


def reask(state: State) -> None:
    """Contracts are made in secret: those made this week are asked anew."""
    if state.clock.phase is Phase.CONTRACT:
        state.clock.turn = 0
