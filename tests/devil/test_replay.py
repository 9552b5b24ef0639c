"""Game 7 of Devil is game 7, whatever games are dropped around it, and when."""

import random

import pytest

from sim import masks
from sim.devil.state import Phase, State
from tests.devil.plays import NAMES, PLAYS, any_rules, transcripts
from tests.games.plays import Changes
from tests.games.replay import Replay, agreeing

RULES = {"target": 40, "deck": "440"}
MIXED = [NAMES[-1], "random", NAMES[0], "random"]


def card(state: State) -> None:
    state.pile[3] |= masks.lowest(state.hands[1])[3]


THEFTS = {"cards in two places": (Phase.TURN, card)}


class TestReplay(Replay):
    plays = PLAYS
    rules, mixed = RULES, MIXED
    around = ((0, 8), (0, 70), (5, 3), (6, 9), (7, 30))
    thefts = THEFTS
    rows = 10
    cells = ((RULES, MIXED, True), (RULES, ["random"] * 7, False))

    def any_game(self, dice: random.Random) -> tuple[int, Changes]:
        players = dice.randint(2, 8)
        return players, any_rules(dice, players, target=20) | {"guard": 100}


@pytest.mark.parametrize("window", [2, 39])
def test_games_that_wait_are_the_same(
    window: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many are played at a time, while others wait for their turn."""
    at_once = transcripts(RULES, 3, 40, lineup=MIXED[:3], rotate=True)
    for module in ("state", "dealing"):
        monkeypatch.setattr(f"sim.devil.{module}.WINDOW", window)
    assert transcripts(RULES, 3, 40, lineup=MIXED[:3], rotate=True) == at_once


def test_rules_that_agree_see_the_same_deals() -> None:
    """Common random numbers: another payoff or option changes no card."""
    others: list[Changes] = [
        {"points": [1] * 10},
        {"s4_end": "all"},
        {"voluntary_draw": True},
        {"target": 1},
    ]
    assert agreeing(PLAYS, RULES, others, 4, first=2) == [1] * 4
