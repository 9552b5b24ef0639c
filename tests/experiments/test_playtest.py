"""Table sessions beside the simulation: read strictly, judged honestly."""

from itertools import permutations, product

import numpy as np
import pytest

from experiments.analysis import (
    playtest,
    playtest_checks,
    playtest_games,
    playtest_sample_size,
)
from experiments.analysis.play_log import SessionSeat, TableSession, read_play_log
from experiments.core.cells import UsageError
from reports.statistics import permutation_test, synthetic_likelihood
from reports.statistics.permutation_test import between
from reports.statistics.synthetic_likelihood import CompanyModel
from sim.games import load
from strategies.registry import make

HEAD = "session,player,score,position,winner\n"
GOOD = HEAD + "1,Mia,5,2,no\n1,Noah,9,1,yes\n1,Olga,2,3,no\n"


def written(tmp_path, text):
    path = tmp_path / "sessions.csv"
    path.write_text(text, encoding="utf-8")
    return path


def of(tmp_path, text, players=(3, 4), least=False):
    return list(read_play_log(written(tmp_path, text), players, least).sessions)


def test_sessions_are_read_in_the_order_of_positions(tmp_path):
    [session] = of(tmp_path, GOOD)
    assert session.seats == (
        SessionSeat("Noah", 9.0, 0, True),
        SessionSeat("Mia", 5.0, 1, False),
        SessionSeat("Olga", 2.0, 2, False),
    )
    again = GOOD.replace(",", "; ").replace("yes", "X").replace("no", "")
    assert of(tmp_path, again)[0] == session


def test_the_wide_form_says_the_same_of_players(tmp_path):
    text = "Session,Mia,Noah,Olga,Paul\nmay,5,9,2,\njune,1,2,3,4\n"
    first, second = of(tmp_path, text)
    assert [s.player for s in first.seats] == ["Mia", "Noah", "Olga"]
    assert [s.won for s in first.seats] == [False, True, False]
    assert (first.placed, len(second.seats)) == (False, 4)
    named = "session,Mia,Noah,Olga,winner\nmay,5,5,2,Mia\n"
    assert [s.won for s in of(tmp_path, named)[0].seats] == [True, False, False]


def test_the_least_wins_where_the_game_has_it_so(tmp_path):
    text = "session,player,score\n1,A,5\n1,B,9\n1,C,2\n"
    [session] = of(tmp_path, text, least=True)
    assert [seat.won for seat in session.seats] == [False, False, True]


@pytest.mark.parametrize(
    ("change", "told"),
    {
        "nothing": ((GOOD, ""), "the file is empty. Wanted: one row per player"),
        "no rows": ((GOOD, HEAD), "line 1: a heading and rows are needed"),
        "misspelt": (("position", "postion"), "column postion: .*'position'"),
        "no session": (("session,", "game,"), "column session: there is no such"),
        "no score": ((",9,1", ",many,1"), "line 3, column score: 'many' is no number"),
        "endless": ((",9,1", ",inf,1"), "line 3, column score: 'inf'"),
        "position": (
            (",9,1", ",9,0"),
            "line 3, column position: '0' is not a position",
        ),
        "twice": ((",9,1", ",9,2"), "positions 2, 2, 3. Allowed: 1 to 3"),
        "winner": (("yes", "perhaps"), "line 3, column winner: 'perhaps'.*yes or no"),
        "name": (("Noah", ""), "line 3, column player: is empty"),
        "again": (("Noah", "Mia"), "session 1 has Mia more than once"),
        "cells": (("yes\n", "yes,?\n"), "line 3: '\\?' is in column 6"),
        "players": (("1,Olga,2,3,no\n", ""), "line 2: session 1 has 2 players"),
        "some scores": ((",5,", ",,"), "lacks some scores"),
    }.values(),
)
def test_mistakes_are_named_by_line_and_column(tmp_path, change, told):
    with pytest.raises(UsageError, match=told):
        of(tmp_path, GOOD.replace(*change))


def test_equal_best_scores_need_a_winner(tmp_path):
    text = "session,player,score\n1,A,5\n1,B,9\n1,C,9\n"
    with pytest.raises(UsageError, match="equal best scores; say who won"):
        of(tmp_path, text)


