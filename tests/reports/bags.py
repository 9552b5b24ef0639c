"""A fair game of three bags, in which what designers do wrong can be planted.

Each round a player draws from one of three bags; one of them, another one each round,
is better, which careful players know. After each round all points are told. The rules
can favour the second player (``head_start``), make a bag worthless (``blue``) or far
better (``red``), give who leads more (``rich``), or take something from a bag that no
player reckons with (``trap``).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from sim import masks
from sim.batch_state import BatchState
from sim.chance import Purpose
from sim.events import Decision, EventType, Field
from sim.games import Game
from sim.parameters import Rules, parameter
from sim.scores import Score
from sim.view import View
from strategies.base import Strategy
from strategies.random import Random
from tests.reports.toys import plays_only, registered

_POINTS = Field("points, by seat")
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
KINDS = {"draw": Decision("draw", "which bag", "bag", clock=("round",))}
ROUNDS, BETTER, DIE = 6, 12, 30


class BagRules(Rules):
    """What can be planted."""

    head_start: int = parameter(0, "of the second", unit="points", source="here", ge=0)
    red: int = parameter(0, "red bag is better", unit="points", source="here")
    blue: int = parameter(0, "blue bag is better", unit="points", source="here")
    rich: int = parameter(0, "who leads alone gets", unit="points", source="here")
    trap: int = parameter(0, "blue bag costs unseen", unit="points", source="here")


class Box:
    """Its vocabularies."""

    vocabularies: Mapping[str, Sequence[str]] = {
        "bag": ["red", "white", "blue"],
        "by": ["points", "none"],
        "seat": ["0", "1"],
    }


@dataclass
class Clock:
    """A round and a turn, from 0."""

    round: int = 0
    turn: int = 0

    @property
    def tick(self):
        return 4 * self.round + self.turn

    def labels(self):
        return {"round": self.round + 1}


def worth(rules, number):
    """What each bag is worth more than the die in a round, from 0."""
    values = np.array([rules.red, 0, rules.blue])
    values[number % 3] += BETTER
    return values


class BagView(View):
    """What everybody knows."""

    @property
    def worth(self):
        return worth(self._state.rules, self._state.clock.round)


class State(BatchState):
    """Who has how many points."""

    game_id = "bags"
    layout = Box()

    def __init__(self, rules, players, seed, numbers):
        super().__init__(rules, players, seed, numbers)
        self.clock = Clock()
        self.points = np.zeros((players, len(numbers)), dtype=np.int16)
        self.points[1] += rules.head_start


def play(state, table):
    """All rounds; points are told after each."""
    begun = state.clock.turn  # in the round in which the games stand
    for number in range(state.clock.round, ROUNDS):
        values = worth(state.rules, number)
        for seat in range(begun, state.players):
            state.clock = Clock(number, seat)
            legal = np.full(len(state.games), 7, dtype=np.uint64)
            bag = masks.index(table.ask(state, "draw", seat, legal))
            thrown = state.chance.below(DIE, Purpose.DICE, seat + 4 * number)
            unseen = (bag == 2) * state.rules.trap
            state.points[seat] += (thrown + values[bag] - unseen).astype(np.int16)
        best = state.points == state.points.max(axis=0)
        state.points += (best & (best.sum(axis=0) == 1)) * np.int16(state.rules.rich)
        begun = 0
        table.emit(state, "round", points=state.points.copy())
    best = state.points == state.points.max(axis=0)
    alone = best.sum(axis=0) == 1
    winner = np.where(alone, best.argmax(axis=0), -1).astype(np.int8)
    by = (~alone).astype(np.uint8)
    table.emit(state, "result", winner=winner, by=by, points=state.points)


GAME = Game(
    id="bags",
    title="Bags",
    players=(2,),
    rules=BagRules,
    start=State,
    play=play,
    view=BagView,
    kinds=KINDS,
    events=NOTES,
    redeal=lambda state, seat: state,
    first=lambda state: np.zeros(len(state.games), dtype=np.uint8),
    first_position="first player",
    score=Score("points", wins="most"),
    standing=Score("points", wins="most", note="round"),
    floor=(1.0, 1.0),
)


@dataclass(frozen=True)
class Careful(Strategy):
    """Takes the bag that is worth most."""

    name = "allround"

    def draw(self, view):
        return np.full(len(view), 1 << int(view.worth.argmax()), dtype=np.uint64)


@dataclass(frozen=True)
class Steady(Strategy):
    """Takes the bag that is worth most; of equals the last."""

    name = "steady"

    def draw(self, view):
        best = 2 - int(view.worth[::-1].argmax())
        return np.full(len(view), 1 << best, dtype=np.uint64)


@dataclass(frozen=True)
class Blue(Strategy):
    """Takes the blue bag."""

    name = "blue"

    def draw(self, view):
        return view.legal & np.uint64(4)


STRATEGIES = {one.name: one for one in (Random, Careful, Steady, Blue)}


@pytest.fixture
def bags(monkeypatch):
    """The game, registered for a test with its strategies; it has no report."""
    registered(monkeypatch, GAME, "three bags")
    plays_only(monkeypatch, GAME, STRATEGIES)
    return GAME
