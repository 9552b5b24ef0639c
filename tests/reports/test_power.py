"""Planned games find what they were planned to find, as often as they say."""

import numpy as np
import pytest
from statsmodels.stats.power import zt_ind_solve_power
from statsmodels.stats.proportion import samplesize_proportions_2indep_onetail

from reports.statistics import intervals, power, sequential


def test_games_for_two_shares_are_those_of_the_textbook():
    """27 % against 25 %: (1.96 + 0.8416)^2 (.25 * .75 + .27 * .73) / .02^2 = 7,547."""
    games = power.games_to_detect(0.02, power.spread_of_shares(0.25, 0.27))
    assert float(games) == 7547
    theirs = samplesize_proportions_2indep_onetail(
        0.02, 0.25, 0.8, alpha=0.025, alternative="larger"
    )
    assert float(games) == pytest.approx(theirs, rel=1e-3)


def test_games_for_two_means_are_those_of_statsmodels():
    spread = np.sqrt(2) * 3.0
    theirs = zt_ind_solve_power(0.5 / 3, alpha=0.05, power=0.9, alternative="two-sided")
    assert float(power.games_to_detect(0.5, spread, 0.9)) == np.ceil(theirs)
    ours = power.power_of(0.5, 400, spread)
    theirs = zt_ind_solve_power(0.5 / 3, nobs1=400, alpha=0.05)
    assert float(ours) == pytest.approx(theirs, abs=1e-9)


def test_one_turns_into_the_other():
    spread = power.spread_of_shares(0.25, 0.25, variance_ratio=4)
    games = power.games_to_detect(0.01, spread, 0.9, 0.99)
    assert float(power.detectable(games, spread, 0.9, 0.99)) == pytest.approx(
        0.01, rel=1e-3
    )
    assert float(power.power_of(0.01, games, spread, 0.99)) == pytest.approx(
        0.9, abs=1e-3
    )
    assert float(power.power_of(0, games, spread)) == pytest.approx(0.05)
    assert float(power.games_to_detect(0, spread)) == np.inf


def test_pairing_divides_the_games():
    alone = power.games_to_detect(0.01, power.spread_of_shares(0.25, 0.26))
    paired = power.games_to_detect(0.01, power.spread_of_shares(0.25, 0.26, 13))
    assert float(alone / paired) == pytest.approx(13, rel=1e-2)


def test_a_pilot_tells_the_spread():
    wins = np.random.default_rng(1).random(1_000) < 0.25
    total = wins.sum()
    found = intervals.ratio(total, 1_000, total, 1_000, total, 1_000)
    assert float(power.spread(found.se, 1_000)) == pytest.approx(
        np.sqrt(0.1875), rel=0.05
    )


@pytest.mark.parametrize("wanted", [0.5, 0.8, 0.95])
def test_power_holds(wanted):
    """Studies of so many games find the difference as often as planned."""
    rng, studies = np.random.default_rng(2), 4_000
    one, other = 0.25, 0.27
    games = int(power.games_to_detect(0.02, power.spread_of_shares(one, other), wanted))
    shares = rng.binomial(games, [[one], [other]], (2, studies)) / games
    gap = shares[1] - shares[0]
    se = np.sqrt((shares * (1 - shares)).sum(0) / games)
    found = np.mean(gap - 1.96 * se > 0)
    assert abs(found - wanted) < 2.6 * np.sqrt(wanted * (1 - wanted) / studies) + 0.002


def test_games_for_a_width():
    """A share of 25 % to 0.2 points: 1.96^2 * .1875 / .002^2 = 180,069."""
    spread = np.sqrt(0.1875)
    assert float(power.games_for_width(0.002, spread)) == 180_069
    looked = float(power.games_for_width(0.002, spread, first=10_000))
    z = float(sequential.multiplier(looked / 10_000))
    assert looked == pytest.approx((z / 0.002) ** 2 * 0.1875, rel=1e-6)
    assert looked > 2 * 180_069
    assert float(power.games_for_width(0.5, spread, first=10_000)) == 10_000


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (lambda: power.spread_of_shares(1.2, 0.1), "shares"),
        (lambda: power.spread_of_shares(0.2, 0.1, 0), "variance ratio"),
        (lambda: power.games_to_detect(0.1, 1, power=1), "power"),
        (lambda: power.games_to_detect(0.1, 1, power=0.01), "power"),
        (lambda: power.games_to_detect(0.1, 1, level=95), "level"),
    ],
)
def test_impossible_wishes_are_refused(asked, words):
    with pytest.raises(ValueError, match=words):
        asked()
