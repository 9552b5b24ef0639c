"""Comparisons that stop once they are decided, and are seldom wrong."""

import json

import pytest

from experiments.analysis.compare import ComparisonTolerance, compare
from experiments.analysis.sequential_comparison import (
    SequentialComparison,
    stopping_rule,
)
from experiments.core.cells import Cell, UsageError
from sim.games import load

RULES = load("kunitame").rules


def cell(lineup="random", seed=1):
    return Cell("kunitame", RULES(), 4, (lineup,) * 4, True, seed, lineup)


def decided(one, other, tolerance, games=16_384, measure="won by position"):
    rule = stopping_rule(one, measure, tolerance)
    how = {"detailed": False, "tolerance": ComparisonTolerance(tolerance)}
    return compare([one], [other], games, stopping_rule=rule, **how)


def test_the_same_rules_are_soon_within():
    found = decided(cell(), cell(seed=2), 0.05)
    assert found.decided_measures == ("within",)
    assert found.games[0] < 16_384
    assert found.widening > 1.3


def test_what_differs_much_is_soon_outside():
    found = decided(cell(), cell("allround"), 0.01, measure="decided")
    assert found.decided_measures == ("outside",)
    assert found.games[0] < 16_384


def test_what_is_on_the_edge_stays_open():
    found = decided(cell(), cell(seed=2), 0.01, games=2_048)
    assert found.decided_measures == ("open",)
    assert found.games == (2_048,)


@pytest.mark.soak
def test_the_same_rules_are_seldom_called_outside():
    words = [decided(cell(seed=2 * n), cell(seed=2 * n + 1), 0.03) for n in range(40)]
    assert sum(one.decided_measures == ("outside",) for one in words) <= 4


def test_how_many_games_it_will_take():
    none, twice = (
        games
        for _, games in SequentialComparison("x", "y", 0.02).expected_games(cell())
    )
    assert 1_000 < twice < none < 10_000


def test_mistakes():
    for measure, words in (
        ("won by positoin", "did you mean 'won by position'"),
        ("won by seat", "even under any rules"),
        ("points by position", "is not a share"),
    ):
        with pytest.raises(UsageError, match=words):
            stopping_rule(cell(), measure, 0.01)


def test_the_command(fairdeal, here):
    words = ("compare", "kunitame", "life=4", "--players", "4", "--lineup", "random")
    more = ("--no-detailed", "--decide", "won by position", "--tolerance", "5pp")
    told = fairdeal(*words, *more, "--seed", "1", "--out", "run")
    assert told.exit_code == 0
    assert "if nothing differs about" in told.stdout
    assert "nothing differs by more than the tolerance" in told.stdout
    found = json.loads((here / "run" / "comparison.json").read_text())
    assert found["decided"] == ["within"]
