"""The parameters of Evilpact: what the rule text says, and what is refused."""

from typing import Any

import pytest

from sim.evilpact.rules import Evilpact
from sim.parameters import RuleError
from tests.evilpact.plays import PLAYS, transcripts
from tests.evilpact.referee import COUNTER_LIST, check
from tests.games.parameters import ParametersInForce

ALIKE = [["red", "blue"], ["blue", "red"]] * 3
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"markt": 3}, "markt: no rule value 'markt'; did you mean 'market'?"),
    ({"rounds": 0}, "rounds: "),
    ({"rounds": 9}, "40 cards; 9 rounds with 5 cards each need 45."),
    ({"market": 3}, "market: "),
    ({"market": 9}, "market: "),
    ({"normal_per_element": 13}, "80 cards; at most 63 can be."),
    ({"contract_after_round": 0}, "contract_after_round: "),
    ({"elements": ["red", "red"]}, "elements: 1 to 8 different names"),
    ({"elements": []}, "elements: 1 to 8 different names"),
    ({"elements": list("abcdefghi")}, "elements: 1 to 8 different names"),
    ({"elements": ["a/b"]}, "elements: a name has letters, none of / : + -i"),
    ({"elements": ["a-ice"]}, "not 'a-ice'"),
    ({"elements": ["pass"]}, "not 'pass'"),
    ({"elements": [""]}, "not ''"),
    ({"elements": ["red", "blue", "gold"]}, "no element 'white'. Elements: red, blue"),
    ({"insight_per_element": [0]}, "insight_per_element: numbers from 1 to 12."),
    ({"turbidity": [["red", "red"]]}, "turbidity: card 1 needs two different elements"),
    ({"turbidity": [["red"]]}, "turbidity: card 1 needs two different elements"),
    ({"turbidity": [["red", "bleu"]]}, "no element 'bleu'; did you mean 'blue'?"),
    ({"turbidity": []}, "35 cards; 8 rounds with 5 cards each need 40."),
    ({"turbidity": "red/blue"}, "turbidity: a list in brackets is needed"),
    ({"power_turbidity": 10}, "power_turbidity: a number from 0 to 9, or a list"),
    ({"power_turbidity": [1, 2]}, "one for each of the 5 Turbidity cards"),
    (
        {"turbidity": ALIKE, "power_turbidity": [*range(6)]},
        "for they are alike; not both 0 and 1 for blue/red",
    ),
    ({"power_normal": -1}, "power_normal: "),
    ({"power_insight_sideways": 19}, "power_insight_sideways: "),
    (
        {
            "power_normal": 9,
            "normal_per_element": 8,
            "power_insight_sideways": 18,
            "insight_per_element": [3, 5, 5],
        },
        "128 power of red could come together; at most 127",
    ),
    ({"thresholds": [5, 3]}, "thresholds: two numbers, the lower one first"),
    ({"thresholds": [3]}, "thresholds: two numbers"),
    ({"thresholds": []}, "thresholds: two numbers"),
    ({"thresholds": [3, 128]}, "0 to 127; not 3, 128"),
    ({"spell_element": {"hastr": "red"}}, "did you mean 'hastur'?"),
    ({"spell_element.hastur": "green"}, "spell_element.hastur: no element 'green'"),
    ({"counter_list.4": ["red"]}, "no rule value '4'. Allowed: 3, 5."),
    ({"counter_list.3": ["rad"]}, "list.3: no element 'rad'; did you mean 'red'"),
    ({"counter_list.3": ["red", "red"]}, "counter_list.3: each element once."),
    ({"insight_basis": "trun"}, "Did you mean 'turn'? Allowed: turn | pick_order"),
    ({"no_contract": "lose"}, "no_contract: "),
    ({"contract_hastur": "yes"}, "contract_hastur: "),
]

ICONS = {f"power_{card}" for card in ("normal", "turbidity")}
ICONS |= {f"power_insight_{how}" for how in ("upright", "sideways")}


class TestKnobs(ParametersInForce):
    plays = PLAYS
    refused = REFUSED
    assumed = ICONS | {"elements", "turbidity", "insight_basis", "spell_element"}


def test_lists_of_hastur_may_go_by_any_two_numbers() -> None:
    lists = {"10": ["blue"], "9": ["red"]}
    rules = Evilpact.of({"thresholds": [9, 10], "counter_list": lists})
    assert rules.countered == (("red",), ("blue",))
    assert rules.plain()["counter_list"] == {"3": ["red"], "5": ["blue"]}
    some = Evilpact.of({"counter_list": {"5": ["red"]}})
    assert some.countered == (tuple(COUNTER_LIST["3"]), ("red",))
    with pytest.raises(RuleError, match="no rule value 'a'"):
        Evilpact.of({"counter_list": {"a": [], "b": []}})


def test_a_bonus_is_told_as_power() -> None:
    rules = Evilpact.of({"power_insight_upright": 2, "insight_bonus": 3})
    assert rules.plain_with(2)["power_insight_sideways"] == 5
    for game in transcripts({"power_insight_upright": 2, "insight_bonus": 3}, 2, 20):
        check(game)
