"""Drawing cards: the draw pile is a set, and a reshuffle nothing but a new set."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.chance import Purpose
from sim.devil.state import State
from sim.masks import Counts, Masks
from sim.table import Table
from sim.view import Rows

_CHANCE = np.uint64(64 - masks.CHANCE_BITS)


def draw(
    state: State, table: Table, name: str, rows: Rows, seat: Counts, moment: int = 0
) -> Masks:
    """(rows,) the card that the seat draws, as a lone bit; nothing where none is left.

    "all but the top card in the discard pile are taken, shuffled, and placed on the
    table face-down as the new draw pile". ``name`` is the event: draw or penalty.
    """
    pile = state.pile.take(rows)
    empty = np.flatnonzero(pile == masks.NOTHING)
    if len(empty):
        short = rows.take(empty)
        under = state.under(short)
        pile[empty] = under
        _tell_reshuffle(state, table, short, under)
    card = drawn(state, pile, rows, moment)
    state.pile[rows] = pile ^ card
    at = seat.astype(np.int64)
    at *= len(state.games)
    at += rows
    hands = state.hands.reshape(-1)
    hands[at] = hands.take(at) | card
    if table.hears(name) or table.hears("round"):
        found = masks.holding(card, masks.ANYTHING)
        rows = rows.take(found)
        state.count(name, rows)
        if table.hears(name):
            time, seat = at_rows(state, rows), seat.take(found)
            table.note(state, name, rows=rows, **time, seat=seat, card=card.take(found))
    return card


def drawn(state: State, pile: Masks, rows: Rows, moment: int) -> Masks:
    """(rows,) a card of each pile, each with equal probability; nothing of nothing."""
    counter = state.clock.count.take(rows)
    counter += np.uint64(moment)
    bits = state.chance.bits(Purpose.DRAW, counter, rows)
    bits >>= _CHANCE
    return masks.pick(pile, bits)


def penalise(state: State, table: Table, rows: Rows, number: NDArray[np.uint8]) -> None:
    """So many cards in each row: "the next player draws 1 and skips turn"."""
    victim = state.next_seat(rows)
    for done in range(int(number.max(initial=0))):
        some = np.flatnonzero(number > done)
        draw(state, table, "penalty", rows.take(some), victim.take(some), done + 1)
    skip(state, table, rows)


def skip(state: State, table: Table, rows: Rows) -> None:
    """The row's "next player skips turn"."""
    state.skip[rows] = 1
    if table.hears("round"):
        state.count("skip", rows)
    if table.hears("skip"):
        time = at_rows(state, rows)
        table.note(state, "skip", rows=rows, **time, seat=state.next_seat(rows))


def at_rows(state: State, rows: Rows) -> dict[str, Any]:
    """Round and turn of these rows."""
    return {unit: number.take(rows) for unit, number in state.clock.told().items()}


def _tell_reshuffle(state: State, table: Table, rows: Rows, under: Masks) -> None:
    """Tell and count it, where there is a card besides the top one."""
    if not (table.hears("reshuffle") or table.hears("round")):
        return
    found = masks.holding(under, masks.ANYTHING)
    rows = rows.take(found)
    state.count("reshuffle", rows)
    if table.hears("reshuffle"):
        size = masks.count(under.take(found))
        time = at_rows(state, rows)
        table.note(state, "reshuffle", rows=rows, **time, cards=size)
