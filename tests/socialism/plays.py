"""Playing Socialism for tests: games told as transcripts, and rules of any kind."""

import random
from contextlib import suppress
from typing import Any

from tests.games.plays import Plays
from tests.socialism.referee import ACTIONS, USERS

PLAYS = Plays("socialism")
GAME, NAMES = PLAYS.game, PLAYS.names

transcripts, started, table = PLAYS.transcripts, PLAYS.started, PLAYS.table
ruled, numbers, any_lineup = PLAYS.ruled, PLAYS.numbers, PLAYS.any_lineup

TEXTS = ("always", "never", "normal", [1, 2], [6], [2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6])
TRAITS = ("none", "exclusive", "block", "two", "far", "logout")


def any_rules(dice: random.Random, players: int) -> dict[str, Any]:
    """Changes to the rules, from all that a designer may change.

    Each part stays at its default in some of the games, and is drawn in others.
    """
    rules = {"guard": dice.choice((5, 40, 120)), **PLAYS.any_options(dice)}
    members = 21
    if dice.random() < 0.6:
        made = None
        while made is None:
            rules |= {"users": _any_users(dice), "actions": _any_actions(dice)}
            with suppress(ValueError):
                ruled({**rules, "tokens": 1}).check(players)
                made = ruled({**rules, "tokens": 1})
        members = sum(u.copies * (1 + (u.trait == "two")) for u in made.users)
    rules["tokens"] = dice.choice((1, min(4, members), min(8, members), members))
    if dice.random() < 0.5:
        rules["hand"] = dice.choice((1, 2))
    return rules


def _any_users(dice: random.Random) -> dict[str, Any]:
    """Users with other texts, without some, and with a new one."""
    users: dict[str, Any] = {}
    for name in dice.sample(list(USERS), dice.randint(0, 12)):
        users[name] = _any_user(dice)
    for number in range(dice.randint(0, 3)):
        users[f"new-{number}"] = _any_user(dice)
    for name in dice.sample(list(USERS), dice.randint(0, 9)):
        users[name] = {"remove": True}
    return users


def _any_user(dice: random.Random) -> dict[str, Any]:
    return {
        "copies": dice.choice((0, 1, 1, 2, 3)),
        "friends": dice.choice((0, 1, 2, 3, 5, "all", "each")),
        "sends": dice.choice(("none", [1], [4, 5, 6], [1, 2, 3, 4, 5, 6])),
        "personal": dice.choice(TEXTS),
        "spam": dice.choice(TEXTS),
        "trait": dice.choice(TRAITS),
    }


def _any_actions(dice: random.Random) -> dict[str, Any]:
    names = dice.sample(list(ACTIONS), dice.randint(1, len(ACTIONS)))
    return {name: {"copies": dice.choice((0, 1, 2, 4))} for name in names}
