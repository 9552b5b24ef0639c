"""The referee of Kbernestich agrees with the engine, over rules of every kind."""

import random
from typing import Any

from tests.games.refereed import Drawn, Refereed, any_rules_pass
from tests.kbernestich.plays import PLAYS, any_lineup, any_rules
from tests.kbernestich.referee import ACTIONS, check_stream

EDGES: dict[str, dict[str, Any]] = {
    "a single trick": {"rounds": 1, "tricks": 1, "plot_before_tricks": 1},
    "no plot phase": {"plot_before_tricks": 0},
    "no plot phase but claims": {"plot_before_tricks": 0, "future_known": True},
    "plots before all tricks": {"plot_before_tricks": 11, "cubes": 9},
    "claims not set by the fourth trick": {
        "plot_before_tricks": 6,
        "future_known": True,
        "cubes_per_turn": 1,
    },
    "no cubes": {"cubes": 0},
    "no cubes but claims": {"cubes": 0, "future_known": True},
    "one cube and claims": {"cubes": 1, "future_known": True, "plot_pass": False},
    "no card left over": {"tricks": 12},
    "nothing on the sheet": {
        "marie_from": [],
        "zabine": [],
        "hunch": [],
        "actions": [],
        "hannah": 0,
        "marie_to": [],
    },
    "a single action": {"actions": ["review"]},
    "actions in another order": {"actions": ACTIONS[::-1]},
    "letters worth nothing": {"marie_to": [0, 0, 0]},
    "values and busts as large as they may be": {
        "marie_from": [9],
        "zabine": [99],
        "bust_default": 99,
        "hunch_points": 50,
        "misery_bonus_divisor": 1,
        "marie_to": [9] * 8,
        "rounds": 12,
        "by_players.4.start_scores": [99] * 4,
        "by_players.3.start_scores": [99] * 3,
    },
    "everybody starts alike": {
        "by_players.4.start_scores": [0] * 4,
        "by_players.3.start_scores": [0] * 3,
    },
    "letters to many": {
        "two_on_one_square": True,
        "marie_to": [1, 2],
        "cubes": 9,
        "cubes_per_turn": 5,
        "plot_pass": False,
    },
    "letters shared by all": {"marie_to_shared": True, "marie_to": [3, 3, 1]},
    "bids that nobody can make": {"hunch": ["0+", "11+", "12", "16"]},
}

# Rules under which what is rare happens often; the sweep sees it elsewhere too.
OFTEN: list[dict[str, Any]] = [
    {},
    {"future_known": True},
    {"future_known": True, "plot_before_tricks": 6},
    {"rounds": 1, "tricks": 3, "plot_before_tricks": 2},
    {"rounds": 1, "tricks": 3, "plot_before_tricks": 2, "final_tie": "shared"},
    {"two_on_one_square": True, "hunch_exclusive": False, "marie_to": [2, 1]},
    {"observe_twice_same_trick": True, "memories": True},
]


class TestReferee(Refereed):
    plays = PLAYS
    printed_games = 8
    mixed = ({}, 10)
    options = (({"rounds": 3}, 8),)
    edges, edge_rules = EDGES, {"rounds": 2}
    parts, sweep = (0, 1), (30, 150)
    named = (({"rounds": 2, "future_known": True}, 4, 30),)

    def at_the_edge(self) -> list[tuple[str, str, int]]:
        tables = [(name, size) for name in ("random", "allround") for size in (3, 4)]
        return [(edge, *table) for edge in EDGES for table in tables]

    def draw(self, dice: random.Random, number: int) -> Drawn:
        players = dice.choice((3, 4))
        rules, lineup = any_rules(dice, players), any_lineup(dice, players)
        if number < 2 * len(OFTEN):
            rules = OFTEN[number % len(OFTEN)]
        return players, rules, lineup, 8


test_any_rules = any_rules_pass(
    PLAYS,
    any_rules,
    check_stream,
    examples=100,
    games=3,
)
