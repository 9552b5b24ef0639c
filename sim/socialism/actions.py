"""The Actions, in the order in which they ask; what does not stay is then discarded."""

import numpy as np

from sim import masks
from sim.masks import Counts, Masks
from sim.socialism.accepting import acceptors, may_spam, reached_by_spam
from sim.socialism.board import friends_of, in_order, members, pairs_of, with_any
from sim.socialism.layout import BLOCK, DOES, FEATURE, IPO, STAYS, VIRAL, via
from sim.socialism.members import (
    DISCARD,
    HAND,
    at_once,
    bare,
    drop,
    join,
    leave,
    log_out,
    oldest_post,
    remove,
)
from sim.socialism.sending import send, who_accepts
from sim.socialism.state import Numbers, Phase, State
from sim.table import Table

_OMG = via("omg-cat-pic")


def copy(state: State, table: Table) -> None:
    """Flattery: "Pick an action card in play", and it "acts as the original card"."""
    rows = state.doing(DOES["flattery"])
    if len(rows):
        front = masks.join(list(state.front.take(rows, axis=1)))
        legal = np.zeros(len(rows), dtype=np.uint64)
        for kind, actions in enumerate(state.layout.kinds):
            legal |= masks.where((front & actions) != 0, masks.bit(kind))
        chosen = table.ask(state, "copy", state.seat.take(rows), legal, rows=rows)
        state.does[rows] = 0
        for kind, name in enumerate(STAYS):
            state.does[rows[chosen == masks.bit(kind)]] = DOES[name]
    state.clock.next(Phase.MEMBER)


def member(state: State, table: Table) -> None:
    """Stellar Status, Viral Post, OMG CAT PIC: "Select a User on your network"."""
    rows = state.doing(DOES["stellar-status"], DOES["viral-post"], DOES["omg-cat-pic"])
    if len(rows):
        legal = state.own(state.tokens, rows)
        chosen = table.ask(state, "member", state.seat.take(rows), legal, rows=rows)
        some = np.flatnonzero(chosen)
        rows, number = rows.take(some), masks.index(chosen.take(some))
        does = state.does.take(rows)
        for name, act in _OF_MEMBER.items():
            here = np.flatnonzero(does == DOES[name])
            if len(here):
                act(state, table, rows.take(here), number.take(here))
    state.clock.next(Phase.LOST)


def _stellar_status(state: State, table: Table, rows: Numbers, user: Numbers) -> None:
    """Stellar Status: "everyone adjacent will join your network, as well"."""
    joining = friends_of(state, rows, user) & ~state.own(state.tokens, rows)
    joining &= state.layout.joins_stellar
    seat, way = state.seat.take(rows), via("stellar-status")
    late = at_once(state, table, rows, seat, lambda: joining)
    rows, seat = rows.take(late), seat.take(late)
    for some, number in in_order(state, rows, joining.take(late)):
        join(state, table, rows.take(some), seat.take(some), number, way)


def _viral_post(state: State, table: Table, rows: Numbers, user: Numbers) -> None:
    """Viral Post: "Put a Viral Post token on that user"."""
    bit = _stay(state, table, rows, state.seat.take(rows), VIRAL)
    slot = np.searchsorted(state.layout.virals, bit)
    state.post[slot, rows] = user
    state.since[slot, rows] = state.clock.turn


def _omg_cat_pic(state: State, table: Table, rows: Numbers, user: Numbers) -> None:
    """Friends "who are also on your network immediately send personal invitations"."""
    senders = friends_of(state, rows, user) & state.own(state.tokens, rows)
    senders &= state.layout.inviters

    def joining() -> Masks:
        found = np.zeros(len(rows), dtype=np.uint64)
        place, sender = pairs_of(state, senders)
        here = rows.take(place)
        asked = _asked(state, here, sender)
        accepted = who_accepts(state, here, _OMG, sender, asked)
        np.bitwise_or.at(found, place, accepted)
        return found

    late = at_once(state, table, rows, state.seat.take(rows), joining)
    rows = rows.take(late)
    for some, sender in in_order(state, rows, senders.take(late)):
        here = rows.take(some)
        send(state, table, here, _OMG, sender, _asked(state, here, sender))


def _asked(state: State, rows: Numbers, sender: Numbers) -> Masks:
    """(rows,) whom a Member asks for OMG CAT PIC: Friends who are no Members yet."""
    wanted = friends_of(state, rows, sender) & acceptors(state, rows)
    return wanted & ~state.own(state.tokens, rows)


_OF_MEMBER = {
    "stellar-status": _stellar_status,
    "viral-post": _viral_post,
    "omg-cat-pic": _omg_cat_pic,
}


def lost_password(state: State, table: Table) -> None:
    """Lost Password: "Remove a user from the board"."""
    rows = state.doing(DOES["lost-password"])
    if len(rows):
        legal = state.board.take(rows) & state.layout.cells
        chosen = table.ask(state, "lost", state.seat.take(rows), legal, rows=rows)
        some = np.flatnonzero(chosen)
        rows, card = rows.take(some), masks.index(chosen.take(some))
        both = state.layout.both.take(card)
        sloan = ((both & state.layout.logout) != 0) & ~bare(state, rows, both)
        for users in (both & state.layout.cells, both & state.layout.second):
            for seat in range(state.players):
                leave(state, table, rows, seat, users)
        for goes, to in ((~sloan, DISCARD), (sloan, HAND)):
            if goes.any():
                remove(state, table, rows[goes], card[goes], to)
    state.clock.next(Phase.USER)


