"""Grants, to measure what one more is worth: a Life gem as a week begins."""

import numpy as np

from sim.games import Grant
from sim.kunitame.state import State
from sim.masks import Counts, Flags


def life_gem(state: State, seat: Counts) -> Flags:
    """Give one more Life gem to the seats that are not eliminated."""
    lives, at = state.life.reshape(-1), state.at(seat)
    alive = lives.take(at) > 0
    lives[at] += alive.view(np.uint8)
    return alive


GRANTS = {"Life gems": Grant("week", life_gem, scored=True)}
