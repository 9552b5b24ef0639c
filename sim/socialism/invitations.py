"""The invitation phase: who may be invited, by whom, and what follows."""

from collections.abc import Callable
from functools import partial

import numpy as np

from sim import masks
from sim.flags import sets_of
from sim.masks import Counts, Masks
from sim.socialism.board import Pairs, friends_of, in_order, turns_of, with_any
from sim.socialism.invitation_rolls import (
    acceptors,
    die,
    invite_all,
    may_spam,
    reached_by_spam,
    tell,
    who_accepts,
)
from sim.socialism.layout import MODES, NONE, via
from sim.socialism.members import at_once, join, leave, log_out, one_by_one
from sim.socialism.state import ON, Numbers, Phase, State
from sim.table import Table

AUTO, SPAM, PERSONAL, BLOCK, NOTHING = (np.uint8(1 << n) for n in range(len(MODES)))
_FOUR_UP = np.uint8(0b111000)
Whom = Callable[[State, Numbers, Numbers], Masks]
_BY_MEMBER = PERSONAL | BLOCK  # a Member may do one "instead of" the other


def invite(state: State, table: Table) -> None:
    """Each player may "Invite members to join their network"."""
    mine = state.own(state.tokens)
    spam = masks.where(may_spam(state), reached_by_spam(state, mine))
    able = np.zeros(len(mine), dtype=np.uint8)
    invites, blocks = senders(state, mine), blockers(state, mine)
    ways = state.placed & ~mine, spam, invites, blocks
    for mode, users in zip((AUTO, SPAM, PERSONAL, BLOCK), ways, strict=True):
        able |= (users != 0) * mode
    able &= ~state.tried
    goes_on = state.ends == ON
    if state.clock.round:
        goes_on &= state.mode != 0
    able *= goes_on
    able |= (able != 0) * NOTHING
    chosen = table.ask(state, "invite", state.seat, able.astype(np.uint64))
    state.mode = chosen.astype(np.uint8) & ~NOTHING
    state.tried |= state.mode
    state.tried |= ((state.mode & _BY_MEMBER) != 0) * _BY_MEMBER
    state.able = masks.blend(state.mode == BLOCK, blocks, invites)
    state.invited[:] = masks.NOTHING
    state.named[:] = state.room[:] = 0
    state.clock.next(Phase.INVITER)


def senders(state: State, mine: Masks) -> Masks:
    """(games,) own Members who may invite and have somebody to invite."""
    able = mine & state.layout.inviters
    wanted = acceptors(state) & state.board & ~mine
    found = with_any(state, wanted) & able
    return found | _with(targets, state, able & ~found & state.layout.far)


def targets(state: State, rows: Numbers, inviter: Numbers | Counts) -> Masks:
    """(rows,) whom a Member may invite: Friends, of Alan Dale also their Friends."""
    near = friends_of(state, rows, inviter)
    lone = masks.ONE << inviter.astype(np.uint64)
    far = masks.rows_with(lone, state.layout.far)
    if len(far):
        near[far] |= with_any(state, near.take(far), rows.take(far))
        near &= ~lone
    near &= acceptors(state, rows) & ~state.own(state.tokens, rows)
    return near


def blockers(state: State, mine: Masks) -> Masks:
    """(games,) own Members who "can convince Friends to leave networks"."""
    return _with(victims, state, mine & state.layout.blockers)


def _with(whom: Whom, state: State, users: Masks) -> Masks:
    """(games,) those of these few Users who have somebody to invite or block."""
    found = np.zeros_like(users)
    for number in masks.members(np.bitwise_or.reduce(users)):
        some = masks.rows_with(users, masks.bit(number))
        able = whom(state, some, np.full(len(some), number)) != 0
        found[some[able]] |= masks.bit(number)
    return found


def victims(state: State, rows: Numbers, blocker: Numbers | Counts) -> Masks:
    """(rows,) Friends with a token "that isn't also on Jimmy's card"."""
    tokens = state.tokens.take(rows, axis=1)
    others = (tokens & masks.ONE << blocker.astype(np.uint64)) == 0
    found: Masks = np.bitwise_or.reduce(masks.where(others, tokens), axis=0)
    return found & friends_of(state, rows, blocker)


def inviter(state: State, table: Table) -> None:
    """Who invites, or blocks: "Select the Member"."""
    rows = masks.rows_where((state.mode & _BY_MEMBER) != 0)
    if len(rows):
        seat, legal = state.seat.take(rows), state.able.take(rows)
        chosen = table.ask(state, "inviter", seat, legal, rows=rows)
        state.inviter[rows] = masks.index(chosen)
    state.clock.next(Phase.INVITED)


