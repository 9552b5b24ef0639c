"""A game that declares no report: every round each player takes one to three coins."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from sim import masks
from sim.batch_state import BatchState
from sim.events import Decision, EventType, Field
from sim.games import Game
from sim.parameters import Rules, parameter
from sim.scores import Score
from sim.view import View
from tests.reports.toys import registered

_POINTS = Field("coins, by seat")
NOTES = {
    "round": EventType("outcome", "after a round", {"points": _POINTS}),
    "result": EventType(
        "result",
        "the end",
        {
            "winner": Field("who has most alone, or nobody", "seat"),
            "by": Field("how it was decided", "code", "by"),
            "points": _POINTS,
        },
    ),
}
KINDS = {"take": Decision("take", "how many coins", "coin", clock=("round",))}


class CoinRules(Rules):
    """One parameter."""

    rounds: int = parameter(5, "rounds", unit="rounds", source="here", ge=1, le=9)


class Box:
    """Its vocabularies."""

    vocabularies: Mapping[str, Sequence[str]] = {
        "coin": ["one", "two", "three"],
        "by": ["coins", "none"],
        "seat": ["0", "1", "2", "3"],
    }


@dataclass
class Clock:
    """A round and a turn, from 0."""

    round: int = 0
    turn: int = 0

    @property
    def tick(self):
        return 16 * self.round + self.turn

    def labels(self):
        return {"round": self.round + 1}


class State(BatchState):
    """Who has how many coins."""

    game_id = "coins"
    layout = Box()

    def __init__(self, rules, players, seed, numbers):
        super().__init__(rules, players, seed, numbers)
        self.clock = Clock()
        self.points = np.zeros((players, len(numbers)), dtype=np.uint8)


def play(state, table):
    """All rounds."""
    begun = state.clock.turn  # in the round in which the games stand
    for number in range(state.clock.round, state.rules.rounds):
        for seat in range(begun, state.players):
            state.clock = Clock(number, seat)
            legal = np.full(len(state.games), 7, dtype=np.uint64)
            chosen = table.ask(state, "take", seat, legal)
            state.points[seat] += masks.index(chosen).astype(np.uint8) + 1
        begun = 0
        table.emit(state, "round", points=state.points.copy())
    best = state.points == state.points.max(axis=0)
    alone = best.sum(axis=0) == 1
    winner = np.where(alone, best.argmax(axis=0), -1).astype(np.int8)
    by = (~alone).astype(np.uint8)
    table.emit(state, "result", winner=winner, by=by, points=state.points)


GAME = Game(
    id="coins",
    title="Coins",
    players=(2, 4),
    rules=CoinRules,
    start=State,
    play=play,
    view=View,
    kinds=KINDS,
    events=NOTES,
    redeal=lambda state, seat, salt=0: state,
    first=lambda state: np.zeros(len(state.games), dtype=np.uint8),
    first_position="first",
    score=Score("points", wins="most"),
    standing=Score("points", wins="most", note="round"),
    floor=(1.0, 1.0),
)


@pytest.fixture
def coins(monkeypatch):
    """The game, registered for a test; it has no strategies and no report."""
    registered(monkeypatch, GAME, "who takes most coins")
    return GAME
