"""Sending invitations: on which faces Users accept, the dice, and who joins."""

from functools import partial

import numpy as np

from sim import masks
from sim.chance import Purpose
from sim.flags import pairs_of
from sim.masks import Counts, Flags, Mask, Masks
from sim.socialism.board import (
    Order,
    Pairs,
    each_in_turn,
    in_order,
    parts_of,
    users_of,
)
from sim.socialism.layout import BLOCK, FEATURE, IPO, via
from sim.socialism.members import at_once, join, join_in_turn, one_by_one, until_won
from sim.socialism.state import Numbers, Rows, State
from sim.table import Table

Way = int | Numbers  # one, or (rows,) that of each; of several none is the IPO's
DIE = 17  # bits of a die's number, below those of the turn
_SIDES, _HIGH = np.uint64(6), np.uint64(32)
_ALL_SIX, _SIX_ONLY = np.uint8(0b111111), np.uint8(0b100000)


def features(state: State, rows: Rows = None) -> Numbers:
    """(rows,) what lies before the active seat: 1 is an IPO, plus 2 a New feature."""
    front = state.own(state.front, rows)
    found: Numbers = ((front & state.layout.kinds[FEATURE]) != 0).astype(np.int64)
    found += found
    found |= (front & state.layout.kinds[IPO]) != 0
    return found


def acceptors(state: State, rows: Rows = None, spam: bool = False) -> Masks | Mask:
    """(rows,) or, for all rows, one: who accepts on some face, Members or not."""
    of = state.layout.spam if spam else state.layout.personal
    if not state.rules.newfeature_beats_never:
        return of[0]
    return of.take(features(state, rows))


def may_spam(state: State, rows: Rows = None) -> Flags:
    """(rows,) whether no SMTP Block List lies before the active seat."""
    front = state.own(state.front, rows)
    flags: Flags = (front & state.layout.kinds[BLOCK]) == 0
    return flags


def reached_by_spam(state: State, mine: Masks, rows: Rows = None) -> Masks:
    """(rows,) whom a seat with these Members may spam, if it may at all.

    Reading S9: on a board in parts, only those parts where the seat has a Member.
    """
    board = state.take(state.board, rows)
    if state.rules.split_blocks_spam:
        where = np.arange(len(state.games)) if rows is None else rows
        whole = parts_of(state, where, masks.lowest(board)) == board
        reach = parts_of(state, where, mine)
        board = masks.blend(whole, board, reach)
    return board & acceptors(state, rows, spam=True) & ~mine


def faces(
    state: State, rows: Numbers, way: Way, inviter: Numbers | Counts, target: Numbers
) -> Counts:
    """(rows,) the faces on which the target joins, one bit each.

    ``inviter`` is ``layout.nobody`` for spam and for the IPO.
    """
    layout = state.layout
    if isinstance(way, int) and way == via("ipo"):
        return np.full(len(rows), _SIX_ONLY)
    place = features(state, rows) * (layout.size + 1)
    place += inviter
    place *= layout.size
    place += target
    return layout.faces.take(place)


def die(
    state: State, rows: Numbers, way: Way, inviter: Numbers | Counts, target: Numbers
) -> Counts:
    """(rows,) the die for this target of this inviter: 1 to 6.

    It does not depend on the order in which they are asked.
    """
    count = target.astype(np.uint64) << np.uint64(7)
    count += inviter.astype(np.uint64)
    asked = (state.clock.turn << DIE) + (way << 13)
    count += np.uint64(asked) if isinstance(asked, int) else asked.astype(np.uint64)
    bits = state.chance.bits(Purpose.DICE, count, rows)
    bits >>= _HIGH
    bits *= _SIDES
    bits >>= _HIGH
    bits += masks.ONE
    return bits.astype(np.uint8)


