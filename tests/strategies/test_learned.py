"""Learned strategies: weights that come from a seed, and do what their file says."""

import random
import re
import shlex
import tomllib

import numpy as np
import pytest

from experiments.analysis import fit_linear_policy
from experiments.analysis.fit_linear_policy import (
    Lessons,
    fit_ridge,
    fit_softmax,
    learn,
)
from experiments.conformance.check_strategy import check_strategy
from experiments.core.cells import Cell, UsageError
from experiments.execution.manifests import describe_run
from sim.candidates import candidate_answers
from sim.games import REGISTRY, load
from strategies import registry
from strategies.linear_policy import (
    FINE,
    LinearPolicy,
    general_reading,
    scores,
    situation_reading,
    weights,
)
from strategies.registry import builtin, make
from tests.games.plays import Plays
from tests.games.skilled import error, won
from tests.games.watched import Watched

HAVE = [
    game
    for game in REGISTRY
    if "learned" in [one["name"] for one in registry.about(game)]
]


def lessons(worth_of, decisions=400, several=4):
    """Decisions of some options with three features, in two situations."""
    chance = np.random.default_rng(1)
    of = np.arange(decisions).repeat(several)
    options = chance.normal(size=(3, len(of)))
    situation = np.stack([np.ones(decisions), chance.integers(0, 2, decisions)])
    worth = worth_of(options, situation.take(of, axis=1)) + chance.normal(size=len(of))
    worth += chance.normal(size=decisions).take(of)  # of the decision, not of options
    small = (one.astype(np.float32) for one in (options, situation))
    return Lessons(*small, of, worth.astype(np.float32))


def test_what_options_are_worth_is_found():
    true = np.array([[1, 0], [0, -2], [0.5, 0.5]])
    found = lessons(lambda f, s: np.einsum("fs,fo,so->o", true, f, s), 4_000)
    error = 1 / np.sqrt(4_000 * 3 / 4)
    assert np.abs(fit_ridge(found, ridge=0) - true).max() < 5 * error
    assert np.abs(fit_ridge(found, ridge=9)).sum() < 0.5 * np.abs(true).sum()


def chosen(found, weights):
    """What is won by the options of the highest score."""
    first = np.searchsorted(found.decision, np.arange(found.situation.shape[1]))
    score = scores(weights, found.options, found.situation, found.decision)
    best = score == np.maximum.reduceat(score, first).take(found.decision)
    return found.worth[best].mean()


def test_what_wins_is_chosen_where_a_line_does_not_tell_it():
    """Worth as the least of two lines: the best option lies where they cross."""
    found = lessons(lambda f, s: np.minimum(3 - f[0] + 0 * s[0], f[1]), 4_000)
    line = fit_ridge(found)
    won = [chosen(found, weights) for weights in (fit_softmax(found, line), line)]
    assert won[0] > won[1] > found.worth.mean()


def test_a_penalty_keeps_from_learning_chance_by_heart():
    """Of few lessons that are nearly all chance, the more so the larger it is."""
    every = lessons(lambda f, s: 0.3 * f[0] + 0 * s[0], 4_000)
    few = lessons(lambda f, s: 0.3 * f[0] + 0 * s[0], 25)
    free, held = (fit_softmax(few, fit_ridge(few), penalty) for penalty in (1e-7, 1e-2))
    assert np.abs(held).sum() < np.abs(free).sum()
    assert chosen(every, held) > chosen(every, free)


@pytest.mark.parametrize(("game", "kind"), [("kunitame", "play"), ("evilpact", "cast")])
def test_weights_come_from_the_seed_alone(monkeypatch, game, kind):
    players = [load(game).players[0]]

    def small(**how):
        text = learn(game, players=players, games=6, samples=2, **how)
        return tomllib.loads(text)[kind]["weights"]

    plain = small(seed=1)
    assert small(seed=2) != plain
    monkeypatch.setattr(fit_linear_policy, "_ROLLOUTS", 100)
    assert small(seed=1) == plain


@pytest.mark.parametrize("game", HAVE)
def test_the_file_says_where_its_weights_are_from(game):
    strategy = make(game, "learned")
    told = tomllib.loads(strategy.data.read_text())
    words = shlex.split(told["command"])
    assert words[:5] == [*fit_linear_policy._COMMAND.split(), game, "learned"][:5]
    assert "--seed" in words
    assert re.fullmatch("[0-9a-f]{16}", told["source"])
    for kind, reading in strategy.readings.items():
        found = weights(strategy.data, kind, reading)
        assert found.shape == (len(reading.features), len(reading.situations))
        # Sums are exact: numbers up to 16 with whole weights
        assert np.abs(found).sum() * (16 * FINE) ** 2 < 2**53