def invited(state: State, table: Table) -> None:
    """Whom: "Select ... the Friends", one by one; or the one User who is invited."""
    count = state.clock.count
    if not count:
        _open(state, masks.rows_where(state.mode & ~BLOCK))
    rows = masks.rows_where((state.named == count) & (state.room > count))
    legal = state.open.take(rows) & ~state.invited.take(rows)
    most = np.minimum(state.room.take(rows) - np.uint8(count), masks.count(legal))
    if count:
        legal |= masks.where(legal != 0, NONE)  # which is to stop
    asked = masks.rows_where(legal)
    if not len(asked):
        state.clock.next(Phase.VICTIM)
        return
    rows = rows.take(asked)
    seat, legal = state.seat.take(rows), legal.take(asked)
    chosen = table.ask(state, "invited", seat, legal, most=most.take(asked), rows=rows)
    named = masks.rows_where(chosen != NONE)
    rows, chosen = rows.take(named), chosen.take(named)
    state.order[count][rows] = masks.index(chosen)
    state.invited[rows] |= chosen
    state.named[rows] += np.uint8(1)
    state.clock.count += 1


def _open(state: State, rows: Numbers) -> None:
    """Set who may be invited in these rows, and how many are named one by one."""
    mode = state.mode.take(rows)
    auto, spam, personal = (rows.compress(mode == m) for m in (AUTO, SPAM, PERSONAL))
    state.open[auto] = state.placed.take(auto) & ~state.own(state.tokens, auto)
    state.open[spam] = reached_by_spam(state, state.own(state.tokens, spam), spam)
    by = state.inviter.take(personal)
    state.open[personal] = targets(state, personal, by)
    chooses = (state.layout.each >> by & masks.ONE) == 0
    state.room[rows] = 1
    state.room[personal] = state.layout.limit.take(by) * chooses


def victim(state: State, table: Table) -> None:
    """Jimmy Block: "one Friend"."""
    rows = masks.rows_where(state.mode == BLOCK)
    if len(rows):
        legal = victims(state, rows, state.inviter.take(rows))
        chosen = table.ask(state, "victim", state.seat.take(rows), legal, rows=rows)
        state.user[rows] = masks.index(chosen)
    state.clock.next(Phase.COLOUR)


def colour(state: State, table: Table) -> None:
    """Jimmy Block: "you may try to remove a token color"; "on a 4, 5, or 6"."""
    rows = masks.rows_where(state.mode == BLOCK)
    if len(rows):
        by, user = state.inviter.take(rows), state.user.take(rows).astype(np.int64)
        on, off = (masks.ONE << one.astype(np.uint64) for one in (user, by))
        tokens = state.tokens.take(rows, axis=1)
        legal = sets_of(((tokens & on) != 0) & ((tokens & off) == 0))
        chosen = table.ask(state, "colour", state.seat.take(rows), legal, rows=rows)
        rolled = die(state, rows, via("block"), by, user)
        gone, faces = rolled >= 4, np.full(len(rows), _FOUR_UP)
        tell(state, table, rows, via("block"), by, user, rolled, faces, gone)
        losing = masks.rows_where(gone)
        rows, colours = rows.take(losing), chosen.take(losing)
        seats = masks.ONE << np.arange(state.players, dtype=np.uint64)[:, None]
        leave(state, table, rows, masks.where(colours == seats, on.take(losing)))
        log_out(state, table, rows, user.take(losing))
    state.clock.next(Phase.SEND)


def send(state: State, table: Table) -> None:
    """Invite all who were named, in that order; Agnse invites everybody."""
    rows = masks.rows_where(state.mode == AUTO)
    if len(rows):
        user = state.order[0].take(rows).astype(np.int64)
        join(state, table, rows, state.seat.take(rows), user, via("auto"))
    rows = masks.rows_where(state.mode & (SPAM | PERSONAL))
    if len(rows) and not one_by_one(table):
        rows = _all_at_once(state, table, rows)
    mode = state.mode.take(rows)
    part = rows.compress(mode == SPAM)
    nobody, users = np.full(len(part), state.layout.nobody), state.invited.take(part)
    invite_all(state, table, part, via("spam"), nobody, users, _as_named)
    rows = rows.compress(mode == PERSONAL)
    named = state.named.take(rows) != 0
    for invited, part, order in (
        (state.invited, rows.compress(named), _as_named),
        (state.open, rows.compress(~named), in_order),
    ):
        by, users = state.inviter.take(part), invited.take(part)
        invite_all(state, table, part, via("personal"), by, users, order)
    again = state.rules.invite_mode == "each_once" and state.mode.any()
    state.clock.round += 1
    state.clock.next(Phase.INVITE if again else Phase.END)


def _all_at_once(state: State, table: Table, rows: Numbers) -> Numbers:
    """Send invitations whose order is irrelevant; returns rows where it matters."""
    spam = state.mode.take(rows) == SPAM
    by = np.where(spam, state.layout.nobody, state.inviter.take(rows))
    way = np.where(spam, via("spam"), via("personal"))
    named = state.named.take(rows) != 0
    users = masks.blend(named, state.invited.take(rows), state.open.take(rows))
    accepted = partial(who_accepts, state, rows, way, by, users)
    return rows.take(at_once(state, table, rows, accepted))


def _as_named(state: State, rows: Numbers, users: Masks) -> Pairs:
    """The Users named, in that order; as ``board.in_order``."""
    place = np.arange(len(rows)).repeat(state.named.take(rows))
    turn = turns_of(place)
    return Pairs(place, state.order[turn, rows.take(place)].astype(np.int64), turn)
