"""[Action B] Spell Casting: from the hand or under contract, and Hastur in answer."""

from typing import Any

import numpy as np

from sim import masks
from sim.evilpact.layout import (
    CONTRACT,
    HASTUR,
    HASTUR_CARD,
    LOWER,
    NO_SPELL,
    PASS,
    UPPER,
)
from sim.evilpact.state import TURNS, Phase, State
from sim.masks import Counts, Flags, Masks
from sim.table import Table
from sim.view import Rows


def cast(state: State, table: Table) -> None:
    """Cast a spell in hand, or the contract, once a turn, before or after acquiring."""
    clock = state.clock
    me = clock.place
    legal = state.castable(me)
    if clock.late:
        legal &= state.free
    else:
        state.free[:] = masks.ANYTHING
    legal |= masks.where(legal != masks.NOTHING, PASS)
    chosen = table.ask(state, "cast", state.seats[me], legal)
    rows = masks.rows_with(chosen, ~PASS)
    if not len(rows):
        go_on(state)
        return
    chosen = chosen.take(rows)
    spell, upper = _reveal(state, table, me, rows, chosen)
    state.free[rows] = masks.NOTHING
    state.announced[rows] = spell
    state.spell[rows] = spell
    state.upper[rows] = upper
    state.by_contract[rows] = chosen == CONTRACT
    clock.phase = Phase.COUNTER


def _reveal(
    state: State, table: Table, place: int, rows: Rows, option: Masks
) -> tuple[Counts, Flags]:
    """Announce a spell, and spend it: its number, and whether at the upper level.

    Under contract "the player takes the effect as the player has 5 or more".
    """
    by_contract = option == CONTRACT
    secret = masks.where(by_contract, state.secret[place].take(rows))
    card = secret | option & ~CONTRACT
    state.secret[place][rows] ^= secret
    state.revealed[place][rows] |= secret
    state.spells[place][rows] &= ~card
    spell = masks.index(card).astype(np.uint8)
    power = state.power_of(place, rows, spell)
    upper = by_contract | (power >= state.rules.thresholds[UPPER])
    if table.hears("spell"):
        fields: dict[str, Any] = {"spell": spell, "from": by_contract.view(np.uint8)}
        fields["level"] = np.array(state.rules.thresholds)[upper.view(np.uint8)]
        fields |= {"power": power, "lead": state.lead(place).take(rows)}
        state.tell(table, "spell", rows, place, **fields)
    return spell, upper


def counter(state: State, table: Table) -> None:
    """Hastur alone "can be cast against to the spell the opponent cast"."""
    clock = state.clock
    you = 1 - clock.place
    rows = np.flatnonzero(state.announced != NO_SPELL)
    legal = _counters(state, you, rows)
    some = masks.rows_with(legal, masks.ANYTHING)
    if len(some):
        rows, legal = rows.take(some), legal.take(some) | PASS
        seat = state.seats[you].take(rows)
        chosen = table.ask(state, "counter", seat, legal, rows=rows)
        some = masks.rows_with(chosen, ~PASS)
        rows = rows.take(some)
        _reveal(state, table, you, rows, chosen.take(some))
        state.spell[rows] = NO_SPELL
    clock.phase, clock.count = Phase.EXCLUDE, 0


def _counters(state: State, you: int, rows: Rows) -> Masks:
    """(rows,) Hastur in hand, and under contract, where it counters the spell."""
    layout, rules = state.layout, state.rules
    card = masks.ONE << state.announced.take(rows)
    power = state.power_of(you, rows, np.full(len(rows), HASTUR))
    level = (power >= rules.thresholds[UPPER]).view(np.uint8)
    able = power >= rules.thresholds[LOWER]
    able &= (layout.countered.take(level) & card) != masks.NOTHING
    legal = masks.where(able, state.spells[you].take(rows) & HASTUR_CARD)
    if rules.contract_hastur:
        secret = state.secret[you].take(rows) == HASTUR_CARD
        secret &= (layout.countered[UPPER] & card) != masks.NOTHING
        legal |= masks.where(secret, CONTRACT)
    if not rules.counter_contract:
        legal &= masks.from_flags(~state.by_contract.take(rows))
    return legal


def cast_over(state: State, table: Table) -> None:
    """Move the spell, done or countered, to the Purge Area."""
    if table.hears("effect"):
        rows = np.flatnonzero(state.announced != NO_SPELL)
        place = state.clock.place
        fields: dict[str, Any] = {
            "spell": state.announced,
            "from": state.by_contract.view(np.uint8),
            "upper": state.upper.view(np.uint8),
            "countered": (state.spell == NO_SPELL).view(np.uint8),
            "targets": state.targets,
            "lead": state.lead(place),
        }
        here = {name: field.take(rows) for name, field in fields.items()}
        state.tell(table, "effect", rows, place, **here)
    state.announced[:] = NO_SPELL
    state.spell[:] = NO_SPELL
    state.flipped[:] = masks.NOTHING
    state.targets[:] = 0
    go_on(state)


def go_on(state: State) -> None:
    """Go on after a cast: to the card, the next turn, or the end of the round."""
    clock = state.clock
    clock.count = 0
    if not clock.late:
        clock.phase = Phase.ACQUIRE
        return
    clock.late = False
    clock.turn += 1
    clock.phase = Phase.CAST
    if clock.turn == TURNS:
        clock.phase = Phase.END_ROUND
