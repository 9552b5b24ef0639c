"""The referee of Kunitame agrees with the engine, over rules of every kind."""

import random
from typing import Any

import pytest

from sim.kunitame.rules import Kunitame
from tests.games.refereed import Drawn, Refereed, all_pass, any_rules_pass
from tests.kunitame.plays import NAMES, PLAYS, any_lineup, any_rules, transcripts
from tests.kunitame.referee import check_stream

PLAYERS = (3, 4, 5)

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

# Rules under which what is rare happens often; the sweep sees it elsewhere too.
OFTEN: list[dict[str, Any]] = [
    {"weeks": 1, "life": 1, "all_eliminated": "nobody"},
    {"weeks": 1, "life": 1, "all_eliminated": "points"},
    {"weeks": 1, "life": 1, "all_eliminated": "points", "contract_limit": 1},
    {
        "suits": ["blue"],
        "ranks": 5,
        "priests_per_player": 2,
        "hand": 2,
        "rounds": 2,
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
]


class TestReferee(Refereed):
    plays = PLAYS
    mixed = ({}, 15)
    options = (({"removed_pledge": "none", "weeks": 3}, 8),)
    edges, edge_rules, edge_games = EDGES, {"weeks": 2}, 3
    parts, sweep = (0, 1, 2), (50, 250)
    named = (({"weeks": 2}, 5, 30),)

    def at_the_edge(self) -> list[tuple[str, str, int]]:
        return [(edge, name, 5) for edge in EDGES for name in NAMES]

    def draw(self, dice: random.Random, number: int) -> Drawn:
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
        return players, rules, lineup, 20 if often else 8


test_any_rules = any_rules_pass(PLAYS, any_rules, check_stream, examples=120, games=4)


@pytest.mark.parametrize("players", PLAYERS)
def test_each_pledge_may_be_removed(players: int) -> None:
    for pledge in (*(f"P{n}" for n in range(1, 8)), "none"):
        all_pass(
            check_stream,
            transcripts({"removed_pledge": pledge, "weeks": 2}, players, 5),
        )


def test_numbers_as_large_as_they_may_be() -> None:
    """Fifty-nine Devils and tripled stakes: lives and points just below 256."""
    rules = {
        "suits": ["blue"],
        "ranks": 5,
        "priests_per_player": 0,
        "devil_ranks": 59,
        "hand": 1,
        "rounds": 1,
        "squares": [],
        "removed_pledge": "none",
        "contract_squares": [0],
        "contract_returns": [3],
        "contract_limit": 60,
        "contract_points": [0],
        "life": 3,
        "weeks": 4,
    }
    games = transcripts(rules, 3, 60, lineup=["gambler"] * 3)
    assert max(max(events[-1]["lives"]) for events in games) > 150
    all_pass(check_stream, games)
    rules |= {"contract_returns": [1], "contract_points": [9], "life": 7}
    games = transcripts(rules, 3, 60, lineup=["gambler"] * 3)
    assert max(max(events[-1]["points"]) for events in games) > 200
    all_pass(check_stream, games)
