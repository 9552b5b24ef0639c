"""The golden transcripts of Evilpact, and what each is to show."""

from typing import Any

from tests.evilpact.plays import PLAYS
from tests.games.golden import Golden, Shown

SOON = {"thresholds": [1, 2]}
LATER = {"thresholds": [1, 3]}
PICKS = {**LATER, "insight_basis": "pick_order"}
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

_SHOWN: dict[str, tuple[Any, ...]] = {  # rules, and what has to happen
    "elements": ({}, "won by elements", "a cast before acquiring"),
    "contract": ({}, "won by contract, with fewer elements", "a contract countered"),
    "cast-and-failed": ({}, "a contract cast before, and not fulfilled"),
    "hand": ({}, "won by hand"),
    "draw": (LATER, "a draw"),
    "countered": ({}, "a counter at the lower level", "a counter declined"),
    "hastur-kept": ({}, "a counter under contract", "eihort countered"),
    "spells": (SOON, "cthugha at the upper level", "two cards excluded"),
    "insight": (PICKS, "an Insight 5 that triggers", "several Insight 5 turned"),
    "flips": (
        LATER,
        "all flips that the level allows",
        "cards of both libraries flipped",
    ),
    "empty-hand": ({**SOON, "contract_after_round": 7}, "no hand left for a contract"),
    "all-options": (
        OPTIONS,
        "Hastur under contract",
        "a contract cast before, and not checked",
    ),
}
GOLDEN: dict[str, Shown] = {
    name: (rules, 2, {*shown}) for name, (rules, *shown) in _SHOWN.items()
}


class TestGolden(Golden):
    plays = PLAYS
    golden = GOLDEN
    altered = ("elements", {"contract_hastur": False})
    most, together = 4000, 200
