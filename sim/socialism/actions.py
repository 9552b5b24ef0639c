"""The effects of cards played: Users, then Actions, in the order in which they ask.

Cards that do not stay are then discarded.
"""

from collections.abc import Callable
from functools import wraps

import numpy as np

from sim import masks
from sim.flags import pairs_of, sets_of
from sim.masks import Counts, Masks
from sim.socialism import board, invitation_rolls, members
from sim.socialism.layout import BLOCK, DOES, FEATURE, IPO, STAYS, USER, VIRAL, via
from sim.socialism.state import MIDDLE, Numbers, Phase, State
from sim.table import Table

_OMG = via("omg-cat-pic")
Act = Callable[[State, Table, Numbers], None]


def _where(*names: str) -> Callable[[Act], Callable[[State, Table], None]]:
    """Make a step for the rows in which one of these cards was played."""
    codes = [np.uint8(USER) if name == "user" else DOES[name] for name in names]

    def step_of(act: Act) -> Callable[[State, Table], None]:
        @wraps(act)
        def step(state: State, table: Table) -> None:
            rows = state.doing(*codes)
            if len(rows):
                act(state, table, rows)
            state.clock.next(Phase(state.clock.phase + 1))

        return step

    return step_of


def _ask(
    state: State, table: Table, kind: str, rows: Numbers, legal: Masks
) -> tuple[Numbers, Masks]:
    """Ask the active seat; returns the rows with an option, and their answers."""
    chosen = table.ask(state, kind, state.seat.take(rows), legal, rows=rows)
    some = masks.rows_where(chosen)
    return rows.take(some), chosen.take(some)


@_where("user")
def beside(state: State, table: Table, rows: Numbers) -> None:
    """Users after the first "must be played adjacent to one or more cards"."""
    state.spot[rows] = MIDDLE  # "The first User played simply goes in the center"
    rows = rows.compress(state.board.take(rows) != 0)
    if len(rows):
        legal = state.board.take(rows) & state.layout.cells
        legal &= ~board.cards_without_space(state, rows)
        rows, chosen = _ask(state, table, "beside", rows, legal)
        place = state.at(masks.index(chosen), rows)
        state.spot[rows] = state.lies.reshape(-1).take(place)
        state.user[rows] = masks.index(chosen)


@_where("user")
def cell(state: State, table: Table, rows: Numbers) -> None:
    """Place the User on a cell, as a Friend of all around it."""
    rows, chosen = _ask(state, table, "cell", rows, board.free_cells(state, rows))
    number = masks.index(state.card.take(rows))
    board.put(state, rows, number, masks.index(chosen))
    state.placed[rows] = state.layout.both.take(number)
    state.card[rows] = masks.NOTHING


@_where("flattery")
def copy(state: State, table: Table, rows: Numbers) -> None:
    """Flattery: "Pick an action card in play", and it "acts as the original card"."""
    front = masks.join(list(state.front.take(rows, axis=1)))
    kinds = np.array(state.layout.kinds)[:, None]
    some, chosen = _ask(state, table, "copy", rows, sets_of((front & kinds) != 0))
    state.does[rows] = 0
    for kind, name in enumerate(STAYS):
        state.does[some[chosen == masks.bit(kind)]] = DOES[name]


def _stellar_status(state: State, table: Table, rows: Numbers, user: Numbers) -> None:
    """Stellar Status: "everyone adjacent will join your network, as well"."""
    joining = board.friends_of(state, rows, user) & ~state.own(state.tokens, rows)
    joining &= state.layout.joins_stellar
    late = members.at_once(state, table, rows, lambda: joining)
    if not len(late):
        return
    rows, way = rows.take(late), via("stellar-status")
    pairs = board.in_order(state, rows, joining.take(late))
    if members.one_by_one(table):
        for some, number in board.each_in_turn(state, rows, pairs):
            here = rows.take(some)
            members.join(state, table, here, state.seat.take(here), number, way)
    elif len(pairs.place):
        everybody = np.ones(len(pairs.place), dtype=np.bool_)
        some, left = members.until_won(state, rows, pairs, everybody)
        members.join_in_turn(state, table, rows, pairs.take(some), left, way)


