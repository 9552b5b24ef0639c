"""Dealing anew what a seat of Kbernestich cannot know.

For the check that strategies are blind to hidden cards, and for search by
sampling. Kept are the seat's own cards, what lies open, what it put back itself, and
how many cards each hand, pile and the rest hold.
"""

import numpy as np

from sim import masks
from sim.chance import Purpose
from sim.hidden import draw
from sim.kbernestich.state import State
from sim.view import Seat


def redeal(state: State, seat: Seat, salt: int = 0) -> State:
    """A copy with the other hands, and all that is hidden, drawn at random.

    ``seat`` is one for all games or (games,); another ``salt`` deals otherwise.
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
    order = state.chance.shuffle(range(64), Purpose.HIDDEN, salt)
    for place, held in enumerate(state.hands_by_turn):
        taken = draw(unseen, masks.where(~mine[place], held), order)
        unseen &= ~taken
        other.hands_by_turn[place] = np.where(mine[place], held, taken)
    if state.rules.memories:
        for number, won in enumerate(state.won):
            taken = draw(unseen, masks.where(~seats[number], won), order)
            unseen &= ~taken
            other.won[number] = np.where(seats[number], won, taken)
    hidden_down = masks.where(~incubated, state.down)
    taken = draw(unseen, hidden_down, order)
    unseen &= ~taken
    other.down = masks.blend(hidden_down != masks.NOTHING, taken, state.down)
    other.rest = np.where(reviewed, state.rest, unseen)
    return other
