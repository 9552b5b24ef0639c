"""The flow of Devil, in the order of the rule text.

Each function is a step that all games take at the same time, each game in its own
round. A step begins with its question, if it has one, so play can go on from any state.
"""

import numpy as np

from sim import masks
from sim.devil.cycles import LAP, skip_cycles
from sim.devil.dealing import deal, start
from sim.devil.draws import draw, penalise, tell_skip
from sim.devil.layout import (
    ASKED,
    BROKEN,
    CONTINUE,
    DRAW,
    END,
    ENDED,
    GOES_ON,
    OVER,
    SKIPS,
    SPECIAL4,
)
from sim.devil.scoring import rest, score_round, settle, tell_results
from sim.devil.state import AHEAD, REST, TURN, WAIT, Phase, State
from sim.masks import Counts, Flags, Masks
from sim.steps import make_play
from sim.table import Table
from sim.view import Rows


def turn(state: State, table: Table) -> None:
    """On each turn a player "must discard 1 card from their hand"."""
    clock = state.clock
    if state.stops is not None:
        _stop(state)
    awake = (state.ending >= SKIPS).view(np.uint8)
    places = awake + (state.ending == SKIPS)
    state.ending |= np.negative(awake)  # those that skip go on
    clock.count += awake * TURN
    clock.steps += 1
    state.seat = state.seat_after(state.seat, places)
    state.place = state.at(state.seat)
    state.fitting = state.hands.reshape(-1).take(state.place)
    state.fitting &= state.fits
    state.fitting *= awake
    if state.rules.voluntary_draw:
        clock.phase = Phase.OFFER
    else:
        _draw(state, table, state.fitting == masks.NOTHING)
        clock.phase = Phase.PLAY


def _stop(state: State) -> None:
    """Stop games within a round, and keep their hands in ``finals``."""
    rows = masks.rows_where((state.ending >= SKIPS) & (state.taken >= state.stops))
    if len(rows):
        hands = state.hands.take(rows, axis=1)
        state.finals.hands[:, state.start_rows.take(rows)] = hands
        rest(state, rows, OVER)


def offer(state: State, table: Table) -> None:
    """Reading D4: players who can play may draw instead, if a card is left."""
    left = (state.pile | state.under()) != masks.NOTHING
    left &= state.fitting != masks.NOTHING
    legal = state.layout.one_of_each(state.fitting) | masks.where(left, DRAW)
    chosen = table.ask(state, "play", state.seat, legal)
    state.played = chosen & ~DRAW
    state.fitting[:] = masks.NOTHING
    _draw(state, table, state.played == masks.NOTHING)
    state.clock.phase = Phase.PLAY


def _draw(state: State, table: Table, stuck: Flags) -> None:
    """Players who cannot play "must draw 1 card", and play it if they can."""
    stuck &= state.ending == GOES_ON
    rows = masks.rows_where(stuck)
    if not len(rows):
        return
    place, fits = state.place.take(rows), state.fits.take(rows)
    card = draw(state, table, "draw", rows, place)
    state.fitting[rows] = card & fits
    if state.rules.voluntary_draw:
        state.comes(place, card)
    elif state.shows:
        _show(state, place, fits, card)


def _show(state: State, place: Rows, fits: Masks, card: Masks) -> None:
    """Track what hands lack: a card came to hands that had none of ``fits``.

    What fewer old cards were known to lack gives way to what all are known to.
    """
    voids, lacked = state.voids.reshape(-1), state.lacked.reshape(-1)
    late, number, size = state.late.reshape(-1), *state.late_with(place, card)
    before = voids.take(place)
    before |= fits
    few = number + number > size
    old = lacked.take(place)
    old *= np.logical_not(few)
    old |= before
    lacked[place] = old
    before &= ~card
    kept = (card & ~fits) != masks.NOTHING
    voids[place] = np.where(kept, fits, before)
    late[place] = np.where(few, card != masks.NOTHING, number)


def play_card(state: State, table: Table) -> None:
    """Discard the card played, and apply its effect."""
    clock = state.clock
    rows = masks.rows_with(state.fitting, masks.ANYTHING)
    seat = state.seat.take(rows)
    legal = state.layout.one_of_each(state.fitting.take(rows))
    card = table.ask(state, "play", seat, legal, rows=rows)
    if state.rules.voluntary_draw:
        rows, card = _with_offered(state, rows, card)
    _discard(state, table, rows, card)
    waiting = np.count_nonzero(state.ending < SKIPS)
    now = waiting * WAIT >= len(state.games) or clock.steps >= state.rules.guard
    clock.phase = Phase.DECLARE if now or not clock.steps % LAP else Phase.TURN


