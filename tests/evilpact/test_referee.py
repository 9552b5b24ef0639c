"""The referee of Evilpact agrees with the engine, over rules of every kind."""

from typing import Any

from tests.evilpact.plays import PLAYS
from tests.games.refereed import Refereed, any_rules_pass

RING = [["red", "blue"], ["blue", "red"], ["red", "blue"]]
POWERS = ("power_normal", "power_insight_upright", "power_turbidity")
POWERS += ("power_insight_sideways",)
EDGES: dict[str, dict[str, Any]] = {
    "one round": {"rounds": 1, "contract_after_round": 1},
    "contracts at the end": {"contract_after_round": 8},
    "no contracts": {"contract_after_round": 9},
    "four cards": {"market": 4},
    "cards that nobody takes": {"market": 8, "rounds": 5},
    "spells from the start": {"thresholds": [0, 1]},
    "spells that need too much": {"thresholds": [126, 127]},
    "a single element": {
        "elements": ["red"],
        "turbidity": [],
        "normal_per_element": 20,
        "rounds": 4,
        "spell_element": dict.fromkeys(PLAYS.ruled().plain()["spell_element"], "red"),
        "counter_list": {"3": [], "5": ["red"]},
    },
    "eight elements": {
        "elements": ["red", "blue", "yellow", "black", "white", "a", "b", "c"],
        "insight_per_element": [1, 5],
    },
    "all Turbidity alike": {"turbidity": RING * 3, "normal_per_element": 6},
    "many Insight 5": {
        "insight_per_element": [5, 5, 5, 3, 3],
        "insight_basis": "pick_order",
        "normal_per_element": 3,
        "thresholds": [1, 2],
    },
    "sideways is worth less": {"power_insight_upright": 3, "thresholds": [1, 9]},
    "nothing is worth anything": {**dict.fromkeys(POWERS, 0), "thresholds": [0, 1]},
    "a bonus in place of a number": {"insight_bonus": 3},
    "the most power": {
        **dict.fromkeys(POWERS, 9),
        "power_insight_sideways": 18,
        "normal_per_element": 7,
        "turbidity": [],
    },
}

# Rules under which what is rare happens often; the sweep sees it elsewhere too.
OFTEN: list[dict[str, Any]] = [
    {"thresholds": [0, 1]},
    {"thresholds": [1, 2], "no_contract": "ignore", "contract_after_round": 7},
    {"insight_basis": "pick_order", "thresholds": [1, 2]},
    {"thresholds": [1, 3], "insight_per_element": [5, 5, 5], "contract_after_round": 2},
    {"thresholds": [0, 2], "normal_per_element": 0, "rounds": 1},
    {"thresholds": [1, 2], "used_contract_checked": False, "contract_after_round": 1},
    {"thresholds": [0, 9], "contract_after_round": 1},
]


class TestReferee(Refereed):
    plays = PLAYS
    printed_games = 60
    mixed, mixed_seeds = ({}, 60), (1,)
    options = (({}, 25), ({"thresholds": [1, 2], "contract_after_round": 2}, 25))
    edges, edge_rules, edge_games = EDGES, {}, 25
    parts, sweep, drawn = (1,), (40, 80), 60
    often = tuple((2, rules) for rules in OFTEN)
    named = (({"thresholds": [1, 2]}, 2, 60),)


test_any_rules = any_rules_pass(PLAYS, examples=60, games=8)
