"""Game 7 is game 7: alone, in any block, resumed from any moment, on any cores."""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest

from experiments.cells import Cell, play
from experiments.run import run
from sim.devil.play import STEPS
from sim.devil.rules import Devil
from sim.devil.state import Phase, State
from sim.transcript import Event, Transcript
from strategies.registry import make
from tests.devil.plays import GAME, NAMES, any_lineup, any_rules, started, table, told

RULES = {"target": 40}
MIXED = [NAMES[-1], "random", NAMES[0], "random"]


def unnumbered(events: Sequence[Event]) -> list[Event]:
    """The events without the number of their game."""
    return [{k: v for k, v in event.items() if k != "game"} for event in events]


@pytest.mark.parametrize("lineup", [["random"] * 4, MIXED])
@pytest.mark.parametrize("rotate", [False, True])
def test_game_7_is_game_7(lineup: list[str], *, rotate: bool) -> None:
    """Whatever games are dropped around it, and when."""

    def game(first: int, games: int, seed: int = 3) -> list[Event]:
        played = told(
            RULES, 4, games, lineup=lineup, first=first, seed=seed, rotate=rotate
        )
        return played[7 - first]

    alone = game(7, 1)
    assert alone[0]["game"] == 7
    for first, games in ((0, 8), (0, 70), (5, 3), (7, 30)):
        assert game(first, games) == alone
    assert unnumbered(game(0, 8, seed=4)) != unnumbered(alone)


def test_games_differ() -> None:
    games = told({"target": 1}, 4, 30)
    assert len({str(unnumbered(events)) for events in games}) == 30


@pytest.mark.parametrize("seed", range(6))
def test_games_in_any_order_and_far_apart(seed: int) -> None:
    """Rows need not be neighbours: what decides is the index."""
    dice = random.Random(seed)
    players = dice.randint(2, 8)
    rules, lineup = any_rules(dice, players), any_lineup(dice, players)
    wanted = [2**40 + 5, 3, 99, 4, 2**63 + 1]
    cell = Cell("devil", Devil.of(rules), players, tuple(lineup), seed=9)
    writer = Transcript(GAME)
    play(cell, np.array(wanted, dtype=np.uint64), [writer])
    together = writer.events()
    for game in wanted:
        alone = told(rules, players, 1, lineup=lineup, first=game, seed=9)[0]
        assert [event for event in together if event["game"] == game] == alone


@pytest.mark.parametrize("window", [2, 39])
def test_games_that_wait_are_the_same(
    window: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many are played at a time, while others wait for their turn."""
    at_once = told(RULES, 3, 40, lineup=MIXED[:3], rotate=True)
    for module in ("state", "dealing"):
        monkeypatch.setattr(f"sim.devil.{module}.WINDOW", window)
    assert told(RULES, 3, 40, lineup=MIXED[:3], rotate=True) == at_once


def test_rules_that_agree_see_the_same_deals() -> None:
    """Common random numbers: another payoff or option changes no card."""

    def deals(changes: dict[str, Any]) -> list[Any]:
        return [
            [e for e in unnumbered(game) if e["type"] == "chance"][:3]
            for game in told({**RULES, **changes}, 4, 30)
        ]

    base = deals({})
    for changes in (
        {"points": [1] * 10},
        {"s4_end": "all"},
        {"voluntary_draw": True},
        {"target": 1},
    ):
        other = deals(changes)
        assert [game[:2] for game in other] == [game[:2] for game in base]


# --- Resuming -----------------------------------------------------------------------


def end(state: State) -> dict[str, Any]:
    """All that the state holds, to be compared."""
    kept: dict[str, Any] = {}
    for part in (state, state.clock, state.finals):
        for key, value in vars(part).items():
            if isinstance(value, np.ndarray):
                kept[f"{type(part).__name__}.{key}"] = value.tolist()
    return kept | {"phase": state.clock.phase, "steps": state.clock.steps}


@pytest.mark.parametrize("players", [2, 5])
@pytest.mark.parametrize("name", [NAMES[0], NAMES[-1]])
def test_a_copy_played_on_ends_the_same(players: int, name: str) -> None:
    """Copied before many a step: each copy, played on, ends as the game did."""
    rules = {"target": 20, "voluntary_draw": players == 2, "deck": "440", "guard": 150}
    desk = table([make("devil", name)])
    state, dice = started(rules, players, 9, seed=6), random.Random(players)
    copies: list[tuple[State, dict[str, Any]]] = []
    while state.clock.phase is not Phase.OVER:
        seen = {copy.clock.phase for copy, _ in copies}
        if state.clock.phase not in seen or dice.random() < 0.05:
            copies.append((state.copy(), end(state)))
        STEPS[state.clock.phase](state, desk)
    wanted = end(state)
    phases = set(Phase) - {Phase.OVER, *([] if players == 2 else [Phase.OFFER])}
    assert {copy.clock.phase for copy, _ in copies} == phases
    assert len({len(copy.games) for copy, _ in copies}) > 1, "none after games ended"
    for copy, before in copies:
        assert end(copy) == before, "playing the original changed a copy"
    for copy, _ in copies[::2]:
        GAME.play(copy, desk)
        assert end(copy) == wanted
    assert end(state) == wanted, "playing a copy changed the original"


@pytest.mark.parametrize("seed", range(4))
def test_copies_under_any_rules(seed: int) -> None:
    dice = random.Random(seed)
    players = dice.randint(2, 8)
    rules = any_rules(dice, players, target=20) | {"guard": 100}
    state, copies, desk = started(rules, players, 8, seed=seed), [], table()
    while state.clock.phase is not Phase.OVER:
        if dice.random() < 0.05:
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
        other.score = self.score
        return other

    monkeypatch.setattr(State, "copy", shared)
    with pytest.raises(AssertionError, match="changed a copy"):
        test_a_copy_played_on_ends_the_same(5, NAMES[0])


# --- Runs ---------------------------------------------------------------------------


def frame(jobs: int, monkeypatch: pytest.MonkeyPatch, block: int = 200) -> pl.DataFrame:
    monkeypatch.setattr("experiments.blocks.BLOCK", block)
    rules = Devil.of(RULES)
    cells = [
        Cell("devil", rules, 4, tuple(MIXED), rotate=True, seed=2),
        Cell("devil", rules, 7, ("random",) * 7, seed=2),
    ]
    return run(cells, 500, jobs=jobs).sums


def test_jobs_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    one = frame(1, monkeypatch)
    assert one.height > 10
    assert frame(2, monkeypatch).equals(one)


def test_size_of_blocks_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert frame(1, monkeypatch, 137).equals(frame(1, monkeypatch, 500))
