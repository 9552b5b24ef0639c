"""Which strategies survive: published values, closed forms and plain enumeration."""

from itertools import combinations, combinations_with_replacement

import numpy as np
import polars as pl
import pytest

from reports.statistics import evolution
from reports.statistics.evolution import Payoffs, alpha_rank, replicator

SCHEMA = {"lineup": pl.List(pl.String), "winner": pl.String, "games": pl.Int64}


def of_matrix(names, matrix):
    """A game of two seats, of which the matrix tells what the row player gets."""
    pairs = list(combinations_with_replacement(range(len(names)), 2))
    seats = np.array([np.bincount(pair, minlength=len(names)) for pair in pairs])
    value = np.full(seats.shape, np.nan)
    for row, (one, other) in enumerate(pairs):
        value[row, one], value[row, other] = matrix[one][other], matrix[other][one]
    return Payoffs(tuple(names), 2, seats.astype(float), value)


def results(rows):
    rows = [(list(lineup), *rest) for lineup, *rest in rows]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def circle(games=1_000, share=0.7):
    """Rock, paper and scissors for two."""
    won = round(games * share)
    rows = [(pair, pair[0], won) for pair in ("pr", "rs", "sp")]
    return results(rows + [(pair, pair[1], games - won) for pair in ("pr", "rs", "sp")])


def masses(found, names):
    return [found.filter(strategy=name)["mass"].item() for name in names]


def test_alpha_rank_is_that_of_han_et_al():
    """Han, Pereira, Santos & Lenaerts 2013, as open_spiel tests its alpha-rank."""
    reward, tempt, punished, sucker, fine, cost = 1.0, 2.0, 0.0, -1.0, 4.0, 0.25
    half = reward - cost / 2
    matrix = [
        [half, reward - cost, 0, sucker + fine - cost, reward - cost],
        [reward, reward, sucker, sucker, sucker],
        [0, tempt, punished, punished, punished],
        [tempt - fine, tempt, punished, punished, punished],
        [reward, tempt, punished, punished, punished],
    ]
    found = alpha_rank(of_matrix("abcde", matrix), intensity=0.1, population=20)
    expected = [0.40966787, 0.07959841, 0.20506998, 0.08505983, 0.2206039]
    np.testing.assert_allclose(masses(found, "abcde"), expected, atol=1e-7)
    assert found["low"].null_count() == 5  # payoffs without games


def test_two_seats_of_constant_sum_by_its_closed_form():
    """A mutant's chance is (1 - e^-u) / (1 - e^-mu), u = a m / (m - 1) (w - 1/2)."""
    games = results([("ab", "a", 600), ("ab", "b", 400)])
    found = alpha_rank(evolution.payoffs(games), 2.0, population=10, draws=0)
    u = 2.0 * 10 / 9 * 0.1
    chance = [(1 - np.exp(-v)) / (1 - np.exp(-10 * v)) for v in (u, -u)]
    assert masses(found, "a") == pytest.approx([chance[0] / sum(chance)])


def test_three_seats_are_all_tables_that_can_be_drawn():
    """Fixation in a population of six, every table counted one by one."""
    rows = [("aab", "a", 540), ("aab", "b", 460), ("abb", "a", 250), ("abb", "b", 750)]
    table = evolution.payoffs(results(rows))
    value = {3: (1 / 3, 0), 2: (0.27, 0.46), 1: (0.25, 0.375), 0: (0, 1 / 3)}

    def gets(mine, others):
        tables = [
            value[(mine == "a") + pair.count("a")]["ab".index(mine)]
            for pair in combinations(others, 2)
        ]
        return np.mean(tables)

    def takes_over(new, old):
        total, product = 1.0, 1.0
        for many in range(1, 6):
            people = new * many + old * (6 - many)
            gain = gets(new, people.replace(new, "", 1))
            gain -= gets(old, people.replace(old, "", 1))
            product *= np.exp(-3.0 * gain)
            total += product
        return 1 / total

    chance = takes_over("a", "b"), takes_over("b", "a")
    found = alpha_rank(table, 3.0, population=6, draws=0)
    assert masses(found, "a") == pytest.approx([chance[0] / sum(chance)])


def test_a_circle_takes_turns():
    found = alpha_rank(evolution.payoffs(circle()), draws=50)
    np.testing.assert_allclose(found["mass"], 1 / 3, atol=1e-6)


