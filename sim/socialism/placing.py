"""Playing a User: beside whom, and on which of the empty cells around."""

import numpy as np

from sim import masks
from sim.socialism.board import crowded, free_cells, put
from sim.socialism.layout import USER
from sim.socialism.state import Phase, State
from sim.table import Table


def beside(state: State, table: Table) -> None:
    """Users after the first "must be played adjacent to one or more cards"."""
    rows = state.doing(np.uint8(USER))
    state.spot[:, rows] = 0  # "The first User played simply goes in the center"
    rows = rows.compress(state.board.take(rows) != 0)
    if len(rows):
        legal = state.board.take(rows) & state.layout.cells & ~crowded(state, rows)
        seat = state.seat.take(rows)
        card = masks.index(table.ask(state, "beside", seat, legal, rows=rows))
        state.spot[0, rows] = state.x[card, rows]
        state.spot[1, rows] = state.y[card, rows]
    state.clock.next(Phase.CELL)


def cell(state: State, table: Table) -> None:
    """The User comes to lie there, and is a Friend of all around."""
    rows = state.doing(np.uint8(USER))
    if len(rows):
        legal = free_cells(state, rows)
        chosen = table.ask(state, "cell", state.seat.take(rows), legal, rows=rows)
        card = state.card.take(rows)
        number = masks.index(card)
        put(state, rows, number, masks.index(chosen))
        state.placed[rows] = state.layout.both.take(number)
        state.card[rows] = masks.NOTHING
    state.clock.next(Phase.COPY)
