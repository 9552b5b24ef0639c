"""How the seats of Devil stand at the end of a round: what search looks at."""

import numpy as np
from numpy.typing import NDArray

from sim.devil.layout import GUARD
from sim.devil.state import State
from sim.games import Stage
from sim.masks import Flags


def round_of(state: State) -> NDArray[np.uint64]:
    """(games,) the round: any may be the last."""
    return state.clock.round


def standing(state: State) -> NDArray[np.float64]:
    """(features, seats, games) the totals, and how near the end they are."""
    total = state.finals.scores / float(state.rules.goal)
    most = np.clip(total.max(axis=0), 0, 1)
    return np.stack([total, total**2, total * most, total * most**2])


def over(state: State) -> Flags:
    """(games,) where a total has reached the target, or the guard broke it off."""
    finals = state.finals
    reached: Flags = finals.scores.max(axis=0) >= state.rules.goal
    return reached | (finals.by == GUARD)


STAGE = Stage("round", round_of, standing, over)
