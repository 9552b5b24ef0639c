"""What hands have shown is kept wherever somebody may ask for it, and only there."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from experiments.core.cells import Cell, play
from sim.devil.view import DevilView
from sim.listener import Listener
from sim.masks import Masks
from sim.recorder import Recorder
from strategies.base import Strategy
from strategies.devil.allround import Allround
from strategies.random import Random
from tests.devil.plays import GAME, numbers

SHOWN = ("voids", "lacked", "late")


@dataclass(frozen=True)
class Reading(Allround):
    """As allround; it reads what hands have shown, and says nothing of it."""

    name = "reading"

    def play(self, view: DevilView) -> Masks:
        seen = [np.sort(getattr(view, what), axis=None) for what in SHOWN]
        found.append((view.round.sum(), *map(np.ndarray.tolist, seen)))
        return super().play(view)


@dataclass(frozen=True)
class Careless(Allround):
    """Says that it does not read what hands have shown, and does."""

    name = "careless"
    ignores_public_history = True

    def play(self, view: DevilView) -> Masks:
        return view.legal & view.voids[0]


class Own(Recorder):
    """A listener derived from one that plays nothing on."""


found: list[Any] = []


def played(
    *lineup: Strategy | str, listeners: Sequence[Listener] = (), games: int = 40
) -> Any:
    cell = Cell("devil", GAME.rules(), 4, lineup, seed=3)
    return play(cell, numbers(games), list(listeners)).state


@pytest.mark.parametrize("lineup", ["random", "allround", "noisy(dumper, 0.1)"])
def test_nobody_asks(lineup: str) -> None:
    state = played(lineup, listeners=[Recorder(["round", "play"])])
    assert not state.shows
    for what in SHOWN:
        with pytest.raises(AttributeError, match=what):
            getattr(state, what)


@pytest.mark.parametrize(
    "lineup",
    [
        (Reading(),),
        ("allround", "allround", Reading(), "allround"),
        ("allround", "random", "search:samples=1:kinds=declare", "random"),
        ("noisy(search:samples=1:kinds=declare, 0.5)", *["random"] * 3),
    ],
)
def test_somebody_may_ask(lineup: tuple[Strategy | str, ...]) -> None:
    assert played(*lineup, games=4).shows


def test_a_listener_may_play_on() -> None:
    assert played(Random(), listeners=[Own(["round"])]).shows


def test_who_says_that_he_does_not_ask_cannot() -> None:
    with pytest.raises(Exception, match="voids"):
        played(Careless())


def test_the_games_are_the_same() -> None:
    kept = played("allround", listeners=[Own([])]).finals
    assert kept.scores.tolist() == played("allround").finals.scores.tolist()


def test_one_seat_sees_what_it_would_see_among_others_who_ask() -> None:
    """The same games, with and without another who may ask."""
    seats = ("allround", Reading(), "allround", "allround")
    found.clear()
    played(*seats)
    alone = [*found]
    found.clear()
    played(*seats, listeners=[Own([])])
    assert alone == found
    assert any(any(lacked) for _, _, lacked, _ in alone)
