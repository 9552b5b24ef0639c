"""Grants, to measure what one more is worth: a point of Electability per phase."""

import numpy as np

from sim.article_ii.state import State
from sim.games import Grant
from sim.masks import Counts, Flags


def electability(state: State, seat: Counts) -> Flags:
    """Give one point more than the cards on the seat do, to the end of the phase."""
    state.electability.reshape(-1)[state.at(seat)] += np.int16(1)
    begun = np.zeros(len(seat), dtype=np.bool_)
    begun[state.going] = True
    return begun


GRANTS = {"Electability": Grant("phase", electability, first=0)}