LAST_BITS = 4  # of whole weights; 2 was found, of 7 weights in 1,087, on another one


@pytest.mark.soak
@pytest.mark.parametrize("game", HAVE)
def test_its_command_finds_the_same_weights(game, tmp_path):
    """But for the last bits of sums, which another processor may round otherwise."""
    strategy, out = make(game, "learned"), tmp_path / "learned.toml"
    told = tomllib.loads(strategy.data.read_text())
    words = shlex.split(told["command"].removeprefix(fit_linear_policy._COMMAND))
    fit_linear_policy.main([*words, "--out", str(out)])
    again = tomllib.loads(out.read_text())
    for kind in strategy.readings:
        found, kept = (np.array(one[kind].pop("weights")) for one in (again, told))
        assert again[kind] == told[kind]
        assert np.abs(found - kept).max() <= LAST_BITS
        assert np.abs(kept).max() > 50 * LAST_BITS


def test_a_file_fitted_to_other_features_is_refused(tmp_path):
    strategy = make("kunitame", "learned")
    path = tmp_path / "other.toml"
    path.write_text(strategy.data.read_text().replace('"leads"', '"follows"'))
    with pytest.raises(ValueError, match="fitted to other features"):
        weights(path, "play", strategy.readings["play"])


def test_other_weights_are_another_run(tmp_path):
    """Games played by one file of weights are not gone on with by another."""

    class Mine(type(make("kunitame", "learned"))):
        data = tmp_path / "mine.toml"

    Mine.data.write_text(make("kunitame", "learned").data.read_text())
    cell = Cell("kunitame", load("kunitame").rules.of(), 3, (Mine(),) * 3, True, 1)
    before = describe_run([cell], [8], 8, False, ())
    Mine.data.write_text(Mine.data.read_text().replace("[13,", "[14,"))
    after = describe_run([cell], [8], 8, False, ())
    assert before["fingerprint"] != after["fingerprint"]


def test_only_what_has_weights_can_be_fitted():
    with pytest.raises(UsageError, match="'greedy' has no weights"):
        learn("kunitame", "greedy", games=1)


@pytest.mark.parametrize("game", REGISTRY)
def test_any_game_can_be_read(game):
    """A heuristic's own answers are told from others, and each by its id."""
    plays, seen, random_one = Plays(game), set(), make(game, "random")
    players = plays.game.players[0]

    def look(view, plain):
        kind, rows = view.kind, len(view)
        reading = general_reading(game, kind.name, [make(game, "allround")])
        reading += situation_reading(("row",), lambda view: np.arange(len(view))[None])
        of, answer = candidate_answers(view, plain)
        options, situation = reading.of(view, of, answer, plain)
        assert options.shape == (len(reading.features), len(of))
        assert situation.shape == (len(reading.situations), rows)
        assert (situation[0] == 1).all()
        assert (situation[-1] == np.arange(rows)).all()
        assert (options[0] == (answer == plain.take(of))).all()
        told = make(game, "allround").decide(view.substream(1))
        assert (options[1] == (answer == told.take(of))).all()
        if kind.form == "one":
            assert (options[2:].sum(axis=0) == 1).all()
        seen.add(kind.name)

    player = Watched(random_one, look)
    plays.game.play(plays.started({}, players, 3), plays.table([player]))
    assert seen


@pytest.mark.parametrize("game", HAVE)
def test_it_is_legal_repeatable_and_blind(game):
    found = check_strategy(game, "learned", games=20)
    assert [check for check in found if not check.ok] == []
    assert "blind" in [check.name for check in found]


@pytest.mark.parametrize("seed", range(3))
def test_it_plays_whatever_rules_there_may_be(seed):
    plays, dice = Plays("evilpact"), random.Random(seed)
    for _ in range(5):
        state = plays.started(plays.any_rules(dice, 2), 2, 10, seed=seed)
        plays.game.play(state, plays.table([make("evilpact", "learned")]))
        assert state.clock.phase.name == "OVER"


def test_in_evilpact_it_beats_allround_clearly():
    found = won(Plays("evilpact"), "learned", "allround", 2, 2000)
    assert found.mean() - 5 * error(found) > 0.6


@pytest.mark.slow
@pytest.mark.parametrize("other", builtin("evilpact"))
def test_in_evilpact_it_beats_each_other_one(other):
    found = won(Plays("evilpact"), "learned", other, 2, 2000)
    assert found.mean() - 5 * error(found) > 0.5


def test_panels_are_made_without_it():
    assert HAVE
    for game in HAVE:
        assert "learned" not in builtin(game)
        assert isinstance(make(game, "learned"), LinearPolicy)
