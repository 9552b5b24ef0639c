"""Playing Kbernestich for tests: games told as transcripts, and rules of any kind."""

import random
from typing import Any

from tests.games.plays import Plays
from tests.kbernestich.referee import ACTIONS

PLAYS = Plays("kbernestich")
GAME, NAMES = PLAYS.game, PLAYS.names

transcripts, started, table = PLAYS.transcripts, PLAYS.started, PLAYS.table
ruled, numbers, any_lineup = PLAYS.ruled, PLAYS.numbers, PLAYS.any_lineup


# --- Rules of every kind ------------------------------------------------------------


def any_rules(dice: random.Random, players: int, *, rounds: int = 4) -> dict[str, Any]:
    """Changes to the rules, from all that a designer may change.

    Each part stays at its default in some of the games, and is drawn in others.
    """
    rules = {"rounds": dice.randint(1, rounds), **PLAYS.any_options(dice)}
    if dice.random() < 0.5:
        rules["tricks"] = dice.choice((1, 3, 7, 11, 12, 48 // players))
        rules["tricks"] = min(rules["tricks"], 12)
    tricks = rules.get("tricks", 11)
    rules["plot_before_tricks"] = min(dice.choice((4, 4, 4, 0, 1, 2, 11)), tricks)
    if dice.random() < 0.5:
        rules |= _any_numbers(dice)
    if dice.random() < 0.5:
        rules |= _any_sheet(dice, players, future_known=rules["future_known"])
    return rules


def _any_numbers(dice: random.Random) -> dict[str, Any]:
    low = dice.randint(0, 30)
    high = low + dice.randint(1, 30)
    return {
        "cubes": dice.choice((0, 1, 2, 5, 9)),
        "cubes_per_turn": dice.randint(1, 5),
        "refill": [
            [0, low, dice.randint(0, 9)],
            [low + 1, high, dice.randint(0, 9)],
            [high + 1, 9999, dice.randint(0, 9)],
        ],
        "bust_default": dice.choice((0, 7, 24, 99)),
        "hunch_points": dice.choice((0, 6, 50)),
        "misery_bonus_divisor": dice.choice((1, 2, 3, 99)),
    }


def _any_sheet(
    dice: random.Random, players: int, *, future_known: bool
) -> dict[str, Any]:
    """Squares of its own: fewer or more of them, in any order, alike or not."""
    bids = [f"{n}{more}" for n in range(13) for more in ("", "+")]
    fewest = int(future_known)
    changes = {
        "marie_from": dice.sample(range(10), dice.randint(fewest, 5)),
        "zabine": dice.sample(range(100), dice.randint(0, 5)),
        "hunch": dice.sample(bids, dice.randint(0, 7)),
        "actions": dice.sample(ACTIONS, dice.randint(0, 5)),
        "hannah": dice.randint(0, 4),
        "marie_to": [
            dice.choice((0, 1, 1, 2, 3, 9)) for _ in range(dice.randint(0, 8))
        ],
        f"by_players.{players}.start_scores": [
            dice.choice((0, 0, 2, 6, 99)) for _ in range(players)
        ],
    }
    return {key: value for key, value in changes.items() if dice.random() < 0.6}
