"""A/A: two runs of the same rules with other games are seldom called different.

Really played, with all numbers of the game's report: at most 5 % of studies call any.
"""

import pytest
from scipy import stats

from experiments.analysis.compare import FAMILIES, of_runs
from experiments.analysis.sides import leading
from experiments.core.cells import Cell
from experiments.execution.run import run
from sim.games import REGISTRY, load


def played(game, games, seed):
    known = load(game)
    players = min(known.players[-1], 4)
    seats = (leading(game),) * players
    cell = Cell(game, known.rules(), players, seats, seed=seed)
    return run([cell], games, jobs=1, detailed=True)


def alarms(game, games, studies):
    """How many studies call any number of a family different, or out of tolerance."""
    found = dict.fromkeys(FAMILIES, 0)
    for study in range(studies):
        rows = of_runs(*(played(game, games, 2 * study + side) for side in (0, 1)))
        for family in FAMILIES:
            called = rows.family(family)
            called = called["different"] | (called["verdict"] == "outside")
            found[family] += bool(called.any())
    return found


def seldom(found, studies):
    """Fewer than 5 % and what chance adds to it."""
    return all(
        stats.binomtest(count, studies, 0.05, "greater").pvalue > 0.01
        for count in found.values()
    )


@pytest.mark.slow
def test_few_games_raise_few_alarms():
    assert seldom(alarms("kunitame", 512, 40), 40)


@pytest.mark.soak
@pytest.mark.parametrize(("games", "studies"), [(512, 400), (8_192, 100)])
@pytest.mark.parametrize("game", REGISTRY)
def test_the_promise_holds_for_every_game(game, games, studies):
    assert seldom(alarms(game, games, studies), studies)
