"""Checks that stop once they are decided: seldom wrong, however often they look."""

import numpy as np
import polars as pl
import pytest

from experiments.analysis.sequential_targets import (
    FIRST,
    SequentialTargets,
    stopping_rule,
)
from experiments.analysis.target_tests import assess
from experiments.core.cells import Cell
from experiments.execution.results import Results
from experiments.studies import plans, study
from experiments.studies.targets import parse
from sim.games import load

CELL = Cell("kunitame", load("kunitame").rules(), 4, ("random",) * 4, True, 1)
POINT = ({"variant": "base", "lineup": "random", "players": 4, "cell": 0},)
LOOKS = 30


def sums(wins, games):
    """Sums of games of which each has one winner, by position."""
    return pl.DataFrame(
        {
            "measure": "won by position",
            "position": np.arange(1, len(wins) + 1),
            **dict.fromkeys(("y", "yy", "xy", "yyy"), wins.astype(float)),
            **dict.fromkeys(("x", "xx", "games"), np.full(len(wins), float(games))),
        }
    )


def studied(rng, shares, rule):
    """Play until it is decided: the games, and the wins."""
    won = rng.multinomial(FIRST, shares, LOOKS).cumsum(0)
    for look, wins in enumerate(won, 1):
        if rule.enough(sums(wins, look * FIRST), look * FIRST):
            return look * FIRST, wins
    return LOOKS * FIRST, won[-1]


def verdict(target, wins, games, *, looked):
    table = sums(wins, games).with_columns(cell=pl.lit(0, pl.Int32))
    about = {"block": FIRST, "stop": {"first": FIRST} if looked else None}
    [found] = assess([target], Results((CELL,), games, table, (games,), about))
    return found.verdict


EDGE = [0.27, 0.25, 0.24, 0.24]


@pytest.mark.soak
def test_on_the_edge_looking_seldom_misleads():
    """A truth on the bound itself is told as passed or failed in 5 % at most, each.

    An ordinary check that is looked at as often is wrong much more often.
    """
    wanted = {"measure": "won by position", "least": 0.0, "most": 0.27}
    [target] = parse({"seats": wanted})
    rule = SequentialTargets((target,), POINT).of_cell(0, CELL)
    rng, told, plain = np.random.default_rng(1), [], []
    for _ in range(60):
        games, wins = studied(rng, EDGE, rule)
        told.append(verdict(target, wins, games, looked=True))
        won = rng.multinomial(FIRST, EDGE, LOOKS).cumsum(0)
        words = (
            verdict(target, wins, look * FIRST, looked=False)
            for look, wins in enumerate(won, 1)
        )
        plain.append(next((word for word in words if word != "undecided"), "open"))
    assert sum(word != "undecided" for word in told) <= 4  # of 60
    assert sum(word != "open" for word in plain) > 9


@pytest.mark.parametrize(
    ("shares", "word"), [([0.25] * 4, "pass"), ([0.34, 0.22, 0.22, 0.22], "fail")]
)
def test_what_is_clear_is_decided_soon_and_about_when_it_was_told(shares, word):
    [target] = parse({"seats": {"measure": "won by position", "gap": 0.06}})
    rule = SequentialTargets((target,), POINT)
    rng, of_cell = np.random.default_rng(2), rule.of_cell(0, CELL)
    studies = [studied(rng, shares, of_cell) for _ in range(20)]
    told = [verdict(target, wins, games, looked=True) for games, wins in studies]
    assert told.count(word) >= 19
    expected = {words: games for _, words, games in rule.expected_games(CELL)}
    first = expected["if none differ" if word == "pass" else [*expected][1]]
    assert 0.3 * first < np.mean([games for games, _ in studies]) < 3 * first


def test_the_command_stops_and_says_when_it_will(fairdeal, here):
    (here / "balance.toml").write_text(
        'game = "kunitame"\nlineups = ["random"]\ngames = 60_000\nseed = 1\n\n'
        '[targets.seats]\nmeasure = "won by position"\ngap = 0.3\n'
    )
    told = fairdeal("check", "balance.toml", "--out", "run", "--stop-early")
    assert told.exit_code == 0
    assert "decides  seats: if none differ about 1,100 games" in told.stdout
    assert "games    1,024 of each of 1 cells" in told.stdout
    assert "allow for looking" in told.stdout


def test_a_target_about_some_cells_is_judged_in_these(here):
    (here / "two.toml").write_text(
        'game = "kunitame"\nlineups = ["random", "greedy"]\ngames = 2_000\nseed = 1\n'
        '\n[targets.seats]\nmeasure = "won by position"\ngap = 0.3\n'
        'where = { lineup = "random" }\n'
    )
    loaded = study.load(here / "two.toml")
    rule = stopping_rule(parse(loaded.targets), plans.plan(loaded))
    cells = plans.plan(loaded).cells
    many = [len(rule.of_cell(n, cell).targets) for n, cell in enumerate(cells)]
    assert many == [1, 0]
