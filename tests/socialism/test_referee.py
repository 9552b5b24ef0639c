"""The referee of Socialism agrees with the engine, and calls every foul planted."""

import copy
import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import strategies as st

from sim.transcript import Event
from tests.games.plays import Changes
from tests.games.referee import Foul
from tests.games.refereed import Drawn, Refereed, any_rules_pass
from tests.socialism.plays import NAMES, PLAYS, any_lineup, any_rules, transcripts
from tests.socialism.referee import (
    ACTIONS,
    OPTIONS,
    PLAYERS,
    USERS,
    check,
    check_stream,
)

SHORT = {"tokens": 6, "guard": 120}
BRIEF = {"guard": 60}
VIRAL = {**SHORT, "actions.viral-post.copies": 4}

EDGES: dict[str, Changes] = {
    "one turn": {"guard": 1},
    "one token": {"tokens": 1},
    "one card each": {"hand": 1, "tokens": 5},
    "all Members there can be": {"tokens": 21, "guard": 150},
    "nothing left to draw": {"hand": 8, "tokens": 9},
    "only Users": {"actions": {name: {"copies": 0} for name in ACTIONS}},
    "all on two on a card": {
        "users": {"john-smith": {"trait": "two"}, "mary": {"trait": "two"}}
    },
    "a small deck": {
        "users": {name: {"remove": True} for name in [*USERS][3:]},
        "tokens": 3,
        "hand": 1,
    },
    "eight copies that stay": {
        "actions": {
            "viral-post": {"copies": 8},
            "flattery": {"copies": 8},
            "change-of-management": {"copies": 4},
        },
    },
}

OFTEN: list[tuple[int, Changes]] = [  # in which rare things are frequent
    (2, {"actions": {"lost-password": {"copies": 8}}, "tokens": 5}),
    (3, {"actions": {"sherman-act": {"copies": 6}, "ipo": {"copies": 5}}, "tokens": 6}),
    (4, {"actions": {"flattery": {"copies": 6}, "viral-post": {"copies": 3}}}),
    (3, {"viral": "every_turn", "actions": {"viral-post": {"copies": 6}}, "tokens": 8}),
    (2, {"users": {"sloan": {"copies": 6}, "jimmy": {"copies": 5}}}),
    (3, {"users": {"alan-gerald": {"copies": 6}}, "actions.lost-password.copies": 6}),
    (5, {"actions": {"industrial-espionage": {"copies": 8}}, "tokens": 4}),
    (2, {"actions": {"omg-cat-pic": {"copies": 8}}, "tokens": 12}),
    (4, {"hand": 8, "actions": {"smtp-block-list": {"copies": 8}}}),
    (3, {"users": {"becca": {"copies": 6}}, "tokens": 6}),
    (5, {"must_play": False, "hand": 8, "invite_mode": "each_once"}),
    (2, {}),
]


class TestReferee(Refereed):
    plays = PLAYS
    printed_games = 3
    mixed = SHORT, 8
    options = ((SHORT, 3), (VIRAL, 2))
    edges = EDGES
    edge_rules = BRIEF
    edge_games = 3
    sweep = (16, 60)
    named = ((BRIEF, 3, 3), (SHORT, 5, 4))

    def printed(self) -> list[tuple[str, int, Changes]]:
        return [(name, size, {"guard": 150}) for name in NAMES for size in (2, 5)]

    def values(self) -> list[tuple[str, Any, int]]:
        return [(key, OPTIONS[key], size) for key in OPTIONS for size in (2, 4)]

    def at_the_edge(self) -> list[tuple[str, str, int]]:
        return [(edge, "random", size) for edge in EDGES for size in (2, 5)]

    def draw(self, dice: random.Random, number: int) -> Drawn:
        players = dice.choice(PLAYERS)
        rules, lineup = any_rules(dice, players), any_lineup(dice, players)
        if number < len(OFTEN):
            players, often = OFTEN[number]
            rules, lineup = {"guard": 120, **often}, ["random"] * players
        return players, rules, lineup, 12


