"""The flow of Socialism, in the order of the rule text.

Each function is a step that all games take at the same time. A step begins with its
question, if it has one, so play can go on from any state.
"""

import numpy as np

from sim import masks
from sim.chance import Purpose
from sim.masks import Masks
from sim.socialism import actions, invitations
from sim.socialism.board import friends_of
from sim.socialism.layout import NONE, USER, via
from sim.socialism.members import before, drop, join, oldest_post
from sim.socialism.state import BROKEN, ON, Numbers, Phase, State
from sim.steps import make_play
from sim.table import Table

_CANCEL, _PASS = masks.bit(0), masks.bit(1)
_REST = 8  # games that are over are dropped once they are one in so many


def deal(state: State, table: Table) -> None:
    """Who begins is random; "have everyone draw a three-card hand"."""
    table.emit(state, "start", seat=state.seat)
    sizes = (state.rules.hand,) * state.players
    rows = np.arange(len(state.games))
    counter = np.zeros(len(rows), dtype=np.uint64)
    dealt = state.chance.deal_rows(
        state.layout.deck, Purpose.DEAL, counter, rows, sizes
    )
    state.hands[:] = dealt
    state.pile ^= masks.join(list(dealt))
    table.emit(state, "deal", hands=state.hands)
    if state.trial is not None:
        state.trial(state, table)
    state.clock.next(Phase.TURN)


def turn(state: State, table: Table) -> None:
    """Begin the next turn; the first seat has the first one."""
    if state.clock.turn:
        state.seat = state.seat_after(state.seat, 1)
    state.clock.turn += 1
    state.place = state.at(state.seat)
    state.moved[:] = state.placed[:] = masks.NOTHING
    state.tried[:] = 0
    state.clock.round = 0
    state.clock.next(Phase.VIRAL)


def viral(state: State, table: Table) -> None:
    """Viral Post: it "moves to a new user, who joins your network", oldest first."""
    posts = _posts(state)
    rows = state.going(masks.rows_with(posts, masks.ANYTHING))
    if not len(rows):
        _draw(state, table)
        state.clock.next(Phase.PLAY)
        return
    post = oldest_post(state, rows, posts.take(rows))
    owner = before(state, rows, post)
    slot = np.searchsorted(state.layout.virals, masks.index(post))
    goal, at = state.board.take(rows), state.at(slot, rows)
    goal &= ~state.tokens.reshape(-1).take(state.at(owner, rows))
    post_lies = state.post.reshape(-1)
    if state.rules.viral_move == "adjacent":
        goal &= friends_of(state, rows, post_lies.take(at))
    chosen = table.ask(state, "viral", owner, goal, rows=rows)
    state.moved[rows] |= post
    none = masks.rows_where(chosen == 0)
    drop(state, table, rows.take(none), post.take(none))
    moving = masks.rows_where(chosen)
    rows, user = rows.take(moving), masks.index(chosen.take(moving))
    post_lies[at.take(moving)] = user
    join(state, table, rows, owner.take(moving), user, via("viral-post"))
    state.clock.count += 1


def _posts(state: State) -> Masks:
    """(games,) the Viral Posts still to move in this turn."""
    if state.rules.viral == "every_turn":
        front = masks.join(list(state.front))
    else:
        front = state.front.reshape(-1).take(state.place)
    posts: Masks = front & state.layout.kinds[0] & ~state.moved
    return posts


def _draw(state: State, table: Table) -> None:
    """Draw a card; "When the deck is empty, shuffle the discards back in"."""
    bits = state.chance.short_bits(Purpose.DRAW, state.clock.turn)
    empty = state.going(masks.rows_where(state.pile == 0))
    if len(empty):
        _reshuffle(state, table, empty.compress(state.discards.take(empty) != 0))
    pile = state.pile & masks.from_flags(state.ends == ON)
    card = masks.pick(pile, bits)
    state.pile ^= card
    hands = state.hands.reshape(-1)
    hand = hands.take(state.place)
    hand |= card
    hands[state.place] = hand
    if table.hears("draw"):
        rows = masks.rows_where(card)
        seat = state.seat.take(rows)
        state.tell(table, "draw", rows, card=card.take(rows), seat=seat)


def _reshuffle(state: State, table: Table, rows: Numbers) -> None:
    """Make the discard pile the draw pile; all other hidden cards are in hands."""
    pile = state.discards.take(rows)
    state.pile[rows] = pile
    state.discards[rows] = masks.NOTHING
    state.held[rows] = masks.join(list(state.hands.take(rows, axis=1)))
    state.tell(table, "reshuffle", rows, cards=masks.count(pile))


