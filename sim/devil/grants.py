"""What one more is worth: a card in hand, drawn from the pile."""

from sim import masks
from sim.devil.draws import pick_cards
from sim.devil.layout import SKIPS
from sim.devil.state import State
from sim.games import Grant
from sim.masks import Counts, Flags

_MOMENT = 3  # of chance, at which no other card is drawn


def card(state: State, seat: Counts) -> Flags:
    """One more in hand, in rounds that go on while there is a pile."""
    goes_on: Flags = (state.ending >= SKIPS) & (state.pile != masks.NOTHING)
    rows = masks.rows_where(goes_on)
    card = pick_cards(state, state.pile.take(rows), rows, _MOMENT)
    state.pile[rows] ^= card
    state.hands[seat.take(rows), rows] |= card
    state.comes(state.at(seat).take(rows), card)
    return goes_on


GRANTS = {"hand cards": Grant("round", card, result="scores")}
