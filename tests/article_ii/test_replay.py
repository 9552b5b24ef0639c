"""Game 7 is game 7: alone, in any block, resumed from any moment, on any cores."""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest

from experiments.cells import Cell, play
from experiments.run import run
from sim.article_ii.play import STEPS
from sim.article_ii.state import State, Step
from sim.transcript import Event, Transcript
from strategies.registry import make
from tests.article_ii.plays import (
    GAME,
    any_rules,
    ruled,
    started,
    table,
    told,
)

RULES = {"hand": 4, "necromancer_target": "chosen"}
MIXED = ["balanced", "random", "builder", "random"]


def unnumbered(events: Sequence[Event]) -> list[Event]:
    """The events without the number of their game."""
    return [{k: v for k, v in event.items() if k != "game"} for event in events]


@pytest.mark.parametrize("lineup", [["random"] * 4, MIXED])
@pytest.mark.parametrize("rotate", [False, True])
def test_game_7_is_game_7(lineup: list[str], *, rotate: bool) -> None:
    def game(first: int, games: int, seed: int = 3) -> list[Event]:
        played = told(
            RULES, 4, games, lineup=lineup, first=first, seed=seed, rotate=rotate
        )
        return played[7 - first]

    alone = game(7, 1)
    assert alone[0]["game"] == 7
    for first, games in ((0, 8), (5, 13), (7, 3)):
        assert game(first, games) == alone
    assert unnumbered(game(0, 8, seed=4)) != unnumbered(alone)


def test_games_differ() -> None:
    games = told({"hand": 2}, 4, 30)
    assert len({str(unnumbered(events)) for events in games}) == 30


def test_games_in_any_order_and_far_apart() -> None:
    """Rows need not be neighbours: what decides is the index."""
    wanted = [2**40 + 5, 3, 99, 4]
    cell = Cell("article_ii", ruled(RULES), 4, tuple(MIXED), seed=9)
    writer = Transcript(GAME)
    play(cell, np.array(wanted, dtype=np.uint64), [writer])
    together = writer.events()
    for game in wanted:
        alone = told(RULES, 4, 1, lineup=MIXED, first=game, seed=9)[0]
        assert [event for event in together if event["game"] == game] == alone


def test_a_longer_game_beside_it_changes_nothing() -> None:
    """A game that ends early waits for one that draws on and on."""
    games = told(None, 4, 60)
    lengths = [len(events) for events in games]
    short, long = lengths.index(min(lengths)), lengths.index(max(lengths))
    assert min(lengths) + 40 < max(lengths)
    for game in (short, long):
        assert told(None, 4, 1, first=game)[0] == games[game]


# --- Resuming -----------------------------------------------------------------------


def end(state: State) -> dict[str, Any]:
    """All that the state holds, to be compared."""
    kept = {k: v for k, v in vars(state).items() if isinstance(v, np.ndarray)}
    listed = {key: value.tolist() for key, value in kept.items()}
    return listed | {"clock": str(state.clock)}


@pytest.mark.parametrize(
    ("players", "name"), [(2, "random"), (3, "balanced"), (4, "random")]
)
def test_a_copy_played_on_ends_the_same(players: int, name: str) -> None:
    """Copied before every single step: each copy, played on, ends as the game did."""
    desk = table([make("article_ii", name)])
    state = started(RULES, players, 12, seed=6)
    copies: list[tuple[State, dict[str, Any]]] = []
    while state.clock.step is not Step.OVER:
        copies.append((state.copy(), end(state)))
        STEPS[state.clock.step](state, desk)
    wanted = end(state)
    assert {copy.clock.step for copy, _ in copies} == set(STEPS)
    for copy, before in copies:
        assert end(copy) == before, "playing the original changed a copy"
    for copy, _ in copies[::19]:
        GAME.play(copy, desk)
        assert end(copy) == wanted
    assert end(state) == wanted, "playing a copy changed the original"


@pytest.mark.parametrize("seed", range(4))
def test_copies_under_any_rules(seed: int) -> None:
    dice = random.Random(seed)
    state, copies, desk = started(any_rules(dice), 3, 8, seed=seed), [], table()
    while state.clock.step is not Step.OVER:
        if dice.random() < 0.05:
            copies.append(state.copy())
        STEPS[state.clock.step](state, desk)
    assert copies
    for copy in copies:
        GAME.play(copy, desk)
        assert end(copy) == end(state)


def test_a_copy_forgets_nothing_that_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test of the copies could fail: one that shares an array is seen."""
    copy = State.copy

    def shared(self: State) -> State:
        other = copy(self)
        other.lying = self.lying
        return other

    monkeypatch.setattr(State, "copy", shared)
    with pytest.raises(AssertionError, match=r"changed"):
        test_a_copy_played_on_ends_the_same(2, "random")


# --- Runs ---------------------------------------------------------------------------


def frame(jobs: int, monkeypatch: pytest.MonkeyPatch, block: int = 50) -> pl.DataFrame:
    monkeypatch.setattr("experiments.blocks.BLOCK", block)
    rules = ruled(RULES)
    cells = [
        Cell("article_ii", rules, 4, tuple(MIXED), rotate=True, seed=2),
        Cell("article_ii", rules, 2, ("random",) * 2, seed=2),
    ]
    return run(cells, 120, jobs=jobs).sums


def test_jobs_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    one = frame(1, monkeypatch)
    assert one.height > 20
    assert frame(2, monkeypatch).equals(one)


def test_size_of_blocks_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert frame(1, monkeypatch, 37).equals(frame(1, monkeypatch, 120))
