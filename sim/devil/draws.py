"""Drawing cards.

Why the draw pile is a set, not an order: a card is picked at random when it is drawn,
and a reshuffle is nothing but a new set.
"""

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.chance import Purpose
from sim.devil.layout import SKIPS
from sim.devil.state import State
from sim.masks import Masks
from sim.table import Table
from sim.view import Rows

_CHANCE = np.uint64(64 - masks.CHANCE_BITS)


def draw(
    state: State, table: Table, name: str, rows: Rows, place: Rows, moment: int = 0
) -> Masks:
    """(rows,) draw a card, as a lone bit; nothing where none is left.

    "all but the top card in the discard pile are taken, shuffled, and placed on the
    table face-down as the new draw pile". ``name`` is the event: draw or penalty;
    ``place`` is the flat index of the hand of whoever draws.
    """
    pile = state.pile.take(rows)
    empty = masks.rows_where(pile == masks.NOTHING)
    if len(empty):
        short = rows.take(empty)
        under = state.under(short)
        pile[empty] = under
        _tell_reshuffle(state, table, short, under)
    card = pick_cards(state, pile, rows, moment)
    state.pile[rows] = pile ^ card
    hands = state.hands.reshape(-1)
    hands[place] = hands.take(place) | card
    if table.hears(name) or table.hears("round"):
        drawing = masks.rows_with(card, masks.ANYTHING)
        rows = rows.take(drawing)
        state.count(name, rows)
        if table.hears(name):
            seat = (place.take(drawing) // len(state.games)).astype(np.uint8)
            time, card_drawn = state.clock.take(rows).labels(), card.take(drawing)
            table.emit(state, name, rows=rows, **time, seat=seat, card=card_drawn)
    return card


def pick_cards(state: State, pile: Masks, rows: Rows, moment: int) -> Masks:
    """(rows,) a random card of each pile; nothing of nothing."""
    counter = state.clock.count.take(rows)
    counter += np.uint64(moment)
    bits = state.chance.bits(Purpose.DRAW, counter, rows)
    bits >>= _CHANCE
    return masks.pick(pile, bits)


def penalise(state: State, table: Table, rows: Rows, number: NDArray[np.uint8]) -> None:
    """Have the next player draw ``number`` cards: "draws 1 and skips turn"."""
    seat = state.next_seat(rows).astype(np.int64)
    place = seat * len(state.games) + rows
    for done in range(int(number.max(initial=0))):
        drawing = masks.rows_where(number > done)
        where = place.take(drawing)
        card = draw(state, table, "penalty", rows.take(drawing), where, done + 1)
        state.comes(where, card)
    skip(state, table, rows)


def skip(state: State, table: Table, rows: Rows) -> None:
    """Have "the next player skip" their turn, in these rows."""
    state.ending[rows] = SKIPS
    tell_skip(state, table, rows)


def tell_skip(state: State, table: Table, rows: Rows) -> None:
    """Announce and count that the next player of these rows loses a turn."""
    if table.hears("round"):
        state.count("skip", rows)
    if table.hears("skip"):
        time = state.clock.take(rows).labels()
        table.emit(state, "skip", rows=rows, **time, seat=state.next_seat(rows))


def _tell_reshuffle(state: State, table: Table, rows: Rows, under: Masks) -> None:
    """Announce and count a reshuffle, where there is a card under the top one."""
    if not (table.hears("reshuffle") or table.hears("round")):
        return
    shuffling = masks.rows_with(under, masks.ANYTHING)
    rows = rows.take(shuffling)
    state.count("reshuffle", rows)
    if table.hears("reshuffle"):
        size = masks.count(under.take(shuffling))
        time = state.clock.take(rows).labels()
        table.emit(state, "reshuffle", rows=rows, **time, cards=size)
