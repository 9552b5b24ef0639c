"""The referee of Socialism agrees with the engine, and calls every foul planted."""

import copy
import json
import random
from collections.abc import Callable, Iterator
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
        return [(name, size, {}) for name in NAMES for size in (2, 5)]

    def values(self) -> list[tuple[str, Any, int]]:
        return [(key, OPTIONS[key], size) for key in OPTIONS for size in (2, 4)]

    def at_the_edge(self) -> list[tuple[str, str, int]]:
        return [(edge, "random", size) for edge in EDGES for size in (2, 5)]

    def draw(self, dice: random.Random, number: int) -> Drawn:
        players = dice.choice(PLAYERS)
        rules, lineup = any_rules(dice, players), any_lineup(dice, players)
        if number < len(OFTEN):
            players, rules = OFTEN[number]
            rules, lineup = {"guard": 120, **rules}, ["random"] * players
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


def dropped(events: list[Event], at: int) -> Iterator[str]:
    del events[at]
    yield "an event is missing"


def doubled(events: list[Event], at: int) -> Iterator[str]:
    events.insert(at, copy.deepcopy(events[at]))
    yield "an event twice"


def swapped(events: list[Event], at: int) -> Iterator[str]:
    after = events[at + 1 : at + 2]
    if after and {**after[0], "n": 0} != {**events[at], "n": 0}:
        events[at], events[at + 1] = events[at + 1], events[at]
        yield "two events in the wrong order"


def lacking(events: list[Event], at: int) -> Iterator[str]:
    event: Any = events[at]
    keys = [key for key in event if key not in ("n", "rules")]
    del event[keys[at % len(keys)]]
    yield "a field is missing"


def optionless(events: list[Event], at: int) -> Iterator[str]:
    event: Any = events[at]
    if event["type"] == "choice":
        others = [one for one in event["legal"] if one != event["chosen"]]
        if others:
            event["legal"].remove(others[at % len(others)])
            yield "an option is missing"


def stray(events: list[Event], at: int) -> Iterator[str]:
    event: Any = events[at]
    if event["type"] == "choice":
        event["legal"].append(event["legal"][0])
        yield "an option twice"


def elsewhere(events: list[Event], at: int) -> Iterator[str]:
    """A number, a place or a name that is another one."""
    event: Any = events[at]
    fixed = {"game", "n", "type", "name", "legal", "lineup", "rules", "players", "seed"}
    chance = {"start": "seat", "deal": "hands", "draw": "card", "roll": "die"}
    fixed |= {"chosen", chance.get(event["name"], "n")}
    keys = sorted(set(event) - fixed)
    if event["type"] != "setup" and keys:
        key = keys[at % len(keys)]
        event[key] = _other(event[key])
        yield f"{key} is another one"


def _other(value: Any) -> Any:
    if isinstance(value, bool) or value is None:
        return 7
    if isinstance(value, int):
        return value + 1
    if isinstance(value, list):
        return [_other(value[0]), *value[1:]]
    return value + "x"


PLANTS = (dropped, doubled, swapped, lacking, optionless, stray, elsewhere)


def renumbered(events: list[Event]) -> list[Event]:
    return [
        {**event, "n": n} if "n" in event else event for n, event in enumerate(events)
    ]


@pytest.mark.parametrize("plant", PLANTS)
@pytest.mark.parametrize("players", [2, 4])
def test_every_plant_is_called(
    plant: Callable[[list[Event], int], Iterator[str]], players: int
) -> None:
    """In the engine's own games, spoilt at each place in turn."""
    seen = set[str]()
    for game in transcripts({"tokens": 6}, players, 2, seed=5):
        plain: list[Event] = json.loads(json.dumps(game))
        check(plain)
        for at in range(0, len(plain), 3):
            spoilt = copy.deepcopy(plain)
            if what := [*plant(spoilt, at)]:
                with pytest.raises(Foul):
                    check(renumbered(spoilt))
                seen.add(f"{plain[at]['name']}: {what[0]}")
    assert len(seen) > 8, seen


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
