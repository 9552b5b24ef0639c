"""Game 7 of Evilpact is game 7, whatever is played around it."""

from typing import Any

import numpy as np

from sim import masks
from sim.evilpact.state import Phase, State
from tests.evilpact.plays import NAMES, PLAYS, transcripts
from tests.games.replay import Replay, unnumbered

RULES = {"thresholds": [1, 3], "contract_after_round": 2}
MIXED = [NAMES[-1], "random"]


def card(state: State) -> None:
    state.libraries[0][3] |= masks.lowest(state.libraries[1])[3]


def power(state: State) -> None:
    state.power[0][3] += np.uint64(1)


def spell(state: State) -> None:
    state.spells[0][3] |= state.sealed[0][3]


THEFTS = {
    "cards in two places": (Phase.REFILL, card),
    "spells in two places": (Phase.REFILL, spell),
    "miscounted power": (Phase.REFILL, power),
}


class TestReplay(Replay):
    plays, players = PLAYS, 2
    rules, mixed = RULES, MIXED
    thefts = THEFTS
    few = 6
    cells = ((RULES, MIXED, True), ({}, ["random"] * 2, False))


def test_rules_that_agree_see_the_same_cards() -> None:
    """Common random numbers: another option changes no card that is dealt."""

    def dealt(changes: dict[str, Any]) -> list[Any]:
        shown = {"start", "seal", "market"}
        return [
            [
                {**e, "n": 0, "starter": 0}
                for e in unnumbered(game)
                if e["name"] in shown
            ]
            for game in transcripts(changes, 2, 20)
        ]

    base = dealt({})
    for changes in ({"thresholds": [1, 2]}, {"contract_shifts_start": True}):
        assert dealt(changes) == base
    shorter = dealt({"rounds": 3})
    assert [game[:5] for game in base] == shorter
