"""Playing Devil for tests: games told as transcripts, and rules of any kind."""

import random
from typing import Any

from tests.devil.referee import DECKS
from tests.games.plays import Plays

PLAYS = Plays("devil", first=("dealer", 1))
GAME, NAMES = PLAYS.game, PLAYS.names

transcripts, started, table = PLAYS.transcripts, PLAYS.started, PLAYS.table
ruled, numbers, any_lineup = PLAYS.ruled, PLAYS.numbers, PLAYS.any_lineup


# --- Rules of every kind ------------------------------------------------------------


def any_rules(dice: random.Random, players: int, *, target: int = 60) -> dict[str, Any]:
    """Changes to the rules, from all that a designer may change.

    Each part stays at its default in some of the games, and is drawn in others.
    """
    rules: dict[str, Any] = {"deck": dice.choice([*DECKS])}
    rules["target"] = dice.choice((1, target // 2, target))
    rules["guard"] = dice.choice((7, 60, 200))
    rules |= PLAYS.any_options(dice)
    key, cards, _ = DECKS[rules["deck"]]
    if dice.random() < 0.5:
        cards = rules[key] = _any_deck(dice, players)
    if dice.random() < 0.5:
        size = sum(cards["normal"]) + cards["special1"] + cards["special4"]
        size += cards["blank"]
        rules["hand"] = dice.randint(1, min(5, (size - 1) // players))
    elif key in rules:
        rules["hand"] = 1
    if dice.random() < 0.5:
        rules |= _any_points(dice)
    if dice.random() < 0.3:
        rules["sums_ok"] = dice.sample(range(10), dice.randint(1, 4))
    return rules


def _any_deck(dice: random.Random, players: int) -> dict[str, Any]:
    """A deck of its own: small ones are shuffled again often."""
    while True:
        deck = {
            "normal": [dice.choice((0, 0, 1, 2, 3, 5)) for _ in range(10)],
            "special1": dice.randint(0, 5),
            "special4": dice.randint(0, 5),
            "blank": dice.choice((0, 0, 1, 3)),
            "onifuda": dice.choice((0, 0, 1, 3)),
        }
        plain = sum(deck["normal"]) + deck["special1"] + deck["special4"]
        if players + 1 <= plain + deck["blank"] and plain <= 56:
            return deck


def _any_points(dice: random.Random) -> dict[str, Any]:
    return {
        "points": dice.choice(
            (
                [1, 2, 3, 4, 5, 6, 7, 8, 9, 0],
                [dice.randint(1, 12) for _ in range(10)],
                [5] * 10,
            )
        ),
        "blank_points": dice.choice((1, 20, 50)),
        "onifuda_points": dice.choice((0, 20, 40)),
    }
