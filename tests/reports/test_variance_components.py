"""Shares of variance: by hand, without bias, and as sure as they say."""

import numpy as np
import polars as pl
import pytest
from scipy import stats

from reports.statistics import intervals, squared_effects, variance_components

SEATS = 4
WHO = (np.arange(SEATS)[:, None] + np.arange(SEATS)) % SEATS  # (rotations, seats)
NAMES = np.array(["ace", "bold", "calm", "dull"])


def design(value, who=WHO):
    """A table of values (deals, plays, rotations, positions)."""
    deal, play, rotation, position = np.indices(value.shape)
    names = np.broadcast_to(NAMES[who], value.shape)
    columns = {"deal": deal, "play": play, "rotation": rotation}
    columns |= {"position": position, "value": value}
    frame = pl.DataFrame({name: column.ravel() for name, column in columns.items()})
    return frame.with_columns(pl.Series("strategy", names.ravel()))


def points(rng, deals, position, strategy, hand, suits, play):
    """Hands are of a deal and position, and suit whoever holds them in one rotation."""
    luck = rng.normal(0, hand, (deals, 1, 1, SEATS))
    luck = luck + rng.normal(0, suits, (deals, 1, SEATS, SEATS))
    found = 3 + position + strategy[WHO] + luck
    return found + rng.normal(0, play, (deals, 2, SEATS, SEATS))


def wins(rng, deals, strategy, hand, play):
    """Who is strongest with his cards and dice wins: one of the seats of each game."""
    found = points(rng, deals, np.zeros(SEATS), strategy, hand, 0, play).argmax(3)
    return (found[..., None] == np.arange(SEATS)).astype(float)


def variances(value, who=WHO):
    found = variance_components.components(design(value, who))
    return dict(found.select("source", "variance").rows())


def test_variances_by_hand_of_two_deals_and_positions():
    """Position 1 gets 1 more, the second strategy 2 more; then one hand of 0 gets 4."""
    who = np.array([[0, 1], [1, 0]])
    value = np.array([[0.0, 1], [0, 1]]) + 2 * who + np.zeros((2, 2, 1, 1))
    none = dict.fromkeys(variance_components.SOURCES, 0)
    assert variances(value, who) == pytest.approx(
        {**none, "position": 0.25, "strategy": 1}
    )
    value[1, :, :, 0] += 4  # hands of position 0: 0 and 4, of variance 8; 1: 0
    found = variances(value, who)
    assert found["deal"] == pytest.approx(4)
    assert found["strategy"] == pytest.approx(1)
    assert found["play"] == found["hand x strategy"] == pytest.approx(0)
    # means of positions are now 2 and 1 apart by -1: 0.25; their difference, 0 or 4 by
    # deal, has the variance 8 / 2 = 4, a quarter of which is chance in the square
    assert found["position"] == pytest.approx(0.25 - 4 / 4)


def test_dice_of_play_are_no_part_of_the_deal():
    """What differs from play to play of a deal, by hand: 1 and -1 have variance 2."""
    value = np.zeros((50, 2, SEATS, SEATS))
    value[:, 0], value[:, 1] = 1.0, -1.0
    found = variances(value, np.zeros_like(WHO))
    assert found["play"] == pytest.approx(2)
    assert found["deal"] == pytest.approx(0, abs=0.05)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("deals", "position", "strategy", "hand", "suits", "play"),
    [
        (100, [0, 0, 0, 0], [0, 0, 0, 0], 1, 0.5, 1),
        (100, [0.1, -0.1, 0, 0], [0.5, -0.5, 0.2, -0.2], 1, 1, 1.5),
        (30, [0.3, -0.3, 0, 0], [0.1, -0.1, 0, 0], 0.0, 0.0, 1),
        (300, [0, 0, 0, 0], [2, -2, 0.2, -0.2], 0.3, 0.2, 1),
    ],
)
def test_points_are_covered_without_bias(deals, position, strategy, hand, suits, play):
    rng, studies = np.random.default_rng(1), 150
    position, strategy = np.array(position), np.array(strategy)
    fixed = (position**2).mean(), (strategy**2).mean()
    truth = np.array([hand**2, *fixed, suits**2, play**2])
    share = truth / truth.sum()
    found = [
        variance_components.components(
            design(points(rng, deals, position, strategy, hand, suits, play))
        )
        for _ in range(studies)
    ]
    low, high, variance = (
        np.array([one[name].to_numpy() for one in found])
        for name in ("low", "high", "variance")
    )
    error = variance.std(0) / np.sqrt(studies)
    assert (abs(variance.mean(0) - truth) < 4 * error).all()
    assert (((low <= share) & (share <= high)).mean(0) > 0.90).all()


@pytest.mark.slow
def test_wins_are_covered():
    """The truth is that of very many deals; a position as such has no share."""
    rng, strategy = np.random.default_rng(2), np.array([0.6, 0, 0, -0.3])
    truth = variance_components.components(design(wins(rng, 60_000, strategy, 1, 0.7)))[
        "share"
    ]
    assert truth[1] < 1e-4
    inside = [
        (one["low"] <= truth + 1e-4) & (truth - 1e-4 <= one["high"])
        for one in (
            variance_components.components(design(wins(rng, 200, strategy, 1, 0.7)))
            for _ in range(150)
        )
    ]
    assert (np.mean(inside, axis=0) > 0.90).all()
    assert truth[0] > truth[2]  # more luck of the deal than skill


