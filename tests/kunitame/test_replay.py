"""Game 7 is game 7: alone, in any block, resumed from any moment, on any cores."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest

from experiments.cells import Cell, play
from experiments.run import run
from sim.kunitame.play import STEPS
from sim.kunitame.rules import Kunitame
from sim.kunitame.state import Phase, State
from sim.table import Table
from sim.transcript import Event, Transcript
from strategies.base import Strategy
from strategies.registry import make
from tests.kunitame.plays import GAME, NAMES, any_rules, numbers, started, told

RULES = {"weeks": 2, "removed_pledge": "none", "devil_ranks": 4}
MIXED = ["balanced", "random", "gambler", "random"]


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
    for first, games in ((0, 8), (0, 33), (5, 3), (6, 9), (7, 30)):
        assert game(first, games) == alone
    assert unnumbered(game(0, 8, seed=4)) != unnumbered(alone)


def test_games_differ() -> None:
    games = told({"weeks": 1}, 4, 30)
    assert len({str(unnumbered(events)) for events in games}) == 30


def test_games_in_any_order_and_far_apart() -> None:
    """Rows need not be neighbours: what decides is the index."""
    wanted = [2**40 + 5, 3, 99, 4]
    cell = Cell("kunitame", Kunitame.of(RULES), 4, tuple(MIXED), seed=9)
    writer = Transcript(GAME)
    play(cell, np.array(wanted, dtype=np.uint64), [writer])
    together = writer.events()
    for game in wanted:
        alone = told(RULES, 4, 1, lineup=MIXED, first=game, seed=9)[0]
        assert [event for event in together if event["game"] == game] == alone


def test_rules_that_agree_see_the_same_deals() -> None:
    """Common random numbers: another payoff or option changes no card."""
    base = told({"weeks": 2}, 4, 20)
    for changes in ({"life": 5}, {"refill_weekly": True}, {"contract_limit": 0}):
        other = told({"weeks": 2, **changes}, 4, 20)
        for one, two in zip(base, other, strict=True):
            for name in ("dealer", "deal"):
                assert [
                    e.get("hands", e.get("seat")) for e in one if e["name"] == name
                ] == [e.get("hands", e.get("seat")) for e in two if e["name"] == name]


# --- Resuming -----------------------------------------------------------------------


def seats(players: int, lineup: Sequence[str], games: int) -> dict[str, Any]:
    """A table's arguments, with a lineup in rotation where it is mixed."""
    different = list(dict.fromkeys(lineup))
    sitting = None
    if len(different) > 1:
        place = np.array([different.index(name) for name in lineup])
        turn = np.arange(games)[None, :] + np.arange(players)[:, None]
        sitting = place[turn % players].astype(np.uint8)
    players_in = [make("kunitame", name) for name in different]
    return {"lineup": players_in, "sitting": sitting}


def end(state: State) -> dict[str, Any]:
    """All that the state holds, to be compared."""
    kept = {k: v for k, v in vars(state).items() if isinstance(v, np.ndarray)}
    return {key: value.tolist() for key, value in kept.items()} | {
        "clock": str(state.clock)
    }


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("mixed", [False, True])
def test_a_copy_played_on_ends_the_same(players: int, *, mixed: bool) -> None:
    """Copied before every single step: each copy, played on, ends as the game did."""
    games, dice = 12, random.Random(players)
    lineup = [dice.choice(NAMES) for _ in range(players)] if mixed else ["random"]
    chairs = seats(players, lineup * (1 if mixed else players), games)
    desk = Table(**chairs, view=GAME.view, kinds=GAME.kinds)
    state = started(RULES, players, games, seed=6)
    copies: list[tuple[State, dict[str, Any]]] = []
    while state.clock.phase is not Phase.OVER:
        copies.append((state.copy(), end(state)))
        STEPS[state.clock.phase](state, desk)
    wanted = end(state)
    assert {copy.clock.phase for copy, _ in copies} == set(Phase) - {Phase.OVER}
    for copy, before in copies:
        assert end(copy) == before, "playing the original changed a copy"
    for copy, _ in copies[:: 1 if players == 3 else 5]:
        GAME.play(copy, Table(**chairs, view=GAME.view, kinds=GAME.kinds))
        assert end(copy) == wanted
    assert end(state) == wanted, "playing a copy changed the original"


