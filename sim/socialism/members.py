"""Members: tokens that come and go, and cards that leave the table."""

from collections.abc import Callable

import numpy as np

from sim import masks
from sim.masks import Counts, Flags, Masks
from sim.socialism.board import take_off
from sim.socialism.state import WON, Numbers, State
from sim.table import Table

DISCARD, HAND = 0, 1
_ONE_BY_ONE = ("roll", "invitation", "joins", "leaves")


def at_once(
    state: State, table: Table, rows: Numbers, joining: Callable[[], Masks]
) -> Numbers:
    """All who join do, for the active seat, where their order cannot matter.

    It does where it is told, and where the seat wins by it: returns these places.
    """
    if any(table.hears(name) for name in _ONE_BY_ONE):
        return np.arange(len(rows))
    users, tokens, place = joining(), state.tokens.reshape(-1), state.place.take(rows)
    had = tokens.take(place)
    has = had | users
    wins = np.flatnonzero(masks.count(has) >= state.rules.tokens)
    has[wins] = had.take(wins)
    tokens[place] = has
    users = users & has & state.layout.exclusive
    alone = np.flatnonzero(users)
    rows = rows.take(alone)
    _clear(state, table, rows, users.take(alone), state.seat.take(rows))
    return wins


def join(
    state: State, table: Table, rows: Numbers, seat: Counts, user: Numbers, way: int
) -> None:
    """A token of a seat comes to lie on a User; with the last one the seat wins."""
    lone = masks.ONE << user.astype(np.uint64)
    tokens, place = state.tokens.reshape(-1), state.at(seat, rows)
    has = tokens.take(place) | lone
    tokens[place] = has
    left = np.uint8(state.rules.tokens) - masks.count(has)
    if table.hears("joins"):
        via = np.full(len(rows), way)
        state.tell(table, "joins", rows, seat=seat, user=lone, via=via, supply=left)
    alone = masks.holding(lone, state.layout.exclusive)
    _clear(state, table, rows.take(alone), lone.take(alone), seat.take(alone))
    won = np.flatnonzero(left == 0)
    if len(won):
        state.finish(rows.take(won), seat.take(won), WON)


def _clear(
    state: State, table: Table, rows: Numbers, users: Masks, keeps: Counts
) -> None:
    """All tokens leave these Users but those of the seat that keeps them."""
    seats = np.arange(state.players, dtype=np.uint8)[:, None]
    leave(state, table, rows, masks.where(keeps != seats, users))


def leave(state: State, table: Table, rows: Numbers, users: Masks) -> None:
    """Tokens, at most one of a seat, leave these Users for the supply.

    ``users`` is (seats, rows), or (rows,) where all seats lose what they have.
    """
    if not len(rows):
        return
    tokens = state.tokens.take(rows, axis=1)
    gone = tokens & users
    tokens ^= gone
    for seat, (left, lost) in enumerate(zip(tokens, gone, strict=True)):
        state.tokens[seat][rows] = left
        if table.hears("leaves"):
            some = np.flatnonzero(lost)
            supply = np.uint8(state.rules.tokens) - masks.count(left.take(some))
            whose = np.full(len(some), seat, dtype=np.uint8)
            told = {"seat": whose, "user": lost.take(some), "supply": supply}
            state.tell(table, "leaves", rows.take(some), **told)


def bare(state: State, rows: Numbers, users: Masks) -> Flags:
    """(rows,) whether no seat has a token on these Users."""
    flags: Flags = (masks.join(list(state.tokens.take(rows, axis=1))) & users) == 0
    return flags


def log_out(state: State, table: Table, rows: Numbers, user: Numbers) -> None:
    """Sloan: "if you cause her to leave all of her social networks"."""
    lone = masks.ONE << user.astype(np.uint64)
    out = (lone & state.layout.logout) != masks.NOTHING
    out &= bare(state, rows, lone)
    some = np.flatnonzero(out)
    if len(some):
        remove(state, table, rows.take(some), user.take(some), HAND)


def remove(state: State, table: Table, rows: Numbers, card: Numbers, to: int) -> None:
    """A User's card leaves the board for the discard pile, or for the active hand.

    Viral Posts on it are discarded.
    """
    lone = masks.ONE << card.astype(np.uint64)
    if table.hears("gone"):
        seat, goes = state.seat.take(rows), np.full(len(rows), to)
        state.tell(table, "gone", rows, seat=seat, cell=lone, card=lone, to=goes)
    if to == HAND:
        place = state.place.take(rows)
        state.hands.reshape(-1)[place] |= lone
        state.known.reshape(-1)[place] |= lone
    else:
        state.discards[rows] |= lone
    take_off(state, rows, card)
    _drop_posts(state, table, rows, state.layout.both.take(card))


def _drop_posts(state: State, table: Table, rows: Numbers, users: Masks) -> None:
    """Viral Posts whose token lay on one of these Users leave play, oldest first."""
    lost = np.zeros(len(rows), dtype=np.uint64)
    front = masks.join(list(state.front.take(rows, axis=1)))
    for slot, bit in enumerate(state.layout.virals):
        on = masks.ONE << state.post[slot].take(rows).astype(np.uint64)
        here = ((front & masks.bit(bit)) != 0) & ((on & users) != 0)
        lost |= masks.where(here, masks.bit(bit))
    while len(some := np.flatnonzero(lost)):
        rows, lost = rows.take(some), lost.take(some)
        oldest = oldest_post(state, rows, lost)
        drop(state, table, rows, oldest)
        lost ^= oldest


def oldest_post(state: State, rows: Numbers, posts: Masks) -> Masks:
    """(rows,) of these Viral Posts in play, the one that is so longest."""
    found, best = np.zeros_like(posts), np.full(len(rows), 1 << 16)
    for slot, bit in enumerate(state.layout.virals):
        since = state.since[slot].take(rows)
        older = ((posts & masks.bit(bit)) != 0) & (since < best)
        best[older] = since[older]
        found[older] = masks.bit(bit)
    return found


def before(state: State, rows: Numbers, action: Masks) -> Counts:
    """(rows,) the seat before which an Action in play lies."""
    lies = (state.front.take(rows, axis=1) & action) != 0
    return lies.argmax(axis=0).astype(np.uint8)


def drop(state: State, table: Table, rows: Numbers, action: Masks) -> None:
    """An Action in play is discarded."""
    layout, number = state.layout, masks.index(action)
    seat = before(state, rows, action)
    state.front.reshape(-1)[state.at(seat, rows)] ^= action
    state.discards[rows] |= layout.front_card.take(number)
    card = layout.front_name.take(number)
    state.tell(table, "dropped", rows, seat=seat, card=card)
