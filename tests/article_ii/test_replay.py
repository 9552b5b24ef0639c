"""Game 7 of Article II is game 7, beside longer games too."""

import random

import numpy as np

from sim.article_ii.state import State, Step
from tests.article_ii.plays import PLAYS, any_rules, transcripts
from tests.games.plays import Changes
from tests.games.replay import Replay

RULES = {"hand": 4, "necromancer_target": "chosen"}
MIXED = ["allround", "random", "builder", "random"]


def card(state: State) -> None:
    state.hands[0, 3] &= state.hands[0, 3] - np.uint64(state.hands[0, 3] > 0)


THEFTS = {"cards": (Step.END_TURN, card)}


class TestReplay(Replay):
    plays = PLAYS
    rules, mixed = RULES, MIXED
    around = ((0, 8), (5, 13), (7, 3))
    thefts = THEFTS
    cells = ((RULES, MIXED, True), (RULES, ["random"] * 2, False))
    size = (120, 50)

    def any_game(self, dice: random.Random) -> tuple[int, Changes]:
        return 3, any_rules(dice)


def test_a_longer_game_beside_it_changes_nothing() -> None:
    """A game that ends early waits for one that draws on and on."""
    games = transcripts(None, 4, 60)
    lengths = [len(events) for events in games]
    short, long = lengths.index(min(lengths)), lengths.index(max(lengths))
    assert min(lengths) + 40 < max(lengths)
    for game in (short, long):
        assert transcripts(None, 4, 1, first=game)[0] == games[game]
