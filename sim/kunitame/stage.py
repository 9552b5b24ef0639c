"""The stage of Kunitame: how seats stand at the end of a week, as features."""

import numpy as np
from numpy.typing import NDArray

from sim.games import Stage
from sim.kunitame.state import State


def week(state: State) -> int | None:
    """The number of the week, from 0; None for the last one."""
    return None if state.last_week else state.clock.week


def features(state: State) -> NDArray[np.float64]:
    """(features, seats, games) points, Life gems, and the place at the table."""
    points, lives = state.points.astype(np.float64), state.life.astype(np.float64)
    seats = np.arange(state.players)[:, None]
    place = (seats - state.first_dealer.astype(np.int64)) % state.players
    return np.stack(
        [
            points,
            points**2 / 10,
            lives,
            lives**2 / 10,
            lives == 0,
            *(place == number for number in range(1, state.players)),
        ]
    )


STAGE = Stage("week", week, features)
