"""The board: who lies where, who is whose Friend, and in which order.

A User is beside another if their cells touch, at a side or a corner. The two Users of
one card lie on the same cell, and are Friends of all around but not of each other.
"""

from collections.abc import Callable, Iterator

import numpy as np

from sim import masks
from sim.flags import flags_of, meeting, pairs_of, sets_of
from sim.masks import Counts, Flags, Masks
from sim.socialism.state import AWAY, DOWN, ON, Cells, Numbers, State

_AROUND = 8
_EIGHT = np.uint64(0b111101111)  # of nine cells, all but the middle
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


def free_cells(state: State, rows: Numbers) -> Masks:
    """(rows,) of the nine cells around the spot, the empty ones.

    The others are those of the Friends of who lies on the spot, ``state.user``.
    """
    around = friends_of(state, rows, state.user.take(rows)) & state.layout.cells
    user, place = pairs_of(users_of(state, around))
    where = rows.take(place)
    cell = state.lies.reshape(-1).take(state.at(user, where))
    cell -= state.spot.take(where) - _CORNER
    number = (cell >> _DOWN) * np.uint32(3) + (cell & np.uint32(3))
    taken = np.bincount(place, np.exp2(number), len(rows)).astype(np.uint64)
    return masks.blend(state.board.take(rows) == masks.NOTHING, _MIDDLE, _EIGHT ^ taken)


def put(state: State, rows: Numbers, number: Numbers, cell: Numbers) -> None:
    """A User's card comes to lie on one of the nine cells around the spot."""
    at = state.spot.take(rows) + _STEPS.take(cell)
    near = _near(state.lies.take(rows, axis=1), at)
    both = state.layout.both.take(number)
    kind = state.friends.dtype.type
    user, place = pairs_of(near)
    friends, lies = state.friends.reshape(-1), state.lies.reshape(-1)
    friends[state.at(user, rows.take(place))] |= both.astype(kind).take(place)
    beside = sets_of(near).astype(kind)
    for some, who in _on_card(both, number):
        where = state.at(who, rows.take(some))
        lies[where] = at.take(some)
        friends[where] = beside.take(some)
    state.board[rows] |= both


def take_off(state: State, rows: Numbers, card: Numbers) -> None:
    """A User's card leaves the board; its tokens are gone already."""
    kind = state.friends.dtype.type
    both = state.layout.both.take(card)
    state.board[rows] &= ~both
    user, place = pairs_of(users_of(state, friends_of(state, rows, card)))
    friends, lies = state.friends.reshape(-1), state.lies.reshape(-1)
    friends[state.at(user, rows.take(place))] &= ~both.astype(kind).take(place)
    for some, who in _on_card(both, card):
        where = state.at(who, rows.take(some))
        lies[where] = AWAY
        friends[where] = 0


def _on_card(both: Masks, card: Numbers) -> Turns:
    """The Users on each card: the first, and where there are two the second."""
    for one in range(2):
        some = np.flatnonzero(both >> (card + one).astype(np.uint64) & masks.ONE)
        yield some, card.take(some) + one


def _near(lies: Cells, at: Cells) -> Flags:
    """(users, rows) who lies at most one cell away from a cell; ``lies`` is changed.

    From the corner these are 0 to 2 across and down; 3 shows when 1 is added.
    """
    lies -= at - _CORNER
    lies |= lies + _CORNER
    lies &= _FAR
    flags: Flags = lies == 0
    return flags


def friends_of(state: State, rows: Numbers, number: Numbers | Counts) -> Masks:
    """(rows,) the Friends of a User in each row."""
    found = state.friends.reshape(-1).take(state.at(number, rows))
    return found.astype(np.uint64)


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
    if not len(rows):
        return
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


def users_of(state: State, users: Masks) -> Flags:
    """(users, rows) who is in each set."""
    return flags_of(users.astype(state.friends.dtype), state.layout.size)
