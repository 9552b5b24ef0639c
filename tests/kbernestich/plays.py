"""Playing Kbernestich for tests: games told as transcripts, and rules of any kind."""

import random
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.cells import Cell, play
from sim.games import load
from sim.kbernestich.rules import Kbernestich
from sim.kbernestich.state import State
from sim.table import Listener, Player, Table
from sim.transcript import Event, Transcript
from strategies.random import Random
from strategies.registry import builtin
from tests.kbernestich.referee import ACTIONS, OPTIONS

GAME = load("kbernestich")
NAMES = tuple(builtin("kbernestich"))


def numbers(games: int, first: int = 0) -> NDArray[np.uint64]:
    """The indices of so many games in a row."""
    return np.arange(first, first + games, dtype=np.uint64)


def told(
    changes: Mapping[str, Any] | None = None,
    players: int = 4,
    games: int = 10,
    *,
    lineup: Sequence[str] | None = None,
    first: int = 0,
    seed: int = 1,
    rotate: bool = False,
) -> list[list[Event]]:
    """The transcripts of some games, one list of events a game."""
    seats = tuple(lineup or ["random"] * players)
    cell = Cell("kbernestich", Kbernestich.of(changes), players, seats, rotate, seed)
    writer = Transcript(GAME)
    play(cell, numbers(games, first), [writer])
    return [list(e) for _, e in groupby(writer.events(), lambda e: e["game"])]


def started(
    changes: Mapping[str, Any] | None = None,
    players: int = 4,
    games: int = 50,
    *,
    first: int = 0,
    seed: int = 1,
) -> State:
    """Games that are set up and not yet begun."""
    return State(Kbernestich.of(changes), players, seed, numbers(games, first))


def table(players: Sequence[Player] = (), *listeners: Listener) -> Table:
    """A table where one player fills all seats, or each seat has its own."""
    lineup = list(players) or [Random()]
    return Table(lineup, None, GAME.view, GAME.kinds, listeners)


# --- Rules of every kind ------------------------------------------------------------


def any_rules(dice: random.Random, players: int, *, rounds: int = 4) -> dict[str, Any]:
    """Changes to the rules, from all that a designer may change.

    Each part stays at its default in some of the games, and is drawn in others.
    """
    rules: dict[str, Any] = {"rounds": dice.randint(1, rounds)}
    for key, values in OPTIONS.items():
        rules[key] = dice.choice((values[0], *values))
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


def any_lineup(dice: random.Random, players: int) -> list[str]:
    """A strategy for each seat; half of the time all of them random."""
    if dice.random() < 0.5:
        return ["random"] * players
    return [dice.choice(NAMES) for _ in range(players)]
