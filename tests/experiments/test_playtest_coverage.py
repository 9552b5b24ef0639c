"""Playtest intervals hold the mixes that sessions were made of; alarms are rare."""

import numpy as np
import pytest

from experiments.analysis import playtest_checks, playtest_games
from reports.statistics import synthetic_likelihood
from reports.statistics.synthetic_likelihood import CompanyModel
from sim.games import load
from strategies.registry import make
from tests.experiments.test_playtest import SPECS, made


def recovered(names, sessions, games, mixes, true=40_000):
    """Whether intervals hold the mixes of sessions, and how often an alarm rings."""
    game, rules = "kunitame", load("kunitame").rules()
    lineup = [make(game, spec) for spec in names]
    truth = playtest_games.simulate(game, rules, 4, lineup, true, 2)
    rng, covered, alarms = np.random.default_rng(7), [], 0
    for number in range(mixes):
        pool = playtest_games.simulate(game, rules, 4, lineup, games, 100 + number)
        mix = rng.dirichlet(np.ones(len(names)))
        table = playtest_games.SessionTable.of(made(truth, mix, sessions, number), True)
        like = playtest_games.Likeness(pool, True, True)
        vectors = like.vectors(pool.scores, pool.won)
        companies = CompanyModel.of(pool.company, pool.counts, vectors)
        seen = like.vectors(table.scores, table.won).mean(axis=0)
        drawn = synthetic_likelihood.posterior([(companies, seen, sessions)], number)
        low, high = np.quantile(drawn, (0.025, 0.975), axis=0)
        covered.append((low <= mix) & (mix <= high))
        _, p = playtest_checks.checks([table], [pool], drawn, False, number)
        alarms += p < playtest_checks.LEVEL
    return np.mean(covered), alarms


@pytest.mark.slow
def test_mixes_are_recovered_and_the_simulation_is_not_contradicted():
    """Of 95 % intervals about 95 hold the truth; of 5 % alarms at most about 5 ring."""
    covered, alarms = recovered(
        ("allround", "greedy", "timid", "random"), 24, 8_000, 60
    )
    assert covered > 0.90  # 240 intervals, of which four hang together
    assert alarms <= 8  # more has a chance of 0.3 %, if 5 % is kept


@pytest.mark.slow
def test_many_sessions_of_the_simulation_itself_do_not_contradict_it():
    """As many sessions as games: what the games' own luck does is no contradiction."""
    covered, alarms = recovered(SPECS, 1_500, 4_000, 40, 240_000)
    assert covered > 0.85  # 120 intervals, of which three hang together
    assert alarms <= 6  # more has a chance of 0.3 %, if 5 % is kept
