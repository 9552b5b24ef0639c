"""Sequences cover at all looks at once, and a run stops when it is precise enough."""

import numpy as np
import polars as pl
import pytest
from scipy import stats

from reports.statistics import intervals, sequential
from reports.statistics.estimates import estimates
from reports.statistics.sequential import PrecisionStop

LOOKS, FIRST = 60, 500


def binomial(rng, share, studies):
    """Blocks of games with one outcome each: (studies, looks, sums)."""
    wins = rng.binomial(FIRST, share, (studies, LOOKS)).astype(float)
    games = np.full_like(wins, FIRST)
    return np.stack([wins, games, wins, games, wins, games], -1)


def clustered(rng, share, studies):
    """Blocks of games of 1 to 8 outcomes that strongly go together."""
    x = rng.integers(1, 9, (studies, LOOKS, FIRST), dtype=np.int8)
    luck = rng.beta(share, 1 - share, x.shape)
    y = rng.binomial(x, luck)
    x = x.astype(float)
    columns = (y, x, y * y, x * x, x * y, x > 0)
    return np.stack([column.sum(-1) for column in columns], -1)


def skewed(rng, mean, studies):
    """Blocks of games in a quarter of which the group does not occur."""
    x = rng.integers(0, 4, (studies, LOOKS, FIRST)).astype(float)
    y = x * rng.exponential(mean, x.shape)
    columns = (y, x, y * y, x * x, x * y, x > 0, y**3)
    return np.stack([column.sum(-1) for column in columns], -1)


def always_inside(blocks, truth, *, share):
    """Of the studies, those that hold the truth at every look: ours, and ordinary."""
    looks = blocks.cumsum(1)
    sums = np.moveaxis(looks, -1, 0)
    first = looks[:, :, 5] / np.arange(1, LOOKS + 1)
    _, low, high = sequential.interval(*sums, share=share, first=first)
    plain = intervals.rate(*sums) if share else intervals.ratio(*sums)
    return (
        ((low <= truth) & (truth <= high)).all(1).mean(),
        ((plain.low <= truth) & (truth <= plain.high)).all(1).mean(),
    )


@pytest.mark.parametrize(
    ("make", "truth", "studies"),
    [(binomial, 0.25, 4_000), (binomial, 0.01, 4_000), (clustered, 0.2, 100)],
)
def test_shares_are_covered_at_all_looks_at_once(make, truth, studies):
    blocks = make(np.random.default_rng(1), truth, studies)
    ours, ordinary = always_inside(blocks, truth, share=True)
    assert ours >= 0.95
    assert ordinary < 0.75


@pytest.mark.parametrize("rare", [0.005, 0.02])
def test_a_rare_cost_is_covered_at_all_looks_at_once(rare):
    """Where a few games make the mean there is no interval; nobody is misled."""
    rng, misled, plain = np.random.default_rng(3), [], []
    for _ in range(300):
        y = (rng.random((50, 1_000)) < rare) * rng.exponential(1, (50, 1_000))
        games = np.arange(1, 51) * 1_000.0
        y1, y2, y3 = ((y**power).sum(1).cumsum() for power in (1, 2, 3))
        for told, more in ((misled, (y3,)), (plain, ())):
            sums = (y1, games, y2, games, y1, games, *more)
            _, low, high = sequential.interval(*sums, share=False, first=1_000)
            told.append(((low > rare) | (high < rare)).any())
    assert np.mean(misled) < 0.05 < np.mean(plain)


def test_means_are_covered_at_all_looks_at_once():
    blocks = skewed(np.random.default_rng(2), 3.0, 200)
    ours, ordinary = always_inside(blocks, 3.0, share=False)
    assert ours >= 0.95
    assert ordinary < 0.8


def test_the_boundary_is_that_of_robbins_and_siegmund():
    """P(Brownian motion stays inside) = 1 - 2 (1 - Phi(a) + a phi(a)), a its start."""
    a = float(sequential.multiplier(1.0, 0.95))
    inside = 1 - 2 * (stats.norm.sf(a) + a * stats.norm.pdf(a))
    assert inside == pytest.approx(0.95)
    assert a == pytest.approx(2.7955, abs=1e-4)
    assert float(sequential.multiplier(100, 0.95)) == pytest.approx(3.524, abs=1e-3)


def test_the_boundary_is_not_needlessly_wide():
    """Looked at as often as can be and for long, it is crossed in nearly 5 %."""
    rng = np.random.default_rng(3)
    walk = np.zeros(4_000)
    crossed = np.zeros(len(walk), dtype=bool)
    now = 1.0
    walk += rng.normal(size=len(walk))
    while now < 1e6:  # time grows by 1 %
        z = abs(walk) / np.sqrt(now)
        crossed |= z > float(sequential.multiplier(now))
        walk += rng.normal(0, np.sqrt(0.01 * now), len(walk))
        now *= 1.01
    assert 0.033 < crossed.mean() < 0.057


def test_before_the_first_look_nothing_is_known():
    _, low, high = sequential.interval(5, 10, 5, 10, 5, 10, share=True, first=20)
    assert (float(low), float(high)) == (0, 1)
    _, low, high = sequential.interval(5, 10, 5, 10, 5, 10, share=False, first=20)
    assert (float(low), float(high)) == (-np.inf, np.inf)


@pytest.mark.parametrize("y", [0, 1_000])
def test_a_share_without_variance_has_width(y):
    _, low, high = sequential.interval(
        y, 1_000, y, 1_000, y, 1_000, share=True, first=9
    )
    assert 0.005 < high - low < 0.03


