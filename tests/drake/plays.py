"""Playing The Virtues of the Drake for tests: rules of every kind."""

import random
from typing import Any

from tests.drake.referee import EFFECTS, PILE_OF, STATS
from tests.games.plays import Plays

PLAYS = Plays("drake")
GAME, NAMES = PLAYS.game, PLAYS.names

transcripts, started, table = PLAYS.transcripts, PLAYS.started, PLAYS.table

SHAPES = ("listed", "uniform", "low", "high", "middle", "ends")


def any_rules(dice: random.Random, players: int = 4) -> dict[str, Any]:
    """Changes to the rules, from all that a designer may change, for any players.

    Each part stays at its default in some of the games, and is drawn in others.
    """
    rules = PLAYS.any_options(dice)
    rules["goal"] = dice.choice((7, 7, dice.randint(2, 9)))
    rules["guard"] = dice.choice((60, 60, 7, 1))
    if dice.random() < 0.6:
        rules |= _any_lists(dice)
    if dice.random() < 0.4:
        rules |= _any_sizes(dice)
    if dice.random() < 0.4:
        rules["stats"] = _any_stats(dice)
    if dice.random() < 0.7:
        rules["special"] = _any_specials(dice)
    return rules


def _any_lists(dice: random.Random) -> dict[str, Any]:
    """Decks of their own: small ones run out, large ones fill piles."""
    high = dice.choice((0, 1, 5, 99))

    def numbers(least: int) -> list[int]:
        size = dice.choice((least, least + 1, 5, 8, 14))
        return [dice.randint(0, high) for _ in range(size)]

    return {
        "maiden_chastity": numbers(2),
        "knight": [[wealth, dice.randint(0, high)] for wealth in numbers(2)],
        "treasure_value": numbers(2),
    }


def _any_sizes(dice: random.Random) -> dict[str, int]:
    decks = ("maidens", "knights", "treasures")
    return {deck: dice.choice((2, 3, 7, 13, 20)) for deck in decks}


def _any_stats(dice: random.Random) -> dict[str, Any]:
    """Shapes for some of the numbers."""
    found: dict[str, Any] = {}
    for names in STATS.values():
        for stat in names:
            shape = dice.choice(SHAPES)
            low = dice.randint(0, 5)
            found[stat] = {"shape": shape}
            if shape != "listed":
                found[stat] |= {"low": low, "high": low + dice.randint(0, 6)}
    return found


def any_special(dice: random.Random) -> dict[str, Any]:
    """A special card, most often with an action."""
    deck = dice.choice([*STATS])
    card: dict[str, Any] = {"deck": deck, "copies": dice.choice((1, 1, 2, 4))}
    card |= {stat: dice.randint(0, 5) for stat in STATS[deck]}
    if dice.random() < 0.9:
        places = [PILE_OF[deck], *["in_play"] * (deck != "treasure")]
        card["use_from"] = dice.choice(places)
        card["cost"] = dice.choice(("discard_self", "none"))
        card["effect"] = dice.choice(EFFECTS)
    return card


def _any_specials(dice: random.Random) -> dict[str, Any]:
    """Sangria All or not, and some cards beside it."""
    found: dict[str, Any] = {
        f"card-{number}": any_special(dice) for number in range(dice.randint(1, 4))
    }
    if dice.random() < 0.3:
        found["sangria-all"] = {"copies": dice.choice((0, 2, 5))}
    return found
