"""What is picked as the greatest or least of several is covered as it says."""

import numpy as np
import polars as pl
import pytest

from reports.simultaneous_intervals import simultaneous_intervals
from reports.statistics import intervals


def covered(rows, truth):
    """Whether the intervals of both the least and the greatest hold the truth."""
    ends = rows.sort("estimate")[[0, -1]]
    return bool(((ends["low"] <= truth) & (truth <= ends["high"])).all())


def shares(y, n):
    found = intervals.rate(y, n, y, n, y, n)
    return pl.DataFrame(found._asdict())


def means(y):
    n = y.shape[1]
    sums = (y.sum(1), n, (y * y).sum(1), n, y.sum(1), n, (y**3).sum(1))
    return pl.DataFrame(intervals.ratio(*sums)._asdict())


def test_the_weakest_and_the_strongest_of_52_equal_cards():
    rng, told, plain = np.random.default_rng(1), [], []
    for _ in range(300):
        rows = shares(rng.binomial(2_000, 0.25, 52).astype(float), 2_000)
        told.append(covered(simultaneous_intervals(rows, share=True), 0.25))
        plain.append(covered(rows, 0.25))
    assert np.mean(told) > 0.92  # of 300: 95 % but for chance
    assert np.mean(plain) < 0.2


@pytest.mark.parametrize("seats", [3, 5])
def test_the_least_and_the_most_of_even_seats(seats):
    rng, told, plain = np.random.default_rng(2), [], []
    for _ in range(400):
        won = rng.multinomial(1_000, [1 / seats] * seats).astype(float)
        told.append(
            covered(simultaneous_intervals(shares(won, 1_000), share=True), 1 / seats)
        )
        plain.append(covered(shares(won, 1_000), 1 / seats))
    assert np.mean(told) > 0.93
    assert np.mean(plain) < 0.9


def test_the_best_and_the_worst_of_equal_means():
    rng = np.random.default_rng(3)
    rows = (means(rng.exponential(2.0, (20, 400))) for _ in range(300))
    assert np.mean([covered(simultaneous_intervals(one), 2.0) for one in rows]) > 0.93


def test_one_number_alone_keeps_its_interval_and_none_stays_none():
    row = shares(np.array([20.0]), 100)
    told = simultaneous_intervals(row, share=True)
    np.testing.assert_allclose(told["low"], row["low"])
    np.testing.assert_allclose(told["high"], row["high"])
    empty = {"estimate": [None, 1.0], "low": [None, 0.5], "high": [None, 1.5]}
    rows = pl.DataFrame(empty, schema=dict.fromkeys(empty, pl.Float64))
    assert simultaneous_intervals(rows)["low"].to_list() == [None, 0.5]
