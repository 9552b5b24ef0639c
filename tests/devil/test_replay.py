"""Game 7 of Devil is game 7, whatever games are dropped around it, and when."""

import random
from typing import Any

import pytest

from sim.devil.state import Phase
from tests.devil.plays import NAMES, PLAYS, any_lineup, any_rules, told
from tests.games.plays import Changes
from tests.games.replay import Replay, Resumed, unnumbered

RULES = {"target": 40}
MIXED = [NAMES[-1], "random", NAMES[0], "random"]


def resumed(players: int, name: str) -> Resumed:
    rules = {"target": 20, "voluntary_draw": players == 2, "deck": "440", "guard": 150}
    unseen = frozenset() if players == 2 else frozenset({Phase.OFFER})
    return Resumed(players, [name], rules, kept=0.05, step=2, unseen=unseen)


RESUMED: dict[str, Resumed] = {
    f"{players} {name}": resumed(players, name)
    for players in (5, 2)
    for name in (NAMES[0], NAMES[-1])
}


class TestReplay(Replay):
    plays = PLAYS
    rules, mixed, brief = RULES, MIXED, {"target": 1}
    around = ((0, 8), (0, 70), (5, 3), (6, 9), (7, 30))
    resumed = RESUMED
    drops, array, kept, rows = True, "score", 0.05, 10
    cells = ((RULES, MIXED, True), (RULES, ["random"] * 7, False))

    def any_game(self, dice: random.Random) -> tuple[int, Changes]:
        players = dice.randint(2, 8)
        return players, any_rules(dice, players, target=20) | {"guard": 100}

    def far_apart(self) -> list[tuple[Changes, list[str]]]:
        found = []
        for seed in range(6):
            dice = random.Random(seed)
            players = dice.randint(2, 8)
            found.append((any_rules(dice, players), any_lineup(dice, players)))
        return found


@pytest.mark.parametrize("window", [2, 39])
def test_games_that_wait_are_the_same(
    window: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many are played at a time, while others wait for their turn."""
    at_once = told(RULES, 3, 40, lineup=MIXED[:3], rotate=True)
    for module in ("state", "dealing"):
        monkeypatch.setattr(f"sim.devil.{module}.WINDOW", window)
    assert told(RULES, 3, 40, lineup=MIXED[:3], rotate=True) == at_once


def test_rules_that_agree_see_the_same_deals() -> None:
    """Common random numbers: another payoff or option changes no card."""

    def deals(changes: dict[str, Any]) -> list[Any]:
        return [
            [e for e in unnumbered(game) if e["type"] == "chance"][:3]
            for game in told({**RULES, **changes}, 4, 30)
        ]

    base = deals({})
    for changes in (
        {"points": [1] * 10},
        {"s4_end": "all"},
        {"voluntary_draw": True},
        {"target": 1},
    ):
        other = deals(changes)
        assert [game[:2] for game in other] == [game[:2] for game in base]
