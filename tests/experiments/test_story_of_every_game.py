"""Of every game it is told how it goes: chances, kingmaking, what is worth what."""

import pytest

from experiments.analysis.panel import Panel
from experiments.analysis.story import economies_of_searchers, story_of
from reports.course.turns import WHAT
from reports.ledger.worth import BRAKES, GRANTED, OF_SEARCH
from sim import games

pytestmark = pytest.mark.slow
GAMES = 64


def panel(name):
    game = games.load(name)
    return Panel(name, game.rules.of(), game.players, game.players, 1, (), ())


def told(calls):
    return {name: table for call in calls for name, table in call().items()}


@pytest.mark.parametrize("name", games.REGISTRY)
def test_every_game_has_a_story(name):
    found = told(story_of(panel(name).story(), GAMES))
    assert {"turns", "kinds", "odds", "reliability", "fan"} <= set(found)
    assert set(WHAT.values()) <= set(found["turns"]["what"])
    assert set(found["fan"]["tenth"]) == set(range(1, 10))
    assert (GRANTED in found) == bool(games.load(name).grants)


def test_searchers_are_given_one_more_and_play_without_a_brake(monkeypatch):
    """Of cheaper players here, who are no searchers."""
    made = panel("kbernestich")
    lead, inner = made.story(), "saver"
    one = made._one("allround", "allround", inner, inner)
    found = told(economies_of_searchers(one, lead, 256))
    assert found[GRANTED + OF_SEARCH]["strategy"].unique().to_list() == [inner]
    assert found[BRAKES + OF_SEARCH]["n"].unique().to_list() == [64]
    assert economies_of_searchers(one, lead, 255) == []
    assert economies_of_searchers(None, lead, 400) == []
