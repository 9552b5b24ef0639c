"""Aligning games at different turns, so that they are played on together.

Why: a turn costs about the same for any number of games. Games at different turns are
played as if they were at the same one: the clock shows the latest turn, each game knows
by how many turns it lags, and its random numbers are counted from its own turn.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sim.chance import Purpose
from sim.socialism.invitation_rolls import DIE
from sim.socialism.state import ON, TICKS, Numbers, Phase, State

_SHARE = 3  # adjacent counters that share 64 random bits: lags are multiples of it


def stop_turn(state: State) -> int:
    """The turn after which these games stop, so that others can be joined to them."""
    return state.clock.turn + -state.clock.turn % _SHARE


def join(states: Sequence[State]) -> tuple[State, Numbers]:
    """Those games that are not over, of games that stopped ``stop_turn``.

    Also returns their starting rows, counted through all these states.
    """
    # Where all games are over the turn may be any, and no multiple of ``_SHARE``
    turns = (state.clock.turn for state in states if (state.ends == ON).any())
    latest, begin = max(turns, default=0), 0
    parts, places = [], []
    for state in states:
        going = np.flatnonzero(state.ends == ON)
        lag = latest - state.clock.turn if len(going) else 0
        places.append(begin + state.start_rows.take(going))
        begin += len(state.finals.games)
        state.games = state.finals.games.take(state.start_rows)
        part = state.branch(going)
        lags = np.full(len(going), lag)
        part.clock = replace(state.clock, turn=latest, phase=Phase.TURN, lag=lags)
        part.since += np.uint16(lag)
        part.stops = None
        parts.append(part)
    found = parts[0].concatenate(parts[1:])
    late = found.clock.lag.astype(np.uint64)
    shared = late // np.uint64(_SHARE)
    behind = {
        Purpose.DRAW: shared,
        Purpose.STRATEGY: shared * np.uint64(TICKS),
        Purpose.DICE: late << np.uint64(DIE),
    }
    found.chance = found.chance.lagging(behind)
    return found, np.concatenate(places)
