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
from sim.socialism.state import AWAY, ON, Numbers, Places, State

_AROUND, _NINE = 8, 9
_EIGHT = 0b111101111  # of nine cells, all but the middle
_MIDDLE = masks.bit(4)
_LAST = np.int64(1 << 62)
Turns = Iterator[tuple[Numbers, Numbers]]  # places in rows, and Users
Order = Callable[[State, Numbers, Masks], Turns]
Away = tuple[Places, Places]
_STEPS = np.array([[n % 3 - 1 for n in range(9)], [n // 3 - 1 for n in range(9)]], "i2")


def crowded(state: State, rows: Numbers) -> Masks:
    """(rows,) the cards of Users that have no empty cell around them."""
    cells, found = state.layout.cells, np.zeros(len(rows), dtype=np.uint64)
    many = np.flatnonzero(masks.count(state.board.take(rows) & cells) > _AROUND)
    if len(many):
        friends = state.friends.take(rows.take(many), axis=1)
        full = masks.count(friends & cells.astype(friends.dtype)) == _AROUND
        found[many] = sets_of(full) & cells
    return found


def free_cells(state: State, rows: Numbers, away: Away) -> Masks:
    """(rows,) of the nine cells around the spot, the empty ones."""
    place = away[1] * np.int16(3)
    place += away[0]
    place += 4
    bits = np.left_shift(np.int16(1), np.where(_near(away), place, np.int16(_NINE)))
    taken = np.bitwise_or.reduce(bits, axis=0)
    free: Masks = (~taken & np.int16(_EIGHT)).astype(np.uint64)
    free[state.board.take(rows) == masks.NOTHING] = _MIDDLE
    return free


def put(
    state: State, rows: Numbers, number: Numbers, cell: Numbers, away: Away
) -> None:
    """A User's card comes to lie on one of the nine cells around the spot."""
    at = state.spot.take(rows, axis=1)
    step = _STEPS.take(cell, axis=1)
    at += step
    for off, by in zip(away, step, strict=True):
        np.subtract(off, by, out=off)
    near = _near(away)
    both = state.layout.both.take(number)
    kind = state.friends.dtype.type
    user, place = pairs_of(near)
    state.friends[user, rows.take(place)] |= both.astype(kind).take(place)
    beside = sets_of(near).astype(kind)
    for one in range(2):
        some = np.flatnonzero(both >> (number + one).astype(np.uint64) & masks.ONE)
        who, where = number.take(some) + one, rows.take(some)
        state.x[who, where], state.y[who, where] = at[:, some]
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
        state.x[who, where] = state.y[who, where] = AWAY
        state.friends[who, where] = 0


def from_spot(state: State, rows: Numbers) -> Away:
    """(users, rows) how far everybody lies across and down from the spot."""
    x, y = state.x.take(rows, axis=1), state.y.take(rows, axis=1)
    spot = state.spot.take(rows, axis=1)
    x -= spot[0]
    y -= spot[1]
    return x, y


def _near(away: Away) -> NDArray[np.bool_]:
    """(users, rows) who lies at most one cell away."""
    flags: NDArray[np.bool_] = (np.abs(away[0]) <= 1) & (np.abs(away[1]) <= 1)
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
    key = state.y.take(rows, axis=1).astype(np.int64)
    key <<= 16
    key += state.x.take(rows, axis=1)
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
