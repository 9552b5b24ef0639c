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
from tests.devil.plays import NAMES, any_lineup, any_rules, told
from tests.devil.rarities import RARE, rare
from tests.devil.referee import OPTIONS, PLAYERS, check, check_stream
from tests.devil.scripts import deck


def all_pass(games: Sequence[Sequence[Event]]) -> None:
    """Every game is without a foul, as a stream of lines too."""
    lines = [json.dumps(event) for events in games for event in events]
    assert check_stream(lines) == len(games)


@pytest.mark.parametrize("deck", ["base", "440"])
@pytest.mark.parametrize("players", PLAYERS)
def test_printed_rules(deck: str, players: int) -> None:
    all_pass(told({"deck": deck}, players, 6))


@pytest.mark.parametrize("name", NAMES)
def test_each_strategy(name: str) -> None:
    for players, kind in ((2, "440"), (4, "base"), (8, "440")):
        rules = {"deck": kind, "target": 80}
        all_pass(told(rules, players, 6, lineup=[name] * players))


@pytest.mark.parametrize("players", [2, 3, 5, 8])
def test_mixed_lineups_in_rotation(players: int) -> None:
    lineup = random.Random(players).choices(NAMES, k=players)
    all_pass(told({"target": 60}, players, 16, lineup=lineup, rotate=True))


@pytest.mark.parametrize("kind", ["base", "440"])
@pytest.mark.parametrize("key", OPTIONS)
def test_each_option(key: str, kind: str) -> None:
    for value in OPTIONS[key]:
        for players in (2, 4, 7):
            all_pass(told({key: value, "deck": kind, "target": 60}, players, 6))


EDGES: dict[str, dict[str, Any]] = {
    "one turn": {"guard": 1},
    "a single round": {"target": 1},
    "one card each": {"hand": 1, "target": 40},
    "no card left to draw": {
        "hand": 2, "target": 20, "guard": 50, "base_deck": deck(r2=4, r3=3, r7=3, s4=1),
    },
    "two cards that cover each other": {
        "hand": 1, "guard": 60, "target": 9, "base_deck": deck(r2=3, r3=3),
    },
    "nothing fits": {"sums_ok": [], "guard": 60},
    "everything fits": {"sums_ok": list(range(10)), "target": 60},
    "Specials only": {"hand": 2, "base_deck": deck(s1=6, s4=6), "target": 500},
    "blanks only": {"hand": 2, "base_deck": deck(blank=12)},
    "many Onifuda": {"base_deck": deck(r1=12, r5=12, oni=9), "target": 90},
    "as many cards as there can be": {
        "base_deck": deck(r1=7, r8=8, r7=8, r2=8, r3=8, r6=8, r9=8, s1=4, s4=4),
        "hand": 9,
    },
    "a 10 worth nothing": {"points": [*range(1, 10), 0]},
}  # fmt: skip


@pytest.mark.parametrize("players", [2, 5])
@pytest.mark.parametrize("edge", EDGES)
def test_edges_of_the_knobs(edge: str, players: int) -> None:
    all_pass(told(EDGES[edge], players, 4))


@settings(
    max_examples=50,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(
    dice=st.integers(0, 2**32).map(random.Random),
    players=st.sampled_from(PLAYERS),
    seed=st.integers(0, 2**64 - 1),
    first=st.integers(0, 2**40),
)
def test_any_rules(dice: random.Random, players: int, seed: int, first: int) -> None:
    rules, lineup = any_rules(dice, players, target=40), any_lineup(dice, players)
    all_pass(told(rules, players, 8, lineup=lineup, seed=seed, first=first))


# Rules under which what is rare happens often; the sweep sees it elsewhere too.
OFTEN: list[tuple[int, dict[str, Any]]] = [
    (3, {"base_deck": deck(r1=8, r4=5, r8=5, r10=4, oni=9), "hand": 2, "target": 30}),
    (4, {"base_deck": deck(r1=9, r2=6, s1=4, s4=4), "hand": 2, "target": 30}),
    (2, {"base_deck": deck(r1=5, r4=5, r8=5, blank=5, s1=4, s4=4), "target": 1}),
    (
        8,
        {"base_deck": deck(r1=5, r4=5), "hand": 1, "target": 5, "voluntary_draw": True},
    ),
    *(
        (3, {"tie": tie, "hand": 1, "target": 8, "points": [2] * 10})
        for tie in OPTIONS["tie"]
    ),
]


def test_sweep() -> None:
    """A fixed draw of rules: all that is rare happens."""
    dice, seen, games = random.Random(1), Counter[str](), 0
    for number in range(50):
        players = dice.choice(PLAYERS)
        rules, lineup = any_rules(dice, players, target=40), any_lineup(dice, players)
        if number < len(OFTEN):
            players, rules = OFTEN[number]
            rules = {"guard": 200, **rules}
            lineup = ["random"] * players
        played = told(rules, players, 40, lineup=lineup, seed=number)
        all_pass(played)
        games += len(played)
        for events in played[:10]:
            seen.update(set(rare(events)))
    assert games == 2000
    assert seen.keys() >= RARE, f"never seen: {sorted(RARE - seen.keys())}"


def test_rare_things_are_named() -> None:
    """A misspelt name could never be missing."""
    for kind in ("base", "440"):
        for events in told({"deck": kind, "target": 40}, 4, 20):
            assert set(rare(events)) <= RARE
            check(events)
