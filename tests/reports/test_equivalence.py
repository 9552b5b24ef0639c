"""Verdicts say what the intervals beside them show, and err as seldom as they say."""

import numpy as np
import polars as pl
import pytest
from scipy import stats

from reports.measures import SUMS
from reports.statistics import equivalence, estimates, intervals, sequential

EDGES = [(0.02, 100), (0.01, 1_000), (0.01, 300), (0.02, 300), (0.005, 5_000)]


def counted(n, bound):
    """The numbers of successes that n games with one trial each have about a bound."""
    y = np.arange(10 + 4 * n * bound)
    return y, intervals.rate(y, n, y, n, y, n)


def verdicts(found, least, most, wider=1.0):
    """Of one number each: no family."""
    return np.array(
        [
            equivalence.judge([middle], [se], least, most, share=True, wider=wider)[0]
            for middle, se in zip(found.estimate, found.se, strict=True)
        ]
    )


@pytest.mark.parametrize(("bound", "n"), EDGES)
def test_a_share_is_outside_where_its_interval_lacks_the_bound(bound, n):
    _, found = counted(n, bound)
    below = verdicts(found, bound, 1.0) == "outside"
    assert below.tolist() == (found.high < bound).tolist()
    above = verdicts(found, 0.0, bound) == "outside"
    assert above.tolist() == (found.low > bound).tolist()


@pytest.mark.parametrize(("bound", "n"), EDGES)
def test_a_share_on_its_lower_bound_seldom_fails(bound, n):
    """Exact: the chance of each number of successes, at 2.5 %."""
    y, found = counted(n, bound)
    outside = verdicts(found, bound, 1.0) == "outside"
    assert stats.binom.pmf(y, n, bound)[outside].sum() < 0.027


@pytest.mark.parametrize(("bound", "n"), EDGES)
def test_a_share_on_its_bound_is_within_in_5_percent(bound, n):
    y, found = counted(n, bound)
    chance = stats.binom.pmf(y, n, bound)
    within = verdicts(found, 0.0, bound) == "within"
    assert chance[within].sum() < 0.06


def test_shares_that_were_looked_at_agree_with_their_intervals():
    games, first = 4_000, 1_000
    y = np.arange(20.0, 120)
    sums = pl.DataFrame(
        {"y": y, "x": games, "yy": y, "xx": games, "xy": y, "games": games, "yyy": y}
    )
    rows = sequential.sequential_estimates(sums, games, "share", first=first)
    z = stats.norm.ppf(0.975)
    wider = float(sequential.multiplier(games / first)) / z
    low, high = rows["low"].to_numpy(), rows["high"].to_numpy()
    found = intervals.IntervalEstimate(y / games, low, high, (high - low) / 2 / z)
    outside = verdicts(found, 0.015, 1.0, wider) == "outside"
    assert outside.tolist() == (high < 0.015).tolist()
    assert 0 < outside.sum() < 100


def test_numbers_that_are_no_shares_are_judged_by_their_standard_error():
    told = equivalence.judge([0.0, 0.05, 0.02], [0.005] * 3, -0.02, 0.02)
    assert told == ["within", "outside", "undecided"]
    assert equivalence.judge([0.0, 1.0], [0.0, 0.0], -0.5, 0.5) == ["within", "outside"]


def test_a_share_is_never_beyond_what_shares_can_be():
    found = intervals.rate(0, 50, 0, 50, 0, 50)
    for least, most in ((0.0, 1.0), (-1.0, 99.0)):
        told = equivalence.judge([found.estimate], [found.se], least, most, share=True)
        assert told == ["within"]


def test_a_mean_of_few_games_is_outside_where_its_interval_lacks_the_bound():
    """Of five games Student's t is 2.78, not 1.96."""
    rng, outside, told = np.random.default_rng(1), [], []
    for y in rng.normal(1.0, 1.0, (300, 5)):
        columns = (y.sum(), 5, (y * y).sum(), 5, y.sum(), 5, np.nan)
        sums = pl.DataFrame(dict(zip(SUMS, map(float, columns), strict=True)))
        row = estimates.estimates(sums, "mean").row(0, named=True)
        outside.append(row["low"] > 0)
        told += equivalence.judge([row["estimate"]], [row["se"]], -9.0, 0.0)
    assert [word == "outside" for word in told] == outside
    assert 50 < sum(outside) < 250


def test_the_first_number_outside_settles_it():
    """One place seems outside, and another lies near the edge within: the first counts.

    0.03 is 0.01 beyond: (1.96 + 0.84) ** 2 = 7.85 times (se / 0.01) ** 2 the games.
    """
    text = equivalence.more_games([0.03, 0.0199], [0.008] * 2, 1_000, -0.02, 0.02)
    assert text == "about 5,100 games of each lineup would decide"
    within = equivalence.more_games([0.0, 0.01], [0.01] * 2, 1_000, -0.02, 0.02)
    assert within == "about 8,600 games of each lineup would decide"


def test_a_finding_is_as_sure_as_the_verdicts_it_tells():
    for verdicts, expected in (
        (["within", "outside"], "sure"),
        (["within", "undecided"], "likely"),
        (["undecided"] * 2, "open"),
        ([], "open"),
    ):
        assert equivalence.label(verdicts) == expected
