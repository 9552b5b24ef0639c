"""The turning points of one game: found where they are, and none where none is."""

import numpy as np
import polars as pl
import pytest

from experiments.analysis import turning_point_words
from experiments.analysis.trace import trace_games
from experiments.core import traces
from experiments.core.cells import Cell, UsageError
from experiments.counterfactual import game_turning_points as module
from experiments.counterfactual.game_turning_points import game_turning_points
from sim.games import REGISTRY, load
from tests.reports.planted import dice

__all__ = ["dice"]


@pytest.fixture
def coins(dice):
    """Each takes one to three coins, the first one first; who has most alone wins."""
    return Cell("dice", dice.rules.of({"die": 1}), 2, ("random",), True, seed=3)


def taken(cell, number):
    """What the first and the second took."""
    events = list(traces.events(cell, [number]))
    return [e["chosen"] for e in events if e["type"] == "choice"]


def test_what_decides_for_certain_is_found(coins):
    """If the first has two, three wins for the second, and nothing else does."""
    number = next(
        n
        for n in range(60)
        if (took := taken(coins, n))[0] == "two" and took[1] != "three"
    )
    turns = game_turning_points(coins, number)
    last = turns.points[-1]
    assert (last.number, last.other, last.certain) == (1, "three", True)
    assert (last.chance, last.other_chance, last.error) == (0, 1, 0)
    # Two coins win 1/3 against chance, and three 2/3
    first = turns.points[0]
    assert (first.number, first.chosen, first.other) == (0, "two", "three")
    low, high = first.interval
    assert low < -1 / 3 < high < 0
    assert len(turns.chances) == turns.decisions == 2
    lost = turns.chances[-1]  # on all 64 deals: at most 1 in 17, as far as these tell
    assert (lost.chance, lost.low) == (0, 0)
    assert 0.03 < lost.high < 0.06
    assert turns.won[last.seat] < 1


def test_where_nothing_can_be_done_nothing_matters(coins):
    """Whoever faces three coins never wins: only the first decision mattered."""
    number = next(n for n in range(60) if taken(coins, n)[0] == "three")
    turns = game_turning_points(coins, number)
    assert [point.number for point in turns.points] == [0]
    assert turns.points[0].difference > 0
    events = list(traces.events(coins, [number]))
    [words, *_] = turning_point_words.summary(coins, turns, events)
    assert words.startswith("One decision mattered most (of 2")
    [(_, told)] = turning_point_words.told(coins, turns, events)
    assert "best choice" in told


@pytest.mark.slow
def test_noise_is_seldom_a_turning_point(monkeypatch):
    """All options are alike: at most 5 % of games have one by chance."""
    chance = np.random.default_rng(5)

    def alike(cell, calls, deals, first=0, answers=None):
        rows = []
        for call in calls:
            _, options = answers(call.view(), call)
            shares = chance.random((len(options), deals)) < 0.25
            for option, won in zip(options, shares, strict=True):
                every = np.zeros((cell.players, deals))
                every[call.seat[0]] = won
                rows.append((call.decision[0], option, every))
        decision, option, shares = zip(*rows, strict=True)
        option = np.array(option, dtype=np.uint64)
        frame = pl.DataFrame({"decision": decision, "option": option})
        return frame.with_columns(shares=pl.Series(np.array(shares)))

    monkeypatch.setattr(module, "options_on_deals", alike)
    rules = load("kunitame").rules.of({"weeks": 1})
    cell = Cell("kunitame", rules, 3, ("greedy",), True, 1)
    found = [bool(game_turning_points(cell, n).points) for n in range(200)]
    assert sum(found) <= 18  # of 200 at 5 %, more than 18 in one of 100 tests


def test_a_trace_marks_them(coins):
    number = next(n for n in range(60) if taken(coins, n)[0] == "three")
    tale = trace_games(coins, range(number, number + 1), turning_points=True)
    assert tale.turns == game_turning_points(coins, number)
    text = "\n".join(line.plain for line in tale.texts)
    for place, _ in enumerate(tale.turns.points, start=1):
        assert text.count(f"[{place}]") == 2
    with pytest.raises(UsageError, match="single game"):
        trace_games(coins, range(2), turning_points=True)


@pytest.mark.slow
@pytest.mark.parametrize("game", REGISTRY)
def test_every_game_has_them_told(game):
    known = load(game)
    cell = Cell(game, known.rules(), known.players[-1], ("allround",), True, 3)
    turns = game_turning_points(cell, 2)
    assert turns.decisions == len(turns.chances) > 0
    assert all(0 <= one.chance <= 1 for one in turns.chances)
    assert len(turns.points) <= 3
    events = list(traces.events(cell, [2]))
    words = list(turning_point_words.summary(cell, turns, events))
    assert len(words) >= 2 + len(turns.points)
    for point in turns.points:
        event = [e for e in events if e["type"] == "choice"][point.number]
        assert (event["seat"], event["chosen"]) == (point.seat, point.chosen)


def test_a_searcher_is_refused():
    rules = load("kunitame").rules()
    cell = Cell("kunitame", rules, 3, ("search:samples=2",), True, 1)
    with pytest.raises(UsageError, match="who searches"):
        game_turning_points(cell, 0)