test_any_rules = any_rules_pass(
    PLAYS,
    any_rules,
    check_stream,
    examples=40,
    games=4,
    dice=st.integers(0, 2**32).map(random.Random),
)


# --- Fouls planted in games that the engine told --------------------------------------


def missing(events: list[Any], at: int) -> bool:
    del events[at]
    return True


def doubled(events: list[Any], at: int) -> bool:
    events.insert(at, copy.deepcopy(events[at]))
    return True


def swapped(events: list[Any], at: int) -> bool:
    events[at : at + 2] = events[at : at + 2][::-1]
    return {**events[at], "n": 0} != {**events[min(at + 1, len(events) - 1)], "n": 0}


def lacking(events: list[Any], at: int) -> bool:
    keys = [key for key in events[at] if key not in ("n", "rules")]
    del events[at][keys[at % len(keys)]]
    return True


def optionless(events: list[Any], at: int) -> bool:
    event = events[at]
    others = [one for one in event.get("legal", ()) if one != event["chosen"]]
    event["legal"] = [one for one in event.get("legal", ()) if one not in others[:1]]
    return bool(others)


def stray(events: list[Any], at: int) -> bool:
    legal = events[at].setdefault("legal", [])
    legal += legal[:1]
    return bool(legal)


def elsewhere(events: list[Any], at: int) -> bool:
    """A number, a place or a name that is another one, but for chance and choices."""
    event = events[at]
    fixed = {"game", "n", "type", "name", "legal", "lineup", "rules", "players", "seed"}
    chance = {"start": "seat", "deal": "hands", "draw": "card", "roll": "die"}
    keys = sorted(set(event) - fixed - {"chosen", chance.get(event["name"], "n")})
    if keys:
        event[keys[at % len(keys)]] = _other(event[keys[at % len(keys)]])
    return bool(keys) and event["type"] != "setup"


def _other(value: Any) -> Any:
    if isinstance(value, bool) or value is None:
        return 7
    if isinstance(value, list):
        return [_other(value[0]), *value[1:]]
    return value + (1 if isinstance(value, int) else "x")


PLANTS = (missing, doubled, swapped, lacking, optionless, stray, elsewhere)


def renumbered(events: list[Any]) -> list[Event]:
    return [
        {**event, "n": n} if "n" in event else event for n, event in enumerate(events)
    ]


@pytest.mark.parametrize("plant", PLANTS)
@pytest.mark.parametrize("players", [2, 4])
def test_every_plant_is_called(
    plant: Callable[[list[Any], int], bool], players: int
) -> None:
    """In the engine's own games, spoilt at each place in turn."""
    seen = set[str]()
    for game in transcripts({"tokens": 6}, players, 2, seed=5):
        plain: list[Any] = json.loads(json.dumps(game))
        check(plain)
        for at in range(0, len(plain), 3):
            spoilt = copy.deepcopy(plain)
            if plant(spoilt, at):
                with pytest.raises(Foul):
                    check(renumbered(spoilt))
                seen.add(plain[at]["name"])
    assert len(seen) > 5, seen


@pytest.mark.parametrize(
    ("key", "value"), [("winner", 1), ("by", "guard"), ("turns", 3), ("supply", [0])]
)
def test_another_result_is_called(key: str, value: Any) -> None:
    game: Any = json.loads(json.dumps(transcripts({"tokens": 4}, 2, 1, seed=3)[0]))
    game[-1][key] = value if game[-1][key] != value else 0
    with pytest.raises(Foul, match=key):
        check(game)


def test_other_cards_than_printed_are_called() -> None:
    game: Any = json.loads(json.dumps(transcripts({"tokens": 4}, 2, 1)[0]))
    game[0]["rules"]["users"]["mary"]["friends"] = 3
    with pytest.raises(Foul, match="users"):
        check(game)
