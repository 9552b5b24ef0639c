"""The flow of Article II, in the order of the rule text.

Each function is one paragraph of the rule text and one step of the clock. A
step begins with its question, if it has one, so play can go on from any state.
"""

import numpy as np

from sim import masks
from sim.article_ii import deck
from sim.article_ii.elections import general, necromancy, primary
from sim.article_ii.layout import CANDIDATE, NONE, ONCE
from sim.article_ii.lead_changes import tell_totals
from sim.article_ii.resolve import react, remove, remove_from, shed, target
from sim.article_ii.state import State, Step
from sim.chance import Purpose
from sim.masks import Counts, Masks
from sim.steps import make_play
from sim.table import Table
from sim.view import Rows


def deal(state: State, table: Table) -> None:
    """Play order: "each player draws seven cards"; a random player begins."""
    clock, rules = state.clock, state.rules
    rows = np.flatnonzero(~state.stopped)
    start = state.chance.below(state.players, Purpose.START, clock.phase)
    state.start = start.astype(np.uint8)
    if table.hears("start"):
        start_of = state.start.take(rows)
        table.emit(state, "start", rows=rows, phase=clock.phase, seat=start_of)
    if clock.phase == 0:
        deck.shuffle(state)
    else:
        if not rules.carry_over:
            _clear(state, rows)
        _fill_up(state, table, rows)
    deck.deal(state, table, rows)
    if table.hears("hands"):
        held = state.hands[:, rows]
        table.emit(state, "hands", rows=rows, phase=clock.phase, hands=held)
    clock.turn = 0
    if state.trial is not None:
        state.trial(state, table, rows)
    state.going = _with_cards(state, rows, state.start.take(rows))
    clock.step = Step.TURN


def _clear(state: State, rows: Rows) -> None:
    """Discard all cards that lie on players."""
    for lying in state.lying:
        state.discard[rows] |= lying.take(rows)
        lying[rows] = masks.NOTHING
    state.changes += 1
    state.traits[:, rows] &= CANDIDATE
    state.traits[:, rows] |= ONCE
    state.electability[:, rows] = 0
    state.affiliation[:, rows] = 0


def _fill_up(state: State, table: Table, rows: Rows) -> None:
    """General: the deck goes on; "if short, shuffle the discard pile in" (A2)."""
    discarded = state.discard.take(rows) != masks.NOTHING
    if state.rules.general_deal == "reshuffle_all":
        deck.reshuffle_all(state, table, rows[discarded])
    else:
        short = state.left.take(rows) < state.rules.hand * state.players
        deck.reshuffle(state, table, rows[short & discarded])


def _with_cards(state: State, rows: Rows, seat: Counts) -> Rows:
    """Give the turn to the seat, or the next one clockwise that holds cards.

    Returns the rows in which there is one.
    """
    hands = state.hands.reshape(-1)
    without = np.flatnonzero(hands.take(state.place_of(seat, rows)) == masks.NOTHING)
    goes_on = np.ones(len(rows), dtype=np.bool_)
    goes_on[without] = False
    for _ in range(state.players - 1):
        if not len(without):
            break
        next_seat = _after(state, seat.take(without))
        seat[without] = next_seat
        at = state.place_of(next_seat, rows.take(without))
        has = hands.take(at) != masks.NOTHING
        goes_on[without[has]] = True
        without = without[~has]
    state.seat[rows] = seat
    return rows if goes_on.all() else rows[goes_on]


def _after(state: State, seat: Counts) -> Counts:
    after = seat + np.uint8(1)
    after -= (after >= state.players).view(np.uint8) * np.uint8(state.players)
    return after


def turn(state: State, table: Table) -> None:
    """A turn begins, unless the guard breaks the game off or all hands are empty."""
    broken = state.played.take(state.going) >= state.rules.guard
    if broken.any():
        state.stopped[state.going[broken]] = True
        state.going = state.going[~broken]
    if _stops(state):
        state.clock.step = Step.OVER
    elif len(state.going):
        state.clock.step = Step.TEFLON
    else:
        state.clock.step = Step.PRIMARY if state.clock.phase == 0 else Step.NECROMANCY


def _stops(state: State) -> bool:
    """Whether games stop here: their round is over, or all hands are empty."""
    if state.stops is None:
        return False
    clock, hand = state.clock, state.rules.hand
    phase, number = divmod(state.stops, hand)
    if phase != clock.phase or number == hand - 1:
        return False
    return not len(state.going) or clock.turn >= (number + 1) * state.players


def play_card(state: State, table: Table) -> None:
    """Play order: "Each player takes turns playing one card each"."""
    rows = state.going
    seat = state.seat.take(rows)
    at, hands = state.place_of(seat, rows), state.hands.reshape(-1)
    hand = hands.take(at)
    legal = state.layout.each_once(hand)
    chosen = table.ask(state, "play", seat, legal, rows=state.question_rows(rows))
    hand ^= chosen
    hands[at] = hand
    _lay_open(state, rows, chosen)
    state.clock.step = Step.TARGET


def _lay_open(state: State, rows: Rows, card: Masks) -> None:
    """Reveal a card that is about to be resolved."""
    if len(rows) == len(state.games):
        state.card = card.copy()
        state.played += np.uint16(1)
    else:
        state.card[rows] = card
        state.played[rows] += np.uint16(1)


def second(state: State, table: Table) -> None:
    """Insider: "you may play two cards each turn, then draw one card"."""
    rows = state.going
    if state.layout.effects["two-cards"]:
        rows = rows.take(state.having("two-cards", state.seat.take(rows), rows))
        if len(rows):
            _ask_second(state, table, rows)
    state.clock.second = len(state.resolving(state.layout.everything)) > 0
    state.clock.step = Step.TARGET if state.clock.second else Step.END_TURN


def _ask_second(state: State, table: Table, rows: Rows) -> None:
    layout, seat = state.layout, state.seat.take(rows)
    at, hands = state.place_of(seat, rows), state.hands.reshape(-1)
    hand = hands.take(at)
    legal = layout.each_once(hand)
    legal |= masks.where(hand != masks.NOTHING, NONE)
    chosen = table.ask(state, "second", seat, legal, rows=rows)
    card = chosen & ~NONE
    acting = masks.rows_with(card, layout.everything)
    if state.rules.insider_draw == "always":
        state.drawing[rows] = True
    rows, card = rows.take(acting), card.take(acting)
    state.drawing[rows] = True
    if len(rows):
        hands[at.take(acting)] ^= card
        _lay_open(state, rows, card)


def end_turn(state: State, table: Table) -> None:
    """The Insider draws; then it is the turn of the next player who holds cards."""
    clock = state.clock
    drawing = np.flatnonzero(state.drawing)
    if len(drawing):
        deck.draw(state, table, state.seat.take(drawing), drawing)
        state.drawing[drawing] = False
    rows = state.going
    state.going = _with_cards(state, rows, _after(state, state.seat.take(rows)))
    clock.second = False
    tell_totals(state, table, rows)
    clock.turn += 1
    clock.step = Step.TURN


STEPS = {
    Step.DEAL: deal,
    Step.TURN: turn,
    Step.TEFLON: shed,
    Step.PLAY: play_card,
    Step.TARGET: target,
    Step.REACT: react,
    Step.REMOVE_FROM: remove_from,
    Step.REMOVE: remove,
    Step.SECOND: second,
    Step.END_TURN: end_turn,
    Step.PRIMARY: primary,
    Step.NECROMANCY: necromancy,
    Step.GENERAL: general,
}
play = make_play(STEPS, Step.OVER, "step")
