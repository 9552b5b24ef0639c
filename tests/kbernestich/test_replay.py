"""Game 7 is game 7: alone, in any block, resumed from any moment, on any cores."""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest

from experiments.cells import Cell, play
from experiments.run import run
from sim.kbernestich.play import STEPS
from sim.kbernestich.rules import Kbernestich
from sim.kbernestich.state import Phase, State
from sim.transcript import Event, Transcript
from strategies.registry import make
from tests.kbernestich.plays import GAME, any_rules, started, table, told

RULES = {"rounds": 2, "tricks": 5, "future_known": True}
MIXED = ["balanced", "random", "bidder", "random"]


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
    for first, games in ((0, 8), (0, 33), (5, 3), (7, 30)):
        assert game(first, games) == alone
    assert unnumbered(game(0, 8, seed=4)) != unnumbered(alone)


def test_games_differ() -> None:
    games = told({"rounds": 1}, 4, 30)
    assert len({str(unnumbered(events)) for events in games}) == 30


def test_games_in_any_order_and_far_apart() -> None:
    """Rows need not be neighbours: what decides is the index."""
    wanted = [2**40 + 5, 3, 99, 4]
    cell = Cell("kbernestich", Kbernestich.of(RULES), 4, tuple(MIXED), seed=9)
    writer = Transcript(GAME)
    play(cell, np.array(wanted, dtype=np.uint64), [writer])
    together = writer.events()
    for game in wanted:
        alone = told(RULES, 4, 1, lineup=MIXED, first=game, seed=9)[0]
        assert [event for event in together if event["game"] == game] == alone


def test_rules_that_agree_see_the_same_deals() -> None:
    """Common random numbers: another payoff or option changes no card."""

    def hands(changes: dict[str, Any]) -> list[Any]:
        games = told({"rounds": 2, **changes}, 4, 20)
        return [e["hands"] for game in games for e in game if e["name"] == "deal"]

    base = hands({})
    for changes in ({"hunch_points": 9}, {"low_tie": "bottom"}, {"zabine": [22]}):
        assert [{*map(tuple, h)} for h in hands(changes)][::2] == [
            {*map(tuple, h)} for h in base
        ][::2]


# --- Resuming -----------------------------------------------------------------------


def end(state: State) -> dict[str, Any]:
    """All that the state holds, to be compared."""
    kept = {k: v for k, v in vars(state).items() if isinstance(v, np.ndarray)}
    return {key: value.tolist() for key, value in kept.items()} | {
        "clock": str(state.clock),
        "cards": [card.tolist() for card in state.cards],
    }


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("name", ["random", "balanced"])
def test_a_copy_played_on_ends_the_same(players: int, name: str) -> None:
    """Copied before every single step: each copy, played on, ends as the game did."""
    desk, state = (
        table([make("kbernestich", name)]),
        started(RULES, players, 12, seed=6),
    )
    copies: list[tuple[State, dict[str, Any]]] = []
    while state.clock.phase is not Phase.OVER:
        copies.append((state.copy(), end(state)))
        STEPS[state.clock.phase](state, desk)
    wanted = end(state)
    assert {copy.clock.phase for copy, _ in copies} >= set(Phase) - {
        Phase.OVER,
        *([] if name == "random" else [Phase.LATE]),
    }
    for copy, before in copies:
        assert end(copy) == before, "playing the original changed a copy"
    for copy, _ in copies[::3]:
        GAME.play(copy, desk)
        assert end(copy) == wanted
    assert end(state) == wanted, "playing a copy changed the original"


@pytest.mark.parametrize("seed", range(4))
def test_copies_under_any_rules(seed: int) -> None:
    dice = random.Random(seed)
    rules = any_rules(dice, 4, rounds=2)
    state, copies, desk = started(rules, 4, 8, seed=seed), [], table()
    while state.clock.phase is not Phase.OVER:
        if dice.random() < 0.2:
            copies.append(state.copy())
        STEPS[state.clock.phase](state, desk)
    for copy in copies:
        GAME.play(copy, desk)
        assert end(copy) == end(state)


def test_a_copy_forgets_nothing_that_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test of the copies could fail: one that shares an array is seen."""
    copy = State.copy

    def shared(self: State) -> State:
        other = copy(self)
        other.placed = self.placed
        return other

    monkeypatch.setattr(State, "copy", shared)
    with pytest.raises(AssertionError, match=r"changed"):
        test_a_copy_played_on_ends_the_same(3, "random")


# --- Runs ---------------------------------------------------------------------------


def frame(jobs: int, monkeypatch: pytest.MonkeyPatch, block: int = 200) -> pl.DataFrame:
    monkeypatch.setattr("experiments.blocks.BLOCK", block)
    rules = Kbernestich.of({"rounds": 2})
    cells = [
        Cell("kbernestich", rules, 4, tuple(MIXED), rotate=True, seed=2),
        Cell("kbernestich", rules, 3, ("random",) * 3, seed=2),
    ]
    return run(cells, 500, jobs=jobs).sums


def test_jobs_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    one = frame(1, monkeypatch)
    assert one.height > 20
    assert frame(2, monkeypatch).equals(one)


def test_size_of_blocks_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert frame(1, monkeypatch, 137).equals(frame(1, monkeypatch, 500))
