"""The referee agrees with the engine, over rules of every kind."""

import json
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sim.transcript import Event
from tests.kbernestich.plays import NAMES, any_lineup, any_rules, told
from tests.kbernestich.rarities import RARE, rare
from tests.kbernestich.referee import ACTIONS, OPTIONS, check, check_stream

PLAYERS = (3, 4)


def all_pass(games: Sequence[Sequence[Event]]) -> None:
    """Every game is without a foul, as a stream of lines too."""
    lines = [json.dumps(event) for events in games for event in events]
    assert check_stream(lines) == len(games)


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("name", NAMES)
def test_base_rules(name: str, players: int) -> None:
    all_pass(told(None, players, 8, lineup=[name] * players))


@pytest.mark.parametrize("players", PLAYERS)
def test_mixed_lineups_in_rotation(players: int) -> None:
    for seed in range(3):
        lineup = random.Random(seed).sample(NAMES, players)
        all_pass(told(None, players, 10, lineup=lineup, seed=seed, rotate=True))


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("key", OPTIONS)
def test_each_option(key: str, players: int) -> None:
    for value in OPTIONS[key]:
        all_pass(told({key: value, "rounds": 3}, players, 8))


EDGES: dict[str, dict[str, Any]] = {
    "a single trick": {"rounds": 1, "tricks": 1, "plot_before_tricks": 1},
    "no plot phase": {"plot_before_tricks": 0},
    "no plot phase but claims": {"plot_before_tricks": 0, "future_known": True},
    "plots before all tricks": {"plot_before_tricks": 11, "cubes": 9},
    "no cubes": {"cubes": 0},
    "no cubes but claims": {"cubes": 0, "future_known": True},
    "one cube and claims": {"cubes": 1, "future_known": True, "plot_pass": False},
    "no card left over": {"tricks": 12},
    "nothing on the sheet": {
        "marie_from": [], "zabine": [], "hunch": [], "actions": [], "hannah": 0,
        "marie_to": [],
    },
    "a single action": {"actions": ["review"]},
    "actions in another order": {"actions": ACTIONS[::-1]},
    "letters worth nothing": {"marie_to": [0, 0, 0]},
    "values and busts as large as they may be": {
        "marie_from": [9], "zabine": [99], "bust_default": 99, "hunch_points": 50,
        "misery_bonus_divisor": 1, "marie_to": [9] * 8, "start_scores": [99] * 4,
        "rounds": 12, "by_players.3.start_scores": [99] * 3,
    },
    "everybody starts alike": {
        "start_scores": [0] * 4, "by_players.3.start_scores": [0] * 3,
    },
    "letters to many": {
        "two_on_one_square": True, "marie_to": [1, 2], "cubes": 9, "cubes_per_turn": 5,
        "plot_pass": False,
    },
    "letters shared by all": {"marie_to_shared": True, "marie_to": [3, 3, 1]},
    "bids that nobody can make": {"hunch": ["0+", "11+", "12", "16"]},
}  # fmt: skip


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("edge", EDGES)
def test_edges_of_the_knobs(edge: str, players: int) -> None:
    rules = {"rounds": 2, **EDGES[edge]}
    if "start_scores" in rules:
        rules["by_players.4.start_scores"] = rules.pop("start_scores")
    for name in ("random", "balanced"):
        all_pass(told(rules, players, 4, lineup=[name] * players))


@settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(
    dice=st.randoms(use_true_random=False),
    players=st.sampled_from(PLAYERS),
    seed=st.integers(0, 2**64 - 1),
    first=st.integers(0, 2**40),
)
def test_any_rules(dice: random.Random, players: int, seed: int, first: int) -> None:
    rules, lineup = any_rules(dice, players), any_lineup(dice, players)
    all_pass(told(rules, players, 3, lineup=lineup, seed=seed, first=first))


# Rules under which what is rare happens often; the sweep sees it elsewhere too.
OFTEN: list[dict[str, Any]] = [
    {},
    {"future_known": True},
    {"rounds": 1, "tricks": 3, "plot_before_tricks": 2},
    {"rounds": 1, "tricks": 3, "plot_before_tricks": 2, "final_tie": "shared"},
    {"two_on_one_square": True, "hunch_exclusive": False, "marie_to": [2, 1]},
    {"observe_twice_same_trick": True, "memories": True},
]


@pytest.mark.parametrize("part", range(2))
def test_sweep(part: int) -> None:
    """A fixed draw of rules: in each part all that is rare happens.

    At least 30 rule sets; more, where something rare has not been seen in those.
    """
    dice, seen = random.Random(part), Counter[str]()
    for number in range(150):
        if number >= 30 and seen.keys() >= RARE:
            break
        players = dice.choice(PLAYERS)
        rules, lineup = any_rules(dice, players), any_lineup(dice, players)
        if number < 2 * len(OFTEN):
            rules = OFTEN[number % len(OFTEN)]
        played = told(rules, players, 8, lineup=lineup, seed=number)
        all_pass(played)
        for events in played:
            seen.update(set(rare(events)))
    assert seen.keys() >= RARE, f"never seen: {sorted(RARE - seen.keys())}"


def test_rare_things_are_named() -> None:
    """A misspelt name could never be missing."""
    for events in told({"rounds": 2, "future_known": True}, 4, 30):
        assert set(rare(events)) <= RARE
        check(events)