@pytest.mark.parametrize("seed", range(4))
def test_copies_under_any_rules(seed: int) -> None:
    dice = random.Random(seed)
    rules = any_rules(dice, 4, weeks=2)
    chairs = seats(4, ["random"] * 4, 8)
    desk = Table(**chairs, view=GAME.view, kinds=GAME.kinds)
    state, copies = started(rules, 4, 8, seed=seed), []
    while state.clock.phase is not Phase.OVER:
        if dice.random() < 0.3:
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
        other.gems_1 = self.gems_1
        return other

    monkeypatch.setattr(State, "copy", shared)
    with pytest.raises(AssertionError, match=r"changed"):
        test_a_copy_played_on_ends_the_same(3, mixed=False)


# --- Runs ---------------------------------------------------------------------------


def cells() -> list[Cell]:
    rules = Kunitame.of({"weeks": 1})
    return [
        Cell("kunitame", rules, 4, tuple(MIXED), rotate=True, seed=2),
        Cell("kunitame", rules, 3, ("random",) * 3, seed=2),
    ]


def frame(jobs: int, monkeypatch: pytest.MonkeyPatch, block: int = 400) -> pl.DataFrame:
    monkeypatch.setattr("experiments.blocks.BLOCK", block)
    return run(cells(), 1000, jobs=jobs).sums


def test_jobs_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    one = frame(1, monkeypatch)
    assert one.height > 20
    for jobs in (2, 3):
        assert frame(jobs, monkeypatch).equals(one)


def test_size_of_blocks_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert frame(1, monkeypatch, 137).equals(frame(1, monkeypatch, 1000))


def test_seed_changes_a_run() -> None:
    sums = [
        run([Cell("kunitame", Kunitame.of(), 3, ("random",) * 3, seed=s)], 50).sums
        for s in (1, 2)
    ]
    assert not sums[0].equals(sums[1])


# --- Rotation -----------------------------------------------------------------------


def test_rotation_seats_everybody_everywhere() -> None:
    lineup = ["balanced", "greedy", "timid", "random"]
    games = told({"weeks": 1}, 4, 8, lineup=lineup, rotate=True)
    for game, events in enumerate(games):
        turn = game % 4
        assert events[0]["lineup"] == lineup[turn:] + lineup[:turn]
    games = told({"weeks": 1}, 4, 8, lineup=lineup)
    assert all(events[0]["lineup"] == lineup for events in games)


class Marked(Strategy):
    """Keeps the seats and games in which it was asked."""

    name = "marked"

    def __init__(self, title: str, asked: set[tuple[int, int, str]]) -> None:
        object.__setattr__(self, "mark", title)
        object.__setattr__(self, "asked", asked)

    @property
    def title(self) -> str:
        return str(self.mark)

    def otherwise(self, view: Any) -> Any:
        rows = range(len(view)) if view._rows is None else view._rows
        for row, place in enumerate(rows):
            seat = view.seat if isinstance(view.seat, int) else int(view.seat[row])
            self.asked.add((int(view._state.games[place]), seat, self.mark))
        return super().otherwise(view)

    def __hash__(self) -> int:
        return hash(self.mark)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Marked) and self.mark == other.mark


@pytest.mark.parametrize("rotate", [False, True])
def test_each_seat_is_asked_of_who_sits_there(*, rotate: bool) -> None:
    asked: set[tuple[int, int, str]] = set()
    lineup = tuple(Marked(name, asked) for name in "abca")
    cell = Cell("kunitame", Kunitame.of({"weeks": 1}), 4, lineup, rotate, 5)
    played = play(cell, numbers(9, 3))
    names: Mapping[int, list[str]] = dict(
        zip(range(3, 12), played.titles(), strict=True)
    )
    assert asked == {(g, s, names[g][s]) for g in range(3, 12) for s in range(4)}
    for game, titles in names.items():
        turn = game % 4 if rotate else 0
        assert titles == [*"abca"[turn:], *"abca"[:turn]]
