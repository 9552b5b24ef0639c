"""Winning and returning gems, in tricks and at liquidation."""

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.kunitame.state import State
from sim.masks import Counts, Flags, Masks
from sim.table import Table


def due(state: State, winnable: Masks, open_squares: Masks) -> Flags:
    """(rows,) whether there are "no gems to be won": by the player, or at all (K4)."""
    if state.rules.return_trigger == "board_empty":
        return open_squares == 0
    return winnable == 0


def take(
    state: State, table: Table, seat: Counts, at: NDArray[np.int64], square: Masks
) -> None:
    """Have the seat win the gem on a square, where a square was chosen."""
    if table.hears("gem"):
        _tell_gem(state, table, seat, square, state.worth(square))
    state.gain(at, square)


def give_back(state: State, table: Table, seat: Counts, at: NDArray[np.int64]) -> None:
    """Return the highest gem to a vacant black square, else to any vacant square."""
    owes = state.due & (state.purse.reshape(-1).take(at) != 0)
    rows = np.flatnonzero(owes)
    vacant = state.layout.all_squares & ~state.gems.take(rows)
    black = vacant & state.layout.return_first
    if state.rules.return_choice == "black-first":
        black = masks.lowest(black)
    legal = masks.blend(black != 0, black, vacant)
    square = table.ask(state, "return", seat.take(rows), legal, rows=rows)
    state.give_back(rows, at.take(rows), square)
    if table.hears("gem"):
        every = np.zeros_like(state.met)
        every[rows] = square
        _tell_gem(state, table, seat, every, -state.worth(every))


def _tell_gem(
    state: State,
    table: Table,
    seat: Counts,
    square: Masks,
    value: NDArray[np.int8],
) -> None:
    clock = state.clock
    table.emit(
        state,
        "gem",
        where=square != 0,
        week=clock.week + 1,
        seat=seat,
        square=square,
        value=value,
        round=clock.labels().get("round", 0),
    )
