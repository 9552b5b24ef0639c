"""A/A: two runs of the same rules with other games are seldom called different.

Really played, with all numbers of the game's report: at most 5 % of studies call any.
"""

from dataclasses import replace

import polars as pl
import pytest
from polars.testing import assert_frame_equal, assert_series_equal
from scipy import stats

from experiments.analysis.compare import of_runs
from experiments.execution.run import run
from sim.games import REGISTRY
from tests.experiments.same_rules import alarms, alarms_of_pairs, parts, studies, table


def seldom(found, studies):
    """Fewer than 5 % and what chance adds to it."""
    return all(
        stats.binomtest(count, studies, 0.05, "greater").pvalue > 0.01
        for count in found.values()
    )


@pytest.mark.slow
def test_few_games_raise_few_alarms():
    assert seldom(alarms("kunitame", 512, 40), 40)


@pytest.mark.slow
def test_a_part_of_a_long_run_is_the_run_of_its_games():
    alone = run([table("drake")], 512, jobs=1, detailed=True).sums.drop("cell")
    part = parts("drake", 512, 0).filter(part=0).select(alone.columns)
    assert_frame_equal(part, alone, check_row_order=False)


@pytest.mark.slow
def test_studies_are_judged_as_runs_are():
    cell, games = table("drake"), 512
    two = [run([replace(cell, seed=n)], games, jobs=1, detailed=True) for n in (0, 1)]
    sums = [one.sums.drop("cell").with_columns(part=n) for n, one in enumerate(two)]
    [found] = studies("drake", games, pl.concat(sums))
    told = of_runs(*two).rows
    for name in ("difference", "p_adjusted", "different", "verdict"):
        ours, theirs = (
            rows.sort("measure", "one", "p")[name] for rows in (found, told)
        )
        assert_series_equal(ours, theirs)


@pytest.mark.soak
@pytest.mark.parametrize("game", REGISTRY)
def test_few_games_of_every_game_raise_few_alarms(game):
    assert seldom(alarms(game, 512, 400), 400)


@pytest.mark.soak
@pytest.mark.parametrize("game", REGISTRY)
def test_many_games_of_every_game_raise_few_alarms(game):
    for count, many, se in alarms_of_pairs(game, 8_192, 50).values():
        assert count / many - 0.05 < 2.33 * se + 1 / many
