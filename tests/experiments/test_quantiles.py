"""Quantiles of histograms: by hand, and as sure as they say."""

import math

import numpy as np

from reports.statistics.quantiles import quantiles


def test_intervals_of_medians_cover():
    """Ordinary samples of 101 whole numbers: at least 95 % hold the true median."""
    rng = np.random.default_rng(3)
    inside = 0
    for sample in rng.poisson(30, (1_000, 101)):
        values, counts = np.unique(sample, return_counts=True)
        found = quantiles(values, counts, 0.5)
        inside += found.wide[0] <= 30 <= found.wide[1]
        assert found.estimate == np.sort(sample)[50]
        assert found.wide[0] <= found.narrow[0] <= found.estimate
    assert inside >= 932


def test_few_games_leave_a_median_open():
    found = quantiles(np.array([1, 2]), np.array([1, 1]), 0.5)
    assert found.wide[1] == math.inf
    assert found.verdict(0, 5) == "undecided"
    assert found.verdict(5, 9) == "undecided"
