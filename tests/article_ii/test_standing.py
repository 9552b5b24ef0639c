"""Games that search plays on stop after some rounds of turns, or with the phase."""

import random
from typing import Any

import numpy as np
import pytest

from sim import masks
from sim.article_ii.stage import AHEAD, STAGE, rounds_later
from sim.article_ii.state import State, Step
from sim.table import Table
from strategies.random import Random
from tests.article_ii.plays import GAME, PLAYERS, PLAYS, few

SIZE = 60


def stopped(rules: Any, players: int, number: int, games: int = SIZE) -> State:
    """Games of chance that stop at the end of this round of both phases."""
    state: State = PLAYS.started(rules, players, games, seed=4)
    state.stops = number
    GAME.play(state, PLAYS.table([Random()]))
    return state


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("number", [0, 2, 3, 4, 6])
def test_games_stop_at_the_end_of_a_round(players: int, number: int) -> None:
    """Four rounds in each phase; the fourth ends with the phase."""
    state = stopped({"hand": 4}, players, number)
    elected = masks.count(state.candidates)
    assert state.clock.step is Step.OVER
    if number < 3:
        assert state.clock.turn == players * (number + 1)
        assert not elected.any()
        assert STAGE.part_of(state) == 0
    else:
        assert (elected == 2).all()
        assert STAGE.part_of(state) == (2 if number == 3 else 1)
    if number == 3:
        assert not state.hands.any()
    elif number > 3:
        assert state.clock.turn == players * (number - 3)
    features = STAGE.features(state)
    assert features.shape[1:] == (players, SIZE)
    assert np.isfinite(features).all()


@pytest.mark.parametrize("players", PLAYERS)
def test_each_other_seat_has_some_more_turns(players: int) -> None:
    """Two, or the phase is over; at last games go to their end."""
    hand, seen = 4, set()

    class Asked(Table):
        def ask(self, state: State, name: str, *args: Any, **how: Any) -> Any:
            clock, number = state.clock, rounds_later(state)
            last = clock.turn > (hand - 1 - AHEAD) * players
            if number is None:
                assert clock.phase == 1
                assert last or name == "necromancer"
            else:
                phase, rounds = divmod(number, hand)
                more = (rounds + 1) * players - clock.turn  # turns, with this one
                assert phase == clock.phase
                due = AHEAD * players <= more < (AHEAD + 1) * players
                assert due or (rounds == hand - 1 and last)
            seen.add((clock.phase, number))
            return super().ask(state, name, *args, **how)

    state = PLAYS.started({"hand": hand, "necromancer_target": "chosen"}, players, SIZE)
    GAME.play(state, Asked([Random()], None, GAME.view, GAME.kinds))
    assert seen == {(0, 1), (0, 2), (0, 3), (1, 5), (1, 6), (1, None)}


@pytest.mark.parametrize("seed", range(6))
def test_a_game_stands_the_same_alone(seed: int) -> None:
    """However long the hands of the games played with it last, and of few cards."""
    dice = random.Random(seed)
    rules = {"deck": "custom", "cards": few(dice), "hand": dice.randint(2, 12)}
    players = dice.choice(PLAYERS)
    alone = [
        stopped(rules, players, number, 1) for number in range(2 * rules["hand"] - 1)
    ]
    for number, one in enumerate(alone):
        many = stopped(rules, players, number)
        assert many.clock.phase == one.clock.phase == (number + 1) // rules["hand"]
        assert (STAGE.features(many)[..., :1] == STAGE.features(one)).all()
