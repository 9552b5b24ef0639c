"""The redeal of The Virtues of the Drake: only the order of the decks is hidden."""

import numpy as np

from sim.chance import Purpose
from sim.drake.state import State
from sim.view import Seat

_LATER = np.uint16(256)  # beyond all places


def redeal(state: State, seat: Seat, salt: int = 0) -> State:
    """A copy with all decks shuffled anew; each ``salt`` gives another order."""
    other = state.copy()
    _sort_decks(other)
    other.shuffle_from(state.top, np.arange(len(state.games)), Purpose.HIDDEN, salt)
    return other


def _sort_decks(state: State) -> None:
    """Sort the decks, so that their order so far has no influence on the next."""
    for deck, line in enumerate(state.layout.lines):
        place = np.arange(line.start, line.stop, dtype=np.uint16)[:, None]
        cards = state.cards[line]
        hidden = place >= state.top[deck]
        order = np.argsort(np.where(hidden, cards + _LATER, place), axis=0)
        state.cards[line] = np.take_along_axis(cards, order, axis=0)
