"""A game of almost nothing, to test the shared pieces without any rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sim.events import Field, Kind, Note
from sim.games import Game
from sim.knobs import Rules, knob
from sim.masks import Masks
from sim.seats import Seats
from sim.table import Table
from sim.view import View

KINDS = {
    kind.name: kind
    for kind in (
        Kind("take", "one of the letters", "letter", clock=("turn",)),
        Kind("give", "so many letters", "letter", form="sample", bound="due"),
        Kind("bet", "tokens on numbers", "token", form="bag", bound="most", tally=True),
    )
}
WORDS: dict[str, Sequence[str]] = {
    "letter": "abcdefghij",
    "token": ["one", "two", "three"] * 4,
    "why": ["luck", "skill"],
}
NOTES = {
    "score": Note(
        "outcome",
        "points by seat",
        {
            "turn": Field("turn, from 1"),
            "points": Field("points"),
            "secret": Field("in the table only", told=False),
        },
    ),
    "drawn": Note("chance", "who drew", {"cards": Field("by seat", "drawn")}),
    "found": Note(
        "outcome",
        "a letter",
        {
            "seat": Field("who", "seat"),
            "letter": Field("which", "bit", "letter"),
            "left": Field("the others", "set", "letter"),
            "why": Field("how", "code", "why"),
        },
    ),
    "silent": Note("outcome", "never told", {"n": Field("a number")}),
    "result": Note("result", "the end", {"winner": Field("who", "seat")}),
}


@dataclass
class Clock:
    """A turn, from 0."""

    turn: int = 0

    @property
    def tick(self) -> int:
        return self.turn

    def told(self) -> dict[str, int]:
        return {"turn": self.turn + 1}


class ToyRules(Rules):
    """One knob."""

    size: int = knob(3, "how much", unit="things", source="here", ge=1, le=5)


class Box:
    """Its vocabularies."""

    words: Mapping[str, Sequence[str]] = WORDS


class State(Seats):
    """Some games of it, numbered from ``first``."""

    width = 3
    box = Box()

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
    notes=NOTES,
    redeal=lambda state, seat, salt=0: state,
    floor=(1.0, 1.0),
    tables_only=frozenset({"silent"}),
)
