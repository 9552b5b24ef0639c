"""What is assumed, and which conclusions survive other values and readings.

The leading strategy plays as many games under every ring of Turbidity cards, the
readings of Insight, other icons, other elements of spells, and the readings of what the
rule text leaves open. Each conclusion is tested under each of them.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations
from typing import Any

from reports.game_report import ReportSection, SectionParts, WhatIfs
from reports.report_data import ReportData
from reports.report_document import Column
from reports.sensitivity import Conclusion, RuleReading, Rules, Sensitivity

_RING = 5  # elements for which ``rings`` are tried; other numbers have others
_INSIGHT = {
    "turn": "Insight by turn",
    "pick_order": "Insight by cards taken in the round",
    "round": "Insight by round",
}
_UP, _SIDE = "power_insight_upright", "power_insight_sideways"
_ICONS: dict[str, dict[str, Any]] = {
    "Turbidity 2 icons": {"power_turbidity": 2},
    "Insight sideways 3": {_SIDE: 3},
    "Insight 2, sideways 3": {_UP: 2, _SIDE: 3},
    "all 2, sideways 3, Turbidity 1": {"power_normal": 2, _UP: 2, _SIDE: 3},
}
_OPEN = (  # readings that are a switch
    ("E1", "contract_shifts_start"),
    ("E3", "used_contract_checked"),
    ("E4", "contract_hastur"),
    ("E4", "counter_contract"),
)


_TEXTS = {
    "starter less other": "the player who starts round 1 wins less often",
    "by elements": "more than 2 in 5 games are decided by elements",
    "by contract": "fewer than 1 in 4 games are decided by a contract",
    "draws": "fewer than 1 in 8 games are drawn",
    "fulfilled": "more than 4 in 5 contracts are fulfilled",
    "lead changes": "the leader changes fewer than 1.5 times in a game",
    "leader wins": "the player ahead at half-time wins more than half of the games",
}
"""The conclusions by their short names."""


def conclusions(rules: Rules) -> tuple[Conclusion, ...]:
    """Return the conclusions that are tested under every reading."""
    above, below = True, False
    half = ("round", max(rules["rounds"] // 2, 1))
    tests: dict[str, tuple[Any, ...]] = {
        "starter less other": ("starter ahead", below, 0.0),
        "by elements": ("decided", above, 0.4, ("by", "elements")),
        "by contract": ("decided", below, 0.25, ("by", "contract")),
        "draws": ("decided", below, 0.125, ("by", "draw")),
        "fulfilled": ("fulfilled", above, 0.8),
        "lead changes": ("lead changes", below, 1.5),
        "leader wins": ("leader wins", above, 0.5, half),
    }
    return tuple(Conclusion(_TEXTS[head], head, *test) for head, test in tests.items())


def rings(elements: Sequence[str]) -> Iterator[tuple[str, list[list[str]]]]:
    """Yield all rings with each element on two cards: twelve for five elements."""
    first, *rest = elements
    for order in permutations(rest):
        if elements.index(order[0]) < elements.index(order[-1]):
            ring = [first, *order, first]
            yield "-".join(ring[:-1]), [list(pair) for pair in pairwise(ring)]


def readings(rules: Rules) -> list[RuleReading]:
    """Return every other value and reading that is played."""
    others: list[RuleReading] = []
    if len(rules["elements"]) == _RING:
        now = {frozenset(pair) for pair in rules["turbidity"]}
        others += [
            RuleReading("Turbidity", f"ring {words}", {"turbidity": ring})
            for words, ring in rings(rules["elements"])
            if {frozenset(pair) for pair in ring} != now
        ]
    others += [
        RuleReading("Insight", words, {"insight_basis": basis})
        for basis, words in _INSIGHT.items()
    ]
    others += [
        RuleReading("icons", words, changes) for words, changes in _ICONS.items()
    ]
    first, second, elements = "nyarlathotep", "eihort", rules["spell_element"]
    swapped = {**elements, first: elements[second], second: elements[first]}
    words = "elements of Nyarlathotep and Eihort exchanged"
    others.append(RuleReading("spells", words, {"spell_element": swapped}))
    value = "ignore" if rules["no_contract"] == "fail" else "fail"
    others.append(RuleReading("E2", f"no_contract = {value}", {"no_contract": value}))
    for number, key in _OPEN:
        text = f"{key} = {str(not rules[key]).lower()}"
        others.append(RuleReading(number, text, {key: not rules[key]}))
    return others


def pairs(rules: Rules) -> str:
    """Return the Turbidity cards in words."""
    return ", ".join("/".join(pair) for pair in rules["turbidity"])


def spells(rules: Rules) -> str:
    """Return the element of each spell in words."""
    of = rules["spell_element"]
    return ", ".join(f"{name.capitalize()} {element}" for name, element in of.items())


def most_power(rules: Rules) -> str:
    """Return the least and the most power that an element can have, without Eihort."""
    last = {"turn": 4, "pick_order": rules["market"], "round": rules["rounds"]}
    icons = rules["power_turbidity"]
    each = icons if isinstance(icons, list) else [icons] * len(rules["turbidity"])
    least = most = rules["normal_per_element"] * rules["power_normal"]
    for x in rules["insight_per_element"]:
        least += rules[_UP]
        most += rules[_SIDE if x <= last[rules["insight_basis"]] else _UP]
    cards = [*zip(rules["turbidity"], each, strict=True)]
    shared = [sum(n for pair, n in cards if e in pair) for e in rules["elements"]]
    return f"{least} to {most + max(shared)}"


POWER = Column("most", "power", "least and most of an element, without Eihort")
SENSITIVITY = Sensitivity(conclusions, readings, (2,), (POWER, most_power))
ASSUMED = WhatIfs(other_rules=SENSITIVITY.other_rules)


def intro(data: ReportData) -> str:
    """Return what is assumed."""
    rules = data.rules
    icons = (
        f"normal {rules['power_normal']}, Insight {rules[_UP]}, sideways "
        f"{rules[_SIDE]}, Turbidity {rules['power_turbidity']}"
    )
    basis = rules["insight_basis"].replace("_", " ")
    return (
        "The known rule text shows icons, Turbidity pairs and colours in pictures "
        f"only. So it is assumed: the icons ({icons}), what Insight compares (the "
        f"{basis}), the pairs of the Turbidity cards ({pairs(rules)}), the elements of "
        f"the spells ({spells(rules)}) and the name of the fifth. All numbers depend "
        "on that. Each of the other values and readings (E1 to E4: of the rule text) "
        "is played beside the rules of this report, one at a time."
    )


def shown(data: ReportData) -> SectionParts:
    """Yield which conclusions survive."""
    return SENSITIVITY.shown(
        data,
        "assumed",
        "A tip in the manual says that the most power of an element is 7 to 10: where "
        "the column says otherwise, the value does not fit it.",
    )


SECTION = ReportSection(
    id="assumed",
    title="What is assumed, and what survives it",
    question="Which conclusions survive other values of what the rules leave open?",
    intro=intro,
    tables=(shown,),
    what_ifs=(ASSUMED,),
)
