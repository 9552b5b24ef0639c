"""A game in which no option is better: each is a die of its own, thrown by chance.

Every round each player takes one of three dice, and has its points. With ``loaded``
one of them always shows six.
"""

import sys

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
from tests.reports.toys import registered

STRATEGIES = '''
from dataclasses import dataclass
from sim import masks
from strategies.base import Strategy, parameter


@dataclass(frozen=True)
class Low(Strategy):
    """Takes the first die, or the last as often as ``last`` says."""

    name = "low"
    last: float = parameter(0.0, 0, 1)

    def take(self, view):
        late = view.uniform() < self.last
        return masks.blend(late, masks.highest(view.legal), masks.lowest(view.legal))


@dataclass(frozen=True)
class Allround(Strategy):
    """Takes the first two dice alike."""

    name = "allround"

    def take(self, view):
        return view.pick(view.legal & masks.span(0, 2))
'''
DICE = ["red", "green", "blue"]
POINTS = Field("points, by seat")


class DiceRules(Rules):
    """One parameter."""

    rounds: int = parameter(2, "rounds", unit="rounds", source="here", ge=1, le=9)
    loaded: bool = parameter(False, "whether the blue die is loaded", source="here")


class Box:
    """Its vocabularies."""

    def __init__(self):
        seats = ["0", "1", "2"]
        self.vocabularies = {"die": DICE, "by": ["points", "none"], "seat": seats}


class Clock:
    """A round and a turn, from 0."""

    def __init__(self, turn=0):
        self.turn = turn

    @property
    def tick(self):
        return self.turn

    def labels(self):
        return {"turn": self.turn + 1}


class State(BatchState):
    """Who has how many points."""

    layout = Box()

    def __init__(self, rules, players, seed, numbers):
        super().__init__(rules, players, seed, numbers)
        self.clock = Clock()
        self.points = np.zeros((players, len(numbers)), dtype=np.uint8)


def play(state, table):
    for turn in range(state.clock.turn, state.rules.rounds * state.players):
        state.clock = Clock(turn)
        seat = turn % state.players
        legal = np.full(len(state.games), 7, dtype=np.uint64)
        die = masks.index(table.ask(state, "take", seat, legal))
        thrown = [state.chance.below(6, Purpose.DICE, 3 * turn + n) for n in range(3)]
        if state.rules.loaded:
            thrown[2][:] = 5
        state.points[seat] += np.choose(die, thrown).astype(np.uint8) + 1
    best = state.points == state.points.max(axis=0)
    alone = best.sum(axis=0) == 1
    winner = np.where(alone, best.argmax(axis=0), -1).astype(np.int8)
    by = (~alone).astype(np.uint8)
    table.emit(state, "result", winner=winner, by=by, points=state.points)


GAME = Game(
    id="dice",
    title="Dice",
    players=(3,),
    rules=DiceRules,
    start=State,
    play=play,
    view=View,
    kinds={"take": Decision("take", "one of the dice", "die", clock=("turn",))},
    events={
        "result": EventType(
            "result",
            "the end",
            {
                "winner": Field("who has most alone, or nobody", "seat"),
                "by": Field("how it was decided", "code", "by"),
                "points": POINTS,
            },
        )
    },
    redeal=lambda state, seat, salt=0: state,
    first=lambda state: np.zeros(len(state.games), dtype=np.uint8),
    first_position="first",
    score=Score("points", wins="most"),
    floor=(1.0, 1.0),
)


@pytest.fixture
def dice(monkeypatch, tmp_path):
    """The game, registered for a test, with two strategies."""
    from strategies import registry

    folder = tmp_path / "strategies_of_dice"
    folder.mkdir()
    (folder / "all.py").write_text(STRATEGIES)
    strategies = registered(monkeypatch, GAME, "who throws most")
    strategies.__path__ = [str(folder)]
    monkeypatch.delitem(sys.modules, "strategies.dice.all", raising=False)
    registry._builtin.cache_clear()
    yield GAME
    registry._builtin.cache_clear()
    sys.modules.pop("strategies.dice.all", None)
