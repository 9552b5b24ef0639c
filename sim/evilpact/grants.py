"""Grants, to measure what one more is worth: an icon as a round begins."""

import numpy as np

from sim.chance import Purpose
from sim.evilpact.state import State
from sim.games import Grant
from sim.masks import Counts, Flags


def icon(state: State, seat: Counts) -> Flags:
    """Give one more icon in the library, of a random element."""
    number = len(state.rules.elements)
    element = state.chance.below(number, Purpose.TRIAL, state.clock.round)
    one = np.uint64(1) << (np.uint64(8) * element.astype(np.uint64))
    for place, who in enumerate(state.seats):
        state.power[place] += np.where(who == seat, one, np.uint64(0))
    return np.ones(len(seat), dtype=np.bool_)


GRANTS = {"power": Grant("round", icon)}
