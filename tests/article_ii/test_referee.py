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
from tests.article_ii.plays import NAMES, PLAYERS, any_lineup, any_rules, told
from tests.article_ii.rarities import RARE, rare
from tests.article_ii.referee import OPTIONS, check, check_stream
from tests.article_ii.test_referee_alone import everything, spoiled


def all_pass(games: Sequence[Sequence[Event]]) -> None:
    """Every game is without a foul, as a stream of lines too."""
    lines = [json.dumps(event) for events in games for event in events]
    assert check_stream(lines, further=True) == len(games)


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("name", NAMES)
def test_printed_rules(name: str, players: int) -> None:
    """Also without the readings that the transcript format leaves unrefereed."""
    for deck in ("updated", "original"):
        for events in told({"deck": deck}, players, 4, lineup=[name] * players):
            check(events)


@pytest.mark.parametrize("players", PLAYERS)
def test_mixed_lineups_in_rotation(players: int) -> None:
    lineup = random.Random(players).sample(NAMES, players)
    all_pass(told(None, players, 12, lineup=lineup, rotate=True))


@pytest.mark.parametrize("key", [key for key in OPTIONS if key != "deck"])
def test_each_option(key: str) -> None:
    for players in PLAYERS:
        for value in OPTIONS[key][1:]:
            all_pass(told({key: value}, players, 6))


@settings(
    max_examples=80,
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
    rules, lineup = any_rules(dice), any_lineup(dice, players)
    all_pass(told(rules, players, 5, lineup=lineup, seed=seed, first=first))


def more(*cards: str, copies: int = 5) -> dict[str, dict[str, int]]:
    """The printed deck with more copies of these cards."""
    return {card: {"copies": copies} for card in cards}


# Rules under which what is rare happens often.
OFTEN: list[dict[str, Any]] = [
    {},
    {"hand": 2},
    {"guard": 24, "hand": 5},
    {"hand": 15, "cards": more("great-debater", "insider-candidate")},
    {"hand": 4, "cards": more("great-debater", "insider-candidate", copies=6)},
    {"hand": 5, "cards": more("highlander", "necromancer", "greater-evil", copies=4)},
    {"cards": more("mudslinger", "third-party-candidate"), "halve": "exact"},
    {"no_positive_2p": "highest_total", "hand": 1},
]


def test_sweep() -> None:
    """A fixed draw of rules, in which all that is rare happens."""
    dice, seen = random.Random(1), Counter[str]()
    for number in range(36):
        players, rules = PLAYERS[number % 3], any_rules(dice)
        lineup = any_lineup(dice, players)
        if number < 3 * len(OFTEN):
            rules, lineup = OFTEN[number // 3], ["random"] * players
        played = told(rules, players, 20, lineup=lineup, seed=number)
        all_pass(played)
        for events in played:
            seen.update(set(rare(events)))
    assert seen.keys() >= RARE, f"never seen: {sorted(RARE - seen.keys())}"


def test_rare_things_are_named() -> None:
    """A misspelt name could never be missing."""
    for events in told(None, 4, 60):
        assert set(rare(events)) <= RARE


def test_rare_things_are_those_that_happened() -> None:
    """Of the games by hand, where each is known to happen."""
    assert set(rare(everything())) == {
        "President by total",
        "Teflon declines",
        "Teflon removes a mark",
        "Teflon removes itself",
        "Voter ADHD removes a Style",
        "a Great Debater without a card to react with",
        "a deck reshuffled before a deal",
        "a deck reshuffled within a turn",
        "a reaction",
        "a reaction declined",
        "a seat passed over",
        "a second card",
        "a second card of one made an Insider by the first",
    }
    assert set(rare(spoiled())) == {
        "President by spoiler",
        "a Highlander competes",
        "a Highlander left over where nobody is positive",
        "a tie for two places",
    }
