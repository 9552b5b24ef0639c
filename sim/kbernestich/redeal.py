"""Dealing anew what a seat of Kbernestich cannot know.

Used by search, and by the check that strategies do not see hidden cards. Kept are the
seat's own cards, what lies open, what it put back itself, how many cards each hand,
pile and the rest hold, and suits that a hand has shown to lack.
"""

import numpy as np

from sim import masks
from sim.kbernestich.state import State
from sim.redeal import deal_without
from sim.view import Seat


def redeal(state: State, seat: Seat, salt: int = 0) -> State:
    """A copy with the other hands, and all that is hidden, drawn at random.

    ``seat`` is one for all games or (games,); each ``salt`` gives another deal.
    """
    other, layout = state.copy(), state.layout
    me = np.broadcast_to(np.asarray(seat), state.games.shape)
    mine = [state.seat_after(state.leader, p) == me for p in range(state.players)]
    seats = [np.full_like(me, s) == me for s in range(state.players)]
    placed = [masks.where(own, sq) for own, sq in zip(seats, state.placed, strict=True)]
    reviewed = (masks.join(placed) & layout.square("review")) != masks.NOTHING
    known = masks.where(reviewed, state.rest)
    known |= masks.join(
        [masks.where(m, h) for m, h in zip(mine, state.hands_by_turn, strict=True)]
    )
    for own, won in zip(seats, state.won, strict=True):
        known |= masks.where(own, won) if state.rules.memories else won
    for card in state.cards:
        known |= card
    incubated = (masks.join(placed) & layout.square("incubation")) != masks.NOTHING
    known |= masks.where(incubated, state.down)
    unseen = layout.everything & ~known
    hidden = np.where(np.stack(mine), masks.NOTHING, state.hands_by_turn)
    hidden_down = masks.where(~incubated, state.down)
    hidden_won = np.where(np.stack(seats), masks.NOTHING, state.won)
    if not state.rules.memories:
        hidden_won[:] = masks.NOTHING
    parts = [*hidden, *hidden_won, hidden_down]
    lacks = np.zeros((len(parts), len(me)), dtype=np.uint64)
    for place, own in enumerate(mine):
        seat_at = state.at(state.seat_after(state.leader, place))
        lacks[place] = masks.where(~own, state.voids.reshape(-1).take(seat_at))
    sizes = masks.count(np.stack(parts))
    dealt = deal_without(unseen, sizes, lacks, state.chance, salt * len(parts))
    players = state.players
    other.hands_by_turn = state.hands_by_turn ^ hidden ^ dealt[:players]
    other.won = state.won ^ hidden_won ^ dealt[players:-1]
    other.piles_changed()
    other.down = state.down ^ hidden_down ^ dealt[-1]
    unseen &= ~masks.join(list(dealt))
    other.rest = np.where(reviewed, state.rest, unseen)
    return other
