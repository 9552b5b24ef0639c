"""The flow of Evilpact, in the order of the rule text.

Each function is a paragraph of the rule text and a step that all games take at the same
time. A step begins with its question, if it has one, so play can go on from any state.
"""

import numpy as np

from sim import masks
from sim.evilpact.casting import cast, cast_over, counter
from sim.evilpact.scoring import find_winner
from sim.evilpact.spells import exclude, flip, lose, sideways, tell_sideways
from sim.evilpact.state import TURNS, Phase, State
from sim.masks import Flags
from sim.steps import make_play
from sim.table import Table


def set_up(state: State, table: Table) -> None:
    """4. Setup: a starting player, the deck, and a random spell sealed for each."""
    state.shuffle()
    table.emit(state, "start", seat=state.seats[0])
    if table.hears("seal"):
        table.emit(state, "seal", spells=state.by_seat(state.sealed))
    state.clock.phase = Phase.REFILL


def refill(state: State, table: Table) -> None:
    """5-1, 1. Card Refilling: cards "from Deck ... in Explore Area face up"."""
    clock, market = state.clock, state.rules.market
    cards = state.deck[clock.round * market :][:market]
    lone = np.left_shift(masks.ONE, cards, dtype=np.uint64)
    state.explore = np.bitwise_or.reduce(lone, axis=0)
    state.seen |= state.explore
    if table.hears("market"):
        values, starter = clock.round + 1, state.seats[clock.starter]
        table.emit(state, "market", round=values, starter=starter, cards=cards[None])
    clock.turn, clock.late, clock.phase = 0, False, Phase.CAST


def acquire(state: State, table: Table) -> None:
    """[Action A] Card Acquiring: a card moves from the Explore Area to the library.

    Insight (X) acts "if the number of Turn this card was acquired ... is X or more".
    """
    clock, layout = state.clock, state.layout
    me = clock.place
    legal = layout.each_once(state.explore)
    card = table.ask(state, "acquire", state.seats[me], legal)
    state.card = card
    state.explore ^= card
    state.libraries[me] |= card
    number = state.insight
    state.power[me] += layout.taken[number].take(masks.index(card))
    if layout.triggered[number]:
        triggered = card & layout.triggered[number]
        state.turned |= triggered
        rows = masks.rows_with(triggered, masks.ANYTHING)
        tell_sideways(state, table, rows, triggered.take(rows))
    clock.phase = Phase.ELEMENT


def element(state: State, table: Table) -> None:
    """5-4. Turbidity: "The player chooses one of elements ... when acquired"."""
    clock, layout = state.clock, state.layout
    me = clock.place
    rows = masks.rows_with(state.card, layout.turbidity)
    if len(rows):
        card = state.card.take(rows)
        pair = layout.pair_of.take(masks.index(card))
        seat = state.seats[me].take(rows)
        chosen = table.ask(state, "element", seat, pair, rows=rows)
        turned = card & masks.from_flags(chosen != masks.lowest(pair))
        state.turned[rows] |= turned
        state.power[me][rows] += state.power_lying(card, turned)
    last = clock.turn == TURNS - 1 and not clock.late and state.rules.market > TURNS
    clock.late = True
    clock.phase = Phase.ACQUIRE if last else Phase.CAST


def end_round(state: State, table: Table) -> None:
    """5-1, 3. End of Round: "Then the opponent starts next Round or phase"."""
    clock, rules = state.clock, state.rules
    if table.hears("round"):
        power = state.by_seat(state.power)
        table.emit(
            state,
            "round",
            round=clock.round + 1,
            power=np.stack([state.layout.powers(seat) for seat in power]),
            icons=power,
            led=np.stack([state.led(0), state.led(1)]),
        )
    clock.starter ^= 1
    if clock.round + 1 == rules.contract_after_round:
        clock.phase, clock.count = Phase.CONTRACT, 0
    else:
        _next_round(state)


def contract(state: State, table: Table) -> None:
    """5-2. Contract with Demon: "Each player choose one card from his/her Hand"."""
    clock = state.clock
    seat = np.full(len(state.games), clock.count, dtype=np.uint8)
    hand = state.hands[clock.count]
    made: Flags = np.logical_or.reduce(state.secret)  # whether the other has
    chosen = table.ask(state, "contract", seat, hand, simultaneous=made)
    for place, who in enumerate(state.seats):
        mine = masks.where(who == clock.count, chosen)
        state.secret[place] |= mine
        state.spells[place] ^= mine
    clock.count += 1
    if clock.count == state.players:
        clock.count = 0
        clock.starter ^= int(state.rules.contract_shifts_start)
        _next_round(state)


def _next_round(state: State) -> None:
    """Refill the Explore Area, or find the winner."""
    clock = state.clock
    clock.phase = Phase.REFILL
    if clock.round + 1 == state.rules.rounds:
        clock.phase = Phase.END
    elif clock.round == state.stops:
        clock.phase = Phase.OVER
        return
    clock.round += 1


STEPS = {
    Phase.START: set_up,
    Phase.REFILL: refill,
    Phase.CAST: cast,
    Phase.COUNTER: counter,
    Phase.EXCLUDE: exclude,
    Phase.LOSE: lose,
    Phase.FLIP: flip,
    Phase.SIDEWAYS: sideways,
    Phase.CAST_OVER: cast_over,
    Phase.ACQUIRE: acquire,
    Phase.ELEMENT: element,
    Phase.END_ROUND: end_round,
    Phase.CONTRACT: contract,
    Phase.END: find_winner,
}
play = make_play(STEPS, Phase.OVER)
