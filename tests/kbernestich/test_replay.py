"""Game 7 of Kbernestich is game 7, and rules that agree see the same deals."""

import random
from typing import Any

import numpy as np

from sim.kbernestich.state import Phase, State
from tests.games.plays import Changes
from tests.games.replay import Replay
from tests.kbernestich.plays import PLAYS, any_rules, transcripts

RULES = {"rounds": 2, "tricks": 5, "future_known": True}
MIXED = ["allround", "random", "bidder", "random"]
TWO = {"rounds": 2}


def card(state: State) -> None:
    state.won[0, 3] &= state.won[0, 3] - np.uint64(state.won[0, 3] > 0)


def cube(state: State) -> None:
    state.cubes[2, 3] += 1


THEFTS = {"cards astray": (Phase.TRICK, card), "cubes": (Phase.TRICK, cube)}


class TestReplay(Replay):
    plays = PLAYS
    rules, mixed = RULES, MIXED
    thefts = THEFTS
    cells = ((TWO, MIXED, True), (TWO, ["random"] * 3, False))

    def any_game(self, dice: random.Random) -> tuple[int, Changes]:
        return 4, any_rules(dice, 4, rounds=2)


def test_rules_that_agree_see_the_same_deals() -> None:
    """Common random numbers: another payoff or option changes no card."""

    def hands(changes: dict[str, Any]) -> list[Any]:
        games = transcripts({"rounds": 2, **changes}, 4, 20)
        return [e["hands"] for game in games for e in game if e["name"] == "deal"]

    base = hands({})
    for changes in ({"hunch_points": 9}, {"low_tie": "bottom"}, {"zabine": [22]}):
        assert [{*map(tuple, h)} for h in hands(changes)][::2] == [
            {*map(tuple, h)} for h in base
        ][::2]
