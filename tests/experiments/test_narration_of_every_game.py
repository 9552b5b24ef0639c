"""Of every game it is told how it goes: chances, kingmaking, what is worth what."""

import pytest

from experiments.analysis.game_dynamics import (
    course_calls,
    economy_calls,
    replayed_games,
    search_dynamics_calls,
)
from experiments.analysis.panel import Panel
from reports.course.turning_points import WHAT
from reports.ledger.paired_effects import BRAKES, GRANTED, OF_SEARCH
from sim import games

pytestmark = pytest.mark.slow
GAMES = 64


def panel(name):
    game = games.load(name)
    return Panel(name, game.rules.of(), game.players, game.players, 1, (), ())


def told(calls):
    return {name: table for call in calls.values() for name, table in call().items()}


@pytest.mark.parametrize("name", games.REGISTRY)
def test_every_game_has_a_story(name):
    cell = panel(name).dynamics_cell()
    found = told(course_calls(cell, GAMES, None, 0) | economy_calls(cell, GAMES))
    assert {"turns", "kinds", "odds", "reliability", "fan"} <= set(found)
    assert set(WHAT.values()) <= set(found["turns"]["what"])
    assert set(found["fan"]["tenth"]) == set(range(1, 10))
    assert (GRANTED in found) == bool(games.load(name).grants)


def test_searchers_are_given_one_more_and_play_without_a_brake(monkeypatch):
    """Of cheaper players here, who are no searchers."""
    made = panel("kbernestich")
    lead, inner = made.dynamics_cell(), "saver"
    one = made._among("allround", "allround", inner, inner)
    found = told(search_dynamics_calls(one, lead, 256))
    assert found["turns of search"]["strategy"].unique().to_list() == [inner]
    assert found[GRANTED + OF_SEARCH]["strategy"].unique().to_list() == [inner]
    assert found[BRAKES + OF_SEARCH]["n"].unique().to_list() == [64]
    assert len(search_dynamics_calls(one, lead, 127)) == 1
    assert search_dynamics_calls(None, lead, 400) == {}


def test_searchers_are_followed_in_enough_games():
    assert [replayed_games(n, full=False) for n in (32, 400)] == [4, 50]
    assert [replayed_games(n, full=True) for n in (32, 100, 1024)] == [32, 64, 128]
