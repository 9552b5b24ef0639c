"""Members: tokens that come and go, and cards that leave the table."""

from collections.abc import Callable

import numpy as np

from sim import masks
from sim.masks import Counts, Flags, Masks
from sim.socialism.board import Pairs, take_off
from sim.socialism.layout import VIRAL
from sim.socialism.state import WON, Numbers, State
from sim.table import Table

DISCARD, HAND = 0, 1
_NEVER = np.int32(1 << 16)  # later than any turn
_IN_TURN = ("invitation", "joins", "leaves")


def one_by_one(table: Table) -> bool:
    """Whether joins are announced one by one, each after its die."""
    return table.hears("roll") or table.requires_event_order(*_IN_TURN)


def at_once(
    state: State, table: Table, rows: Numbers, joining: Callable[[], Masks]
) -> Numbers:
    """Have Users join the active seat at once, where their order cannot matter.

    It matters where it is announced, and where the seat wins: returns these places.
    """
    if any(table.hears(name) for name in _IN_TURN):
        return np.arange(len(rows))
    users, tokens, place = joining(), state.tokens.reshape(-1), state.place.take(rows)
    had = tokens.take(place)
    has = had | users
    wins = masks.rows_where(masks.count(has) >= state.rules.tokens)
    has[wins] = had.take(wins)
    tokens[place] = has
    users = users & has & state.layout.exclusive
    alone = masks.rows_where(users)
    rows = rows.take(alone)
    _clear(state, table, rows, users.take(alone), state.seat.take(rows))
    return wins


def until_won(
    state: State, rows: Numbers, pairs: Pairs, joins: Flags
) -> tuple[Numbers, Counts]:
    """The pairs up to the one by which the active seat wins, given who joins.

    Also returns the tokens that it has left after each.
    """
    here, joined = pairs.place, np.cumsum(joins)
    before: Numbers = (joined - joins).take(np.searchsorted(here, here))
    left = np.int64(state.rules.tokens) - masks.count(state.own(state.tokens, rows))
    left = left.take(here) - joined + before
    some = masks.rows_where((left > 0) | ((left == 0) & joins))
    return some, left.take(some).astype(np.uint8)


def join_in_turn(
    state: State, table: Table, rows: Numbers, pairs: Pairs, left: Counts, way: int
) -> None:
    """Place a token of the active seat on each of these Users, in turn.

    The seat can win with the last of them only. ``left`` are its tokens after each.
    """
    place, user, turn = pairs
    lone = masks.ONE << user.astype(np.uint64)
    gained = np.zeros(len(rows), dtype=np.uint64)
    np.bitwise_or.at(gained, place, lone)
    state.tokens.reshape(-1)[state.place.take(rows)] |= gained
    if table.hears("joins"):
        order = np.argsort(turn, kind="stable")
        joined, seat = rows.take(place.take(order)), state.seat.take(rows)
        fields = {"seat": seat.take(place), "user": lone, "supply": left}
        values = {key: part.take(order) for key, part in fields.items()}
        values["via"] = np.full(len(joined), way)
        state.tell_sequence(table, "joins", joined, turn.take(order), **values)
    alone = masks.rows_with(lone, state.layout.exclusive)
    for number in np.unique(turn.take(alone)):
        here = alone.compress(turn.take(alone) == number)
        some = rows.take(place.take(here))
        _clear(state, table, some, lone.take(here), state.seat.take(some))
    won = rows.take(place.compress(left == 0))
    if len(won):
        state.finish(won, state.seat.take(won), WON)


def join(
    state: State, table: Table, rows: Numbers, seat: Counts, user: Numbers, way: int
) -> None:
    """Place a seat's token on a User; with its last token the seat wins."""
    lone = masks.ONE << user.astype(np.uint64)
    tokens, place = state.tokens.reshape(-1), state.at(seat, rows)
    has = tokens.take(place) | lone
    tokens[place] = has
    left = np.uint8(state.rules.tokens) - masks.count(has)
    if table.hears("joins"):
        via = np.full(len(rows), way)
        state.tell(table, "joins", rows, seat=seat, user=lone, via=via, supply=left)
    alone = masks.rows_with(lone, state.layout.exclusive)
    _clear(state, table, rows.take(alone), lone.take(alone), seat.take(alone))
    won = masks.rows_where(left == 0)
    if len(won):
        state.finish(rows.take(won), seat.take(won), WON)


