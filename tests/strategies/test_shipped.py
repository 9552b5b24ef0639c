"""The learned policies that games come with."""

from dataclasses import replace

import pytest

from experiments.conformance.check import check_strategy
from sim.games import REGISTRY, load
from strategies.learned import Learned, Taught, shipped
from strategies.registry import UnknownStrategy, make
from strategies.strength_levels import AloneAmong

TAUGHT = "article_ii", "drake", "evilpact", "kbernestich", "kunitame"
POLICIES = [*((game, Learned()) for game in REGISTRY), *((g, Taught()) for g in TAUGHT)]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "policy"), POLICIES)
def test_it_is_legal_repeatable_and_sees_nothing_hidden(name, policy):
    assert shipped(name, policy.name) is not None
    game = load(name)
    few = replace(game, players=(min(game.players),))
    checks = check_strategy(few, policy, games=8)
    assert [check for check in checks if not check.ok] == []
    assert "blind" in [check.name for check in checks]


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 4])
def test_who_learned_socialism_beats_its_heuristic(players):
    table = AloneAmong("socialism", load("socialism").rules(), players, seed=5)
    assert table.beats("learned", "allround")


def test_a_game_without_one_says_how_to_make_one():
    with pytest.raises(
        UnknownStrategy, match="devil comes with no taught policy; `fair"
    ):
        make("devil", "taught")
