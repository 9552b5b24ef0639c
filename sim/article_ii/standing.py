"""How the seats of Article II stand after the Primary: what search looks at."""

import numpy as np
from numpy.typing import NDArray

from sim.article_ii.scoring import seat_flags
from sim.article_ii.state import State
from sim.games import Stage
from sim.masks import count


def phase(state: State) -> int | None:
    """The Primary is 0; the General is the last."""
    return 0 if state.clock.phase == 0 else None


def standing(state: State) -> NDArray[np.float64]:
    """(features, seats, games) who is a Candidate, the attributes, and cards on him."""
    candidate = seat_flags(state.candidates, state.players)
    carried = float(state.rules.carry_over)
    electability = state.electability * carried / 10
    affiliation = state.affiliation * carried / 10
    stays = (state.lying & state.layout.effects["stays"]) != 0
    return np.stack(
        [
            candidate,
            candidate * electability,
            candidate * affiliation,
            ~candidate * electability,
            ~candidate * affiliation,
            stays * carried,
            stays * (electability - affiliation),
            count(state.hands),
        ]
    )


STAGE = Stage("phase", phase, standing)
