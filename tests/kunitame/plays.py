"""Playing Kunitame for tests: games with their transcripts, and rules of every kind."""

import random
from collections.abc import Sequence
from typing import Any

from sim.kunitame.rules import Kunitame
from tests.games.plays import Plays
from tests.kunitame.referee import OPTIONS

PLAYS = Plays("kunitame", first=("dealer", 0))
GAME, NAMES = PLAYS.game, PLAYS.names

transcripts, started, table = PLAYS.transcripts, PLAYS.started, PLAYS.table
ruled, numbers, any_lineup = PLAYS.ruled, PLAYS.numbers, PLAYS.any_lineup


# --- Rules of every kind ------------------------------------------------------------

COLOURS = ("blue", "red", "yellow", "green", "orange")
RANKS = ("fewest", "second-fewest", "second-most", "most")


def any_rules(dice: random.Random, players: int, *, weeks: int = 4) -> dict[str, Any]:
    """Changes to the rules, from all that a designer may change.

    Each part stays at its default in some of the games, and is drawn in others.
    """
    rules: dict[str, Any] = {
        "weeks": dice.randint(1, weeks),
        "life": dice.choice((1, 1, 2, 3, 3, 5)),
        "removed_pledge": dice.choice(("none", "none", "P7")),
    }
    for key, values in OPTIONS.items():
        rules[key] = dice.choice(values)
    if dice.random() < 0.6:
        rules |= _any_deck(dice, players)
    if dice.random() < 0.5:
        rules |= _any_contracts(dice, rules["weeks"])
    if dice.random() < 0.6 or "suits" in rules:
        rules |= _any_squares(dice, rules.get("suits", COLOURS[:3]))
    return rules


def _any_deck(dice: random.Random, players: int) -> dict[str, Any]:
    suits = dice.sample(COLOURS, dice.randint(1, 4))
    ranks = dice.randint(players, 13)
    priests = dice.randint(0, 2)
    strength = len(suits) * ranks + priests * players
    hand = dice.randint(1, min(8, strength // players))
    return {
        "suits": suits,
        "ranks": ranks,
        "priests_per_player": priests,
        "devil_ranks": dice.choice((0, 1, 2, 4, min(13, 64 - strength))),
        "hand": hand,
        "rounds": dice.randint(1, hand),
    }


def _any_contracts(dice: random.Random, weeks: int) -> dict[str, Any]:
    size, most = dice.randint(1, 6), 3 if weeks < 4 else 2  # lives stay below 256
    return {
        "contract_squares": sorted(dice.sample(range(8), size)),
        "contract_returns": [dice.choice((0, 1, 1, 2, most)) for _ in range(size)],
        "contract_points": [dice.choice((0, 0, 1, 2)) for _ in range(size)],
        "contract_limit": dice.randint(0, 8),
    }


def _any_squares(dice: random.Random, suits: Sequence[str]) -> dict[str, Any]:
    """A table of squares of its own, or the default one with some edits."""
    if dice.random() < 0.4:
        size = dice.choice((0, 1, 2, 5, 12, 20))
        rows = [{"id": f"s{n}", **_any_square(dice, suits)} for n in range(size)]
        rank = {"pledge": "P7", "when": "rank", "gem": 3}
        rows += [{"id": name, **rank} for name in RANKS[:size]]
        pledges = sorted({row["pledge"] for row in rows})
        return {
            "squares": rows,
            "removed_pledge": dice.choice(["none", "none", *pledges]),
        }
    edits: dict[str, Any] = {}
    for square in Kunitame().squares:
        if square.suit not in (None, "black", "white", *suits):
            edits[square.id] = {"remove": True}
        elif square.when != "rank" and dice.random() < 0.3:
            change = _any_square(dice, suits) if dice.random() < 0.5 else {"gem": 3}
            edits[square.id] = dice.choice((change, {"remove": True}))
    for n in range(dice.randint(0, 4)):
        edits[f"new-{n}"] = _any_square(dice, suits)
    return {"squares": edits}


def _any_square(dice: random.Random, suits: Sequence[str]) -> dict[str, Any]:
    """A square with up to four conditions, which must hold together."""
    square: dict[str, Any] = {
        "pledge": f"P{dice.randint(1, 6)}",
        "when": dice.choice(("trick", "trick", "all")),
        "gem": dice.choice((1, 3)),
        "return_first": dice.random() < 0.2,
    }
    if dice.random() < 0.4:
        square["num"] = sorted((dice.randint(0, 13), dice.randint(0, 13)))
    if dice.random() < 0.3:
        square["round"] = sorted((dice.randint(1, 8), dice.randint(1, 8)))
    if dice.random() < 0.4:
        square["suit"] = dice.choice([*suits, "black", "white"])
    if dice.random() < 0.3:
        square["parity"] = dice.choice(("even", "odd"))
    return square
