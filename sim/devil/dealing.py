"""Setup, The Deal: dealing new rounds."""

import numpy as np

from sim import masks
from sim.chance import Purpose
from sim.devil.draws import penalise, pick_cards, skip
from sim.devil.layout import BY_ONI, GOES_ON, SPECIAL4
from sim.devil.state import ROUND, ROUND_BITS, WINDOW, Phase, State
from sim.masks import Masks
from sim.table import Table
from sim.view import Rows


def start(state: State, table: Table) -> None:
    """Find the first dealer, "the player with the earliest month", and deal."""
    if len(state.games) > WINDOW:
        state.keep(np.arange(WINDOW))
    table.emit(state, "dealer", seat=state.dealer)
    deal(state, table, np.arange(len(state.games)))
    state.clock.phase = Phase.TURN


def deal(state: State, table: Table, rows: Rows) -> None:
    """The dealer deals "4 cards to each player", "puts 1 card on the table face-up"."""
    if not len(rows):
        return
    layout, clock, hand = state.layout, state.clock, state.rules.hand
    count = clock.count.take(rows)
    count += ROUND
    count &= np.negative(ROUND)
    clock.count[rows] = count
    piles = ((hand,) * state.players) + (1,)
    counter = count >> ROUND_BITS
    dealt = state.chance.deal_rows(layout.deck, Purpose.DEAL, counter, rows, piles)
    hands, card = dealt[:-1], dealt[-1]
    state.hands[:, rows] = hands
    if state.shows:
        for shown in (state.voids, state.lacked, state.late):
            shown[:, rows] = 0
    state.seat[rows] = state.dealer.take(rows)
    state.ending[rows] = GOES_ON
    if table.hears("round"):
        state.tally[:, rows] = 0
    if table.hears("deal"):
        table.emit(
            state,
            "deal",
            rows=rows,
            round=clock.round.take(rows),
            dealer=state.dealer.take(rows),
            hands=hands,
        )
    rest = layout.everything & ~masks.join(list(hands))
    _flip(state, table, rows, rest, card)
    if state.rules.first_card_effect:
        _take_effect(state, table, rows)


def _flip(state: State, table: Table, rows: Rows, rest: Masks, card: Masks) -> None:
    """Flip the first card; an Onifuda goes back, or ends the round."""
    layout = state.layout
    state.pile[rows] = rest ^ card
    state.top[rows] = card
    state.fits[rows] = layout.fits.take(masks.index(card))
    if table.hears("flip"):
        values = state.clock.round.take(rows)
        table.emit(state, "flip", rows=rows, round=values, card=card)
    if not layout.oni:
        return
    again, tries = masks.rows_with(card, layout.oni), 0
    if state.rules.first_oni == "end_round":
        state.ending[rows.take(again)] = BY_ONI
        return
    while len(again):
        rows, rest, tries = rows.take(again), rest.take(again), tries + 1
        card = pick_cards(state, rest, rows, tries << 40)
        state.pile[rows] = rest ^ card
        state.top[rows] = card
        state.fits[rows] = layout.fits.take(masks.index(card))
        if table.hears("flip"):
            values = state.clock.round.take(rows)
            table.emit(state, "flip", rows=rows, round=values, card=card)
        again = masks.rows_with(card, layout.oni)


def _take_effect(state: State, table: Table, rows: Rows) -> None:
    """Reading D3: the first card acts on the first player as if the dealer played it.

    Nobody has discarded it, so nobody may declare an end with it.
    """
    layout, top = state.layout, state.top.take(rows)
    special = masks.rows_with(top, layout.specials)
    if len(special):
        fours = (top.take(special) & layout.kinds[SPECIAL4]) != masks.NOTHING
        penalise(state, table, rows.take(special), 1 + fours.view(np.uint8))
    tens = masks.rows_with(top, layout.tens)
    if len(tens):
        skip(state, table, rows.take(tens))
