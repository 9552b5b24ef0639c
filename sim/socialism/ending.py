"""The end of turns and of games: what is told, and who leaves the batch."""

import numpy as np

from sim import masks
from sim.socialism.state import ON, State
from sim.table import Table

_REST = 8  # games that are over rest until they are one in so many


def tell_turn(state: State, table: Table) -> None:
    """How large all networks are after a turn, for tables."""
    turns = state.finals.turns.take(state.home)
    played = (state.ends == ON) | (turns == state.clock.turn)
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
    """Games that are over leave when they are many."""
    over = np.count_nonzero(state.ends)
    if over and over * _REST >= len(state.games):
        state.drop(np.flatnonzero(state.ends == ON))


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
