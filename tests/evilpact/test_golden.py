"""The golden transcripts of Evilpact, and what each is to show."""

from tests.evilpact.plays import PLAYS
from tests.games.golden import Golden, Shown

SOON = {"thresholds": [1, 2]}
LATER = {"thresholds": [1, 3]}
OPTIONS = {
    "contract_shifts_start": True,
    "no_contract": "ignore",
    "used_contract_checked": False,
    "contract_hastur": False,
    "counter_contract": False,
    "insight_basis": "round",
    "sealed_known_to_owner": False,
    "insight_bonus": 2,
    "turbidity": [["red", "blue"], ["blue", "red"], ["white", "black"]],
    "normal_per_element": 6,
    "market": 6,
    "rounds": 6,
    "counter_list": {"2": ["black"], "4": ["red", "black", "white"]},
}

GOLDEN: dict[str, Shown] = {  # rules, players, and what has to happen
    "elements": ({}, 2, {"won by elements", "a cast before acquiring"}),
    "contract": (
        {},
        2,
        {"won by contract, with fewer elements", "a contract countered"},
    ),
    "cast-and-failed": ({}, 2, {"a contract cast before, and not fulfilled"}),
    "hand": ({}, 2, {"won by hand"}),
    "draw": (LATER, 2, {"a draw"}),
    "countered": ({}, 2, {"a counter at the lower level", "a counter declined"}),
    "hastur-kept": ({}, 2, {"a counter under contract", "eihort countered"}),
    "spells": (SOON, 2, {"cthugha at the upper level", "two cards excluded"}),
    "insight": (
        {**LATER, "insight_basis": "pick_order"},
        2,
        {"an Insight 5 that triggers", "several Insight 5 turned"},
    ),
    "flips": (
        LATER,
        2,
        {"all flips that the level allows", "cards of both libraries flipped"},
    ),
    "empty-hand": (
        {**SOON, "contract_after_round": 7},
        2,
        {"no hand left for a contract"},
    ),
    "all-options": (
        OPTIONS,
        2,
        {"a contract cast before, and not checked", "Hastur under contract"},
    ),
}


class TestGolden(Golden):
    plays = PLAYS
    golden = GOLDEN
    altered = ("elements", {"contract_hastur": False})
    most, together = 4000, 200
