"""Spell Cards: what each spell does, once it can no longer be countered."""

import numpy as np

from sim import masks
from sim.chance import Purpose
from sim.evilpact.layout import CTHUGHA, CTHULHU, EIHORT, NYARLATHOTEP, PASS
from sim.evilpact.state import FLIPS, Phase, State
from sim.masks import Masks
from sim.table import Table
from sim.view import Rows


def exclude(state: State, table: Table) -> None:
    """Cthugha: "You choose 1 [or 2] card(s) from opponent's Library"."""
    clock = state.clock
    rows = state.casting(CTHUGHA)
    if clock.count:  # of a second card only
        rows = rows.compress(state.upper.take(rows) & (state.targets.take(rows) > 0))
    if len(rows):
        you = 1 - clock.place
        library = state.libraries[you].take(rows)
        legal = state.layout.lying_once(library, state.turned.take(rows))
        if clock.count:
            legal |= masks.where(legal != masks.NOTHING, PASS)
        seat = state.seats[clock.place].take(rows)
        card = table.ask(state, "exclude", seat, legal, rows=rows) & ~PASS
        _remove(state, you, rows, card)
    clock.count += 1
    if clock.count == 2:
        clock.phase, clock.count = Phase.LOSE, 0


def _remove(state: State, place: int, rows: Rows, card: Masks) -> None:
    """Remove a card of a library from the game; one or none in each row."""
    power = state.power_lying(card, state.turned.take(rows))
    state.power[place][rows] -= power
    state.libraries[place][rows] ^= card
    state.turned[rows] &= ~card
    state.targets[rows] += (card != masks.NOTHING).view(np.uint8)


def lose(state: State, table: Table) -> None:
    """Cthulhu: the opponent's cards "at random", shown and excluded from the game."""
    clock = state.clock
    you = 1 - clock.place
    rows = state.casting(CTHULHU)
    rows = rows.compress(state.spells[you].take(rows) != masks.NOTHING)
    if len(rows):
        hand, lost = state.spells[you].take(rows), []
        for number in range(2):
            chance = state.chance.short_bits(Purpose.DRAW, clock.tick, number, rows)
            card = masks.pick(hand, chance)
            if number:
                card &= masks.from_flags(state.upper.take(rows))
            hand ^= card
            lost.append(card)
        state.spells[you][rows] = hand
        state.targets[rows] = masks.count(lost[0]) + masks.count(lost[1])
        if table.hears("lose"):
            spells = masks.index(np.stack(lost))[None].clip(-1).astype(np.uint8)
            cards = lost[0] | lost[1]
            state.tell(table, "lose", rows, you, spells=spells, cards=cards)
    clock.phase = Phase.FLIP


def flip(state: State, table: Table) -> None:
    """Nyarlathotep: up to 2 (or 4) Turbidity cards "as the opposite element"."""
    clock = state.clock
    rows = state.casting(NYARLATHOTEP)
    if clock.count >= FLIPS[0]:
        rows = rows.compress(state.upper.take(rows))
    rows = rows.compress(state.targets.take(rows) == clock.count)  # none has passed
    if len(rows):
        turned, fresh = state.turned.take(rows), ~state.flipped.take(rows)
        fresh &= state.layout.turbidity
        legal = np.zeros_like(turned)
        for library in state.libraries:
            cards = library.take(rows) & fresh
            legal |= state.layout.lying_once(cards, turned)
        legal |= masks.where(legal != masks.NOTHING, PASS)
        seat = state.seats[clock.place].take(rows)
        card = table.ask(state, "flip", seat, legal, rows=rows) & ~PASS
        state.turn(rows, card)
        state.flipped[rows] |= card
        state.targets[rows] += (card != masks.NOTHING).view(np.uint8)
    clock.count += 1
    if clock.count == FLIPS[1] or not len(rows):
        clock.phase, clock.count = Phase.SIDEWAYS, 0


def sideways(state: State, table: Table) -> None:
    """Eihort: "Turn an [or all] 'Insight 5' Card(s) in your Library sideways"."""
    clock = state.clock
    me = clock.place
    rows = state.casting(EIHORT)
    if len(rows):
        cards = state.libraries[me].take(rows) & ~state.turned.take(rows)
        cards &= state.layout.eihort_turns
        upper = state.upper.take(rows)
        legal = masks.where(~upper, state.layout.each_once(cards))
        seat = state.seats[me].take(rows)
        chosen = table.ask(state, "sideways", seat, legal, rows=rows)
        everything = masks.where(upper, cards)
        state.targets[rows] = masks.count(chosen | everything)
        turning = masks.rows_with(everything, masks.ANYTHING)
        tell_sideways(state, table, rows.take(turning), everything.take(turning))
        left = chosen | everything
        while left.any():
            card = masks.lowest(left)
            state.turn(rows, card)
            left ^= card
    clock.phase = Phase.CAST_OVER


def tell_sideways(state: State, table: Table, rows: Rows, cards: Masks) -> None:
    """Announce Insight cards, (rows,), that are turned sideways."""
    if table.hears("sideways"):
        state.tell(table, "sideways", rows, state.clock.place, cards=cards)
