"""Differences on the same games: by hand, against scipy, and as sure as they say."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.weightstats import ttost_paired

from reports.batches import GameBatches
from reports.counts import grid
from reports.statistics import paired_estimates
from reports.statistics.difference_tests import difference_verdicts

NO_GROUPS: tuple[str, ...] = ()


def sums(y, x):
    """Sums over games (last axis); the other axis is a group, numbered."""
    y, x = np.atleast_2d(y), np.atleast_2d(x)
    return grid("m", y, x, study=range(len(y))).sums()


def compare(y, v, x=None, u=None, *, same=True, kind="mean", games=None, level=0.95):
    x = np.ones_like(y) if x is None else x
    u = np.ones_like(v) if u is None else u
    games = games or (y.shape[-1] if same else (y.shape[-1], v.shape[-1]))
    how = {"kind": kind, "level": level, "batches": GameBatches() if same else None}
    return paired_estimates.differences(
        sums(y, x), sums(v, u), ("study",), games, **how
    )


def covers(rows, truth):
    return ((rows["low"] <= truth) & (truth <= rows["high"])).mean()


def outcomes(rng, one, other, together, studies, games):
    """Won or not on both sides of the same games, a part of which is just the same."""
    luck = rng.random((studies, games))
    again = np.where(rng.random(luck.shape) < together, luck, rng.random(luck.shape))
    return (luck < one).astype(float), (again < other).astype(float)


def test_means_of_single_rows_are_the_paired_t_test():
    rng = np.random.default_rng(1)
    y = rng.normal(3, 2, 2_000)
    v = y + rng.normal(0.1, 1, 2_000)
    row = compare(y, v).row(0, named=True)
    theirs = stats.ttest_rel(y, v)
    low, high = theirs.confidence_interval()
    assert row["difference"] == pytest.approx(y.mean() - v.mean())
    # of 64 batches: the error has an error of 9 %
    assert [row["low"], row["high"]] == pytest.approx(
        [low, high], abs=0.1 * (high - low)
    )
    expected = (y.var() + v.var()) / (y - v).var()
    assert row["variance_ratio"] == pytest.approx(expected, rel=0.5)
    assert (row["freedom"], row["n"]) == (63, 2_000)


def test_ratios_by_hand():
    """One: 4/3 of games (1, 1), (3, 2); other: 1 of (2, 1), (1, 2).

    Residuals over totals -1/9 and 1/9, and 1/3 and -1/3: their differences are -4/9 and
    4/9, so the variance is 2 * 32/81; apart it is 2 * (2/81 + 2/9), which comes twice
    more (four games of n = 2).
    """
    found = compare(
        np.array([1.0, 3]), np.array([2.0, 1]), np.array([1.0, 2]), np.array([1.0, 2])
    ).row(0, named=True)
    assert found["difference"] == pytest.approx(1 / 3)
    assert found["se"] ** 2 == pytest.approx(2 * 32 / 81 + 4 * (2 / 81 + 2 / 9))


def test_unpaired_means_are_the_test_of_welch():
    rng = np.random.default_rng(2)
    y, v = rng.normal(3, 2, 40), rng.normal(2, 5, 90)
    row = compare(y, v, same=False).row(0, named=True)
    theirs = stats.ttest_ind(y, v, equal_var=False)
    low, high = theirs.confidence_interval()
    assert [row["low"], row["high"]] == pytest.approx([low, high])
    assert row["p"] == pytest.approx(theirs.pvalue)
    assert row["freedom"] == pytest.approx(theirs.df)
    assert (row["variance_ratio"], row["played"]) == (1, 90)


def test_a_measure_without_groups_has_one_row():
    y, v = np.array([1.0, 0, 1, 1]), np.array([0.0, 0, 1, 1])
    one, other = (sums(won, won * 0 + 1).drop("study") for won in (y, v))
    how = {"kind": "share", "batches": GameBatches()}
    found = paired_estimates.differences(one, other, NO_GROUPS, 4, **how)
    assert found.height == 1
    assert found["difference"].item() == 0.25
    assert (
        difference_verdicts(found, "all", 0.5, share=True)["verdict"].item()
        == "too rare"
    )


@pytest.mark.parametrize(
    ("one", "other", "together", "games"),
    [
        (0.25, 0.25, 0.9, 400),
        (0.25, 0.30, 0.9, 400),
        (0.05, 0.04, 0.5, 400),
        (0.50, 0.50, 0.96, 1_000),
        (0.25, 0.27, 0.0, 60),
    ],
)
def test_paired_shares_cover(one, other, together, games):
    rng = np.random.default_rng(3)
    rows = compare(*outcomes(rng, one, other, together, 2_000, games), kind="share")
    assert 0.938 < covers(rows, one - other) < 0.98


@pytest.mark.parametrize(
    ("rare", "games"), [(0.002, 500), (0.004, 1_000), (0.01, 300), (0.03, 300)]
)
def test_a_rule_that_seldom_bites_is_never_too_sure(rare, games):
    """Few games differ, all in one direction: still covered, from no difference on."""
    rng = np.random.default_rng(4)
    y = (rng.random((3_000, games)) < 0.3).astype(float)
    hit = rng.random(y.shape) < rare
    rows = compare(y, np.where(hit, 1.0, y), kind="share")
    assert covers(rows, -0.7 * rare) > 0.94


@pytest.mark.parametrize(("one", "other"), [(0.25, 0.25), (0.02, 0.01), (0.9, 0.8)])
def test_unpaired_shares_cover(one, other):
    rng = np.random.default_rng(5)
    y = (rng.random((2_000, 300)) < one).astype(float)
    v = (rng.random((2_000, 500)) < other).astype(float)
    rows = compare(y, v, same=False, kind="share")
    assert 0.938 < covers(rows, one - other) < 0.985


@pytest.mark.parametrize("kind", ["mean", "per game"])
def test_clustered_ratios_cover(kind):
    """Skewed numbers; a quarter of the games lacks the group, not the same ones."""
    rng, shape = np.random.default_rng(6), (1_500, 300)
    x, u = rng.integers(0, 4, shape).astype(float), rng.integers(0, 4, shape)
    luck = rng.exponential(1.0, shape)
    y, v = x * luck * 3, u * (luck * 2 + rng.exponential(1.0, shape))
    rows = compare(y, v, x, u.astype(float), kind=kind)
    truth = 0.0  # 3 against 2 + 1, or 1.5 times that a game
    assert 0.935 < covers(rows, truth) < 0.965
    assert rows["n"].max() == (300 if kind == "per game" else rows["n"].max())


def test_the_same_with_other_seeds_is_called_different_in_5_percent():
    """A/A: 1,000 studies of the same variant twice, not on the same games."""
    rng = np.random.default_rng(7)
    sides = (rng.random((2, 1_000, 2_000)) < 0.25).astype(float)
    rows = compare(*sides, same=False, kind="share")
    called = int((rows["p"] <= 0.05).sum())
    low, high = stats.binomtest(called, 1_000).proportion_ci()
    assert low <= 0.05 <= high
    outside = ((rows["low"] > 0) | (rows["high"] < 0)).sum()
    assert outside == called


def test_the_same_games_twice_do_not_differ():
    y = (np.random.default_rng(8).random(1_000) < 0.25).astype(float)
    row = compare(y, y, kind="share").row(0, named=True)
    assert (row["difference"], row["p"]) == (0, 1)
    assert 0.003 < row["high"] < 0.005  # as in 1,000 games without an exception
    assert row["variance_ratio"] > 50


def test_a_group_that_one_side_lacks():
    y = np.array([[1.0, 0, 1], [1, 1, 0]])
    one, other = sums(y, np.ones_like(y)), sums(y[:1], np.ones_like(y[:1]))
    how = {"batches": GameBatches()}
    rows = paired_estimates.differences(one, other, ("study",), 3, "share", **how)
    assert rows["difference"].to_list() == [0, None]
    assert rows.select("low", "high").row(1) == (-1, 1)
    rows = paired_estimates.differences(one, other, ("study",), 3, "per game", **how)
    assert rows["difference"].to_list() == [0, pytest.approx(2 / 3)]


def test_misuse_is_refused():
    y = np.ones(3)
    with pytest.raises(ValueError, match="y must lie between 0 and x"):
        compare(2 * y, y, kind="share")
    with pytest.raises(ValueError, match="tolerance"):
        difference_verdicts(compare(y, y), "f", -1)


def test_a_family_is_adjusted_as_one():
    rng = np.random.default_rng(9)
    y = rng.normal(0, 1, (6, 500))
    v = y + rng.normal(0.05, 0.5, (6, 500))
    rows = compare(y, v)
    told = difference_verdicts(rows, "scores by seat")
    np.testing.assert_allclose(
        told["p_adjusted"], multipletests(rows["p"], method="holm")[1]
    )
    wide = compare(y, v, level=1 - 0.05 / 6)
    np.testing.assert_allclose(told["low_adjusted"], wide["low"])
    assert told["family"].unique().to_list() == ["scores by seat"]
    assert told["verdict"].null_count() == 6
    assert told["different"].to_list() == (told["p_adjusted"] <= 0.05).to_list()


def test_within_is_the_test_of_statsmodels():
    rng = np.random.default_rng(10)
    y = rng.normal(0, 1, (40, 3_000))
    v = y + rng.normal(0, 1, (40, 3_000)) + np.linspace(0, 0.1, 40)[:, None]
    told = difference_verdicts(compare(y, v), "f", 0.05)
    theirs = np.array(
        [ttost_paired(*pair, -0.05, 0.05)[0] for pair in zip(y, v, strict=True)]
    )
    clear = abs(theirs - 0.05) > 0.01
    within = (told["verdict"] == "within").to_numpy()
    assert within[clear].tolist() == (theirs < 0.05)[clear].tolist()
    assert 5 < within.sum() < 35


@pytest.mark.slow
def test_verdicts_are_rarely_wrong():
    """On the edge: within in 5 % of studies at most, outside never."""
    rng = np.random.default_rng(11)
    y, v = rng.normal(0.05, 0.5, (2, 2_000, 1_000))
    v -= 0.05
    v -= v.mean() - y.mean() + 0.1  # the true difference is 0.1
    rows = compare(y, v, same=False)
    wrong = {"within": 0, "outside": 0}
    for row in rows.iter_slices(1):
        verdict = difference_verdicts(row, "f", 0.1)["verdict"].item()
        if verdict in wrong:
            wrong[verdict] += 1
    assert 0.03 < wrong["within"] / 2_000 < 0.065
    assert wrong["outside"] / 2_000 < 0.035


def test_undecided_says_how_many_games_would_decide():
    rng = np.random.default_rng(12)
    y, v = rng.normal(0, 1, (2, 1, 400))
    row = difference_verdicts(compare(y, v), "f", 0.08).row(0, named=True)
    assert row["verdict"] == "undecided"
    assert 400 < row["needed"] < 40_000
    sure = difference_verdicts(compare(y, v), "f", 5.0).row(0, named=True)
    assert (sure["verdict"], sure["needed"]) == ("within", None)


@pytest.mark.slow
@pytest.mark.parametrize("same", [False, True])
@pytest.mark.parametrize("kind", ["mean", "per game", "share"])
def test_rare_groups_raise_no_alarm(kind, same):
    """A/A: 40 groups, seen in 1 to 200 of 400 games a side, of which nothing differs.

    At most 5 % of studies call any different or outside a tolerance of 5 %: a group
    that was seen in a few games shows no variance, and then nothing surely.
    """
    rng, studies, alarms = np.random.default_rng(13), 100, 0
    often = np.geomspace(0.002, 0.5, 40)[:, None]
    for _ in range(studies):
        x, u = (rng.random((2, 40, 400)) < often).astype(float)
        y, v = rng.choice([3.0, 3, 3, 4, 9], (2, 40, 400)) * (x, u)
        if kind == "share":
            y, v = (y > 3).astype(float), (v > 3).astype(float)
        rows = compare(y, v, x, u, same=same, kind=kind)
        tolerance = 0.05 * (1 if kind == "share" else 4.4)
        told = difference_verdicts(rows, "f", tolerance, "bh", share=kind == "share")
        called = told["different"] | (told["verdict"] == "outside")
        alarms += bool(called.any())
    assert stats.binomtest(alarms, studies, 0.05, "greater").pvalue > 0.01


@pytest.mark.parametrize("same", [False, True])
def test_what_few_games_make_has_no_interval(same):
    """A cost that occurs in some games of one side, and in none of the other.

    An interval of the rarest would miss in 11 to 48 % of studies.
    """
    rng = np.random.default_rng(14)
    for often, games in [(0.005, 200), (0.01, 400), (0.02, 1_000), (0.1, 1_000)]:
        cost = rng.exponential(1, (1_000, games))
        cost *= rng.random(cost.shape) < often
        rows = compare(cost, np.zeros_like(cost), same=same)
        told = rows.drop_nulls("low")
        assert told["enough"].all()
        missed = told.height * (1 - covers(told, often)) if told.height else 0
        assert missed < 0.07 * rows.height
    assert told.height > 0.75 * rows.height


@pytest.mark.parametrize("same", [False, True])
def test_what_never_happened_is_not_told_to_be_the_same(same):
    """How large a cost would be, if there were one, nobody has seen."""
    row = difference_verdicts(compare(*np.zeros((2, 400)), same=same), "f", 0.1)
    assert row.select("verdict", "low", "different").row(0) == ("too rare", None, False)


def test_what_is_too_rare_is_told_and_is_in_no_family():
    y = np.zeros((2, 400))
    y[0, :19], y[1, :20] = 1, 1
    shown = y[:, :] * 3.0
    rows = compare(shown, shown[:, ::-1], y, y[:, ::-1], same=False)
    told = difference_verdicts(rows, "f", 0.1)
    assert told["verdict"].to_list() == ["too rare", "within"]
    assert told["p_adjusted"].null_count() == 1
    assert told["low"].null_count() == 1  # of no spread among 19 games: no interval
