"""The course of toy games, whose truth is known, against what chance would give."""

import math

import numpy as np
import polars as pl
import pytest

from reports.course import Standings, from_note, win_probability
from reports.course.measures import (
    BEYOND,
    BY_CHANCE,
    COURSE_MEASURES,
    LEADS,
    counts,
    numbers,
)
from reports.course.null_model import shuffle_rounds
from reports.course.win_probability_tables import (
    calibration_error,
    course_tables,
    search_tables,
)
from reports.statistics.estimates import estimates
from reports.statistics.intervals import wilson

GAMES, SEATS, ROUNDS, GOAL = 8_000, 3, 6, 30


def game(gains, over=None, rounds=None):
    """Games of these gains (rounds, seats, games); the best alone wins."""
    values = np.cumsum(gains, axis=0)
    best = values[-1] == values[-1].max(axis=0)
    winner = np.where(best.sum(axis=0) == 1, best.argmax(axis=0), -1)
    return Standings(values, winner, np.arange(gains.shape[-1]), 1, rounds, over)


def independent(rng):
    return game(rng.integers(0, 7, (ROUNDS, SEATS, GAMES)))


def race(rng):
    """Whoever has ``GOAL`` first wins; of several at once nobody."""
    gains = rng.integers(0, 7, (40, SEATS, GAMES))
    ends = (np.cumsum(gains, axis=0).max(axis=1) >= GOAL).argmax(axis=0)
    played = np.arange(len(gains))[:, None, None] <= ends
    return game(gains * played, lambda now: now.max(axis=-2) >= GOAL, ends + 1)


def helped(rng, who):
    """Who is ahead (``max``), or last (``min``), after a round gains more then."""
    values = rng.integers(0, 7, (ROUNDS, SEATS, GAMES))
    for number in range(1, ROUNDS):
        before = values[number - 1]
        values[number] += before + 5 * (before == who(before, axis=0))
    return game(np.diff(values, axis=0, prepend=0))


def beyond(standing):
    """By measure: the difference to chance, and its standard error."""
    found = {}
    for one in counts(standing):
        name = one.measure.removesuffix(f" {BEYOND}")
        if name != one.measure:
            row = estimates(one.sums(), "mean").row(0, named=True)
            found[name] = row["estimate"], row["se"]
    assert set(found) == {what.name for what in COURSE_MEASURES}
    return found


@pytest.mark.slow
@pytest.mark.parametrize("toy", [independent, race], ids=lambda toy: toy.__name__)
def test_independent_rounds_do_not_differ_from_chance(toy):
    """Over ten runs a difference is beyond its interval as often as it may be."""
    found = [beyond(toy(np.random.default_rng(seed))) for seed in range(10)]
    z = np.array([[more / se for more, se in one.values()] for one in found])
    assert abs(z.mean(axis=0)).max() < 3.5 / np.sqrt(10)
    assert (abs(z) > 1.96).mean() < 0.15


def test_a_shuffled_race_ends_as_soon_and_moves():
    played = race(np.random.default_rng(1))
    chance = shuffle_rounds(played)
    at = np.arange(GAMES)
    ends = chance.values.max(axis=1) >= GOAL
    assert (ends.argmax(axis=0) + 1 == played.rounds).all()
    assert (chance.values[0] != played.values[0]).any(axis=0).mean() > 0.8
    alone = played.winner >= 0
    best = chance.values[-1].max(axis=0)
    assert (chance.values[-1, chance.winner, at] == best)[alone].all()


@pytest.mark.parametrize(("who", "sign"), [(np.max, 1), (np.min, -1)])
def test_what_helps_the_leader_or_the_last_is_found(who, sign):
    found = beyond(helped(np.random.default_rng(2), who))
    for name, way in ((LEADS, 1), ("runaway", 1), ("comeback", -1), ("drama", -1)):
        more, se = found[name]
        assert sign * way * more > 5 * se, name
    assert sign * found["decisiveness"][0] < 0


def test_a_toy_solved_by_hand():
    """A round worth 1, then one worth 3: who leads at half-time wins 1/2 of the games.

    In another order the round of 3 comes first half of the time, and then he wins: 3/4.
    """
    rng = np.random.default_rng(3)
    gains = np.zeros((2, 2, GAMES), dtype=np.int64)
    for worth, part in zip((1, 3), gains, strict=True):
        part[rng.integers(0, 2, GAMES), np.arange(GAMES)] = worth
    sums = {one.measure: one.sums() for one in counts(game(gains))}
    for name, truth in ((LEADS, 1 / 2), (f"{LEADS} {BY_CHANCE}", 3 / 4)):
        row = estimates(sums[name], "share").row(0, named=True)
        assert row["low"] < truth < row["high"]
    row = estimates(sums[f"{LEADS} {BEYOND}"], "mean").row(0, named=True)
    assert row["low"] < -1 / 4 < row["high"] < 0


def test_equals_share_and_all_is_told_of_a_game_by_hand():
    moments = [[2, 2, 0], [2, 5, 5], [9, 5, 6], [9, 9, 6], [9, 9, 10]]
    values = np.array(moments)[:, :, None]
    found = numbers(Standings(values, np.array([2]), np.array([0])))
    told = {name: value.item() for name, value in found.items()}
    assert told == {
        LEADS: 0.5,  # after two of five, with the second
        "led before the last round": 0,
        "comeback": 0,
        "runaway": 0,
        "lead changes": 1,  # nobody, nobody, the first, nobody, the third
        "drama": pytest.approx((2 + 0 + 1 + 2) / 4 / 2, abs=2**-13),
        "decisiveness": 1,
    }


