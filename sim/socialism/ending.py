"""The end of turns and of games: what is told, and who leaves the batch."""

import numpy as np

from sim import masks
from sim.socialism.state import ON, WON, State
from sim.table import Table

_REST = 8  # games that are over rest until they are one in so many


def tell_turn(state: State, table: Table) -> None:
    """How large all networks are after a turn, for tables."""
    played = (state.ends == ON) | (state.turns == state.clock.turn)
    table.emit(
        state,
        "turn",
        where=played,
        turn=state.clock.turn,
        who=state.seat,
        members=masks.count(state.tokens),
        users=masks.count(state.board),
    )


def settle(state: State) -> None:
    """Games that are over leave when they are many, and how they ended is kept."""
    over = np.flatnonzero(state.ends != ON)
    if len(over) * _REST < len(state.games):
        return
    finals = state.finals
    place = over if state.origin is None else state.origin.take(over)
    finals.winner[place] = state.winner.take(over)
    finals.by[place] = state.ends.take(over) - WON
    finals.supply[:, place] = state.supply(over)
    finals.turns[place] = state.turns.take(over)
    if len(over):
        state.keep(np.flatnonzero(state.ends == ON))


def tell_results(state: State, table: Table) -> None:
    """All games are over: how each ended, in the order in which they started."""
    finals = state.finals
    state.games = finals.games
    table.emit(
        state,
        "result",
        winner=finals.winner,
        by=finals.by,
        supply=finals.supply,
        turns=finals.turns,
    )
