"""The chances at the end of stages: where they are played from, and how they fit."""

import numpy as np
import pytest

from sim.games import load
from sim.rollouts import RolloutTable
from strategies import win_probability
from strategies.registry import make

GAMES = 120
RULES = {
    "article_ii": {"hand": 4},
    "devil": {"target": 40},
    "kbernestich": {"rounds": 3, "tricks": 4},
    "socialism": {"guard": 20},
}


@pytest.mark.parametrize("name", RULES)
def test_stages_and_ends_are_those_of_games_played_at_one_go(name, monkeypatch):
    """However often they were stopped, and done again from a note."""
    monkeypatch.setattr(win_probability, "_GAMES", GAMES)
    monkeypatch.setattr(win_probability, "_FEWEST_GAMES", GAMES // 10)
    seen = []
    monkeypatch.setattr(win_probability, "_joined", lambda found: (found, None))
    monkeypatch.setattr(win_probability, "_fitted", lambda found, _: seen.extend(found))
    game, policy = load(name), make(name, "allround")
    rules = game.rules.of(RULES[name])
    players = game.players[1]
    assert (
        win_probability.win_probability.__wrapped__(name, rules, players, policy)
        is not None
    )

    def start():
        return game.start(
            rules, players, win_probability._SEED, np.arange(GAMES, dtype=np.uint64)
        )

    won, stage = RolloutTable(game, [policy]).play(start()), game.stage
    assert len(seen) > 1
    told = []
    for number in range(80) if stage.over is None else 1 << np.arange(12):
        state = start()
        state.stops = number if stage.over is None else np.full(GAMES, number)
        desk = RolloutTable(game, [policy])
        game.play(state, desk)
        over = (
            np.full(GAMES, desk.reached_end)
            if stage.over is None
            else stage.over(state)
        )
        left = np.flatnonzero(~over)
        if len(left) < GAMES // 10:
            break
        told.append((stage.part_of(state), stage.features(state)[..., left], left))
    parts = [part for part, *_ in told]
    told.sort(key=lambda one: parts.index(one[0]))
    assert len(seen) == len(told)
    for (features, shares), (_, standing, left) in zip(seen, told, strict=True):
        np.testing.assert_array_equal(features, standing)
        np.testing.assert_array_equal(shares, won[:, left])


@pytest.mark.parametrize("size", [3_000, 20_000])
def test_weights_are_where_likelihood_is_greatest(size):
    """Its slope is nothing there, found without parts; of a rare feature too."""
    rng = np.random.default_rng(5)
    features = rng.normal(size=(4, 3, size)) * np.array([1, 20, 0.1, 1])[:, None, None]
    features[3] = rng.random((3, size)) < 0.001
    score = np.tensordot([0.5, -0.1, 8, 1], features, 1) + rng.gumbel(size=(3, size))
    won = (score == score.max(axis=0)).astype(float)
    weights = win_probability._fitted(features, won)
    chance = np.exp(np.tensordot(weights, features, 1))
    chance /= chance.sum(axis=0)
    slope = (features * (won - chance)).sum(axis=(1, 2))
    spread = features.std(axis=(1, 2))
    ridge = win_probability._RIDGE * size * weights * spread**2
    assert np.abs((slope - ridge) / spread).max() < 1e-5 * size
    assert weights[:3] == pytest.approx([0.5, -0.1, 8], rel=0.2)
