"""The referee agrees with the engine, over rules of every kind."""

import json
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sim.kunitame.rules import Kunitame
from sim.transcript import Event
from tests.kunitame.plays import NAMES, any_lineup, any_rules, told
from tests.kunitame.rarities import RARE, rare
from tests.kunitame.referee import OPTIONS, check, check_stream

PLAYERS = (3, 4, 5)


def all_pass(games: Sequence[Sequence[Event]]) -> None:
    """Every game is without a foul, as a stream of lines too."""
    lines = [json.dumps(event) for events in games for event in events]
    assert check_stream(lines) == len(games)


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("name", NAMES)
def test_base_rules(name: str, players: int) -> None:
    all_pass(told(None, players, 10, lineup=[name] * players))


@pytest.mark.parametrize("players", PLAYERS)
def test_mixed_lineups_in_rotation(players: int) -> None:
    for seed in range(3):
        lineup = random.Random(seed).sample(NAMES, players)
        all_pass(told(None, players, 15, lineup=lineup, seed=seed, rotate=True))


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("key", OPTIONS)
def test_each_option(key: str, players: int) -> None:
    for value in OPTIONS[key]:
        rules = {key: value, "removed_pledge": "none", "weeks": 3}
        all_pass(told(rules, players, 8))


@pytest.mark.parametrize("players", PLAYERS)
def test_each_pledge_may_be_removed(players: int) -> None:
    for pledge in (*(f"P{n}" for n in range(1, 8)), "none"):
        all_pass(told({"removed_pledge": pledge, "weeks": 2}, players, 5))


EDGES: dict[str, dict[str, Any]] = {
    "no contracts": {"contract_limit": 0},
    "no Devils": {"devil_ranks": 0},
    "no Devils and no contracts": {"devil_ranks": 0, "contract_limit": 0},
    "no Priests": {"priests_per_player": 0},
    "five Priests each": {"priests_per_player": 5, "hand": 9, "rounds": 9, "ranks": 8},
    "one Life gem": {"life": 1},
    "twelve Life gems": {"life": 12},
    "no squares": {"squares": [], "removed_pledge": "none"},
    "all that the hand may be": {"hand": 8, "rounds": 8},
    "a hand that is never played out": {"hand": 8, "rounds": 2},
    "a single trick": {"weeks": 1, "rounds": 1},
    "sixty-two squares": {
        "squares": [
            {"id": f"s{n}", "pledge": "P1", "when": ("trick", "all")[n % 2], "gem": 3}
            for n in range(62)
        ],
        "removed_pledge": "none",
    },
    "sixty-four cards": {
        "suits": ["blue"],
        "ranks": 40,
        "devil_ranks": 19,
        "squares": {
            square.id: {"remove": True}
            for square in Kunitame().squares
            if square.suit in ("red", "yellow")
        },
    },
    "a contract that nobody can keep": {
        "contract_squares": [0, 20],
        "contract_returns": [1, 2],
        "contract_points": [0, 0],
    },
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("edge", EDGES)
def test_edges_of_the_knobs(edge: str, name: str) -> None:
    all_pass(told({"weeks": 2, **EDGES[edge]}, 5, 3, lineup=[name] * 5))


def test_numbers_as_large_as_they_may_be() -> None:
    """Fifty-nine Devils and tripled stakes: lives and points just below 256."""
    rules = {
        "suits": ["blue"], "ranks": 5, "priests_per_player": 0, "devil_ranks": 59,
        "hand": 1, "rounds": 1, "squares": [], "removed_pledge": "none",
        "contract_squares": [0], "contract_returns": [3], "contract_limit": 60,
        "contract_points": [0], "life": 3, "weeks": 4,
    }  # fmt: skip
    games = told(rules, 3, 60, lineup=["gambler"] * 3)
    assert max(max(events[-1]["lives"]) for events in games) > 150
    all_pass(games)
    rules |= {"contract_returns": [1], "contract_points": [9], "life": 7}
    games = told(rules, 3, 60, lineup=["gambler"] * 3)
    assert max(max(events[-1]["points"]) for events in games) > 200
    all_pass(games)


@settings(
    max_examples=120,
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
    all_pass(told(rules, players, 4, lineup=lineup, seed=seed, first=first))


# Rules under which what is rare happens often; the sweep sees it elsewhere too.
OFTEN: list[dict[str, Any]] = [
    {"weeks": 1, "life": 1, "all_eliminated": "nobody"},
    {"weeks": 1, "life": 1, "all_eliminated": "points"},
    {"weeks": 1, "life": 1, "all_eliminated": "points", "contract_limit": 1},
    {
        "suits": ["blue"], "ranks": 5, "priests_per_player": 2, "hand": 2, "rounds": 2,
        "squares": [],
    },
    {"devil_ranks": 3, "life": 3, "weeks": 2},
    {"return_choice": "player"},
    {
        "return_choice": "black-first",
        "squares": {s: {"return_first": True} for s in ("blue", "red", "only-odd")},
    },
    {"return_trigger": "board_empty"},
    {
        "squares": [{"id": "one", "pledge": "P1", "when": "trick", "num": [1, 2]}],
        "contract_squares": [0, 1, 2, 3],
        "contract_returns": [1, 1, 1, 1],
        "contract_points": [2, 2, 2, 2],
    },
]  # fmt: skip


@pytest.mark.parametrize("part", range(3))
def test_sweep(part: int) -> None:
    """A fixed draw of rules: in each part all that is rare happens.

    At least 50 rule sets; more, where something rare has not been seen in those.
    """
    dice, seen, games = random.Random(part), Counter[str](), 0
    for number in range(250):
        if number >= 50 and seen.keys() >= RARE:
            break
        players = dice.choice(PLAYERS)
        rules, often = any_rules(dice, players), {}
        if number < 2 * len(OFTEN):
            often = OFTEN[number % len(OFTEN)]
            rules = {"removed_pledge": "none", **often}
        lineup = ["random"] * players
        if often.get("life") == 1:
            lineup = ["gambler"] * players
        elif number >= len(OFTEN):
            lineup = any_lineup(dice, players)
        played = told(rules, players, 20 if often else 8, lineup=lineup, seed=number)
        all_pass(played)
        games += len(played)
        for events in played:
            seen.update(set(rare(events)))
    assert games >= 18 * 20 + 32 * 8
    assert seen.keys() >= RARE, f"never seen: {sorted(RARE - seen.keys())}"


def test_rare_things_are_named() -> None:
    """A misspelt name could never be missing."""
    for events in told({"weeks": 2}, 5, 30):
        assert set(rare(events)) <= RARE
        check(events)
