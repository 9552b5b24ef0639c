"""Games that search plays on stop after some turns, or with the round before that."""

import numpy as np

from sim import masks
from sim.devil.stage import STAGE
from sim.devil.state import AHEAD
from strategies.random import Random
from tests.devil.plays import PLAYS

SIZE, STOPS = 300, 40


def test_games_stop_in_mid_round_or_shortly_before_at_its_end() -> None:
    state = PLAYS.started({}, 3, SIZE, seed=5)
    state.stops = np.full(SIZE, STOPS)
    PLAYS.game.play(state, PLAYS.table([Random()]))
    finals, held = state.finals, masks.count(state.finals.hands)
    over, middle = STAGE.over, held.any(axis=0)
    assert over is not None
    assert (held > 0).all(axis=0)[middle].all(), "all hold cards"
    assert (finals.turns[middle] < STOPS).all()
    ended = ~middle & ~over(state)
    assert (finals.turns[ended] + AHEAD >= STOPS).all()
    assert middle.sum() > SIZE // 2
    assert ended.any()
    features = STAGE.features(state)
    assert features.shape[1:] == (3, SIZE)
    assert (features[4][:, middle] > 0).any()
    assert not features[4][:, ~middle].any(), "what hands cost"
