"""Game 7 of Kbernestich is game 7, and rules that agree see the same deals."""

import random
from typing import Any

from sim.kbernestich.state import Phase
from tests.games.plays import Changes
from tests.games.replay import Replay, Resumed
from tests.kbernestich.plays import PLAYS, any_rules, told

RULES = {"rounds": 2, "tricks": 5, "future_known": True}
MIXED = ["balanced", "random", "bidder", "random"]
TWO = {"rounds": 2}
LATE = frozenset({Phase.LATE})  # comes where somebody observes

RESUMED: dict[str, Resumed] = {
    "three at random": Resumed(3, ["random"], RULES, step=3),
    "four at random": Resumed(4, ["random"], RULES, step=3),
    "three balanced": Resumed(3, ["balanced"], RULES, step=3, perhaps=LATE),
    "four balanced": Resumed(4, ["balanced"], RULES, step=3, perhaps=LATE),
}


class TestReplay(Replay):
    plays = PLAYS
    rules, mixed, brief = RULES, MIXED, {"rounds": 1}
    resumed = RESUMED
    array = "placed"
    cells = ((TWO, MIXED, True), (TWO, ["random"] * 3, False))

    def any_game(self, dice: random.Random) -> tuple[int, Changes]:
        return 4, any_rules(dice, 4, rounds=2)


def test_rules_that_agree_see_the_same_deals() -> None:
    """Common random numbers: another payoff or option changes no card."""

    def hands(changes: dict[str, Any]) -> list[Any]:
        games = told({"rounds": 2, **changes}, 4, 20)
        return [e["hands"] for game in games for e in game if e["name"] == "deal"]

    base = hands({})
    for changes in ({"hunch_points": 9}, {"low_tie": "bottom"}, {"zabine": [22]}):
        assert [{*map(tuple, h)} for h in hands(changes)][::2] == [
            {*map(tuple, h)} for h in base
        ][::2]