def test_a_toy_whose_luck_is_known():
    """A seat wins in proportion to exp(hand): the deal is the variance of its chance.

    Of hands that all have the same two values that chance has a closed form, and what
    is left, p (1 - p) on average, is play's.
    """
    number = np.arange(5)  # strong ones of four
    often = stats.binom.pmf(number, 4, 0.5)
    square = (9 * number + (4 - number)) / 4 / (2 * number + 4) ** 2
    deal = ((often * square).sum() - 1 / 16) / (3 / 16)
    rng, shares, covered = np.random.default_rng(6), [], []
    for _ in range(60):
        weight = np.where(rng.random((800, 1, 1, SEATS)) < 0.5, 3.0, 1.0)
        chance = (weight / weight.sum(3, keepdims=True)).cumsum(3)
        drawn = (rng.random((800, 2, SEATS, 1)) > chance).sum(3)
        won = (drawn[..., None] == np.arange(SEATS)).astype(float)
        rows = variance_components.components(design(won))
        found = rows.filter(pl.col("source").is_in(["deal", "play"]))
        shares.append(found["share"].to_list())
        low, high = (found[name].to_numpy() for name in ("low", "high"))
        covered.append((low <= [deal, 1 - deal]) & (high >= [deal, 1 - deal]))
    error = np.std(shares, axis=0) / np.sqrt(60)
    assert (abs(np.mean(shares, axis=0) - [deal, 1 - deal]) < 3 * error).all()
    assert (np.mean(covered, axis=0) > 0.85).all()


def test_a_strategy_that_always_won_may_lose_one_day():
    value = (WHO == 0)[None, None].astype(float).repeat(100, 0).repeat(2, 1)
    found = variance_components.components(design(value))
    assert found["share"].to_list() == [0, 0, 1, 0, 0]
    assert 0.95 < found["low"][2] < 0.98
    assert 0.02 < found["high"][0] < 0.05


def test_one_strategy_explains_nothing():
    rng = np.random.default_rng(3)
    value = points(rng, 50, np.zeros(4), np.zeros(4), 1, 0, 0)
    found = variance_components.components(design(value, np.zeros_like(WHO)))
    assert found.filter(source="strategy").row(0)[1:] == (0, 0, 0, 0)
    assert found.filter(source="deal")["share"].item() > 0.9
    assert found.filter(source="play")["share"].item() == pytest.approx(0, abs=1e-12)


def test_order_of_rows_does_not_matter_and_shares_add_up():
    rng = np.random.default_rng(4)
    frame = design(points(rng, 60, np.arange(4), np.arange(4.0), 2, 1, 1))
    found = variance_components.components(frame)
    assert found["source"].to_list() == list(variance_components.SOURCES)
    assert found.equals(
        variance_components.components(frame.sample(fraction=1, shuffle=True, seed=1))
    )
    assert found["share"].sum() == pytest.approx(1)


def test_nothing_varies():
    found = variance_components.components(design(np.ones((3, 2, SEATS, SEATS))))
    assert found["share"].null_count() == 5


def unlike(frame, row, **changes):
    number = pl.int_range(pl.len()) == row
    changed = [
        pl.when(number).then(pl.lit(new)).otherwise(name).alias(name)
        for name, new in changes.items()
    ]
    return frame.with_columns(changed)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda frame: frame.head(-1), "32 rows|64 rows"),
        (lambda frame: frame.filter(deal=0), "2 deals"),
        (lambda frame: unlike(frame, 3, strategy="ace"), "equally often"),
        (lambda frame: unlike(frame, 3, position=2), "same rotations"),
        (lambda frame: unlike(frame, 3, value=None), "gaps"),
    ],
)
def test_another_design_is_refused(spoil, words):
    frame = design(np.random.default_rng(5).random((2, 2, SEATS, SEATS)))
    with pytest.raises(ValueError, match=words):
        variance_components.components(spoil(frame))


@pytest.mark.parametrize("length", [0.5, 3.0, 30.0, 2e5])
def test_squares_invert_the_noncentral_chi_square_of_scipy(length):
    """Three means of variance 1: 2.5 % lie beyond each limit.

    The upper one is never that of means closer together than chance makes them: 3.
    """
    centre = np.sqrt(length / 3) * np.ones(3)
    low, high = squared_effects.squared(centre, np.eye(3), 0.95)
    assert stats.ncx2.cdf(max(length, 3), 3, high) == pytest.approx(0.025, rel=0.01)
    if low > 0:
        assert stats.ncx2.sf(length, 3, low) == pytest.approx(0.025, rel=0.01)
    else:
        assert stats.chi2.sf(length, 3) > 0.025


@pytest.mark.parametrize("length", [0.0, 1e-9, 0.2])
def test_means_closer_together_than_chance_are_not_equal_for_sure(length):
    low, high = squared_effects.squared(np.array([length**0.5, 0, 0]), np.eye(3), 0.95)
    assert low == 0
    assert high == pytest.approx(
        squared_effects.squared(np.ones(3), np.eye(3), 0.95)[1]
    )
    assert squared_effects.squared(np.zeros(3), np.zeros((3, 3)), 0.95) == (0, 0)


def test_a_quotient_by_a_sure_number_is_that_of_the_limits():
    sure = intervals.IntervalEstimate(*(np.array(end) for end in (4.0, 4.0, 4.0, 0.0)))
    found = squared_effects.quotient(1.0, (0.5, 3.0), sure, 0.0, 0.0)
    assert found == pytest.approx((0.125, 0.75))
