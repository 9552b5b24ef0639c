"""Of every game it is told how it goes: chances, kingmaking, what is worth what."""

import pytest

from experiments.analysis.panel import Panel
from experiments.analysis.story import followed, story_of, story_of_searchers
from reports.course.turning_points import WHAT
from reports.ledger.paired_effects import BRAKES, GRANTED, OF_SEARCH
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
    found = told(story_of_searchers(one, lead, 256))
    assert found["turns of search"]["strategy"].unique().to_list() == [inner]
    assert found[GRANTED + OF_SEARCH]["strategy"].unique().to_list() == [inner]
    assert found[BRAKES + OF_SEARCH]["n"].unique().to_list() == [64]
    assert len(story_of_searchers(one, lead, 127)) == 1
    assert story_of_searchers(None, lead, 400) == []


def test_searchers_are_followed_in_enough_games():
    assert [followed(n, full=False) for n in (32, 400)] == [4, 50]
    assert [followed(n, full=True) for n in (32, 100, 1024)] == [32, 64, 128]
