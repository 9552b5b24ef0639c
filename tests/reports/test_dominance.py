"""Who beats whom: by hand, and no claim more often wrong than it may be."""

from itertools import combinations_with_replacement

import numpy as np
import polars as pl
import pytest

from reports.statistics import dominance
from reports.statistics.evolution import Payoffs, payoffs

SCHEMA = {"lineup": pl.List(pl.String), "winner": pl.String, "games": pl.Int64}


def table(rows):
    rows = [(list(lineup), *rest) for lineup, *rest in rows]
    return payoffs(pl.DataFrame(rows, schema=SCHEMA, orient="row"))


def tournament(rng, strength, players, games, *, whole=True):
    """Every lineup, won in proportion to strength."""
    names = sorted(strength)
    rows = []
    for lineup in combinations_with_replacement(names, players):
        kinds = sorted(set(lineup))
        if whole or len(kinds) <= 2:
            weight = np.array([lineup.count(name) * strength[name] for name in kinds])
            wins = rng.multinomial(games, weight / weight.sum())
            rows += [(lineup, *one) for one in zip(kinds, wins.tolist(), strict=True)]
    return table(rows)


def circle(games, share):
    won = round(games * share)
    pairs = ("pr", "rs", "sp")
    rows = [(pair, pair[0], won) for pair in pairs]
    return table(rows + [(pair, pair[1], games - won) for pair in pairs])


def test_a_duel_by_hand():
    """At a, a, b: 0.6 / 2 - 0.4 = -0.1; at a, b, c: 0.5 - 0.2 = 0.3; mean 0.1."""
    rows = [("aab", "a", 600), ("aab", "b", 400)]
    rows += [("abc", "a", 500), ("abc", "b", 200), ("abc", "c", 300)]
    found = dominance.duels(table(rows)).row(0, named=True)
    assert (found["one"], found["other"], found["lineups"]) == ("a", "b", 2)
    assert found["advantage"] == pytest.approx(0.1)
    variance = 0.6 / 4 + 0.4 - 0.01 + (0.5 + 0.2 - 0.09)
    se = np.sqrt(variance / 1_000 + 2 * 4 / 1_000**2) / 2
    assert found["high"] - found["advantage"] == pytest.approx(1.96 * se, rel=1e-4)
    alone = dominance.duels(table(rows), alone=True)
    assert alone["advantage"].to_list() == [pytest.approx(-0.1)]
    assert alone["games"].to_list() == [1_000]


def test_duels_cover():
    rng, inside = np.random.default_rng(1), []
    for _ in range(400):
        found = dominance.duels(tournament(rng, {"a": 3, "b": 2, "c": 1}, 2, 80))
        truth = pl.Series([3 / 5 - 2 / 5, 3 / 4 - 1 / 4, 2 / 3 - 1 / 3])
        inside.append(((found["low"] <= truth) & (truth <= found["high"])).to_list())
    assert 0.94 < np.mean(inside) < 0.98


def test_equals_are_said_to_beat_each_other_in_5_percent():
    rng, studies = np.random.default_rng(2), 300
    alarms = [
        (
            dominance.duels(tournament(rng, dict.fromkeys("abcd", 1), 3, 100))[
                "verdict"
            ]
            != "undecided"
        ).any()
        for _ in range(studies)
    ]
    assert np.mean(alarms) < 0.08


def test_a_strategy_that_won_all_of_few_games_is_not_sure_to_win():
    found = dominance.duels(table([("ab", "a", 3), ("cd", "c", 60), ("cd", "d", 0)]))
    assert found["verdict"].to_list() == ["undecided", "beats"]
    assert found["low"][0] < 0


def test_rock_paper_and_scissors_go_round():
    found = dominance.cycles(dominance.duels(circle(1_000, 0.7)))
    assert found.height == 1
    row = found.row(0, named=True)
    assert row["circle"] == ["p", "r", "s"]
    assert row["sure"]
    assert row["least"] == pytest.approx(0.4)
    assert row["p"] < 1e-9


def test_a_circle_of_few_games_is_only_what_it_looks_like():
    found = dominance.cycles(dominance.duels(circle(20, 0.6)))
    assert found["sure"].to_list() == [False]


