"""The referee of the Drake agrees with the engine, over rules of every kind."""

from typing import Any

from tests.drake.plays import PLAYS
from tests.games.plays import Changes
from tests.games.refereed import Refereed, any_rules_pass

ALONE = {"special.sangria-all.remove": True}
LOOSE = {"must_act": False, "exhaust_when": "draw_from_empty", "guard": 80}
STRICT = {
    "treasure_needs_knight": True,
    "fire_needs_maiden": True,
    "must_act": False,
    "ruleset": "update_I",
}
FLAT = {"shape": "uniform", "low": 0, "high": 0}

EDGES: dict[str, dict[str, Any]] = {
    "one turn": {"guard": 1},
    "the second card wins": {"goal": 2},
    "no pile is ever full": {"goal": 60},
    "two cards in each deck": {"maidens": 2, "knights": 2, "treasures": 2, **ALONE},
    "as many cards as there can be": {
        "maidens": 60,
        "knights": 60,
        "treasures": 59,
        "goal": 40,
    },
    "nothing is ever discarded": {"stats.strength": FLAT, "stats.value": FLAT},
    "numbers from 0 to 99": {
        f"stats.{stat}": {"shape": "uniform", "low": 0, "high": 99}
        for stat in ("chastity", "strength", "wealth", "value")
    },
    "no Treasures but special ones": {
        "treasure_value": [],
        "special.sangria-all.copies": 9,
    },
    "an action that goes on for ever": {
        "special.sangria-all.cost": "none",
        "goal": 30,
        "must_act": False,
        "guard": 200,
    },
    "an empty Lair at once": {"stats.wealth": FLAT, "treasure_needs_knight": True},
}

# Rules under which what is rare happens often; the sweep sees it elsewhere too.
OFTEN: list[tuple[int, Changes]] = [
    (2, {"ruleset": "update_I", "treasures": 7, "stats.value": FLAT, **ALONE}),
    (3, {"ruleset": "update_I", "goal": 3}),
    (3, {"ruleset": "update_I", "goal": 3, "absent_second_win": "ignored"}),
    (2, STRICT | {"stats.wealth": FLAT}),
]


class TestReferee(Refereed):
    plays = PLAYS
    printed_games = 20
    mixed, mixed_seeds = ({}, 30), (1, 2)
    options = (({}, 20), (LOOSE, 10), (STRICT, 10))
    edges, edge_rules, edge_games = EDGES, {}, 20
    parts, sweep, looked_at = (1, 2), (60, 300), 20
    often = OFTEN
    named = tuple((rules, players, 20) for players, rules in OFTEN)


test_any_rules = any_rules_pass(PLAYS, examples=60, games=8)
