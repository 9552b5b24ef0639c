"""Grants, to measure what one more is worth: a token on the board."""

from sim import masks
from sim.chance import Purpose
from sim.games import Grant
from sim.masks import Counts, Flags
from sim.socialism.state import ON, State


def token(state: State, seat: Counts) -> Flags:
    """Place one more token on a random User, but never the last, which wins."""
    place, tokens = state.at(seat), state.tokens.reshape(-1)
    taken = masks.join(list(state.tokens)) & state.layout.exclusive
    goes_on = (state.ends == ON) & (state.supply().reshape(-1).take(place) > 1)
    free = masks.where(goes_on, state.board & ~taken & ~tokens.take(place))
    user = masks.pick(free, state.chance.short_bits(Purpose.TRIAL, state.clock.turn))
    tokens[place] |= user
    given: Flags = user != masks.NOTHING
    return given


GRANTS = {"tokens on the board": Grant("turn", token, every=16)}