def test_an_order_has_no_circle():
    rng = np.random.default_rng(3)
    found = dominance.duels(tournament(rng, {"a": 9, "b": 3, "c": 1}, 2, 500))
    assert found["verdict"].to_list() == ["beats"] * 3
    assert dominance.cycles(found).is_empty()
    assert dominance.cycles(found).columns == ["circle", "sure", "least", "p"]


def test_a_long_circle_is_found_and_sure_ones_come_first():
    """a, b, c, d surely; a also seems to beat c, which makes a, c, d."""
    wins = {"ab": 80, "bc": 80, "cd": 80, "ad": 20, "ac": 52, "bd": 51}
    rows = []
    for pair, won in wins.items():
        rows += [(pair, pair[0], won), (pair, pair[1], 100 - won)]
    found = dominance.cycles(dominance.duels(table(rows)))
    told = list(zip(found["circle"].to_list(), found["sure"], strict=True))
    assert told[0] == (["a", "b", "c", "d"], True)
    assert sorted(told[1:]) == [(["a", "b", "d"], False), (["a", "c", "d"], False)]


def test_the_weakest_is_dominated_by_all_others():
    rng = np.random.default_rng(4)
    found = dominance.dominated(tournament(rng, {"a": 4, "b": 2, "c": 1}, 3, 20_000))
    told = {(row["dominated"], row["by"]): row for row in found.iter_rows(named=True)}
    assert told["c", "a"]["verdict"] == told["c", "b"]["verdict"] == "dominated"
    assert told["b", "a"]["verdict"] == "dominated"
    assert told["a", "c"]["verdict"] == "not"
    row = told["b", "a"]
    assert (row["compared"], row["possible"]) == (6, 6)
    others = {(1, 1): "cc", (2, 2): "bb", (4, 4): "aa"}
    gains = {
        company: 4 / (4 + sum(pair)) - 2 / (2 + sum(pair))
        for pair, company in others.items()
    }
    least = min(gains, key=gains.__getitem__)
    assert row["others"] == list(least)
    assert row["least"] == pytest.approx(gains[least], abs=0.02)
    assert row["low"] < row["least"]


def test_dominance_is_said_as_far_as_it_was_tried():
    rng = np.random.default_rng(5)
    pairs = tournament(rng, {"a": 4, "b": 2, "c": 1}, 3, 20_000, whole=False)
    found = dominance.dominated(pairs)
    row = found.filter(dominated="c", by="a").row(0, named=True)
    assert row["verdict"] == "so far"
    assert row["compared"] < row["possible"] == 6


def test_a_circle_has_no_dominance():
    found = dominance.dominated(circle(1_000, 0.7))
    assert set(found["verdict"]) == {"not"}


@pytest.mark.slow
def test_dominance_is_rarely_claimed_where_there_is_none():
    """a is better than b with all others but two c, where both win 30 %."""
    rng, p, claims = np.random.default_rng(6), [], []
    share = {"aac": 0.7, "abc": 0.6, "bbc": 0.5, "acc": 0.3, "bcc": 0.3}
    for _ in range(400):
        rows = [
            ("aab", "a", 800),
            ("aab", "b", 200),
            ("abb", "a", 500),
            ("abb", "b", 500),
        ]
        for lineup, mine in share.items():
            kinds = sorted(set(lineup) - {"c"})
            weight = np.array([2.0, 1.0])[: len(kinds)]
            wins = rng.multinomial(1_000, [*(mine * weight / weight.sum()), 1 - mine])
            names = [*kinds, "c"]
            rows += [(lineup, *one) for one in zip(names, wins.tolist(), strict=True)]
        found = dominance.dominated(table(rows))
        row = found.filter(dominated="b", by="a").row(0, named=True)
        p.append(row["p"])
        claims.append(row["verdict"] == "dominated")
    assert 0.02 < np.mean(np.array(p) <= 0.05) < 0.075
    assert np.mean(claims) < 0.05


def test_payoffs_without_games_are_refused():
    bare = Payoffs(("a", "b"), 2, np.array([[1.0, 1]]), np.array([[0.6, 0.4]]))
    with pytest.raises(ValueError, match="give counts"):
        dominance.duels(bare)


def test_strategies_that_never_met_have_no_duel():
    rows = [(pair, name, 5) for pair in ("ab", "cd") for name in pair]
    found = dominance.duels(table(rows))
    met = list(zip(found["one"], found["other"], strict=True))
    assert met == [("a", "b"), ("c", "d")]
