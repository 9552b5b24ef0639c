"""How much the players of a table are to be trusted: what others gain in one seat."""

import json

import numpy as np
import polars as pl
import pytest

import fairdeal as fd
from experiments.analysis.player_trust import player_trust
from experiments.core.cells import Cell, UsageError
from experiments.learning import best_response, training_rounds
from experiments.learning.blocks import Effort
from experiments.learning.fit_network import FitPlan
from reports.lone_players import beyond_even
from reports.player_trust import ALLOWED, PlayerTrust
from sim.games import load
from strategies.registry import make


def of(**columns):
    """The trust that these gains earn a table of four allround."""
    rows = {"strategy": [*"abcdef"][: len(columns["gain"])], **columns}
    return PlayerTrust.of("allround", 4, pl.DataFrame(rows))


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ({"gain": [0.2], "gain_se": [0.01]}, "can be beaten: one a among them"),
        ({"gain": [0.01], "gain_se": [0.01]}, "Nobody who was tried gains more than 5"),
        ({"gain": [0.02], "gain_se": [0.05]}, "is not settled"),
        ({"gain": [0.06], "gain_se": [0.04]}, "is not settled"),
        (
            {"gain": [0.3], "gain_se": [0.01], "base": [0.1], "base_se": [0.01]},
            "do not know these rules well yet",
        ),
        (  # no worse than by the base rules
            {"gain": [0.3], "gain_se": [0.01], "base": [0.3], "base_se": [0.01]},
            "can be beaten",
        ),
    ],
)
def test_what_is_said(columns, says):
    assert says in of(**columns).sentence


def test_a_sentence_names_no_fields():
    rows = {"strategy": ["search:samples=4:inner=learned"], "gain": [0.2]}
    found = PlayerTrust.of("learned", 4, pl.DataFrame({**rows, "gain_se": [0.01]}))
    assert "one search player among them" in found.sentence
    assert found.table["strategy"].to_list() == rows["strategy"]


def test_the_best_of_many_by_chance_is_no_news():
    """Nobody is better: of many tables few are said to be beaten."""
    chance = np.random.default_rng(1)
    told = [
        of(gain=chance.normal(0, 0.03, 6), gain_se=[0.03] * 6).beaten.height > 0
        for _ in range(400)
    ]
    assert np.mean(told) < 0.05


@pytest.mark.parametrize("games", [8, 16, 40])
@pytest.mark.parametrize(
    ("players", "wins", "decided"), [(4, 0.25, 1), (4, 0.05, 1), (2, 0.5, 0.6)]
)
def test_few_games_are_no_more_certain_than_they_are(games, players, wins, decided):
    """The interval of 95 % has the truth that often, even where nobody ever wins."""
    shares = [wins, decided - wins, 1 - decided]
    drawn = np.random.default_rng(1).multinomial(games, shares, 1_000)
    found = [beyond_even(own, own + others, games, players) for own, others, _ in drawn]
    truth = wins - decided / players
    held = [abs(more - truth) < 1.96 * se for more, se in found]
    assert np.mean(held) > 0.93


def test_a_variant_that_players_do_not_know():
    """One trick-taker wins twice an even share where colours are worth 9 points."""
    rules = load("kbernestich").rules
    cell = Cell("kbernestich", rules.of({"marie_from": [0, 3, 6, 9]}), 4, ("allround",))
    found = player_trust(cell, samples=0, games=512)
    assert not found.table["base"].null_count()
    assert "do not know these rules well yet: one trick-taker" in found.sentence


def test_the_table_is_of_one_strategy():
    rules = load("drake").rules()
    with pytest.raises(UsageError, match="one strategy"):
        player_trust(Cell("drake", rules, 2, ("random", "allround")))


@pytest.fixture
def small(monkeypatch):
    """Few games, lessons and steps."""
    few = Effort(games=128, answers=8_000, own_answers=2_000, gate=256, design=256)
    monkeypatch.setattr(best_response, "_EFFORT", few)
    monkeypatch.setattr(training_rounds, "PLANS", (FitPlan(least=20, most=60),))
    monkeypatch.setattr(training_rounds, "_FEWEST", 50)


def test_a_learner_finds_what_a_weak_table_gives_away(small):
    found = fd.Game("drake").player_trust(
        strategy="random", players=2, games=512, samples=0, learn=1, seed=3, jobs=1
    )
    learner = found.table.filter(strategy="learner")
    assert learner["gain_low"].item() > ALLOWED
    assert json.loads(json.dumps(found.to_dict()))["players"] == 2


@pytest.mark.parametrize(
    "against", ["allround", pytest.param("learned", marks=pytest.mark.slow)]
)
def test_the_same_seed_finds_the_same_learner(small, against, tmp_path):
    strategy, rules = make("drake", against), load("drake").rules()

    def learn(seed, **how):
        return best_response.best_response(
            "drake", strategy, rules, players=2, seconds=1, seed=seed, **how
        ).title

    one = learn(1, jobs=1, out=tmp_path / "one")
    assert learn(1, jobs=2) == one == learn(1, out=tmp_path / "one")
    if against == "allround":  # few lessons may teach nothing against who learned
        assert learn(2) != one


def test_exploit_learns_against_the_lineup(small, fairdeal, here):
    words = "exploit drake --players 2 --lineup random -n 256 --budget 1 --samples 0"
    told = fairdeal(*words.split(), "--learn", "1", "--seed", "2", "-j", "1", "--json")
    assert told.exit_code == 0, told.stderr
    found = json.loads(told.stdout)["finalists"]
    edge = {row["sort"]: row["low"] for row in found}
    assert edge["learner"] > 0
    words = "exploit drake --players 2 --lineup random,allround --learn 1 --seed 1"
    told = fairdeal(*words.split())
    assert told.exit_code == 2
    assert "learn: a player learns against one strategy" in told.stderr
