"""Grants, to measure what one more is worth: a cube in hand as a round begins."""

import numpy as np

from sim.games import Grant
from sim.kbernestich.state import State
from sim.masks import Counts, Flags


def cube(state: State, seat: Counts) -> Flags:
    """Give one more cube, even beyond what a player may hold."""
    at = state.at(seat)
    for held in (state.cubes, state.supply):
        held.reshape(-1)[at] += np.uint8(1)
    return np.ones(len(seat), dtype=np.bool_)


GRANTS = {"cubes": Grant("round", cube, scored=True)}
