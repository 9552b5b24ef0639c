"""Ratings are those of choix, cover as they say, and admit what they cannot know."""

from itertools import combinations, combinations_with_replacement

import choix
import numpy as np
import polars as pl
import pytest
from scipy.optimize import minimize

from reports.statistics import ratings
from reports.statistics.tournament_results import tournament_results

NAMES = "abcde"
TRUTH = np.array([0.8, 0.3, 0.0, -0.3, -0.8])
SCHEMA = {"lineup": pl.List(pl.String), "winner": pl.String, "games": pl.Int64}


def counts(rows):
    rows = [(list(lineup), *rest) for lineup, *rest in rows]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def played(rng, lineups, games, strength=TRUTH):
    """Results of lineups, which are numbers of strategies."""
    rows = []
    for lineup in lineups:
        seats = np.bincount(lineup, minlength=len(strength))
        chance = seats * np.exp(strength)
        wins = rng.multinomial(games, chance / chance.sum())
        names = [NAMES[place] for place in lineup]
        rows += [(names, NAMES[place], int(wins[place])) for place in set(lineup)]
    return counts(rows)


def test_ratings_are_those_of_choix():
    table = played(np.random.default_rng(1), combinations(range(5), 3), 20)
    data = [
        (NAMES.index(winner), [NAMES.index(name) for name in lineup if name != winner])
        for lineup, winner, games in table.rows()
        for _ in range(games)
    ]
    found = ratings.plackett_luce(table, draws=20).sort("strategy")["rating"].to_numpy()
    np.testing.assert_allclose(found, choix.ilsr_top1(5, data), atol=2e-3)


def test_two_seats_are_bradley_terry_by_hand():
    """30 of 40: a rating of log(3) apart."""
    found = ratings.plackett_luce(counts([("ab", "a", 30), ("ab", "b", 10)]), draws=50)
    assert found["strategy"].to_list() == ["a", "b"]
    gap = found["rating"][0] - found["rating"][1]
    assert gap == pytest.approx(np.log(3), abs=1e-3)
    assert found.select("wins", "games").rows() == [(30, 40), (10, 40)]


def test_a_strategy_counts_as_often_as_it_has_seats():
    """Two seats of a against one of b: even strength wins 2 of 3."""
    table = counts([("aab", "a", 200), ("baa", "b", 100)])
    found = ratings.plackett_luce(table, draws=50)
    np.testing.assert_allclose(found["rating"], 0, atol=1e-3)


def test_the_likelihood_is_the_largest():
    table = tournament_results(
        played(np.random.default_rng(2), combinations_with_replacement(range(4), 3), 50)
    )

    def unlikely(rating):
        chance = table.seats * np.exp(rating)
        chance = chance / chance.sum(1, keepdims=True)
        won = table.wins > 0
        return -np.sum(table.wins[won] * np.log(chance[won]))

    theirs = minimize(unlikely, np.zeros(len(table.strategies)), tol=1e-10).x
    ours = ratings.fitted(table.seats, table.wins[None])[0]
    np.testing.assert_allclose(ours, theirs - theirs.mean(), atol=1e-3)


@pytest.mark.parametrize("games", [1, 500, 1_000_000_000])
def test_ratings_settle_for_any_number_of_games(games):
    """Also where a strategy wins nearly all, and where some never won."""
    lineups = list(combinations_with_replacement(range(5), 4))
    for steep in (1, 10):
        strength = TRUTH * steep
        table = tournament_results(
            played(np.random.default_rng(7), lineups, games, strength)
        )
        found = ratings.fitted(table.seats, table.wins[None])[0]
        assert np.isfinite(found).all()
        if games * np.exp(-2 * TRUTH[0] * steep) > 100:
            np.testing.assert_allclose(found, strength, atol=0.15)


@pytest.mark.soak
def test_intervals_cover_and_the_fit_is_rarely_denied():
    rng, studies = np.random.default_rng(3), 150
    inside, denied = [], []
    for number in range(studies):
        table = played(rng, combinations_with_replacement(range(5), 3), 60)
        found = ratings.plackett_luce(table, draws=200, seed=number).sort("strategy")
        low, high = found["low"].to_numpy(), found["high"].to_numpy()
        inside.append((low <= TRUTH) & (high >= TRUTH))
        denied.append(ratings.lack_of_fit(table).p < 0.05)
    assert 0.925 < np.mean(inside) < 0.97
    assert np.mean(denied) < 0.10


def test_rock_paper_and_scissors_do_not_fit():
    rows = [(pair, pair[0], 70) for pair in ("ab", "bc", "ca")]
    rows += [(pair, pair[1], 30) for pair in ("ab", "bc", "ca")]
    fit = ratings.lack_of_fit(counts(rows))
    assert fit.freedom == 1
    assert fit.statistic == pytest.approx(
        3 * 200 * np.log(2) * _divergence(0.7), rel=1e-3
    )
    assert fit.p < 1e-8


def _divergence(share):
    """Bits by which a share differs from a half."""
    parts = np.array([share, 1 - share])
    return 1 + np.sum(parts * np.log2(parts))


def test_too_few_lineups_tell_nothing_about_the_fit():
    assert np.isnan(ratings.lack_of_fit(counts([("ab", "a", 3), ("ab", "b", 9)])).p)


def test_who_never_won_has_no_least_rating():
    rows = [("ab", "a", 30), ("ab", "b", 20), ("ac", "a", 50), ("bc", "b", 50)]
    found = ratings.plackett_luce(counts(rows), draws=100).sort("strategy")
    assert found["low"].is_null().to_list() == [False, False, True]
    assert found["high"].is_null().to_list() == [True, True, False]
    assert found["rating"].is_finite().all()
    assert found["rating"][2] == found["rating"].min()


def test_who_never_met_cannot_be_compared():
    rows = [("ab", "a", 5), ("ab", "b", 5), ("cd", "c", 9), ("cd", "d", 5)]
    found = ratings.plackett_luce(counts(rows), draws=50)
    assert found["low"].null_count() == found["high"].null_count() == 4


def test_the_same_seed_gives_the_same_intervals():
    table = played(np.random.default_rng(4), combinations(range(4), 2), 40)
    one, again, other = (
        ratings.plackett_luce(table, draws=150, seed=seed) for seed in (1, 1, 2)
    )
    assert one.equals(again)
    assert not one.equals(other)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([("ab", "c", 1)], "c won among a, b"),
        ([("ab", "a", -1)], "-1 games"),
        ([("ab", "a", 0)], "no games"),
        ([], "no games"),
    ],
)
def test_impossible_results_are_refused(rows, words):
    with pytest.raises(ValueError, match=words):
        ratings.plackett_luce(counts(rows))


@pytest.mark.slow
@pytest.mark.parametrize("games", [15, 60])
def test_a_fit_is_denied_in_5_percent_of_few_games_too(games):
    """Sparse results: the statistic is larger than chi-square, whatever is true."""
    rng, studies = np.random.default_rng(5), 150
    lineups = list(combinations_with_replacement(range(5), 3))
    p = [ratings.lack_of_fit(played(rng, lineups, games)).p for _ in range(studies)]
    denied = np.array(p) < 0.05
    assert 0.005 < denied.mean() < 0.10
    assert denied.mean() < 0.05 + 2.6 * np.sqrt(0.05 * 0.95 / studies)