def test_a_share_beyond_one_is_refused():
    with pytest.raises(ValueError, match="share"):
        sequential.interval(11, 10, 11, 10, 11, 10, share=True, first=5)


def sums(games, share=0.25, seats=(0, 1)):
    wins = round(games * share)
    one = dict.fromkeys(("y", "yy", "xy", "yyy"), wins) | dict.fromkeys(
        ("x", "xx", "games"), games
    )
    rows = [{"measure": "won by seat", "seat": seat, **one} for seat in seats]
    return pl.DataFrame(rows)


def test_estimates_have_the_columns_of_ordinary_ones_and_wider_intervals():
    frame = sums(4_000).drop("measure")
    found = sequential.sequential_estimates(frame, 4_000, "share", first=1_000)
    plain = estimates(frame, "share", 4_000)
    assert found.columns == plain.columns
    assert found["estimate"].equals(plain["estimate"])
    width = (found["high"] - found["low"]) / (plain["high"] - plain["low"])
    expected = float(sequential.multiplier(4)) / 1.96
    np.testing.assert_allclose(width, expected, rtol=2e-3)


def test_estimates_a_game_count_games_without_the_group():
    """Twice a game in every fourth of 400: mean 1/2, variance 3/4."""
    frame = pl.DataFrame(
        {"y": [200], "x": [100], "yy": [400], "xx": [100], "xy": [200], "games": [100]}
    ).with_columns(yyy=np.nan)
    found = sequential.sequential_estimates(frame, 400, "per game", first=400)
    se = np.sqrt(0.75 / 399)
    half = (found["high"] - found["low"]).item() / 2
    assert found["estimate"].item() == 0.5
    tail = stats.norm.sf(float(sequential.multiplier(1)))
    assert half == pytest.approx(stats.t.isf(tail, 399) * se)


def test_estimates_before_the_first_look_are_refused():
    with pytest.raises(ValueError, match="fewer than first"):
        sequential.sequential_estimates(sums(10).drop("measure"), 10, "mean", first=11)


def test_a_run_stops_when_every_group_is_known_well_enough():
    stop = PrecisionStop("won by seat", 0.01, first=1_000)
    assert not stop.enough(sums(20_000), 20_000)
    assert stop.enough(sums(40_000), 40_000)
    wide = pl.concat([sums(40_000), sums(4_000, seats=(2,))])
    assert not stop.enough(wide, 40_000)
    assert PrecisionStop("won by seat", 0.01, groups={"seat": 1}, first=1_000).enough(
        wide, 40_000
    )


def test_a_run_goes_on_before_the_first_look_and_while_nothing_is_counted():
    stop = PrecisionStop("won by seat", 0.5, first=1_000)
    assert not stop.enough(sums(999), 999)
    assert not PrecisionStop("lost", 0.5, first=10).enough(sums(100), 100)
    one = pl.DataFrame(
        {
            "y": [3.0],
            "x": [1.0],
            "yy": [9.0],
            "xx": [1.0],
            "xy": [3.0],
            "games": [1.0],
            "yyy": [27.0],
        }
    )
    assert not PrecisionStop("points", 99.0, kind="mean", first=2).enough(one, 5)


def test_the_games_it_will_take_are_foreseen():
    stop = PrecisionStop("won by seat", 0.01, first=1_000)
    expected = stop.expected(sums(2_000), 2_000)
    games = int(expected)
    assert stop.enough(sums(int(games * 1.01)), int(games * 1.01))
    assert not stop.enough(sums(int(games * 0.99)), int(games * 0.99))
    assert np.isnan(PrecisionStop("lost", 0.01).expected(sums(2_000), 2_000))


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"half_width": 0}, "half_width"),
        ({"half_width": float("nan")}, "half_width"),
        ({"half_width": 0.1, "level": 95}, "level"),
        ({"half_width": 0.1, "first": 1}, "first"),
    ],
)
def test_what_can_never_be_reached_is_refused(more, words):
    with pytest.raises(ValueError, match=words):
        PrecisionStop("won", **more)


def test_stopped_runs_cover():
    """Runs that stop at 1 point of a share hold it when they stop, in 95 % or more."""
    rng, share, studies = np.random.default_rng(5), 0.3, 3_000
    wins = rng.binomial(FIRST, share, (studies, 150)).cumsum(1).astype(float)
    games = np.broadcast_to(FIRST * np.arange(1, 151.0), wins.shape)
    _, low, high = sequential.interval(
        wins, games, wins, games, wins, games, share=True, first=FIRST
    )
    stopped = (high - low <= 0.02).argmax(1)
    rows = np.arange(studies)
    assert stopped.min() > 0
    held = (low[rows, stopped] <= share) & (share <= high[rows, stopped])
    assert held.mean() >= 0.95


def test_four_sequences_hold_all_at_once_at_the_level_of_a_family():
    """Shares of four positions, looked at 40 times: each holds alone, not all four."""
    rng, studies, looks = np.random.default_rng(9), 600, 40
    winner = rng.integers(0, 4, (studies, looks * 100))
    wins = np.stack([winner == position for position in range(4)])
    wins = wins.reshape(4, studies, looks, 100).sum(-1).cumsum(-1).astype(float)
    games = np.arange(1, looks + 1) * 100.0
    held = {}
    for level in (0.95, 1 - 0.05 / 4):
        sums = (wins, games, wins, games, wins, games)
        _, low, high = sequential.interval(*sums, level=level, share=True, first=100)
        held[level] = ((low <= 0.25) & (high >= 0.25)).all(axis=(0, 2)).mean()
    assert held[0.95] < 0.95 < held[1 - 0.05 / 4]