def _viral_post(state: State, table: Table, rows: Numbers, user: Numbers) -> None:
    """Viral Post: "Put a Viral Post token on that user"."""
    bit = _stay(state, table, rows, state.seat.take(rows), VIRAL)
    slot = np.searchsorted(state.layout.virals, bit)
    state.post[slot, rows] = user
    state.since[slot, rows] = state.clock.turn


def _omg_cat_pic(state: State, table: Table, rows: Numbers, user: Numbers) -> None:
    """Friends "who are also on your network immediately send personal invitations"."""
    senders = board.friends_of(state, rows, user) & state.own(state.tokens, rows)
    senders &= state.layout.inviters

    if members.one_by_one(table):
        pairs = board.in_order(state, rows, senders)
        for some, sender in board.each_in_turn(state, rows, pairs):
            here = rows.take(some)
            invitation_rolls.invite_all(
                state, table, here, _OMG, sender, _asked(state, here, sender)
            )
        return

    def joining() -> Masks:
        found = np.zeros(len(rows), dtype=np.uint64)
        sender, place = pairs_of(board.users_of(state, senders))
        here = rows.take(place)
        asked = _asked(state, here, sender)
        accepted = invitation_rolls.who_accepts(state, here, _OMG, sender, asked)
        np.bitwise_or.at(found, place, accepted)
        return found

    late = members.at_once(state, table, rows, joining)
    if not len(late):
        return
    rows = rows.take(late)
    _invite_in_turn(state, table, rows, board.in_order(state, rows, senders.take(late)))


def _invite_in_turn(
    state: State, table: Table, rows: Numbers, senders: board.Pairs
) -> None:
    """Have Members invite in turn, each those who have not joined by then."""
    here, sender = rows.take(senders.place), senders.user
    each = board.in_order(state, here, _asked(state, here, sender))
    place, by = senders.place.take(each.place), sender.take(each.place)
    on, _, accepts = invitation_rolls.answers(
        state, rows.take(place), _OMG, by, each.user
    )
    # Whoever joins is not asked again: the first inviter who wins them is the last to
    # ask
    who = place * state.layout.size + each.user
    number, last = np.arange(len(who)), np.full(len(rows) * state.layout.size, len(who))
    yes = masks.rows_where(accepts)[::-1]
    last[who.take(yes)] = yes
    asked = masks.rows_where(number <= last.take(who))
    turn = senders.turn.take(each.place.take(asked)) * state.layout.size
    turn += board.turns_of(each.place.take(asked))
    pairs = board.Pairs(place.take(asked), each.user.take(asked), turn)
    answered = on.take(asked), accepts.take(asked)
    invitation_rolls.ask_in_turn(
        state, table, rows, _OMG, pairs, by.take(asked), *answered
    )


def _asked(state: State, rows: Numbers, sender: Numbers) -> Masks:
    """(rows,) whom a Member invites by OMG CAT PIC: Friends who are not Members."""
    wanted = board.friends_of(state, rows, sender) & invitation_rolls.acceptors(
        state, rows
    )
    return wanted & ~state.own(state.tokens, rows)


_OF_MEMBER = {
    "stellar-status": _stellar_status,
    "viral-post": _viral_post,
    "omg-cat-pic": _omg_cat_pic,
}


@_where(*_OF_MEMBER)
def member(state: State, table: Table, rows: Numbers) -> None:
    """Stellar Status, Viral Post, OMG CAT PIC: "Select a User on your network"."""
    mine = state.own(state.tokens, rows)
    rows, chosen = _ask(state, table, "member", rows, mine)
    number, does = masks.index(chosen), state.does.take(rows)
    for name, act in _OF_MEMBER.items():
        here = masks.rows_where(does == DOES[name])
        if len(here):
            act(state, table, rows.take(here), number.take(here))


@_where("lost-password")
def lost_password(state: State, table: Table, rows: Numbers) -> None:
    """Lost Password: "Remove a user from the board"."""
    legal = state.board.take(rows) & state.layout.cells
    rows, chosen = _ask(state, table, "lost", rows, legal)
    card = masks.index(chosen)
    both = state.layout.both.take(card)
    sloan = ((both & state.layout.logout) != 0) & ~members.bare(state, rows, both)
    for users in (both & state.layout.cells, both & state.layout.second):
        here = masks.rows_where(users)
        members.leave(state, table, rows.take(here), users.take(here))
    for goes, to in ((~sloan, members.DISCARD), (sloan, members.HAND)):
        if goes.any():
            members.remove(state, table, rows[goes], card[goes], to)


