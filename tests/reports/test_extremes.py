"""The gap between best and worst: as large as it is, and covered as it says."""

import numpy as np
import pytest

from reports.statistics import extremes


@pytest.mark.slow
@pytest.mark.parametrize(
    "shares",
    [[0.25] * 4, [0.2] * 5, [0.26, 0.25, 0.25, 0.24], [0.31, 0.23, 0.23, 0.23]],
    ids=str,
)
def test_a_gap_is_covered_and_less_biased_than_the_largest_difference(shares):
    rng, studies, games = np.random.default_rng(1), 200, 2_000
    won = rng.multinomial(games, shares, studies) / games
    found = np.array([extremes.of_shares(one, games) for one in won])
    truth = max(shares) - min(shares)
    covered = (found[:, 1] <= truth) & (truth <= found[:, 2])
    assert covered.mean() > 0.92  # of 200: 95 % but for chance
    naive = np.ptp(won, axis=1).mean() - truth
    assert abs(found[:, 0].mean() - truth) < max(0.6 * naive, 0.003)
    if truth == 0:
        assert naive > 0.015
        assert np.median(found[:, 0]) < 0.01


def test_what_is_clear_is_told_as_it_is():
    found = extremes.of_shares(np.array([0.4, 0.3, 0.3]), 1_000_000)
    assert found.estimate == pytest.approx(0.1, abs=0.001)
    assert 0.095 < found.low < 0.1 < found.high < 0.105


def test_two_numbers_have_the_interval_of_their_difference():
    found = extremes.gap(np.array([1.0, 4.0]), np.diag([0.01, 0.03]))
    assert found.estimate == pytest.approx(3, abs=0.01)
    assert found.high - 3 == pytest.approx(1.96 * 0.2, rel=0.05)
    assert 3 - found.low == pytest.approx(found.high - 3)