def test_the_file_is_never_written(tmp_path):
    path = written(tmp_path, GOOD)
    path.chmod(0o444)
    before = (path.read_bytes(), path.stat().st_mtime_ns)
    read_play_log(path, (3,), False)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_permutations_agree_with_all_of_them():
    """Three sessions of three: every one of the 216 orders by hand."""
    values = [np.array(v, dtype=float) for v in ((5, 1, 0), (4, 2, 1), (7, 0, 3))]
    groups = [np.arange(3)] * 3

    def share(dealt):
        sums = np.sum([v - v.mean() for v in dealt], axis=0)
        return (sums**2 / 3).sum()

    every = [
        share([v[list(o)] for v, o in zip(values, orders, strict=True)])
        for orders in product(*[list(permutations(range(3)))] * 3)
    ]
    exact = np.mean(np.array(every) >= share(values) - 1e-9)
    found = between(values, groups, draws=19_999, seed=1)
    assert found.p == pytest.approx(exact, abs=0.01)
    total = sum(((v - v.mean()) ** 2).sum() for v in values)
    assert found.share == pytest.approx(share(values) / total)
    assert found.chance == pytest.approx(np.mean(every) / total, abs=0.01)


def test_nothing_differs_where_nothing_can():
    assert between([np.ones(3)] * 4, [np.arange(3)] * 4) is None
    assert between([np.arange(3.0)], [np.zeros(3, dtype=int)]) is None


def coins(seats=2, games=20_000, heads=(0.2, 0.7), seed=0):
    """Two sorts of coins, so many a session; a session's vector is its heads."""
    rng = np.random.default_rng(seed)
    counts = np.array([[seats - n, n] for n in range(seats + 1)], dtype=float)
    company = np.arange(games) % len(counts)
    chance = (counts[company] @ np.array(heads)) / seats
    vectors = rng.binomial(seats, chance)[:, None] / seats
    return CompanyModel.of(company, counts, vectors)


def test_the_posterior_of_a_mix_of_coins_is_the_exact_one():
    """One coin a session: binomial in w, integrated on a grid."""
    companies, n, heads = coins(seats=1), 40, 22
    drawn = synthetic_likelihood.posterior(
        [(companies, np.array([heads / n]), n)], seed=1
    )[:, 1]
    w = np.linspace(0, 1, 2001)
    p = 0.2 * (1 - w) + 0.7 * w
    density = p**heads * (1 - p) ** (n - heads)
    density /= density.sum()
    mean = (w * density).sum()
    sd = np.sqrt((w**2 * density).sum() - mean**2)
    assert drawn.mean() == pytest.approx(mean, abs=0.02)
    assert drawn.std() == pytest.approx(sd, rel=0.12)


def test_many_sessions_have_a_posterior_as_narrow_as_it_is():
    """No walker is left where hardly any draw would be."""
    companies, n = coins(seats=2, games=400_000), 20_000
    drawn = synthetic_likelihood.posterior([(companies, np.array([0.45]), n)], seed=3)[
        :, 1
    ]
    assert drawn.mean() == pytest.approx(0.5, abs=0.02)
    part = 1 + n * 3 * (1 / 4**2 + 1 / 2**2 + 1 / 4**2) / 400_000  # the games' own luck
    error = np.sqrt(0.45 * 0.55 / 2 / n * part) / 0.5
    assert drawn.std() == pytest.approx(error, rel=0.15)
    assert np.ptp(drawn) < 12 * error


def test_without_sessions_any_mix_is_as_probable():
    companies = coins(seats=2)
    drawn = synthetic_likelihood.posterior([(companies, companies.mean[1], 0)], seed=2)
    assert np.quantile(drawn[:, 0], (0.1, 0.5, 0.9)) == pytest.approx(
        (0.1, 0.5, 0.9), abs=0.04
    )


def made(pool, mix, number, seed, names="ABCD"):
    """Sessions out of simulated games of a mix."""
    rng = np.random.default_rng(seed)
    found = []
    for game in playtest_checks.replicas(pool, np.array([mix]), number, rng)[0]:
        seats = tuple(
            SessionSeat(
                names[at], float(pool.scores[game, at]), at, bool(pool.won[game, at])
            )
            for at in range(pool.won.shape[1])
        )
        found.append(TableSession(str(game), seats, 1))
    return found


SPECS = ("allround", "timid", "random")


@pytest.fixture(scope="module")
def pool():
    lineup = [make("kunitame", spec) for spec in SPECS]
    return playtest_games.simulate(
        "kunitame", load("kunitame").rules(), 4, lineup, 4_000, 5
    )


