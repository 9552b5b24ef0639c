"""The stage of Devil: how seats stand a few turns later, as features.

Rounds are long and luck matters much, so search plays on for a few turns, or to the end
of the round if that comes first. The features are the hands' costs, and their Specials.
"""

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.devil.layout import GUARD, SPECIAL1, SPECIAL4
from sim.devil.state import AHEAD, State
from sim.games import Stage
from sim.masks import Flags


def turns_later(state: State) -> NDArray[np.uint32]:
    """(games,) the turn of the game up to which search plays on."""
    return state.taken + AHEAD


def features(state: State) -> NDArray[np.float64]:
    """(features, seats, games) the totals, how near the end they are, and the hands.

    Games whose round is over have no hands.
    """
    finals, layout, goal = state.finals, state.layout, float(state.rules.goal)
    total, cost = finals.scores / goal, layout.cost(finals.hands) / goal
    most = np.clip(total.max(axis=0), 0, 1)
    one, four = (
        masks.count(finals.hands & layout.kinds[kind]) for kind in (SPECIAL1, SPECIAL4)
    )
    totals = [total, total**2, total * most, total * most**2]
    return np.stack([*totals, cost, cost * most, one, four, one * cost, four * cost])


def over(state: State) -> Flags:
    """(games,) whether a total has reached the target, or the guard broke it off."""
    finals = state.finals
    reached: Flags = finals.scores.max(axis=0) >= state.rules.goal
    return reached | (finals.by == GUARD)


STAGE = Stage("turns", turns_later, features, over)