def test_the_best_is_left_and_intervals_know_when_it_is_not_sure():
    rows = [("ab", "a", 520), ("ab", "b", 480), ("ac", "a", 900), ("ac", "c", 100)]
    rows += [("bc", "b", 900), ("bc", "c", 100)]
    few = alpha_rank(evolution.payoffs(results(rows)), draws=300, seed=1)
    assert few["strategy"].to_list() == ["a", "b", "c"]
    assert few["mass"][0] > 0.99
    assert few["low"][0] < 0.05
    assert few["high"][2] < 0.01
    many = results([(*row[:2], 100 * row[2]) for row in rows])
    sure = alpha_rank(evolution.payoffs(many), draws=300, seed=1)
    assert sure["low"][0] > 0.99


def test_one_strategy_alone_has_all():
    table = evolution.payoffs(results([("aaa", "a", 10)]))
    assert alpha_rank(table, draws=10)["mass"].to_list() == [1]
    np.testing.assert_allclose(replicator(table, steps=3), 1)


def test_a_lead_grows_as_a_logistic_curve():
    """60 % of games won: the odds grow by e^0.1 in a unit of time."""
    table = evolution.payoffs(results([("ab", "a", 60), ("ab", "b", 40)]))
    path = replicator(table, np.array([0.2, 0.8]), time=50, steps=10)
    odds = 0.25 * np.exp(0.1 * np.linspace(0, 50, 11))
    np.testing.assert_allclose(path[:, 0], odds / (1 + odds), atol=1e-6)


def test_rock_paper_and_scissors_go_round_for_ever():
    """The product of the shares stays what it was."""
    path = replicator(evolution.payoffs(circle()), np.array([0.5, 0.3, 0.2]), 200, 100)
    np.testing.assert_allclose(path.prod(1), 0.03, rtol=1e-5)
    assert np.ptp(path[:, 0]) > 0.1


def test_four_seats_meet_all_tables():
    """Whoever sits there, a wins half a game more often in proportion: b dies out."""
    rows = []
    for lineup in combinations_with_replacement("abc", 4):
        strength = np.array([{"a": 3, "b": 1, "c": 2}[name] for name in lineup])
        for name in set(lineup):
            mine = np.array(lineup) == name
            share = strength[mine].sum() / strength.sum()
            rows.append((lineup, name, round(100_000 * share)))
    path = replicator(evolution.payoffs(results(rows)), time=400)
    assert path.shape == (1_001, 3)
    np.testing.assert_allclose(path.sum(1), 1)
    np.testing.assert_allclose(path[-1], [1, 0, 0], atol=1e-6)
    first = path[1] - path[0]
    assert first[0] > first[2] > first[1]


def test_what_was_not_played_is_named():
    table = evolution.payoffs(results([("aab", "a", 9), ("aab", "b", 3)]))
    with pytest.raises(ValueError, match="a, b, b was not played"):
        alpha_rank(table)
    with pytest.raises(ValueError, match="a, b, b was not played"):
        replicator(table)


def test_misuse_is_refused():
    table = evolution.payoffs(circle())
    with pytest.raises(ValueError, match="population"):
        alpha_rank(table, population=1)
    with pytest.raises(ValueError, match="add up to 1"):
        replicator(table, np.array([0.5, 0.5, 0.5]))
    with pytest.raises(ValueError, match="seats"):
        evolution.payoffs(results([("ab", "a", 1), ("abc", "a", 1)]))


def test_a_hopeless_strategy_changes_nothing_about_the_others():
    """Four that all but go in a circle, with and without one that always loses."""
    shares = {"ab": 0.52, "bc": 0.53, "cd": 0.51, "da": 0.505, "ac": 0.515, "bd": 0.54}
    rows = []
    for pair, share in shares.items():
        won = round(10_000 * share)
        rows += [(pair, pair[0], won), (pair, pair[1], 10_000 - won)]
    weak = [
        (name + "e", who, n) for name in "abcd" for who, n in ((name, 9_990), ("e", 10))
    ]
    alone = alpha_rank(evolution.payoffs(results(rows)), draws=0)
    beside = alpha_rank(evolution.payoffs(results(rows + weak)), draws=0)
    np.testing.assert_allclose(masses(beside, "abcd"), masses(alone, "abcd"), atol=1e-6)
    assert masses(beside, "e")[0] < 1e-6
