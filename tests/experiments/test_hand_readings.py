"""Readings of hands by which tried decisions are grouped: registered by strategies."""

import pytest

from experiments.core.measures import report_of
from sim.games import REGISTRY, load
from strategies.registry import hand_reading


def wanted(game):
    """The readings that the report of a game asks for, of its printed rules."""
    rules = load(game).rules().plain_with(4)
    tried = report_of(game).wanted("counterfactuals", rules)
    return {one["hand"] for one in tried if "hand" in one}


@pytest.mark.parametrize("game", REGISTRY)
def test_what_a_report_asks_for_is_registered(game):
    for name in wanted(game):
        assert callable(hand_reading(game, name))


def test_some_reports_ask_for_one():
    assert {"kunitame", "kbernestich", "evilpact"} == {*filter(wanted, REGISTRY)}
