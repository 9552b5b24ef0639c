"""What a hand has shown to lack: seen by everybody, true, and kept in redeals."""

from typing import Any

import numpy as np
import pytest

from experiments.core.cells import Cell, play
from sim import masks
from sim.masks import Flags, Masks
from sim.recorder import Recorder
from strategies.random import Random
from tests.games.plays import Plays

RULES = {
    "devil": {"target": 100},
    "kbernestich": {"rounds": 2, "observe_twice_same_trick": True},
    "kunitame": {"weeks": 2},
}


def untrue(state: Any) -> Flags:
    """(seats, games) whether a hand has cards that it should lack."""
    wrong: Flags = (state.hands & state.voids) != masks.NOTHING
    if hasattr(state, "lacked"):
        wrong |= masks.count(state.hands & state.lacked) > state.late
    return wrong


class Watched:
    """Plays at random, and looks at voids at every question."""

    title = "watched"

    def __init__(self, plays: Plays) -> None:
        self.plays = plays
        self.shown = self.wrong = self.dealt = 0

    def decide(self, view: Any) -> Masks:
        state = view._state
        assert not untrue(state).any(), "cards that it has"
        voids = view.voids
        self.shown += int(np.count_nonzero(voids))
        if voids.any():
            seat = np.zeros(len(state.games), dtype=np.uint8)
            seat[slice(None) if view._rows is None else view._rows] = view.seat
            other = self.plays.game.redeal(state, seat, 1)
            self.dealt += int(np.count_nonzero(state.voids))
            self.wrong += int(np.count_nonzero(untrue(other)))
        answer: Masks = Random().decide(view)
        return answer


@pytest.mark.parametrize("game", RULES)
def test_voids_are_true_and_kept(game: str) -> None:
    plays = Plays(game)
    watch = Watched(plays)
    state = plays.started(RULES[game], 4, 40, seed=2)
    plays.game.play(state, plays.table([watch]))
    assert watch.shown > 2_000
    # a hand may be given such a card only where no other is left for it
    assert watch.wrong < 0.01 * watch.dealt


@pytest.mark.parametrize("game", ["kbernestich", "kunitame"])
def test_who_follows_suit_shows_nothing(game: str) -> None:
    plays = Plays(game)
    state = plays.started({}, 3, 3)
    state.lead[:] = suit = masks.span(0, 4)
    seat = np.array([0, 1, 2], dtype=np.uint8)
    card = np.array([1 << 2, 1 << 9, 0], dtype=np.uint64)
    state.show_voids(seat, card, masks.NOTHING)
    assert state.voids.tolist() == [[0, 0, 0], [0, int(suit), 0], [0, 0, 0]]
    state.voids[:] = 0
    state.show_voids(seat, card, masks.bit(9))
    assert not state.voids.any()
    rows = np.array([2])
    state.show_voids(seat[1:2], card[1:2], masks.NOTHING, rows)
    assert state.voids.tolist() == [[0, 0, 0], [0, 0, int(suit)], [0, 0, 0]]


class Own(Recorder):
    """A listener derived from one that plays nothing on."""


@pytest.mark.parametrize("game", ["kbernestich", "kunitame"])
def test_what_nobody_asks_for_is_forgotten(game: str) -> None:
    """The same games, whether what hands have shown is kept or not."""
    cell = Cell(game, Plays(game).game.rules(), 3, ("random",), seed=3)
    numbers = np.arange(20, dtype=np.uint64)
    kept = play(cell, numbers, [Own([])]).state
    gone = play(cell, numbers, [Recorder([])]).state
    assert kept.shows
    assert not gone.shows
    with pytest.raises(AttributeError, match="voids"):
        _ = gone.voids
    assert kept.tricks.tolist() == gone.tricks.tolist()


def test_games_that_are_joined_forget_together() -> None:
    plays = Plays("kbernestich")
    one, other = (plays.started({}, 3, games) for games in (2, 3))
    other.drop_public_history()
    both = one.concatenate([other])
    assert not both.shows
    assert len(both.games) == 5
    assert not hasattr(both, "voids")
