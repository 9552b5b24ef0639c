"""Dealing anew what nobody knows in The Virtues of the Drake: the decks' order."""

import numpy as np

from sim.chance import Purpose
from sim.drake.state import State
from sim.view import Seat


def redeal(state: State, seat: Seat, salt: int = 0) -> State:
    """A copy with all decks shuffled anew, whoever asks; ``salt`` says how."""
    other = state.copy()
    other.shuffle_from(state.top, np.arange(len(state.games)), Purpose.HIDDEN, salt)
    return other
