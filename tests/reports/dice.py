"""A game of pure luck: every round each player throws one of three equal dice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from sim.batch_state import BatchState
from sim.chance import Purpose
from sim.events import Decision, EventType, Field
from sim.games import Game
from sim.parameters import Rules, parameter
from sim.scores import Score
from sim.view import View
from tests.reports.toys import registered

NOTES = {
    "result": EventType(
        "result",
        "the end",
        {
            "winner": Field("who has most pips alone, or nobody", "seat"),
            "by": Field("how it was decided", "code", "by"),
            "points": Field("pips, by seat"),
        },
    ),
}
KINDS = {"throw": Decision("throw", "one of the dice", "die", clock=("round",))}


class DiceRules(Rules):
    """One parameter."""

    rounds: int = parameter(3, "rounds", unit="rounds", source="here", ge=1, le=9)


class Box:
    """Its vocabularies."""

    vocabularies: Mapping[str, Sequence[str]] = {
        "die": ["red", "white", "blue"],
        "by": ["pips", "none"],
        "seat": ["0", "1", "2", "3"],
    }


@dataclass
class Clock:
    """A throw, from 0, of so many players."""

    players: int
    throw: int = 0

    @property
    def tick(self):
        return self.throw

    def labels(self):
        return {"round": self.throw // self.players + 1}


class State(BatchState):
    """Who has how many pips."""

    game_id = "dice"
    layout = Box()

    def __init__(self, rules, players, seed, numbers):
        super().__init__(rules, players, seed, numbers)
        self.clock = Clock(players)
        self.points = np.zeros((players, len(numbers)), dtype=np.uint8)


def play(state, table):
    """From the next throw to the end; all dice fall alike."""
    while (throw := state.clock.throw) < state.rules.rounds * state.players:
        seat = throw % state.players
        table.ask(state, "throw", seat, np.full(len(state.games), 7, dtype=np.uint64))
        pips = state.chance.below(6, Purpose.DICE, throw).astype(np.uint8) + 1
        state.points[seat] += pips.astype(np.uint8)
        state.clock.throw += 1
    best = state.points == state.points.max(axis=0)
    alone = best.sum(axis=0) == 1
    winner = np.where(alone, best.argmax(axis=0), -1).astype(np.int8)
    by = (~alone).astype(np.uint8)
    table.emit(state, "result", winner=winner, by=by, points=state.points)


GAME = Game(
    id="dice",
    title="Dice",
    players=(2, 3, 4),
    rules=DiceRules,
    start=State,
    play=play,
    view=View,
    kinds=KINDS,
    events=NOTES,
    redeal=lambda state, seat: state,
    first=lambda state: np.zeros(len(state.games), dtype=np.uint8),
    first_position="first",
    score=Score("points", wins="most"),
    floor=(1.0, 1.0),
)


@pytest.fixture
def dice(monkeypatch):
    """The game, registered for a test; it has one strategy, chance."""
    registered(monkeypatch, GAME, "who throws most pips")
    return GAME