def _clear(
    state: State, table: Table, rows: Numbers, users: Masks, keeps: Counts
) -> None:
    """Remove all tokens from these Users, except those of the seat that keeps them."""
    if not len(rows):
        return
    seats = np.arange(state.players, dtype=np.uint8)[:, None]
    leave(state, table, rows, masks.where(keeps != seats, users))


def leave(state: State, table: Table, rows: Numbers, users: Masks) -> None:
    """Return tokens on these Users to the supply, at most one of each seat.

    ``users`` is (seats, rows), or (rows,) where all seats lose their tokens.
    """
    if not len(rows):
        return
    tokens = state.tokens.take(rows, axis=1)
    gone = tokens & users
    tokens ^= gone
    state.tokens[:, rows] = tokens
    if table.hears("leaves"):
        seat, losing = np.nonzero(gone)
        supply = np.uint8(state.rules.tokens) - masks.count(tokens[seat, losing])
        whose = seat.astype(np.uint8)
        fields = {"seat": whose, "user": gone[seat, losing], "supply": supply}
        state.tell_sequence(table, "leaves", rows.take(losing), seat, **fields)


def bare(state: State, rows: Numbers, users: Masks) -> Flags:
    """(rows,) whether these Users have no tokens."""
    flags: Flags = (masks.join(list(state.tokens.take(rows, axis=1))) & users) == 0
    return flags


def log_out(state: State, table: Table, rows: Numbers, user: Numbers) -> None:
    """Sloan: "if you cause her to leave all of her social networks"."""
    lone = masks.ONE << user.astype(np.uint64)
    out = (lone & state.layout.logout) != masks.NOTHING
    out &= bare(state, rows, lone)
    some = masks.rows_where(out)
    if len(some):
        remove(state, table, rows.take(some), user.take(some), HAND)


def remove(state: State, table: Table, rows: Numbers, card: Numbers, to: int) -> None:
    """Move a User's card from the board to the discard pile, or the active hand.

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
    """Discard Viral Posts whose token was on one of these Users, oldest first."""
    front = np.bitwise_or.reduce(state.front.take(rows, axis=1), axis=0)
    some = masks.rows_with(front, state.layout.kinds[VIRAL])
    if not len(some):
        return
    rows, users = rows.take(some), users.take(some)
    on = masks.ONE << state.post.take(rows, axis=1).astype(np.uint64)
    here = masks.where((on & users) != 0, front.take(some) & state.layout.posts)
    lost = np.bitwise_or.reduce(here, axis=0)
    while len(some := masks.rows_where(lost)):
        rows, lost = rows.take(some), lost.take(some)
        oldest = oldest_post(state, rows, lost)
        drop(state, table, rows, oldest)
        lost ^= oldest


def oldest_post(state: State, rows: Numbers, posts: Masks) -> Masks:
    """(rows,) the oldest of these Viral Posts in play."""
    bits = state.layout.posts
    if not len(bits):
        return np.zeros_like(posts)
    since = np.where((posts & bits) != 0, state.since.take(rows, axis=1), _NEVER)
    oldest: Masks = bits.reshape(-1).take(since.argmin(axis=0))
    return oldest & posts


def before(state: State, rows: Numbers, action: Masks) -> Counts:
    """(rows,) the seat before which an Action in play lies."""
    lies = (state.front.take(rows, axis=1) & action) != 0
    return lies.argmax(axis=0).astype(np.uint8)


def drop(state: State, table: Table, rows: Numbers, action: Masks) -> None:
    """Discard an Action in play."""
    if not len(rows):
        return
    layout, number = state.layout, masks.index(action)
    seat = before(state, rows, action)
    state.front.reshape(-1)[state.at(seat, rows)] ^= action
    state.discards[rows] |= layout.front_card.take(number)
    card = layout.front_name.take(number)
    state.tell(table, "dropped", rows, seat=seat, card=card)
