"""The learned policies that games come with."""

from dataclasses import replace

import pytest

from experiments.conformance.check import check_strategy
from sim.games import REGISTRY, load
from strategies.learned import Learned, shipped


@pytest.mark.slow
@pytest.mark.parametrize("name", REGISTRY)
def test_it_is_legal_repeatable_and_sees_nothing_hidden(name):
    assert shipped(name) is not None
    game = load(name)
    few = replace(game, players=(min(game.players),))
    checks = check_strategy(few, Learned(), games=8)
    assert [check for check in checks if not check.ok] == []
    assert "blind" in [check.name for check in checks]