def test_the_pool_seats_everybody_everywhere(pool):
    assert pool.won.sum(axis=1).max() == 1
    seats = np.stack([np.bincount(row, minlength=3) for row in pool.sits])
    assert (seats == pool.counts[pool.company]).all()
    at_first = np.bincount(pool.sits[:, 0], minlength=3) / len(pool.sits)
    assert at_first == pytest.approx(np.full(3, 1 / 3), abs=0.03)


@pytest.mark.slow
def test_twelve_sessions_say_little_and_many_say_it(pool):
    rules = load("kunitame").rules()
    few = playtest.playtest_of_sessions(
        made(pool, (0.5, 0.5, 0), 12, 2), "kunitame", rules, specs=SPECS, games=2_000
    )
    assert "12 sessions say little" in few.sentences[0]
    assert not few.contradicts
    assert few.mix["estimate"].sum() == pytest.approx(1)
    assert few.more["low"][1] > 100
    many = playtest.playtest_of_sessions(
        made(pool, (1, 0, 0), 400, 2), "kunitame", rules, specs=SPECS, games=2_000
    )
    assert many.mix["strategy"][0] == "allround"
    assert many.mix["low"][0] > 0.8
    assert "sessions say something" in many.sentences[0]


def test_a_player_who_is_better_is_no_luck(pool):
    """Mia wins all that chance gives to anybody."""
    found = []
    for number, session in enumerate(made(pool, (1, 0, 0), 25, 3)):
        names = iter("NOP")
        seats = tuple(
            SessionSeat(
                "Mia" if seat.won else next(names, "Q"), seat.score, None, seat.won
            )
            for seat in session.seats
        )
        found.append(TableSession(str(number), seats, 1))
    luck = playtest._luck([playtest_games.SessionTable.of(found, True)], 1)
    assert luck.filter(between="players", of="wins")["adjusted"].item() < 0.01
    assert "Not only luck: the players" in playtest._luck_words(luck)[0]
    assert "none are recorded" in playtest._luck_words(luck)[1]


def test_sessions_by_other_rules_contradict(pool):
    lineup = [make("kunitame", spec) for spec in SPECS]
    richer = load("kunitame").rules.of({"refill_weekly": True})
    other = playtest_games.simulate("kunitame", richer, 4, lineup, 2_000, 6)
    rules = load("kunitame").rules()
    found = playtest.playtest_of_sessions(
        made(other, (0.6, 0.2, 0.2), 30, 4), "kunitame", rules, specs=SPECS, games=2_000
    )
    assert found.contradicts
    assert any("contradict the simulation" in text for text in found.sentences)


def test_the_command(tmp_path, fairdeal):
    path = written(tmp_path, GOOD)
    words = ("--game", "kunitame", "--strategies", "timid,random", "-n", "1000")
    told = fairdeal("playtest", str(path), *words, "--seed", "1").stdout
    assert "One session says little" in told
    assert "Nothing can be said about players: each sat only once" in told
    same = fairdeal("playtest", str(path), *words, "--seed", "1").stdout
    assert told == same
    bad = fairdeal("playtest", str(tmp_path / "none.csv"), "--game", "kunitame")
    assert bad.exit_code == 2
    assert "no such file" in bad.stderr


class Steps:
    """A progress that keeps what it is told."""

    def __init__(self):
        self.told = {}

    def step(self, words):
        self.now = self.told[words] = []

    def __call__(self, done, total):
        self.now.append((done, total))


def test_three_thousand_sessions_give_an_answer_and_say_how_far_they_are():
    rules, steps = load("kunitame").rules(), Steps()
    lineup = [make("kunitame", spec) for spec in SPECS]
    true = playtest_games.simulate("kunitame", rules, 4, lineup, 16_000, 9)
    found = playtest.playtest_of_sessions(
        made(true, (0.6, 0.3, 0.1), 3_000, 5, "ABCD"),
        "kunitame",
        rules,
        specs=SPECS,
        games=4_000,
        progress=steps,
    )
    assert found.sessions == 3_000
    assert not found.contradicts
    truth = {"allround": 0.6, "timid": 0.3, "random": 0.1}
    for row in found.mix.rows(named=True):
        share = truth[row["strategy"]]
        assert row["estimate"] == pytest.approx(share, abs=0.12)
        assert row["low"] < share < row["high"]
        assert row["high"] - row["low"] < 0.3
    assert list(steps.told) == [
        "simulating games of 4 players",
        *(
            f"shuffling {what} of {whose}"
            for what in ("scores", "wins")
            for whose in ("players", "positions")
        ),
    ]
    for words, told in steps.told.items():
        total = 4_000 if "games" in words else 3_000
        assert told[-1] == (total, total)
        assert told == sorted(told)


