"""The deck of Article II: shuffling, dealing, drawing.

A row's deck is a ring of card numbers. Shuffled cards go below those that are left, so
that the old deck is always drawn first.
"""

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.article_ii.state import State
from sim.chance import Purpose
from sim.events import NO_ONE
from sim.masks import Counts, Masks
from sim.table import Table
from sim.view import Rows

_RING = np.uint8(63)
_NUMBER = np.uint64(63)


def shuffle(state: State) -> None:
    """Shuffle all cards into the deck."""
    size = state.layout.size
    state.stack[:size] = state.chance.shuffle(range(size), Purpose.DEAL, 0)
    state.shuffles[:] = 1


def reshuffle(state: State, table: Table, rows: Rows) -> None:
    """Shuffle the discard pile, and lay it below the deck, in these rows."""
    cards = state.discard.take(rows)
    if table.hears("reshuffle"):
        count = masks.count(cards)
        table.emit(state, "reshuffle", rows=rows, phase=state.clock.phase, cards=count)
    _lay_below(state, rows, cards)
    state.discard[rows] = masks.NOTHING


def reshuffle_all(state: State, table: Table, rows: Rows) -> None:
    """Shuffle discard pile and deck together, in these rows."""
    held = masks.join([*state.hands, *state.lying])
    rest = (state.layout.everything & ~held).take(rows)
    if table.hears("reshuffle"):
        count = masks.count(state.discard.take(rows))
        table.emit(state, "reshuffle", rows=rows, phase=state.clock.phase, cards=count)
    state.top[rows] = state.bottom[rows]
    _lay_below(state, rows, rest)
    state.discard[rows] = masks.NOTHING


def _lay_below(state: State, rows: Rows, cards: Masks) -> None:
    """Shuffle these cards, and lay them below the deck."""
    count = masks.count(cards)
    order = _shuffled(state, rows, cards, int(count.max(initial=0)))
    places = np.arange(len(order), dtype=np.uint8)[:, None]
    slot = _slot(state, state.bottom.take(rows) + places, rows)
    wanted = places < count
    state.stack.reshape(-1)[slot[wanted]] = order[wanted]
    state.bottom[rows] += count
    state.shuffles[rows] += np.uint16(1)


def _shuffled(state: State, rows: Rows, cards: Masks, most: int) -> Counts:
    """(most, rows) the numbers of the cards in random order, then 63.

    Sorts random keys, 58 bits above the six of a card's number.
    """
    places = np.arange(most, dtype=np.uint64)[:, None]
    counters = state.shuffles.take(rows).astype(np.uint64) * np.uint64(64) + places
    keys = state.chance.bits(Purpose.DEAL, counters, rows)
    keys &= ~_NUMBER
    left, card = cards.copy(), np.empty_like(keys)
    for lone in card:
        np.bitwise_and(left, np.negative(left), out=lone)
        left ^= lone
    keys |= masks.index(card).view(np.uint64) & _NUMBER
    keys |= masks.from_flags(card == masks.NOTHING)  # sorted last
    keys.sort(axis=0)
    keys &= _NUMBER
    return keys.astype(np.uint8)


def _slot(state: State, place: Counts, rows: Rows) -> NDArray[np.int64]:
    """The index of a place of the deck in the flat ring."""
    slot = (place & _RING).astype(np.int64)
    slot *= len(state.games)
    slot += rows
    return slot


def deal(state: State, table: Table, rows: Rows) -> None:
    """Each player "draws seven cards", one at a time, clockwise from who starts.

    A short deck leaves the last places with fewer.
    """
    players, hand = state.players, state.rules.hand
    stack, hands = state.stack.reshape(-1), state.hands.reshape(-1)
    left, top = state.left.take(rows), state.top.take(rows)
    heard = table.hears("deal")
    shape = (players, hand, len(rows))
    dealt = np.full(shape if heard else (0, 0, 0), NO_ONE, dtype=np.uint8)
    start = state.start.take(rows)
    for place in range(players):
        seat = start + np.uint8(place)
        seat -= (seat >= players).view(np.uint8) * np.uint8(players)
        held = np.zeros(len(rows), dtype=np.uint64)
        for number in range(hand):
            rank = np.uint8(number * players + place)
            card = stack.take(_slot(state, top + rank, rows))
            there = left > rank
            held |= masks.where(there, masks.ONE << card.astype(np.uint64))
            if heard:
                dealt[seat, number, np.arange(len(rows))] = np.where(
                    there, card, np.uint8(NO_ONE)
                )
        hands[state.place_of(seat, rows)] = held
    state.top[rows] = top + np.minimum(left, np.uint8(players * hand))
    if heard:
        table.emit(state, "deal", rows=rows, phase=state.clock.phase, hands=dealt)


def draw(state: State, table: Table, seat: Counts, rows: Rows) -> None:
    """In these rows the seat draws a card, if there is one.

    "Draw from empty deck: shuffle discard pile; else no draw" (A18).
    """
    empty = state.left.take(rows) == 0
    if empty.any():
        again = rows[empty & (state.discard.take(rows) != masks.NOTHING)]
        if len(again):
            reshuffle(state, table, again)
        able = state.left.take(rows) != 0
        rows, seat = rows[able], seat[able]
    top = state.top.take(rows)
    number = state.stack.reshape(-1).take(_slot(state, top, rows))
    card = masks.ONE << number.astype(np.uint64)
    state.top[rows] = top + np.uint8(1)
    state.hands.reshape(-1)[state.place_of(seat, rows)] |= card
    if table.hears("draw") and len(rows):
        labels = state.clock.labels()
        table.emit(state, "draw", rows=rows, **labels, seat=seat, card=card)