def test_chance_belongs_to_the_game_not_to_the_block():
    whole = race(np.random.default_rng(4))
    part = slice(100, 200)
    few = Standings(
        whole.values[..., part],
        whole.winner[part],
        whole.game[part],
        1,
        whole.rounds[part],
        whole.over,
    )
    found = shuffle_rounds(few).values, shuffle_rounds(whole).values[..., part]
    assert (found[0] == found[1]).all()


def test_rounds_of_several_moments_move_as_one():
    rng = np.random.default_rng(5)
    values = np.cumsum(rng.integers(0, 9, (4 * 3, SEATS, 50)), axis=0)
    played = Standings(values, values[-1].argmax(axis=0), np.arange(50), moments=3)
    chance = shuffle_rounds(played)

    def rounds(values, at):
        steps = np.diff(values[..., at], axis=0, prepend=0).reshape(4, 3, SEATS)
        return [sorted(map(tuple, one.T.tolist())) for one in steps]

    for at in range(50):
        assert sorted(rounds(chance.values, at)) == sorted(rounds(values, at))


def test_notes_are_read_in_their_order_and_long_games_at_even_spaces():
    rows = [(7, seat, 10 * at + seat) for at in range(3) for seat in (0, 1)]
    rows += [(8, seat, at + seat) for at in range(1, 257) for seat in (1, 0)]
    told = pl.DataFrame(rows, ["game", "seat", "n"], orient="row")
    values, rounds = from_note(told, "n", 2, 7, 2)
    assert rounds.tolist() == [3, 128]
    assert values[:4, :, 0].tolist() == [[0, 1], [10, 11], [20, 21], [20, 21]]
    assert values[:3, 0, 1].tolist() == [2, 4, 6]
    assert values[-1, :, 1].tolist() == [256, 257]


def walk(rng, steps=12):
    """One step a round, to one of two seats; who has more at the end wins."""
    gains = np.zeros((steps + 1, 2, GAMES), dtype=np.int64)
    to = rng.integers(0, 2, (steps + 1, GAMES))
    np.put_along_axis(gains, to[:, None], 1, axis=1)
    return game(gains)


def exact(ahead, left):
    """The chance of who is so much ahead, where each step left is a coin."""
    wins = [math.comb(left, up) for up in range(left + 1) if ahead + 2 * up - left > 0]
    return sum(wins) / 2**left


def test_the_chance_to_win_of_a_walk_is_the_known_one():
    played = walk(np.random.default_rng(6))
    chances, apart = win_probability.fit_model(played).chances(played.values)[:, 0], []
    for moment, now in enumerate(played.values[:-1], start=1):
        ahead = now[0] - now[1]
        for lead in np.unique(ahead):
            here = ahead == lead
            truth = exact(int(lead), len(played.values) - moment)
            if here.sum() < 100:
                continue
            won = (played.winner[here] == 0).astype(float)
            low, high = wilson(won.sum(), len(won), level=0.9999)
            assert low - 1e-9 <= truth <= high + 1e-9  # the toy is what it is said
            apart += [abs(chances[moment - 1, here][0] - truth)] * int(here.sum())
    assert np.mean(apart) < 0.015  # a step is coarse where few are left
    assert max(apart) < 0.07


@pytest.mark.slow
def test_a_story_of_independent_rounds_does_not_differ_from_chance():
    told = course_tables(independent(np.random.default_rng(7)))
    assert calibration_error(told["reliability"]) < 0.02
    for row in told["odds"].rows(named=True):
        assert abs(row["beyond"]) < 3.3 * row["beyond_se"], row["what"]
    middle = told["fan"].filter(quantile="50 %").sort("tenth")["estimate"]
    assert middle.is_sorted()
    assert middle[0] < 0.55
    assert middle[-1] > 0.7


@pytest.mark.slow
def test_a_story_of_a_runaway_game_is_decided_sooner_and_less_open():
    told = course_tables(helped(np.random.default_rng(8), np.max))["odds"]
    more = dict(told.select("what", "beyond").rows())
    se = dict(told.select("what", "beyond_se").rows())
    for name, sign in (("uncertainty", -1), ("runaway", 1), ("decisiveness", -1)):
        assert sign * more[name] > 5 * se[name], name


def test_chances_of_searchers_are_told_by_the_same_model():
    """Who plays as the others do does not differ; who helps the leader does."""
    played, same = (independent(np.random.default_rng(seed)) for seed in (1, 2))
    told = search_tables(played, same)
    rows = {row["what"]: row for row in told["odds of search"].rows(named=True)}
    assert all(abs(row["more"]) < 4 * row["more_se"] for row in rows.values())
    assert calibration_error(told["reliability of search"]) < 0.02
    away = search_tables(played, helped(np.random.default_rng(3), np.max))
    rows = {row["what"]: row for row in away["odds of search"].rows(named=True)}
    assert rows["decisiveness"]["more_high"] < 0 < rows["runaway"]["more_low"]