@pytest.mark.parametrize("size", [2, 3, 4, 7])
def test_any_order_is_as_probable(size):
    rng = np.random.default_rng(1)
    found = permutation_test._orders(rng, size, 20_000)
    assert (np.sort(found, axis=0) == np.arange(size)[:, None]).all()
    for at in range(size):
        shares = np.bincount(found[at], minlength=size) / 20_000
        assert shares == pytest.approx(np.full(size, 1 / size), abs=0.02)
    together = np.bincount(found[0] * size + found[1], minlength=size**2) / 20_000
    pairs = together[together > 0]
    assert len(pairs) == size * (size - 1)
    assert pairs == pytest.approx(np.full(len(pairs), 1 / len(pairs)), abs=0.02)


def planted(shares, games, seed):
    """Games of one strategy, in which positions win so often."""
    rng = np.random.default_rng(seed)
    winner = rng.choice(len(shares), size=games, p=shares)
    return playtest_games.SimulatedPool(
        None,
        winner[:, None] == np.arange(len(shares)),
        np.zeros((games, len(shares)), dtype=np.intp),
        np.zeros(games, dtype=np.intp),
        np.array([[float(len(shares))]]),
    )


def effect(pool):
    vectors = np.zeros((len(pool.won), 1))
    companies = CompanyModel.of(pool.company, pool.counts, vectors)
    return playtest_sample_size.position_effect(pool, companies, np.ones((128, 1)))


SHARES = {
    "even": (0.25, 0.25, 0.25, 0.25),
    "a little": (0.26, 0.26, 0.24, 0.24),
    "clear": (0.3, 0.25, 0.25, 0.2),
    "broken": (0.7, 0.1, 0.1, 0.1),
    "always": (1.0, 0.0, 0.0),
}


@pytest.mark.parametrize("shares", SHARES.values(), ids=SHARES)
def test_the_effect_of_positions_lies_between_its_limits(shares):
    """95 % of intervals hold the truth: of 60, 52 and more."""
    shares = np.array(shares)
    truth = ((shares - 1 / len(shares)) ** 2 * len(shares)).sum()
    held = 0
    for seed in range(60):
        low, high = effect(planted(shares, 2_000, seed))
        held += low - 1e-9 <= truth <= high
        assert 0 <= low < high
    assert held >= 52


def test_so_many_sessions_do_show_the_positions():
    """The power of the test that is promised, by playing the sessions."""
    shares = np.array(SHARES["clear"])
    truth = ((shares - 0.25) ** 2 * 4).sum()
    low, high = playtest_sample_size.sessions_to_see(truth, truth, 4)
    assert low == high
    rng = np.random.default_rng(1)
    wins = rng.multinomial(low, shares, size=4_000)
    values = ((wins - low / 4) ** 2 / (low / 4)).sum(axis=1)
    assert (values > 7.815).mean() == pytest.approx(0.8, abs=0.03)


def test_the_range_of_sessions_is_steady_from_seed_to_seed(pool):
    """One file and five seeds: ranges that overlap, or none for all of them."""
    rules, some = load("kunitame").rules(), made(pool, (1, 0, 0), 12, 1)
    ends = []
    for seed in range(1, 6):
        found = playtest.playtest_of_sessions(
            some, "kunitame", rules, specs=SPECS[:2], games=1_000, seed=seed
        )
        ends.append(found.more.row(0, named=True))
        assert "more than 100,000" not in found.sentences[-1]
    lows = [end["low"] for end in ends]
    assert max(lows) < 5 * min(lows)
    for end in ends:
        assert end["high"] is None or end["high"] > max(lows)


def test_a_range_is_said_only_where_the_games_show_positions():
    even, clear = planted(SHARES["even"], 4_000, 1), planted(SHARES["clear"], 4_000, 1)
    assert playtest_sample_size.sessions_to_see(*effect(even), 4)[1] is None
    low, high = playtest_sample_size.sessions_to_see(*effect(clear), 4)
    truth = playtest_sample_size.sessions_to_see(0.02, 0.02, 4)[0]
    assert low < truth < high < 4 * low
    nobody = playtest_games.SimulatedPool(
        None,
        np.zeros((9, 4), dtype=bool),
        clear.sits[:9],
        clear.company[:9],
        clear.counts,
    )
    assert playtest_sample_size.sessions_to_see(*effect(nobody), 4)[1] is None
