"""A number pooled over ways to play: as statsmodels has it, and how often it holds."""

import warnings

import numpy as np
import pytest
from statsmodels.stats.meta_analysis import combine_effects
from statsmodels.tools.sm_exceptions import InvalidTestWarning

from reports.statistics.random_effects import pooled

STUDIES = 4_000
WAYS = {
    "two": [0.01, 0.02],
    "three": [0.01, 0.01, 0.04],
    "five": [0.01, 0.01, 0.02, 0.04, 0.04],
}


def of_statsmodels(numbers, errors):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InvalidTestWarning)  # of single numbers
        found = combine_effects(
            np.array(numbers), np.square(errors), method_re="iterated", use_t=True
        )
        row = found.summary_frame().loc["random effect"]
    return row["eff"], row["ci_low"], row["ci_upp"], found.tau2**0.5


@pytest.mark.parametrize(
    ("numbers", "errors"),
    [
        ([0.15, 0.10, 0.29], [0.01, 0.01, 0.04]),
        ([0.03, -0.04], [0.01, 0.004]),
        ([0.01, 0.05, 0.02, 0.12], [0.004, 0.006, 0.02, 0.05]),
    ],
)
def test_it_is_that_of_statsmodels(numbers, errors):
    found = pooled(numbers, errors)
    expected = of_statsmodels(numbers, errors)
    own = (found.estimate, found.low, found.high, found.spread)
    assert own == pytest.approx(expected, rel=1e-3)


def test_without_a_spread_it_is_no_narrower_than_a_common_number():
    found = pooled([0.020, 0.021, 0.020], [0.01, 0.02, 0.01])
    common = combine_effects(
        np.array([0.020, 0.021, 0.020]), np.square([0.01, 0.02, 0.01])
    )
    assert found.spread == 0
    assert found.se == pytest.approx(common.sd_eff_w_fe)
    assert found.high - found.low > 2 * 1.96 * common.sd_eff_w_fe


def test_what_is_not_known_is_left_out():
    full = pooled([0.1, 0.2], [0.01, 0.02])
    assert pooled([0.1, np.nan, 0.2, 0.5], [0.01, 0.01, 0.02, np.nan]) == full
    assert full.ways == 2


@pytest.mark.parametrize("numbers", [[], [0.1], [0.1, np.nan]])
def test_one_way_to_play_tells_nothing_of_others(numbers):
    assert pooled(numbers, [0.01] * len(numbers)) is None


@pytest.mark.parametrize("spread", [0.0, 0.02, 0.08])
@pytest.mark.parametrize("ways", WAYS)
def test_intervals_cover(ways, spread):
    """However much ways to play differ, and however unlike their errors are."""
    errors, chance = np.array(WAYS[ways]), np.random.default_rng(7)
    true = chance.normal(0.05, spread, (STUDIES, len(errors)))
    studies = (pooled(numbers, errors) for numbers in chance.normal(true, errors))
    covered = np.mean([found.low <= 0.05 <= found.high for found in studies])
    assert covered > 0.93
