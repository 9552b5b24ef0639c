"""A game of almost nothing, to test the shared pieces without any rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sim.batch_state import BatchState
from sim.events import Decision, EventType, Field
from sim.games import Game
from sim.masks import Masks
from sim.parameters import Rules, parameter
from sim.table import Table
from sim.view import View

KINDS = {
    kind.name: kind
    for kind in (
        Decision("take", "one of the letters", "letter", clock=("turn",)),
        Decision("ask", "one of the seats", "seat", clock=("age",)),
        Decision("give", "so many letters", "letter", form="sample", bound="due"),
        Decision(
            "bet", "tokens on numbers", "token", form="bag", bound="most", tally=True
        ),
    )
}
WORDS: dict[str, Sequence[str]] = {
    "letter": "abcdefghij",
    "token": ["one", "two", "three"] * 4,
    "why": ["luck", "skill"],
    "seat": ["0", "1", "2"],
    "age": ["early", "late"],
}
EVENTS = {
    "score": EventType(
        "outcome",
        "points by seat",
        {
            "turn": Field("turn, from 1"),
            "points": Field("points"),
            "secret": Field("in the table only", shown=False),
        },
    ),
    "drawn": EventType("chance", "who drew", {"cards": Field("by seat", "drawn")}),
    "found": EventType(
        "outcome",
        "a letter",
        {
            "seat": Field("who", "seat"),
            "letter": Field("which", "bit", "letter"),
            "left": Field("the others", "set", "letter"),
            "why": Field("how", "code", "why"),
        },
    ),
    "held": EventType(
        "chance",
        "what lies where",
        {
            "age": Field("when", "code", "age"),
            "lists": Field("letters in order, by seat", "list", "letter"),
            "among": Field("some of the seats", "set", "seat"),
            "total": Field("by seat, or none", null=-9),
        },
    ),
    "silent": EventType("outcome", "never told", {"n": Field("a number")}),
    "result": EventType("result", "the end", {"winner": Field("who", "seat")}),
}


@dataclass
class Clock:
    """A turn, from 0."""

    turn: int = 0

    @property
    def tick(self) -> int:
        return self.turn

    def labels(self) -> dict[str, int]:
        return {"turn": self.turn + 1}


class ToyRules(Rules):
    """One parameter."""

    size: int = parameter(3, "how much", unit="things", source="here", ge=1, le=5)


class Layout:
    """Its vocabularies."""

    vocabularies: Mapping[str, Sequence[str]] = WORDS


class State(BatchState):
    """Some games of it, numbered from ``first``."""

    options_per_token = 3
    layout = Layout()

    def __init__(self, games: int = 6, players: int = 3, first: int = 100) -> None:
        numbers = np.arange(first, first + games, dtype=np.uint64)
        super().__init__(ToyRules(), players, 4, numbers)
        self.clock = Clock()
        seats = np.arange(players, dtype=np.uint8)[:, None]
        self.points = seats * np.uint8(10) + np.arange(games, dtype=np.uint8)


@dataclass
class Answers:
    """A player that answers with what it was made with, or what that returns."""

    answer: Any
    title: str = "answers"
    views: list[View] = field(default_factory=list)

    def decide(self, view: View) -> Masks:
        self.views.append(view)
        return self.answer(view) if callable(self.answer) else self.answer


class Lowest:
    """Takes the lowest options."""

    title = "lowest"

    def decide(self, view: View) -> Masks:
        answer = np.zeros_like(view.legal)
        for token in range(int(view.most.max())):
            left = view.legal & ~answer
            answer |= np.where(view.most > token, left & -left, np.uint64(0))
        return answer


def letters(*sets: str) -> Masks:
    """A mask a game."""
    bits = [sum(1 << WORDS["letter"].index(one) for one in text) for text in sets]
    return np.array(bits, dtype=np.uint64)


def table(*players: Any, sitting: Any = None, listeners: Sequence[Any] = ()) -> Table:
    """A table of these players."""
    return Table(list(players), sitting, View, KINDS, listeners)


GAME = Game(
    id="toy",
    title="Toy",
    players=(2, 3),
    rules=ToyRules,
    start=State,
    play=lambda state, table: None,
    view=View,
    kinds=KINDS,
    events=EVENTS,
    redeal=lambda state, seat, salt=0: state,
    first=lambda state: np.zeros(state.size, dtype=np.uint8),
    first_position="first",
    floor=(1.0, 1.0),
    tables_only=frozenset({"silent"}),
)
