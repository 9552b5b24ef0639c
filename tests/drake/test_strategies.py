"""Each strategy of the Drake does what its text says; margins in standard errors."""

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sim import masks
from sim.drake.layout import GREED, PRIDE
from sim.drake.view import DrakeView
from sim.masks import Masks
from sim.table import Table
from strategies.base import Strategy
from strategies.drake import features
from strategies.drake.allround import Allround
from strategies.drake.racer import Racer
from strategies.drake.saboteur import Saboteur
from strategies.random import Random
from tests.drake.plays import GAME, PLAYS, started, table
from tests.games.skilled import Skilled, apart, error
from tests.games.watched import Watched, of_answer

OTHERS = (Random(), Racer(), Saboteur())
ALL = (*OTHERS, Allround())
ERRORS = 5  # standard errors that a difference has to exceed
Judged = NDArray[np.float64]
Judge = Callable[[DrakeView, Masks], Judged]


def title(strategy: Strategy) -> str:
    return strategy.title


# --- What each one says of itself, decision by decision -----------------------------


@lru_cache
def judged(strategy: Strategy, kind: str, judge: Judge, players: int = 4) -> Judged:
    """What the judge says of its choices, one of such players among ``random``."""
    games, found = 3000, list[Judged]()

    def look(view: DrakeView, answer: Masks) -> None:
        if view.kind.name == kind:
            found.append(judge(view, answer))

    player = Watched(strategy, look)
    state = started(None, players, games)
    seats = np.arange(players)[:, None]
    sitting = ((seats + np.arange(games)) % players > 0).astype(np.uint8)
    GAME.play(state, Table([player, Random()], sitting, GAME.view, GAME.kinds))
    return np.concatenate(found)


def deck_of(view: DrakeView, virtue: NDArray[Any]) -> NDArray[Any]:
    """(rows,) the deck that brings a Virtue nearer: of Pride the smallest one."""
    smallest = np.where(view.decks > 0, view.decks, 99).argmin(axis=0)
    found: NDArray[Any] = np.array([0, 2, 1, 0]).take(virtue)
    return np.where(virtue == PRIDE, smallest, found)


def feeds_itself(view: DrakeView, answer: Masks) -> Judged:
    """Where there is a choice: whether it plays the deck of its own Virtue."""
    choice = np.flatnonzero(view.legal & (view.legal - masks.ONE))
    own_deck = deck_of(view, view.virtues[0])
    return (masks.index(answer) == own_deck)[choice].astype(np.float64)


def feeds_the_nearest(view: DrakeView, answer: Masks) -> Judged:
    """Where another Virtue is about to win: whether it plays the deck of that one."""
    need = features.far(view, features.now(view))
    need[view.virtues[0], np.arange(len(view))] = np.inf
    alone = (need <= need.min(axis=0)).sum(axis=0) == 1
    near = np.flatnonzero(alone & (need.min(axis=0) <= 2))
    deck = deck_of(view, need.argmin(axis=0))
    return (masks.index(answer) == deck)[near].astype(np.float64)


def most(judge: Judge, wanted: Strategy, sign: int) -> None:
    """Assert that one strategy does something most, or least, often."""
    found = judged(wanted, "play", judge)
    for other in ALL:
        if other != wanted:
            less = judged(other, "play", judge)
            assert sign * apart(found, less) > ERRORS, other.title


def test_racer_feeds_its_own_virtue_most() -> None:
    most(feeds_itself, Racer(), 1)
    assert judged(Racer(), "play", feeds_itself).mean() > 0.9


def test_saboteur_feeds_the_nearest_other_virtue_least() -> None:
    most(feeds_the_nearest, Saboteur(), -1)


def test_saboteur_blocks_absent_virtues_too() -> None:
    """With two players, in whose games two Virtues are absent."""

    def feeds_the_nearest_absent(view: DrakeView, answer: Masks) -> Judged:
        need = features.needs(view, features.now(view))
        absent = np.where(view.waits == 255, need, np.inf).argmin(axis=0)
        rows = np.arange(len(view))
        near = np.flatnonzero(need[absent, rows] < need[view.virtues[1], rows])
        return (masks.index(answer) == deck_of(view, absent))[near].astype(np.float64)

    blocks, races = (
        judged(strategy, "play", feeds_the_nearest_absent, players=2)
        for strategy in (Saboteur(), Racer())
    )
    assert len(blocks) > 1000
    assert races.mean() - blocks.mean() > ERRORS * error(races)


def wins_now(view: DrakeView, answer: Masks) -> Judged:
    """Where the next Treasure wins for Greed: whether it is played."""
    now = (view.virtues[0] == GREED) & (view.piles[2] == view.rules.goal - 1)
    able = np.flatnonzero(now & ((view.legal & masks.bit(2)) != 0))
    return (masks.index(answer) == 2)[able].astype(np.float64)


@pytest.mark.parametrize("strategy", [Racer(), Allround()], ids=title)
def test_they_win_when_they_can(strategy: Strategy) -> None:
    found = judged(strategy, "play", wins_now)
    assert len(found) > 50
    assert found.all()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_chance_to_win_is_about_right(players: int) -> None:
    """Those that give themselves a better chance win more often, among their likes."""
    state, seen = started(None, players, 3000), list[Any]()

    def judge(view: DrakeView, answer: Masks) -> None:
        if view.kind.name == "play":
            rows = np.arange(len(view)) if view._rows is None else view._rows
            now = features.now(view)
            seats = np.broadcast_to(np.asarray(view.seat), len(view))
            seen.append((state.games[rows], seats, Allround().judge(view, now)(now)))

    GAME.play(state, table([Watched(Allround(), judge)]))
    game, seat, chance = (np.concatenate(part) for part in zip(*seen, strict=True))
    won = state.ends.winner[game.astype(np.int64)] == seat
    parts = [(chance >= low) & (chance < low + 0.25) for low in (0, 0.25, 0.5, 0.75)]
    shares = [won[part].mean() for part in parts if part.sum() > 300]
    assert len(shares) > 2
    assert all(less < more for less, more in pairwise(shares))


def test_allround_weighs_whose_turn_comes_next() -> None:
    """The same table, were it another's turn next, and it may do otherwise."""

    def judge(view: DrakeView, answer: Masks) -> Judged:
        other = view.take(np.arange(len(view)))
        waits = view.waits
        later = (view.players - waits.astype(int)) % view.players
        other.waits = np.where(waits == 255, waits, later).astype(np.uint8)
        worth = Allround().worth(other)
        assert worth is not None
        less: Judged = (
            of_answer(worth, answer) < np.nanmax(worth, axis=0) - 1e-9
        ) * 1.0
        return less

    assert judged(Allround(), "play", judge).sum() > 100


class TestSkilled(Skilled):
    plays = PLAYS
    games, errors, decided = 12_000, 3.0, True


def test_strategies_are_found_by_their_names() -> None:
    assert PLAYS.names == ("random", "allround", "racer", "saboteur")
