"""The stage of Kbernestich: how seats stand at the end of a round, as features."""

import numpy as np
from numpy.typing import NDArray

from sim.games import Stage
from sim.kbernestich.state import State


def round_of(state: State) -> int | None:
    """The number of the round, from 0; None for the last one."""
    number = state.clock.round
    return None if number == state.rules.rounds - 1 else number


def features(state: State) -> NDArray[np.float64]:
    """(features, seats, games) score, cubes including those to come, and ranks."""
    score = state.score.astype(np.float64)
    received = state.layout.refill.take(state.score, mode="clip")
    cubes = np.minimum(state.cubes + received, state.rules.cubes).astype(np.float64)
    ranks = state.ranks
    last = ranks == state.players - 1  # starts the next round, but for ties
    return np.stack([score, score**2 / 100, cubes, cubes**2 / 10, ranks == 0, last])


STAGE = Stage("round", round_of, features)
