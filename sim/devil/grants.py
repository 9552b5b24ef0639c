"""Grants, to measure what one more is worth: a card, drawn from the pile."""

from sim import masks
from sim.devil.draws import pick_cards
from sim.devil.layout import SKIPS
from sim.devil.state import State
from sim.games import Grant
from sim.masks import Counts, Flags

_MOMENT = 3  # a counter at which no other card is drawn


def card(state: State, seat: Counts) -> Flags:
    """Give one more card, in rounds that go on and have a pile."""
    goes_on: Flags = (state.ending >= SKIPS) & (state.pile != masks.NOTHING)
    rows = masks.rows_where(goes_on)
    card = pick_cards(state, state.pile.take(rows), rows, _MOMENT)
    state.pile[rows] ^= card
    state.hands[seat.take(rows), rows] |= card
    state.comes(state.at(seat).take(rows), card)
    return goes_on


GRANTS = {"hand cards": Grant("round", card, scored=True)}
