"""The board: who lies where, who is whose Friend, and in which order.

A User is beside another if their cells touch, at a side or a corner. The two Users of
one card lie on the same cell, and are Friends of all around but not of each other.
"""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.flags import flags_of, meeting, pairs_of, sets_of
from sim.masks import Counts, Masks
from sim.socialism.state import AWAY, DOWN, ON, Cells, Numbers, State

_AROUND, _NINE = 8, np.uint8(9)
_EIGHT = 0b111101111  # of nine cells, all but the middle
_MIDDLE = masks.bit(4)
_LAST = np.int64(1 << 62)
Turns = Iterator[tuple[Numbers, Numbers]]  # places in rows, and Users
Order = Callable[[State, Numbers, Masks], Turns]
_DOWN, _CORNER = np.uint32(DOWN), np.uint32(1 << DOWN | 1)  # to a cell below, and right
_STEPS = (  # to each of nine cells from the middle one
    np.array([(n // 3 << DOWN) + n % 3 for n in range(9)], dtype=np.uint32) - _CORNER
)
_FAR = ~(_CORNER * np.uint32(3))  # bits that neither 0, 1 nor 2 has


def crowded(state: State, rows: Numbers) -> Masks:
    """(rows,) the cards of Users that have no empty cell around them."""
    cells, found = state.layout.cells, np.zeros(len(rows), dtype=np.uint64)
    many = np.flatnonzero(masks.count(state.board.take(rows) & cells) > _AROUND)
    if len(many):
        friends = state.friends.take(rows.take(many), axis=1)
        full = masks.count(friends & cells.astype(friends.dtype)) == _AROUND
        found[many] = sets_of(full) & cells
    return found


def free_cells(state: State, rows: Numbers, off: Cells) -> Masks:
    """(rows,) of the nine cells around the spot, the empty ones."""
    steps = off + _CORNER
    place = (steps >> _DOWN).astype(np.uint8)
    place *= np.uint8(3)
    place += steps.astype(np.uint8)
    place = np.where(_near(off), place, _NINE)
    taken = np.bitwise_or.reduce(np.left_shift(np.uint16(1), place), axis=0)
    free: Masks = (~taken & np.uint16(_EIGHT)).astype(np.uint64)
    free[state.board.take(rows) == masks.NOTHING] = _MIDDLE
    return free


def put(
    state: State, rows: Numbers, number: Numbers, cell: Numbers, off: Cells
) -> None:
    """A User's card comes to lie on one of the nine cells around the spot."""
    step = _STEPS.take(cell)
    at = state.spot.take(rows) + step
    off -= step
    near = _near(off)
    both = state.layout.both.take(number)
    kind = state.friends.dtype.type
    user, place = pairs_of(near)
    state.friends[user, rows.take(place)] |= both.astype(kind).take(place)
    beside = sets_of(near).astype(kind)
    for one in range(2):
        some = np.flatnonzero(both >> (number + one).astype(np.uint64) & masks.ONE)
        who, where = number.take(some) + one, rows.take(some)
        state.lies[who, where] = at.take(some)
        state.friends[who, where] = beside.take(some)
    state.board[rows] |= both


def take_off(state: State, rows: Numbers, card: Numbers) -> None:
    """A User's card leaves the board; its tokens are gone already."""
    kind = state.friends.dtype.type
    both = state.layout.both.take(card)
    state.board[rows] &= ~both
    user, place = pairs_of(users_of(state, friends_of(state, rows, card)))
    state.friends[user, rows.take(place)] &= ~both.astype(kind).take(place)
    for one in range(2):
        some = np.flatnonzero(both >> (card + one).astype(np.uint64) & masks.ONE)
        who, where = card.take(some) + one, rows.take(some)
        state.lies[who, where] = AWAY
        state.friends[who, where] = 0


def from_spot(state: State, rows: Numbers) -> Cells:
    """(users, rows) how far from the spot everybody lies, below 0 modulo 2**32."""
    off = state.lies.take(rows, axis=1)
    off -= state.spot.take(rows)
    return off


def _near(off: Cells) -> NDArray[np.bool_]:
    """(users, rows) who lies at most one cell away.

    From the corner these are 0 to 2 across and down; 3 shows when 1 is added.
    """
    steps = off + _CORNER
    steps |= steps + _CORNER
    steps &= _FAR
    flags: NDArray[np.bool_] = steps == 0
    return flags


def friends_of(state: State, rows: Numbers, number: Numbers | Counts) -> Masks:
    """(rows,) the Friends of a User in each row."""
    place = number.astype(np.int64) * len(state.games)
    place += rows
    found: Masks = state.friends.reshape(-1).take(place).astype(np.uint64)
    return found


def with_any(state: State, wanted: Masks, rows: Numbers | None = None) -> Masks:
    """(games,) or (rows,) everybody who has one of these as a Friend."""
    friends = state.friends if rows is None else state.friends.take(rows, axis=1)
    return meeting(friends, wanted)


def parts_of(state: State, rows: Numbers, users: Masks) -> Masks:
    """(rows,) everybody on the parts of the board on which one of these lies."""
    second = state.layout.second
    found = users | (users << masks.ONE & second) | (users & second) >> masks.ONE
    while True:
        more = found | with_any(state, found, rows)
        if (more == found).all():
            return found
        found = more


def in_order(state: State, rows: Numbers, users: Masks) -> Turns:
    """Everybody in turn, in board order: y, then x, then A before B.

    Yields the places in ``rows`` where somebody is left, and his number there; rows
    whose game is over meanwhile are left out.
    """
    key = state.lies.take(rows, axis=1).astype(np.int64)
    key <<= 6
    key += np.arange(len(key))[:, None]
    key[~users_of(state, users)] = _LAST
    while True:
        least = key.min(axis=0)
        some = np.flatnonzero((least != _LAST) & (state.ends.take(rows) == ON))
        if not len(some):
            return
        number = least.take(some) & 63
        key[number, some] = _LAST
        yield some, number


def users_of(state: State, users: Masks) -> NDArray[np.bool_]:
    """(users, rows) who is in each set."""
    return flags_of(users.astype(state.friends.dtype), state.layout.size)
