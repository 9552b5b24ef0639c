"""A game of dice, in which a finding can be planted.

Each round a player takes one to three coins, then dice are added; who has most wins.
``head_start``: coins of the second player at the start: this favours him, however
they play. ``die``: its sides; with one, who plays alike ends alike. ``gift``: coins
that he gets whenever the first one takes a single coin, which only weak players do.
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

NOTES = {
    "result": EventType(
        "result",
        "the end",
        {
            "winner": Field("who has most alone, or nobody", "seat"),
            "by": Field("how it was decided", "code", "by"),
            "points": Field("coins, by seat"),
        },
    ),
}
KINDS = {"take": Decision("take", "how many coins", "coin", clock=("round",))}


class DiceRules(Rules):
    """What can be planted."""

    head_start: int = parameter(0, "head start", unit="coins", source="here", ge=0)
    die: int = parameter(20, "die", unit="sides", source="here", ge=1)
    gift: int = parameter(0, "gift", unit="coins", source="here", ge=0)


class Box:
    """Its vocabularies."""

    vocabularies: Mapping[str, Sequence[str]] = {
        "coin": ["one", "two", "three"],
        "by": ["coins", "none"],
        "seat": ["0", "1"],
    }


@dataclass
class Clock:
    """Whose turn it is, from 0."""

    turn: int = 0

    @property
    def tick(self):
        return self.turn

    def labels(self):
        return {"round": self.turn + 1}


class State(BatchState):
    """Who has how many coins."""

    game_id = "dice"
    layout = Box()

    def __init__(self, rules, players, seed, numbers):
        super().__init__(rules, players, seed, numbers)
        self.clock = Clock()
        self.points = np.zeros((players, len(numbers)), dtype=np.int16)
        self.points[1] += rules.head_start


def play(state, table):
    """A turn of each, and the dice."""
    while state.clock.turn < state.players:
        seat = state.clock.turn
        legal = np.full(state.points.shape[1], 7, dtype=np.uint64)
        coins = masks.index(table.ask(state, "take", seat, legal)).astype(np.int16) + 1
        state.points[seat] += coins
        if seat != 1:
            state.points[1] += state.rules.gift * (coins == 1)
        state.clock = Clock(seat + 1)
    for seat in range(state.players):
        thrown = state.chance.below(state.rules.die, Purpose.DICE, seat)
        state.points[seat] += thrown.astype(np.int16)
    best = state.points == state.points.max(axis=0)
    alone = best.sum(axis=0) == 1
    winner = np.where(alone, best.argmax(axis=0), -1).astype(np.int8)
    by = (~alone).astype(np.uint8)
    table.emit(state, "result", winner=winner, by=by, points=state.points)


GAME = Game(
    id="dice",
    title="Dice",
    players=(2,),
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


@dataclass(frozen=True)
class Weak(Strategy):
    """Takes a single coin; it leads the report all the same."""

    name = "allround"

    def take(self, view):
        return view.legal & np.uint64(1)


@dataclass(frozen=True)
class Humble(Strategy):
    """Takes a single coin too."""

    name = "humble"

    def take(self, view):
        return view.legal & np.uint64(1)


@dataclass(frozen=True)
class Bold(Strategy):
    """Takes three coins."""

    name = "bold"

    def take(self, view):
        return view.legal & np.uint64(4)


STRATEGIES = {one.name: one for one in (Random, Weak, Humble, Bold)}


@pytest.fixture
def dice(monkeypatch):
    """The game, registered for a test with its strategies; it has no report."""
    registered(monkeypatch, GAME, "coins and dice")
    plays_only(monkeypatch, GAME, STRATEGIES)
    return GAME