@_where("a-s-l")
def user(state: State, table: Table, rows: Numbers) -> None:
    """A/S/L?: "Select a user", one with a neighbour."""
    legal = board.with_any(state, state.board.take(rows), rows)
    some, chosen = _ask(state, table, "user", rows, legal)
    state.does[rows[legal == 0]] = 0
    state.user[some] = masks.index(chosen)


@_where("a-s-l")
def friend(state: State, table: Table, rows: Numbers) -> None:
    """A/S/L?: "An adjacent user leaves all of that user's networks"."""
    number = state.user.take(rows)
    legal = board.friends_of(state, rows, number)
    rows, chosen = _ask(state, table, "friend", rows, legal)
    tokens = state.tokens.take(rows, axis=1)
    on = masks.ONE << number.astype(np.uint64)
    both = masks.where((tokens & on) != 0, tokens & chosen)
    members.leave(state, table, rows, both)
    lost = masks.rows_where(np.bitwise_or.reduce(both, axis=0))
    members.log_out(state, table, rows.take(lost), masks.index(chosen.take(lost)))


@_where("change-of-management")
def change_of_management(state: State, table: Table, rows: Numbers) -> None:
    """Change of Management: "Remove an action card from play"."""
    front = state.front.take(rows, axis=1)[:, None]
    options = (front & state.layout.named[:, None]).reshape(-1, len(rows))
    asked = masks.rows_where(np.bitwise_or.reduce(options, axis=0))
    rows, chosen = _ask(state, table, "manage", rows, sets_of(options != 0))
    gone = options[masks.index(chosen), asked]
    oldest = members.oldest_post(state, rows, gone)
    gone = masks.blend(oldest != 0, oldest, masks.lowest(gone))
    members.drop(state, table, rows, gone)


@_where("smtp-block-list")
def smtp_block_list(state: State, table: Table, rows: Numbers) -> None:
    """SMTP Block List: "Play this card in front of a player"."""
    everybody = np.full(len(rows), masks.span(0, state.players))
    rows, seat = _ask(state, table, "front", rows, everybody)
    _stay(state, table, rows, masks.index(seat).astype(np.uint8), BLOCK)


def network(state: State, table: Table) -> None:
    """Industrial Espionage: "spam invite all of its users"."""
    rows = state.doing(DOES["industrial-espionage"])
    if state.rules.smtp_blocks_espionage:
        rows = rows[invitation_rolls.may_spam(state, rows)]
    if len(rows):
        own = masks.ONE << state.seat.take(rows).astype(np.uint64)
        others = ~own & masks.span(0, state.players)
        rows, chosen = _ask(state, table, "network", rows, others)
        mine = state.own(state.tokens, rows)
        wanted = invitation_rolls.reached_by_spam(state, mine, rows)
        place = state.at(masks.index(chosen), rows)
        wanted &= state.tokens.reshape(-1).take(place)
        nobody = np.full(len(rows), state.layout.nobody)
        invitation_rolls.invite_all(
            state, table, rows, via("industrial-espionage"), nobody, wanted
        )
    state.clock.next(Phase.EFFECT)


def effect(state: State, table: Table) -> None:
    """Apply IPO and New feature, which ask nothing; discard cards that do not stay."""
    rows = state.doing(DOES["ipo"])
    if len(rows):
        wanted = state.board.take(rows) & ~state.own(state.tokens, rows)
        wanted &= state.layout.joins_ipo
        nobody = np.full(len(rows), state.layout.nobody)
        invitation_rolls.invite_all(state, table, rows, via("ipo"), nobody, wanted)
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
    """Lay the card played before a seat; returns (rows,) its bit."""
    layout = state.layout
    bit = layout.front[masks.index(state.card.take(rows)), kind]
    at = state.at(seat, rows)
    state.front.reshape(-1)[at] |= masks.ONE << bit.astype(np.uint64)
    state.card[rows] = masks.NOTHING
    state.tell(table, "stays", rows, seat=seat, card=layout.front_name.take(bit))
    return bit