def invite_all(
    state: State,
    table: Table,
    rows: Numbers,
    way: int,
    inviter: Numbers | Counts,
    targets: Masks,
    order: Order = in_order,
) -> None:
    """Invite all Users in these sets: a die for each, unless every face will do."""
    if not len(rows):
        return
    if one_by_one(table):
        pairs = order(state, rows, targets)
        for part, target in each_in_turn(state, rows, pairs):
            here, by = rows.take(part), inviter.take(part)
            on, rolled, accepts = answers(state, here, way, by, target)
            rolled[on == _ALL_SIX] = 0  # none is
            tell(state, table, here, way, by, target, rolled, on, accepts)
            here, user = here[accepts], target[accepts]
            join(state, table, here, state.seat.take(here), user, way)
        return
    accepted = partial(who_accepts, state, rows, way, inviter, targets)
    late = at_once(state, table, rows, accepted)
    if not len(late):
        return
    rows, inviter = rows.take(late), inviter.take(late)
    pairs = order(state, rows, targets.take(late))
    by = inviter.take(pairs.place)
    on, _, accepts = answers(state, rows.take(pairs.place), way, by, pairs.user)
    ask_in_turn(state, table, rows, way, pairs, by, on, accepts)


def ask_in_turn(
    state: State,
    table: Table,
    rows: Numbers,
    way: int,
    pairs: Pairs,
    inviter: Numbers | Counts,
    on: Counts,
    accepts: Flags,
) -> None:
    """Carry out invitations in turn, announced in one call.

    pairs, inviter, on, accepts: (pairs,) whom, by whom, on which faces, and whether.
    """
    if not len(pairs.place):
        return
    asked, left = until_won(state, rows, pairs, accepts)
    pairs, accepts = pairs.take(asked), accepts.take(asked)
    if table.hears("invitation"):
        order = np.argsort(pairs.turn, kind="stable")
        asked_rows, pairs_asked = rows.take(pairs.place.take(order)), asked.take(order)
        faces = masks.count(on.take(pairs_asked).astype(np.uint64))
        state.tell_sequence(
            table,
            "invitation",
            asked_rows,
            pairs.turn.take(order),
            seat=state.seat.take(asked_rows),
            via=np.full(len(asked_rows), way),
            inviter=_bits(state, inviter.take(pairs_asked)),
            target=_bits(state, pairs.user.take(order)),
            faces=faces,
            accepted=accepts.take(order),
        )
    joining = masks.rows_where(accepts)
    if len(joining):
        join_in_turn(state, table, rows, pairs.take(joining), left.take(joining), way)


def who_accepts(
    state: State, rows: Numbers, way: Way, inviter: Numbers | Counts, targets: Masks
) -> Masks:
    """(rows,) those of the targets who join, by a die for each."""
    target, place = pairs_of(users_of(state, targets))
    here, by = rows.take(place), inviter.take(place)
    each = way if isinstance(way, int) else way.take(place)
    *_, accepts = answers(state, here, each, by, target)
    joins = np.zeros(len(rows), dtype=np.uint64)
    lone = accepts.astype(np.uint64) << target.astype(np.uint64)
    np.bitwise_or.at(joins, place, lone)
    return joins


def answers(
    state: State, rows: Numbers, way: Way, inviter: Numbers | Counts, target: Numbers
) -> tuple[Counts, Counts, Flags]:
    """(rows,) faces on which each target accepts, the die, and whether they do."""
    on = faces(state, rows, way, inviter, target)
    rolled = die(state, rows, way, inviter, target)
    return on, rolled, (on >> rolled - np.uint8(1) & np.uint8(1)).view(np.bool_)


def tell(
    state: State,
    table: Table,
    rows: Numbers,
    way: int,
    inviter: Numbers | Counts,
    target: Numbers,
    rolled: Counts,
    on: Counts,
    accepted: Flags,
) -> None:
    """Announce dice rolled (0: none was), and whether invitations were accepted."""
    if not (table.hears("roll") or table.hears("invitation")):
        return
    values = {
        "seat": state.seat.take(rows),
        "via": np.full(len(rows), way),
        "inviter": _bits(state, inviter),
        "target": _bits(state, target),
    }
    thrown = masks.rows_where(rolled)
    die = {key: one.take(thrown) for key, one in (values | {"die": rolled}).items()}
    state.tell(table, "roll", rows.take(thrown), **die)
    values |= {"faces": masks.count(on.astype(np.uint64)), "accepted": accepted}
    state.tell(table, "invitation", rows, **values)


def _bits(state: State, number: Numbers | Counts) -> Masks:
    """(rows,) a lone bit for each User; nothing for nobody."""
    some = masks.ONE << number.astype(np.uint64)
    return masks.where(number != state.layout.nobody, some)
