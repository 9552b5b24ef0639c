"""Cycles: rounds that never end, as two cards circulate that no hand can follow.

All other cards are in hands. Each player draws the one card that is not on top, which
"must be" discarded, since it fits; then the next player does the same. Nothing is
chosen and nothing left to chance, until the guard breaks the game off. With 6 players
of the base game that is about one game in ten thousand: a 7 and an 8, say, where every
other player has no 1 and no 7, and those between them no 2 and no 8.
"""

import numpy as np

from sim import masks
from sim.devil.layout import GOES_ON, SKIPS
from sim.devil.state import TURN, State
from sim.masks import Flags
from sim.table import Table
from sim.view import Rows

LAP = 1_024
"""Turns after which cycles are looked for."""
_TOLD = ("play", "draw", "reshuffle", "skip")
"""The events of each turn."""


def skip_cycles(state: State, table: Table) -> None:
    """Skip the turns of rounds that never end, unless somebody listens to them."""
    if state.stops is not None or any(map(table.hears, _TOLD)):
        return
    rows = cycling_rows(state)
    turns = np.uint64(state.rules.guard) - state.clock.take(rows).turn
    state.clock.count[rows] += turns * TURN
    table.count_forced(state, rows, turns)


def cycling_rows(state: State) -> Rows:
    """The rows whose rounds go on after this turn and will never end."""
    rows = masks.rows_where(state.ending >= SKIPS)
    top, other = state.top.take(rows), state.pile.take(rows) | state.under(rows)
    lone = masks.rows_where(
        (other != masks.NOTHING) & (other & (other - masks.ONE) == 0)
    )
    rows, cards = rows.take(lone), np.array([top.take(lone), other.take(lone)])
    number, layout = masks.index(cards), state.layout
    fits, after = layout.fits.take(number), layout.ending.take(number)
    never: Flags = ((fits & cards[::-1]) != masks.NOTHING).all(axis=0)
    never &= ((after == GOES_ON) | (after == SKIPS)).all(axis=0)
    seat, skips = state.seat.take(rows), state.ending.take(rows) == SKIPS
    for turn in range(2 * state.players):  # after two laps everything is as it was
        seat = state.seat_after(seat, skips.view(np.uint8) + np.uint8(1))
        never &= (state.hands[seat, rows] & fits[turn % 2]) == masks.NOTHING
        skips = after[1 - turn % 2] == SKIPS
    return rows.compress(never)
