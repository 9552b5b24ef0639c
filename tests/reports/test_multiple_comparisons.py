"""Families agree with other people's code and keep what they promise."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from reports.statistics import multiple_comparisons


@pytest.mark.parametrize(("ours", "theirs"), [("holm", "holm"), ("bh", "fdr_bh")])
def test_adjusted_p_values_are_those_of_statsmodels(ours, theirs):
    p = np.random.default_rng(1).random(40) ** 3
    found = multiple_comparisons.adjust(p, ours)
    np.testing.assert_allclose(found, multipletests(p, method=theirs)[1])


def test_bh_is_that_of_scipy_and_of_its_paper():
    """Benjamini & Hochberg 1995, section 3: of 15 it calls four at 5 %, Holm 3."""
    p = [
        0.0001,
        0.0004,
        0.0019,
        0.0095,
        0.0201,
        0.0278,
        0.0298,
        0.0344,
        0.0459,
        0.3240,
        0.4262,
        0.5719,
        0.6528,
        0.7590,
        1.0,
    ]
    np.testing.assert_allclose(
        multiple_comparisons.adjust(p, "bh"), stats.false_discovery_control(p)
    )
    assert multiple_comparisons.different(p, "bh").sum() == 4
    assert multiple_comparisons.different(p, "holm").sum() == 3


@pytest.mark.parametrize("method", ["holm", "bh"])
def test_what_has_no_data_is_left_out(method):
    found = multiple_comparisons.adjust([0.02, np.nan, 0.03], method)
    np.testing.assert_allclose(
        found,
        multiple_comparisons.adjust([0.02, 0.03], method)[[0, 0, 1]] * [1, np.nan, 1],
    )
    assert multiple_comparisons.different([np.nan], method).tolist() == [False]
    assert multiple_comparisons.adjust([], method).shape == (0,)
    assert multiple_comparisons.levels([np.nan], method) == 0.95


def test_levels_by_hand():
    p = [0.001, 0.002, 0.6, 0.9]
    assert multiple_comparisons.levels(p, "holm") == pytest.approx(1 - 0.05 / 4)
    assert multiple_comparisons.levels(p, "bh") == pytest.approx(1 - 2 * 0.05 / 4)
    assert multiple_comparisons.levels([0.6, 0.9], "bh") == pytest.approx(1 - 0.05 / 2)


def test_another_method_is_refused():
    with pytest.raises(ValueError, match="holm or bh"):
        multiple_comparisons.adjust([0.1], "bonferroni")


def studies(rng, means, count):
    """Estimates with standard error 1, that go together, and their p-values."""
    common = rng.normal(size=(count, 1))
    noise = rng.normal(size=(count, len(means)))
    found = means + np.sqrt(0.3) * common + np.sqrt(0.7) * noise
    return found, 2 * stats.norm.sf(abs(found))


def test_holm_raises_a_false_alarm_in_5_percent_of_families():
    means = np.zeros(12)
    _, p = studies(np.random.default_rng(2), means, 3_000)
    alarms = np.array([multiple_comparisons.different(row, "holm").any() for row in p])
    assert 0.03 < alarms.mean() < 0.06
    assert ((p <= 0.05).any(1)).mean() > 0.3  # without a family


def test_bh_calls_5_percent_falsely_of_those_it_calls():
    means = np.repeat([0.0, 3.5], [15, 5])
    _, p = studies(np.random.default_rng(3), means, 3_000)
    called = np.array([multiple_comparisons.different(row, "bh") for row in p])
    false = called[:, :15].sum(1) / np.maximum(called.sum(1), 1)
    assert 0.025 < false.mean() < 0.05 * 15 / 20 + 0.01


@pytest.mark.parametrize("method", ["holm", "bh"])
def test_intervals_hold_as_a_family(method):
    """Holm's all hold at once; of those that are called, 95 % of bh's hold."""
    means = np.repeat([0.0, 3.0], [10, 5])
    found, p = studies(np.random.default_rng(4), means, 3_000)
    levels = np.array([multiple_comparisons.levels(row, method) for row in p])
    half = stats.norm.isf((1 - levels) / 2)[:, None]
    missed = abs(found - means) > half
    if method == "holm":
        assert missed.any(1).mean() < 0.05
    else:
        called = np.array([multiple_comparisons.different(row, "bh") for row in p])
        wrong = (missed & called).sum(1) / np.maximum(called.sum(1), 1)
        assert wrong.mean() < 0.05