def user(state: State, table: Table) -> None:
    """A/S/L?: "Select a user", who has somebody beside him."""
    rows = state.doing(DOES["a-s-l"])
    if len(rows):
        legal = with_any(state, state.board.take(rows), rows)
        chosen = table.ask(state, "user", state.seat.take(rows), legal, rows=rows)
        none = chosen == 0
        state.does[rows[none]] = 0
        state.user[rows[~none]] = masks.index(chosen[~none])
    state.clock.next(Phase.FRIEND)


def friend(state: State, table: Table) -> None:
    """A/S/L?: "An adjacent user leaves all of that user's networks"."""
    rows = state.doing(DOES["a-s-l"])
    if len(rows):
        number = state.user.take(rows)
        legal = friends_of(state, rows, number)
        chosen = table.ask(state, "friend", state.seat.take(rows), legal, rows=rows)
        on = masks.ONE << number.astype(np.uint64)
        lost = np.zeros(len(rows), dtype=np.bool_)
        for seat, tokens in enumerate(state.tokens):
            own = tokens.take(rows)
            both = ((own & on) != 0) & ((own & chosen) != 0)
            leave(state, table, rows[both], seat, chosen[both])
            lost |= both
        log_out(state, table, rows[lost], masks.index(chosen[lost]))
    state.clock.next(Phase.MANAGE)


def change_of_management(state: State, table: Table) -> None:
    """Change of Management: "Remove an action card from play"."""
    rows = state.doing(DOES["change-of-management"])
    if len(rows):
        front = state.front.take(rows, axis=1)[:, None]
        options = (front & state.layout.named[:, None]).reshape(-1, len(rows))
        legal = members(options != 0)
        chosen = table.ask(state, "manage", state.seat.take(rows), legal, rows=rows)
        some = np.flatnonzero(chosen)
        rows, gone = rows.take(some), options[masks.index(chosen.take(some)), some]
        oldest = oldest_post(state, rows, gone)
        first = masks.blend(oldest != 0, oldest, masks.lowest(gone))
        drop(state, table, rows, first)
    state.clock.next(Phase.FRONT)


def smtp_block_list(state: State, table: Table) -> None:
    """SMTP Block List: "Play this card in front of a player"."""
    rows = state.doing(DOES["smtp-block-list"])
    if len(rows):
        legal = np.full(len(rows), masks.span(0, state.players))
        seat = table.ask(state, "front", state.seat.take(rows), legal, rows=rows)
        _stay(state, table, rows, masks.index(seat).astype(np.uint8), BLOCK)
    state.clock.next(Phase.NETWORK)


def network(state: State, table: Table) -> None:
    """Industrial Espionage: "spam invite all of its users"."""
    rows = state.doing(DOES["industrial-espionage"])
    if state.rules.smtp_blocks_espionage:
        rows = rows[may_spam(state, rows)]
    if len(rows):
        seat = state.seat.take(rows)
        others = ~(masks.ONE << seat.astype(np.uint64)) & masks.span(0, state.players)
        chosen = masks.index(table.ask(state, "network", seat, others, rows=rows))
        wanted = state.tokens[chosen, rows] & reached_by_spam(state, rows)
        nobody = np.full(len(rows), state.layout.nobody)
        send(state, table, rows, via("industrial-espionage"), nobody, wanted)
    state.clock.next(Phase.EFFECT)


def effect(state: State, table: Table) -> None:
    """IPO and New feature ask nothing; then all that does not stay is discarded."""
    rows = state.doing(DOES["ipo"])
    if len(rows):
        wanted = state.board.take(rows) & ~state.own(state.tokens, rows)
        nobody = np.full(len(rows), state.layout.nobody)
        send(state, table, rows, via("ipo"), nobody, wanted & state.layout.joins_ipo)
        rows = state.going(rows)
        _stay(state, table, rows, state.seat.take(rows), IPO)
    rows = state.doing(DOES["new-feature"])
    if len(rows):
        _stay(state, table, rows, state.seat.take(rows), FEATURE)
    state.discards |= state.card
    state.card[:] = masks.NOTHING
    state.clock.next(Phase.INVITE)


def _stay(
    state: State, table: Table, rows: Numbers, seat: Counts, kind: int
) -> Numbers:
    """The card played comes to lie before a seat; (rows,) its bit."""
    layout = state.layout
    bit = layout.front[masks.index(state.card.take(rows)), kind]
    place = seat.astype(np.int64) * len(state.games) + rows
    flat = state.front.reshape(-1)
    flat[place] = flat.take(place) | masks.ONE << bit.astype(np.uint64)
    state.card[rows] = masks.NOTHING
    if table.hears("stays"):
        table.emit(
            state,
            "stays",
            rows=rows,
            turn=state.clock.turn,
            seat=seat,
            card=layout.front_name.take(bit),
        )
    return bit
