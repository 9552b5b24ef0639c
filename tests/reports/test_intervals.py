"""Intervals agree with other people's code and cover as often as they say."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from reports.statistics import intervals
from reports.statistics.equivalence import judge


def sums_by_study(y, x):
    """Sums over games (last axis) as `ratio` and `rate` want them."""
    played = (x != 0).sum(-1)
    columns = (y, x, y * y, x * x, x * y)
    return (*(column.sum(-1) for column in columns), played)


def studies(rng, share, studies=2_000, games=200, largest=10, correlation=0.5):
    """Shares of unequal games whose outcomes go together: (studies, games) y and x."""
    x = rng.integers(1, largest + 1, (studies, games))
    strength = 1 / correlation - 1
    luck = rng.beta(share * strength, (1 - share) * strength, (studies, games))
    return rng.binomial(x, luck), x


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_wilson_is_that_of_statsmodels(level):
    successes, n = np.array([0, 1, 3, 50, 99, 100]), 100
    ours = intervals.wilson(successes, n, level)
    theirs = proportion_confint(successes, n, 1 - level, method="wilson")
    np.testing.assert_allclose(ours, theirs, atol=1e-12)


def test_wilson_without_trials_knows_nothing():
    assert [float(end) for end in intervals.wilson(0, 0)] == [0.0, 1.0]


def test_wilson_refuses_more_successes_than_trials():
    with pytest.raises(ValueError, match="between 0 and n"):
        intervals.wilson(5, 4)


def test_ratio_of_single_rows_is_the_t_interval_of_a_mean():
    y = np.random.default_rng(1).normal(3, 2, 12)
    found = intervals.ratio(*sums_by_study(y, np.ones_like(y)))
    expected = stats.t.interval(0.95, 11, y.mean(), stats.sem(y))
    np.testing.assert_allclose([found.low, found.high], expected)
    np.testing.assert_allclose(found.se, stats.sem(y))


def test_ratio_by_hand():
    """Games (y, x) = (1, 1), (3, 2): 4/3, residuals -1/3 and 1/3, so se = 2/9."""
    found = intervals.ratio(4, 3, 10, 5, 7, 2)
    assert found.estimate == pytest.approx(4 / 3)
    assert found.se == pytest.approx(np.sqrt(2 * 2 / 9) / 3)


def test_ratio_covers_with_strong_correlation_inside_games():
    rng = np.random.default_rng(20)
    x = rng.integers(1, 11, (2_000, 200))
    y = x * rng.exponential(3.0, x.shape) + rng.normal(0, np.sqrt(x))
    found = intervals.ratio(*sums_by_study(y, x))
    assert 0.935 < np.mean((found.low <= 3) & (found.high >= 3)) < 0.965


@pytest.mark.parametrize("share", [0.1, 0.25, 0.6])
def test_rate_covers_where_a_naive_interval_fails(share):
    y, x = studies(np.random.default_rng(21), share)
    sums = sums_by_study(y, x)
    found = intervals.rate(*sums)
    assert 0.935 < np.mean((found.low <= share) & (found.high >= share)) < 0.965
    low, high = intervals.wilson(*sums[:2])
    assert np.mean((low <= share) & (high >= share)) < 0.80


def test_rate_of_rare_and_clustered_events_falls_little_short():
    """The documented limit: 5 % in only 200 games, all of one game going together."""
    y, x = studies(np.random.default_rng(25), 0.05, studies=6_000)
    found = intervals.rate(*sums_by_study(y, x))
    assert 0.93 < np.mean((found.low <= 0.05) & (found.high >= 0.05)) < 0.95


def test_rate_covers_with_few_games():
    y, x = studies(np.random.default_rng(22), 0.4, games=12, correlation=0.3)
    found = intervals.rate(*sums_by_study(y, x))
    assert 0.935 < np.mean((found.low <= 0.4) & (found.high >= 0.4)) < 0.975


def test_rate_of_independent_rows_is_nearly_wilson():
    y = np.random.default_rng(23).random(5_000) < 0.3
    found = intervals.rate(*sums_by_study(y.astype(int), np.ones(5_000, dtype=int)))
    wilson = intervals.wilson(y.sum(), 5_000)
    np.testing.assert_allclose([found.low, found.high], wilson, atol=1e-4)


@pytest.mark.parametrize("share", [0, 1])
def test_rate_at_the_edge_counts_games_not_rows(share):
    """20 games of 5 rows each, all alike: as sure as 20 trials, not as 100."""
    found = intervals.rate(100 * share, 100, 500 * share, 500, 500 * share, 20)
    expected = proportion_confint(20 * share, 20, method="wilson")
    np.testing.assert_allclose([found.low, found.high], expected, atol=1e-12)
    assert found.se > 0


def test_rate_from_one_game_is_wide_and_finite():
    found = intervals.rate(3, 10, 9, 100, 30, 1)
    assert found.low < 0.05
    assert found.high > 0.8


def test_rate_without_data_is_unknown_not_nan_in_its_interval():
    found = intervals.rate([0, 5], [0, 10], [0, 5], [0, 10], [0, 5], [0, 10])
    assert np.isnan(found.estimate).tolist() == [True, False]
    assert (found.low[0], found.high[0]) == (0, 1)


def test_rate_refuses_what_is_no_share():
    with pytest.raises(ValueError, match="use ratio for a mean"):
        intervals.rate(5, 4, 25, 16, 20, 1)


def test_cvar_by_hand_splits_the_outcome_at_the_quantile():
    """Worst 30 % of ten outcomes: one -4, one -1, and one of the three 0."""
    values, counts = [5, 0, -1, -4], [5, 3, 1, 1]
    assert intervals.cvar(values, counts, 0.3) == pytest.approx(-5 / 3)
    assert intervals.cvar(values, counts, 0.15) == pytest.approx((-4 - 0.5) / 1.5)
    assert intervals.cvar(values, counts, 1.0) == pytest.approx(2.0)


def test_cvar_of_groups_is_that_of_each():
    values, counts = [1, 2, 3], np.array([[1, 1, 8], [0, 0, 0], [10, 0, 0]])
    found = intervals.cvar(values, counts, 0.2)
    np.testing.assert_allclose(found, [1.5, np.nan, 1.0])


def test_cvar_refuses_a_share_of_nothing():
    with pytest.raises(ValueError, match="alpha"):
        intervals.cvar([1], [1], 0)


@pytest.mark.parametrize("truth", [0.25, 0.262, 0.28])
def test_games_needed_do_decide(truth):
    """With so many games, at least (and not far above) 80 % of studies decide."""
    se = np.sqrt(truth * (1 - truth) / 1_000)
    tolerance = (0.23, 0.27)
    games = int(intervals.games_needed(truth, se, 1_000, tolerance))
    shares = np.random.default_rng(24).binomial(games, truth, 4_000) / games
    errors = np.sqrt(shares * (1 - shares) / games)
    each = zip(shares, errors, strict=True)
    verdicts = [judge([share], [error], *tolerance) for share, error in each]
    wanted = "within" if truth < 0.27 else "outside"
    assert 0.78 < np.mean([verdict == [wanted] for verdict in verdicts]) < 0.93


def test_games_needed_on_the_edge_never_decide():
    assert intervals.games_needed(0.27, 0.01, 100, (0.23, 0.27)) == np.inf
    assert np.isnan(intervals.games_needed(np.nan, np.nan, 0, (0, 1)))


def test_holm_is_that_of_statsmodels():
    p = np.array([0.01, 0.04, 0.03, 0.005, 0.9, 0.04])
    expected = multipletests(p, method="holm")[1]
    np.testing.assert_allclose(intervals.holm(p), expected)


def test_holm_leaves_out_what_was_not_compared():
    found = intervals.holm([0.02, np.nan, 0.03])
    np.testing.assert_allclose(found, [0.04, np.nan, 0.04])
    assert intervals.holm([]).shape == (0,)


@pytest.mark.parametrize("level", [0, 1, 95])
def test_a_level_is_a_share(level):
    with pytest.raises(ValueError, match="level"):
        intervals.wilson(1, 2, level)


def test_a_few_games_without_spread_have_no_interval_of_a_mean():
    """Two games that brought 6.25 each are no proof that every game does."""
    y = np.full(19, 6.25)
    few = intervals.ratio(*sums_by_study(y, np.ones(19)))
    assert few.estimate == 6.25
    assert np.isnan([few.low, few.high, few.se]).all()
    y = np.full(20, 6.25)
    assert intervals.ratio(*sums_by_study(y, np.ones(20))).low == 6.25


def skewed_sums(y):
    return (*sums_by_study(y, np.ones_like(y)), (y**3).sum(-1))


def a_cost(rng, rare, games):
    """A cost that is exponential where it occurs: (studies, games)."""
    shape = (4_000, games)
    return (rng.random(shape) < rare) * rng.exponential(1.0, shape)


@pytest.mark.parametrize(("rare", "games"), [(0.005, 200), (0.005, 1_000), (0.02, 500)])
@pytest.mark.slow
def test_the_interval_of_a_rare_cost_does_not_mislead(rare, games):
    y = a_cost(np.random.default_rng(5), rare, games)
    misled = [
        ((found.low > rare) | (found.high < rare)).mean()
        for found in (
            intervals.ratio(*skewed_sums(y)),
            intervals.ratio(*sums_by_study(y, np.ones_like(y))),
        )
    ]
    assert misled[0] < 0.07
    assert misled[1] > 0.1


@pytest.mark.slow
def test_a_cost_that_many_games_have_is_covered():
    y = a_cost(np.random.default_rng(6), 0.02, 2_000)
    found = intervals.ratio(*skewed_sums(y))
    assert np.isfinite(found.low).mean() > 0.99
    assert 0.94 < ((found.low <= 0.02) & (found.high >= 0.02)).mean() < 0.97


def test_what_is_not_skewed_keeps_its_interval():
    y = np.random.default_rng(7).normal(3, 1, (200, 400))
    told, plain = intervals.ratio(*skewed_sums(y)), intervals.ratio(*skewed_sums(y)[:6])
    np.testing.assert_allclose(told.low, plain.low, atol=0.1 * plain.se.max())


def test_what_never_happened_has_no_interval_of_its_cost():
    assert np.isnan(intervals.ratio(0, 5_000, 0, 5_000, 0, 5_000, 0).high)


@pytest.mark.parametrize(("seats", "share"), [(2, 0.15), (3, 0.3), (2, 0.02)])
def test_several_seats_of_a_strategy_are_covered_as_often_as_one(seats, share):
    """Of its seats one wins at most, so they vary less than independent ones."""
    rng = np.random.default_rng(24)
    y = (rng.random((4_000, 1_000)) < seats * share).astype(float)
    found = intervals.rate(*sums_by_study(y, np.full_like(y, seats)))
    assert 0.94 < ((found.low <= share) & (share <= found.high)).mean() < 0.97


def test_what_never_varies_has_all_but_no_interval():
    """A strategy in every seat wins one seat a game, whatever it is."""
    y = np.ones(1_000)
    found = intervals.rate(*sums_by_study(y, np.full(1_000, 4.0)))
    assert 0.247 < found.low < 0.25 < found.high < 0.253


@pytest.mark.parametrize(("even", "ratio"), [(0.2, 2.0), (0.6, 0.5), (0.6, 1.0)])
def test_a_quotient_covers_where_its_bottom_is_barely_clear(even, ratio):
    """Break-even rates -B / (K - B), told where K exceeds B by 3 standard errors."""
    rng, apart = np.random.default_rng(25), np.hypot(1, ratio)
    b = -even * 3 * apart
    k, b = rng.normal(3 * apart + b, 1, 20_000), rng.normal(b, ratio, 20_000)
    told = k - b > 3 * apart
    low, high = intervals.fieller(-b, k - b, ratio, apart, ratio**2)
    assert 0.94 < ((low <= even) & (even <= high))[told].mean() < 0.96


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99, 0.999])
def test_student_quantiles_are_those_of_scipy(level):
    """Few degrees of freedom are scipy's, many come from a series."""
    games = np.array([1, 2, 3, 30, 200, 201, 1_000, 10**9], dtype=np.float64)
    freedom = np.where(games > 1, games - 1, np.nan)
    expected = stats.t.ppf((1 + level) / 2, freedom)
    np.testing.assert_allclose(intervals._t(level, games), expected, rtol=1e-10)
