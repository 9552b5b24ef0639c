"""What one more is worth: a token on the board."""

import numpy as np

from sim import masks
from sim.chance import Purpose
from sim.games import Grant
from sim.masks import Counts, Flags
from sim.socialism.state import ON, State


def token(state: State, seat: Counts) -> Flags:
    """One more, on a User drawn by lot; but not the last one, which wins."""
    here = np.arange(len(seat))
    taken = masks.join(list(state.tokens)) & state.layout.exclusive
    free = state.board & ~taken & ~state.tokens[seat, here]
    goes_on = (state.ends == ON) & (state.supply()[seat, here] > 1)
    bits = state.chance.small(Purpose.TRIAL, state.clock.turn)
    user = masks.pick(masks.where(goes_on, free), bits)
    state.tokens[seat, here] |= user
    given: Flags = user != masks.NOTHING
    return given


GRANTS = {"tokens on the board": Grant("turn", token, every=16)}
