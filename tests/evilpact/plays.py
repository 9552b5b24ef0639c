"""Playing Evilpact for tests: games told as transcripts, and rules of any kind."""

import random
from itertools import combinations
from typing import Any

from tests.evilpact.referee import SPELLS
from tests.games.plays import Plays

PLAYS = Plays("evilpact")
GAME, NAMES = PLAYS.game, PLAYS.names

transcripts, started, table = PLAYS.transcripts, PLAYS.started, PLAYS.table
NAMED = ("red", "blue", "yellow", "black", "white", "grey", "o", "deep sea")
MOST = 63  # cards


def any_rules(dice: random.Random, players: int = 2) -> dict[str, Any]:
    """Changes to the rules, from all that a designer may change.

    Each part stays at its default in some of the games, and is drawn in others.
    """
    rules = PLAYS.any_options(dice)
    if dice.random() < 0.5:
        rules["contract_after_round"] = dice.randint(1, 9)
    if dice.random() < 0.5:
        low = dice.randint(0, 4)
        rules["thresholds"] = [low, low + dice.randint(1, 3)]
    for key in ("power_normal", "power_insight_upright", "power_insight_sideways"):
        if dice.random() < 0.3:
            rules[key] = dice.randint(0, 3)
    elements = NAMED[:5]
    if dice.random() < 0.6:
        elements, cards = _any_cards(dice)
        rules |= cards
    if "elements" in rules or dice.random() < 0.4:
        rules |= _any_spells(dice, elements)
    return rules


def _any_cards(dice: random.Random) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Elements, and a deck with enough cards for the rounds."""
    while True:
        elements = tuple(dice.sample(NAMED, dice.randint(2, 8)))
        pairs = [list(pair) for pair in combinations(elements, 2)]
        turbidity = dice.choices(pairs, k=dice.choice((0, 3, 5, 12)))
        turbidity = [dice.sample(pair, 2) for pair in turbidity]
        insight = dice.choices((1, 2, 3, 4, 5, 5, 7), k=dice.choice((0, 1, 2, 2, 4)))
        normal = dice.randint(0, 9)
        market, rounds = dice.choice((4, 5, 5, 5, 6, 8)), dice.choice((1, 4, 8, 8, 12))
        size = (normal + len(insight)) * len(elements) + len(turbidity)
        if market * rounds <= size <= MOST:
            break
    cards = {
        "elements": list(elements),
        "normal_per_element": normal,
        "insight_per_element": insight,
        "turbidity": turbidity,
        "market": market,
        "rounds": rounds,
    }
    if dice.random() < 0.3:
        of = {frozenset(pair): dice.randint(0, 3) for pair in turbidity}
        cards["power_turbidity"] = [of[frozenset(pair)] for pair in turbidity]
    return elements, cards


def _any_spells(dice: random.Random, elements: tuple[str, ...]) -> dict[str, Any]:
    """Elements of the spells, and what Hastur counters."""
    few = dice.sample(elements, dice.randint(0, len(elements)))
    return {
        "spell_element": {spell: dice.choice(elements) for spell in SPELLS},
        "counter_list": {"3": few, "5": dice.sample(elements, len(elements))},
    }
