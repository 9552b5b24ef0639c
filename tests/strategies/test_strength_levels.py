"""The levels: who plays as a beginner, good, strong and expert, found by playing."""

import numpy as np
import pytest

from sim.games import REGISTRY, load
from strategies import registry
from strategies.registry import UnknownStrategy, make
from strategies.strength_levels import (
    LEVELS,
    AloneAmong,
    Margin,
    StrongerPlayer,
    choose,
    spec_at,
    strategy_at,
    strong_choice,
)

SEED = 3
CHEAP = ("kunitame", "drake")


def rules(game, **changes):
    return load(game).rules.of(changes)


@pytest.mark.parametrize("game", CHEAP)
def test_each_level_wins_more_among_good_players_than_the_one_below(game):
    among = AloneAmong(game, rules(game), 3, SEED)
    beginner, good, strong = (
        among.margin(spec_at(level, game, rules(game), 3), "good", range(2_048))
        for level in LEVELS[:3]
    )
    assert beginner.more < -3 * beginner.error
    assert abs(good.more) < 4 * good.error
    assert strong.more > 3 * strong.error


@pytest.mark.slow
def test_an_expert_beats_strong_players():
    among = AloneAmong("drake", rules("drake"), 3, SEED)
    assert among.margin("expert", "strong", range(192)).sure


@pytest.mark.slow
def test_strong_is_who_is_found_to_win_more_though_it_is_not_shown():
    """Learning gains nothing in Devil that these games could tell."""
    choice = strong_choice("devil", rules("devil"), 4)
    assert strategy_at("strong", "devil", rules("devil"), 4) == make(
        "devil", choice.plays
    )
    assert choice.words.startswith("not shown to be stronger than ")


def test_who_wins_as_much_does_not_take_the_place_of_another():
    assert choose("learned", "allround", 0.0, 0.0).plays == "allround"


def test_what_the_deal_explains_is_taken_out_of_a_margin():
    """Two strategies that play nearly alike win the same games."""
    random = np.random.default_rng(1)
    usual = (random.random(1_000) < 0.5).astype(float)
    own = np.where(random.random(1_000) < 0.04, 1.0, usual)
    even = np.full(1_000, 0.5)
    plain, fine = Margin.of(own, even), Margin.of(own, even, usual)
    assert fine.error < plain.error / 2
    assert abs(fine.more - 0.02) < 4 * fine.error
    assert fine.enough


def test_the_drake_is_led_by_who_learned():
    """By 1.6 points with four players, which is less than usual games tell."""
    assert strong_choice("drake", rules("drake"), 4) == StrongerPlayer(
        "learned", "allround", shown=True
    )


def test_a_heuristic_that_a_variant_favours_leads_there():
    game, late = "kbernestich", rules("kbernestich", marie_from=[0, 3, 6, 9])
    assert spec_at("good", game, rules(game), 4) == "allround"
    assert spec_at("good", game, late, 4) == "trick-taker"


@pytest.mark.parametrize("game", REGISTRY)
def test_every_game_has_the_names(game):
    known = {one["name"] for one in registry.about(game)}
    assert known >= {*LEVELS}


def test_a_level_can_be_restricted_and_sit_anywhere():
    game = "kunitame"
    noisy = make(game, "noisy(strong, 0.2)")
    assert noisy.title == "noisy(strong, 0.2)"
    among = AloneAmong(game, rules(game), 4, SEED)
    strong = among.margin("strong", "good", range(512))
    assert among.margin("noisy(strong, 0.5)", "good", range(512)).share < strong.share


def test_other_levels_are_refused():
    with pytest.raises(UnknownStrategy, match="stronger"):
        make("kunitame", "stronger")
    with pytest.raises(ValueError, match="beginner, good, strong, expert"):
        spec_at("stronger", "kunitame", rules("kunitame"), 4)
