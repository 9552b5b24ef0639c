"""The greatest of several shares: it is covered, and its rise found."""

import numpy as np
import pytest
from scipy import stats

from reports.statistics.largest_share import Shares, bounds, rise

PARTS = 32
STUDIES = 200


def runs(chance, shares, offers, *sides, together=4):
    """Sides of a study: shares of options that are offered so often, in clusters.

    A game offers an option ``together`` times, and its answers go together. ``sides``
    say what is added to the shares on each side.
    """
    found = []
    for more in sides or (0.0, 0.0):
        y, x = np.zeros((2, PARTS, len(shares)))
        games = np.zeros(len(shares))
        for at, share in enumerate(np.clip(np.asarray(shares) + more, 0, 1)):
            many = games[at] = max(chance.poisson(offers[at] / together), 8)
            part = np.arange(int(many)) % PARTS
            likely = share > 0 and share < 1
            own = (
                chance.beta(6 * share, 6 * (1 - share), int(many)) if likely else share
            )
            np.add.at(y[:, at], part, chance.binomial(together, own, int(many)))
            np.add.at(x[:, at], part, together)
        left = [np.vstack([one.sum(0), one.sum(0) - one]) for one in (y, x)]
        found.append(Shares(left[0] / left[1], games, (x > 0).sum(0)))
    return found


SETS = {
    "one by far": ([0.67, *[0.2] * 20], [2_000, *[400] * 20]),
    "rare ones above": ([0.67, *[0.6] * 20], [2_000, *[110] * 20]),
    "all nearly always": ([0.98] * 20, [150] * 20),
    "all alike": ([0.5] * 20, [300] * 20),
    "always": ([1.0] * 5, [100] * 5),
    "a pair": ([0.5, 0.5], [500, 500]),
    "one": ([0.5], [500]),
}


@pytest.mark.parametrize("name", SETS)
@pytest.mark.slow
def test_two_runs_of_the_same_seldom_differ(name):
    """Nor is the greatest of one of them outside of its interval."""
    chance, alarms, missed = np.random.default_rng(1), 0, 0
    shares, offers = SETS[name]
    for _ in range(STUDIES):
        one, other = runs(chance, shares, offers)
        found = rise(one, other)
        low, high = bounds(one, 0.975)
        alarms += found.p < 0.05 or not found.low <= 0 <= found.high
        missed += not low <= max(shares) <= high
    for count in (alarms, missed):
        assert stats.binomtest(count, STUDIES, 0.05, "greater").pvalue > 0.01


def picked(one, other, some):
    """The p-value of two picks, each among its own, taken for shares asked for."""
    ends = [s.values[:, o].max(axis=1) for s, o in zip((one, other), some, strict=True)]
    apart = ends[1] - ends[0]
    left = apart[1:] - apart[1:].mean()
    se = np.sqrt((PARTS - 1) / PARTS * (left**2).sum())
    return 2 * stats.t.sf(abs(apart[0]) / max(se, 1e-12), PARTS - 1)


@pytest.mark.slow
def test_an_option_that_is_offered_often_enough_now_and_then():
    """It is the greatest of the side that has it, which is no difference."""
    chance, before, now = np.random.default_rng(1), 0, 0
    shares, offers = [0.67, *[0.2] * 20, 0.99], [2_000, *[400] * 20, 100]
    for _ in range(STUDIES):
        one, other = runs(chance, shares, offers)
        often = [4 * side.games >= 100 for side in (one, other)]
        before += picked(one, other, often) < 0.05
        both = np.flatnonzero(often[0] & often[1])
        now += rise(one.take(both), other.take(both)).p < 0.05
    assert before > 0.25 * STUDIES
    assert now <= 0.05 * STUDIES


RISES = {
    "of the greatest": (0, 0.08),
    "of another that becomes it": (1, 0.65),
}


@pytest.mark.parametrize("name", RISES)
@pytest.mark.slow
def test_a_rise_is_found_and_covered(name):
    at, size = RISES[name]
    chance, found = np.random.default_rng(2), []
    shares, offers = SETS["one by far"]
    more = np.zeros(len(shares))
    more[at] = size
    truth = max(np.asarray(shares) + more) - max(shares)
    for _ in range(STUDIES):
        one, other = runs(chance, shares, offers, np.zeros(len(shares)), more)
        up, down = rise(one, other), rise(other, one)
        assert (up.low, up.high) == pytest.approx((-down.high, -down.low))
        assert up.low <= up.low_90 <= up.high_90 <= up.high
        found.append((up.p < 0.05, up.low <= truth <= up.high))
    found_, covered = np.mean(found, axis=0)
    assert found_ > 0.8
    assert covered > 0.92


def test_the_same_games_cancel():
    """Two sides whose games are alike but for one option differ by that alone."""
    chance = np.random.default_rng(3)
    [one] = runs(chance, *SETS["one by far"], 0.0)
    other = Shares(one.values + np.where(np.arange(21) == 0, 0.02, 0.0), *_about(one))
    found = rise(one, other)
    assert found.p < 0.001
    assert found.low < 0.02 < found.high
    apart = rise(one, runs(chance, *SETS["one by far"], 0.0)[0])
    assert found.high - found.low < (apart.high - apart.low) / 2
    assert rise(one, one).p == 1
    assert found.reverse.low == -found.high


def _about(one):
    return one.games, one.parts


def test_no_more_than_all_can_be_taken():
    """A share that is always taken in many games: what is rare cannot lie above it."""
    chance = np.random.default_rng(6)
    shares, offers = [1.0, *[1.0] * 20], [8_000, *[100] * 20]
    one, other = runs(chance, shares, offers)
    found = rise(one, other)
    assert -0.02 < found.low <= 0 <= found.high < 0.02
    negatives = [Shares(v.values - 1, *_about(v), top=0.0) for v in (one, other)]
    assert rise(*negatives) == pytest.approx(found)


def test_looking_more_than_once_makes_it_wider():
    one, other = runs(np.random.default_rng(4), *SETS["one by far"])
    once, often = rise(one, other), rise(one, other, wide=2)
    assert often.high - often.low > 1.5 * (once.high - once.low)
    assert often.p >= once.p
    low, high = bounds(one, 0.975, wide=2)
    assert low < bounds(one, 0.975)[0] < bounds(one, 0.975)[1] < high


def test_games_that_were_not_played_do_not_count():
    one, other = runs(np.random.default_rng(5), *SETS["a pair"])
    more = np.full((3, 2), np.nan)
    longer = [Shares(np.vstack([s.values, more]), *_about(s)) for s in (one, other)]
    assert rise(*longer) == rise(one, other)
    assert bounds(longer[0], 0.9) == bounds(one, 0.9)