def play_card(state: State, table: Table) -> None:
    """Play a card: it leaves the hand, to be placed or discarded."""
    layout, hands = state.layout, state.hands.reshape(-1)
    hand = hands.take(state.place)
    legal = layout.each_once(hand & ~layout.sherman)
    if not state.rules.must_play:
        legal |= masks.where(legal != 0, NONE)
    legal &= masks.from_flags(state.ends == ON)
    chosen = table.ask(state, "play", state.seat, legal)
    card = chosen & ~NONE
    state.card = card
    state.does = layout.does.take(masks.index(card), mode="clip")
    state.does *= card != 0
    hands[state.place] = hand ^ card
    known = state.known.reshape(-1)
    known[state.place] = known.take(state.place) & ~card
    state.held &= ~card
    state.clock.next(Phase.SHERMAN, 1)


def sherman(state: State, table: Table) -> None:
    """Sherman Act: "Play this card out of turn to cancel another card"."""
    acts = state.layout.sherman
    if state.clock.count == 1:
        state.reacts = (masks.join(list(state.hands)) & acts) != 0
        if not state.rules.sherman_users:
            state.reacts &= state.does != USER
    rows = masks.rows_where(state.reacts & (state.does != 0))
    none = not len(rows)
    seat = state.seat_after(state.seat.take(rows), state.clock.count)
    hands, known = state.hands.reshape(-1), state.known.reshape(-1)
    place = state.at(seat, rows)
    held = hands.take(place) & acts
    asked = masks.rows_where(held)
    if len(asked):
        rows, seat = rows.take(asked), seat.take(asked)
        legal = np.full(len(rows), _CANCEL | _PASS)
        answer = table.ask(state, "sherman", seat, legal, rows=rows)
        cancelling = masks.rows_where(answer == _CANCEL)
        rows, asked = rows.take(cancelling), asked.take(cancelling)
        place, held = place.take(asked), masks.lowest(held.take(asked))
        hands[place] ^= held
        known[place] &= ~held
        state.held[rows] &= ~held
        state.discards[rows] |= held
        state.does[rows] = 0
    state.clock.count += 1
    if state.clock.count == state.players or none:
        state.clock.next(Phase.BESIDE)


def end(state: State, table: Table) -> None:
    """End the turn; drop games that are over once they are many."""
    if table.hears("turn"):
        _tell_turn(state, table)
    if state.clock.turn >= state.rules.guard:
        long = state.clock.turn - state.clock.lag == state.rules.guard
        state.finish(masks.rows_where((state.ends == ON) & long), -1, BROKEN)
    over = masks.rows_where(state.ends)
    if len(over) and len(over) * _REST >= len(state.games):
        table.emit_final_state(state, over)
        state.keep(masks.rows_where(state.ends == ON))
    state.clock.next(Phase.TURN)
    stops = state.stops is not None and np.any(state.clock.turn >= state.stops)
    if stops or not len(state.games):
        state.games = state.finals.games
        ends = {key: one for key, one in vars(state.finals).items() if key != "games"}
        table.emit(state, "result", **ends)  # in the order in which they started
        state.clock.next(Phase.OVER)


def _tell_turn(state: State, table: Table) -> None:
    """Announce the size of all networks after a turn, for tables."""
    turns = state.finals.turns.take(state.start_rows)
    turn, members = state.clock.labels()["turn"], masks.count(state.tokens)
    played = (state.ends == ON) | (turns == turn)
    table.emit(state, "turn", played, turn=turn, who=state.seat, members=members)


STEPS = {
    Phase.DEAL: deal,
    Phase.TURN: turn,
    Phase.VIRAL: viral,
    Phase.PLAY: play_card,
    Phase.SHERMAN: sherman,
    Phase.BESIDE: actions.beside,
    Phase.CELL: actions.cell,
    Phase.COPY: actions.copy,
    Phase.MEMBER: actions.member,
    Phase.LOST: actions.lost_password,
    Phase.USER: actions.user,
    Phase.FRIEND: actions.friend,
    Phase.MANAGE: actions.change_of_management,
    Phase.FRONT: actions.smtp_block_list,
    Phase.NETWORK: actions.network,
    Phase.EFFECT: actions.effect,
    Phase.INVITE: invitations.invite,
    Phase.INVITER: invitations.inviter,
    Phase.INVITED: invitations.invited,
    Phase.VICTIM: invitations.victim,
    Phase.COLOUR: invitations.colour,
    Phase.SEND: invitations.send,
    Phase.END: end,
}
play = make_play(STEPS, Phase.OVER)
