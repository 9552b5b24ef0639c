"""The board: where Users lie, who are Friends, and in which order they come.

A User is beside another if their cells touch, at a side or a corner. The two Users of
one card lie on the same cell, and are Friends of all around but not of each other.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from sim import masks
from sim.flags import flags_of, intersecting, pairs_of, sets_of
from sim.masks import Counts, Flags, Masks
from sim.socialism.state import AWAY, DOWN, ON, Cells, Numbers, State

_AROUND = 8
_EIGHT = np.uint64(0b111101111)  # of nine cells, all but the middle
_MIDDLE = masks.bit(4)
_USER, _PLACE = 6, 38  # bits of a User's number, and those with the cell below it
Turns = Iterator[tuple[Numbers, Numbers]]  # places in rows, and Users
_DOWN, _CORNER = np.uint32(DOWN), np.uint32(1 << DOWN | 1)  # to a cell below, and right
_STEPS = (  # to each of nine cells from the middle one
    np.array([(n // 3 << DOWN) + n % 3 for n in range(9)], dtype=np.uint32) - _CORNER
)
_FAR = ~(_CORNER * np.uint32(3))  # bits that neither 0, 1 nor 2 has


def cards_without_space(state: State, rows: Numbers) -> Masks:
    """(rows,) the cards of Users without an empty cell around them."""
    cells, surrounded = state.layout.cells, np.zeros(len(rows), dtype=np.uint64)
    many = masks.rows_where(masks.count(state.board.take(rows) & cells) > _AROUND)
    if len(many):
        friends = state.friends.take(rows.take(many), axis=1)
        full = masks.count(friends & cells.astype(friends.dtype)) == _AROUND
        surrounded[many] = sets_of(full) & cells
    return surrounded


def free_cells(state: State, rows: Numbers) -> Masks:
    """(rows,) of the nine cells around the spot, the empty ones.

    The others are occupied by Friends of the User on the spot, ``state.user``.
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
    """Put a User's card on one of the nine cells around the spot."""
    at = state.spot.take(rows) + _STEPS.take(cell)
    near = _near(state.lies.take(rows, axis=1), at)
    both = state.layout.both.take(number)
    kind = state.friends.dtype.type
    user, place = pairs_of(near)
    friends, lies = state.friends.reshape(-1), state.lies.reshape(-1)
    friends[state.at(user, rows.take(place))] |= both.astype(kind).take(place)
    beside = sets_of(near).astype(kind)
    for part, who in _on_card(both, number):
        where = state.at(who, rows.take(part))
        lies[where] = at.take(part)
        friends[where] = beside.take(part)
    state.board[rows] |= both


def take_off(state: State, rows: Numbers, card: Numbers) -> None:
    """Take a User's card off the board; its tokens are gone already."""
    kind = state.friends.dtype.type
    both = state.layout.both.take(card)
    state.board[rows] &= ~both
    user, place = pairs_of(users_of(state, friends_of(state, rows, card)))
    friends, lies = state.friends.reshape(-1), state.lies.reshape(-1)
    friends[state.at(user, rows.take(place))] &= ~both.astype(kind).take(place)
    for part, who in _on_card(both, card):
        where = state.at(who, rows.take(part))
        lies[where] = AWAY
        friends[where] = 0


def _on_card(both: Masks, card: Numbers) -> Turns:
    """The Users on each card: the first, and where there are two the second."""
    for one in range(2):
        some = masks.rows_where(both >> (card + one).astype(np.uint64) & masks.ONE)
        yield some, card.take(some) + one


def _near(lies: Cells, at: Cells) -> Flags:
    """(users, rows) who lies at most one cell from a cell; overwrites ``lies``.

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
    """(games,) or (rows,) all Users who have one of these as a Friend."""
    friends = state.friends if rows is None else state.friends.take(rows, axis=1)
    return intersecting(friends, wanted)


def parts_of(state: State, rows: Numbers, users: Masks) -> Masks:
    """(rows,) all Users on the connected parts of the board where one of these is."""
    second = state.layout.second
    reached = users | (users << masks.ONE & second) | (users & second) >> masks.ONE
    while True:
        more = reached | with_any(state, reached, rows)
        if (more == reached).all():
            return reached
        reached = more


class Pairs(NamedTuple):
    """Users in turn, as pairs of row and User, (pairs,) each, ordered by row and turn.

    ``place`` is the index of the row among those asked about, ``turn`` counts the Users
    of a row from 0.
    """

    place: Numbers
    user: Numbers
    turn: Numbers

    def take(self, pairs: Numbers) -> "Pairs":
        """These pairs only, with their order and turns."""
        return Pairs(*(part.take(pairs) for part in self))


Order = Callable[[State, Numbers, Masks], Pairs]


def in_order(state: State, rows: Numbers, users: Masks) -> Pairs:
    """These Users in board order: y, then x, then A before B."""
    user, place = pairs_of(users_of(state, users))
    key = state.lies.reshape(-1).take(state.at(user, rows.take(place))).astype(np.int64)
    key <<= _USER
    key |= user
    key |= place << _PLACE
    key.sort()
    place = key >> _PLACE
    return Pairs(place, key & 63, turns_of(place))


def turns_of(place: Numbers) -> Numbers:
    """(pairs,) how many pairs of the same place come before; places are grouped."""
    number = np.arange(len(place))
    begins = np.ones(len(place), dtype=np.bool_)
    np.not_equal(place[1:], place[:-1], out=begins[1:])
    return number - np.maximum.accumulate(number * begins)


def each_in_turn(state: State, rows: Numbers, pairs: Pairs) -> Turns:
    """Yield, turn by turn, places in ``rows`` with a User left, and the User's number.

    Rows whose game ends meanwhile are left out.
    """
    for turn in range(int(pairs.turn.max(initial=-1)) + 1):
        at = masks.rows_where(pairs.turn == turn)
        place = pairs.place.take(at)
        going = masks.rows_where(state.ends.take(rows.take(place)) == ON)
        if len(going):
            yield place.take(going), pairs.user.take(at.take(going))


def users_of(state: State, users: Masks) -> Flags:
    """(users, rows) flags of the Users in each set."""
    return flags_of(users.astype(state.friends.dtype), state.layout.size)
