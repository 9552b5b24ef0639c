"""What one more is worth: a token on the board."""

import numpy as np

from sim import masks
from sim.games import Grant
from sim.masks import Counts, Flags
from sim.socialism.state import ON, State


def token(state: State, seat: Counts) -> Flags:
    """One more, on a User who is nobody's Member; not the last one, which wins."""
    free = state.board & ~masks.join(list(state.tokens))
    here = np.arange(len(seat))
    goes_on: Flags = (state.ends == ON) & (free != 0) & (state.supply()[seat, here] > 1)
    state.tokens[seat, here] |= masks.where(goes_on, masks.lowest(free))
    return goes_on


GRANTS = {"tokens on the board": Grant("turn", token, every=16)}