def _with_offered(state: State, rows: Rows, card: Masks) -> tuple[Rows, Masks]:
    """(rows,) the cards just played, including those played instead of drawing."""
    played = state.played.copy()
    played[rows] = card
    rows = masks.rows_with(played, masks.ANYTHING)
    return rows, played.take(rows)


def _discard(state: State, table: Table, rows: Rows, card: Masks) -> None:
    """Move the card from the hand to the discard pile, and apply its effect.

    The round may end, or the next player skip; Specials are asked about later.
    """
    layout, hands = state.layout, state.hands.reshape(-1)
    place = state.place.take(rows)
    hand = hands.take(place)
    hand ^= card
    hands[place] = hand
    if state.shows:
        came = masks.rows_with(card, state.lacked.reshape(-1).take(place))
        state.late.reshape(-1)[place.take(came)] -= np.uint8(1)
    number = masks.index(card)
    state.top[rows] = card
    state.fits[rows] = layout.fits.take(number)
    ending = layout.ending.take(number)
    out = masks.rows_where(hand == masks.NOTHING)
    ending[out] = layout.out.take(number.take(out))
    state.ending[rows] = ending
    if table.hears("skip") or table.hears("round"):
        tell_skip(state, table, rows.compress(ending == SKIPS))


def declare(state: State, table: Table) -> None:
    """Specials: "you have the option to declare to end the round"."""
    layout = state.layout
    rows = masks.rows_where(state.ending == ASKED)
    if len(rows):
        legal = np.full(len(rows), CONTINUE | END)
        seat = state.seat.take(rows)
        chosen = table.ask(state, "declare", seat, legal, rows=rows)
        ends = chosen == END
        if table.hears("declaring"):
            _tell_declaring(state, table, rows, ends.view(np.uint8))
        state.ending[rows] = np.where(ends, np.uint8(ENDED), GOES_ON)
        goes_on = rows[~ends]
        fours = (state.top.take(goes_on) & layout.kinds[SPECIAL4]) != masks.NOTHING
        penalise(state, table, goes_on, 1 + fours.view(np.uint8))
    state.clock.phase = Phase.FINISH


def _tell_declaring(state: State, table: Table, rows: Rows, ends: Counts) -> None:
    """Announce what hands cost where a round can be ended."""
    table.emit(
        state,
        "declaring",
        rows=rows,
        **state.clock.take(rows).labels(),
        who=state.seat.take(rows),
        card=state.top.take(rows),
        ends=ends,
        cost=state.layout.cost(state.hands.take(rows, axis=1)),
    )


def finish(state: State, table: Table) -> None:
    """Score rounds that have ended and deal the next; the others go on."""
    clock, guard = state.clock, state.rules.guard
    lap = not clock.steps % LAP
    if lap:
        skip_cycles(state, table)
    if lap or clock.steps >= guard:
        late = (clock.turn >= guard) & (state.ending >= SKIPS)
        rest(state, masks.rows_where(late), BROKEN)
    table.emit_final_state(state, masks.rows_where(state.ending <= BROKEN))
    ended = masks.rows_where(state.ending < BROKEN)
    if len(ended):
        reached = score_round(state, table, ended)
        if state.stops is not None:
            reached |= state.turns.take(ended) + AHEAD >= state.stops.take(ended)
        rest(state, ended[reached], OVER)
        deal(state, table, ended[~reached])
    over = masks.rows_where((state.ending == OVER) | (state.ending == BROKEN))
    if len(over) * REST >= len(state.games):
        begun = settle(state, table, over)
        deal(state, table, begun)
        if len(begun) < len(over):
            state.keep(np.delete(np.arange(len(state.games)), over[len(begun) :]))
    clock.phase = Phase.TURN
    if not len(state.games):
        tell_results(state, table)
        clock.phase = Phase.OVER


STEPS = {
    Phase.DEAL: start,
    Phase.TURN: turn,
    Phase.OFFER: offer,
    Phase.PLAY: play_card,
    Phase.DECLARE: declare,
    Phase.FINISH: finish,
}
play = make_play(STEPS, Phase.OVER)
