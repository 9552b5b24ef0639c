"""Game 7 of Evilpact is game 7, whatever is played around it."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from sim import masks
from sim.evilpact.state import Phase, State
from sim.transcript import Event
from tests.evilpact.plays import NAMES, PLAYS
from tests.games.replay import Replay, unnumbered

DEALT = {"start", "seal", "market"}
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
    agreeing = (({"thresholds": [1, 2]}, 2), ({"contract_shifts_start": True}, 2))

    def dealt(self, events: Sequence[Event]) -> Any:
        """But for who starts a round."""
        shown = [e for e in unnumbered(events) if e["name"] in DEALT]
        return [{**event, "n": 0, "starter": 0} for event in shown]

    def test_a_shorter_game_has_the_same_cards(self) -> None:
        base, shorter = (
            [self.dealt(game) for game in PLAYS.transcripts(changes, 2, 20)]
            for changes in ({}, {"rounds": 3})
        )
        assert [game[:5] for game in base] == shorter
