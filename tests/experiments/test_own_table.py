"""What a group's own sessions say, and how likely that is in the simulation."""

import numpy as np
import polars as pl
import pytest
from scipy import stats

from experiments.analysis.group_chance import (
    SimulatedShare,
    one_in,
    sessions_to_tell,
    tail,
)
from experiments.analysis.own_table import own_table
from experiments.analysis.play_log import SessionSeat, TableSession
from experiments.analysis.simulated_beside import (
    beside,
    plot,
    position_words,
    sentences,
)
from experiments.analysis.strength_games import play_levels
from experiments.core.cells import Cell, UsageError
from reports.statistics.intervals import wilson
from sim.games import load

GAME = load("kunitame")


def sessions(winners, players=4, minutes=None):
    """Sessions won at these positions (None: by nobody), with score 10 for a winner."""
    return [
        TableSession(
            str(at),
            tuple(
                SessionSeat("ABCDE"[seat], 10.0 * (seat == won), seat, seat == won)
                for seat in range(players)
            ),
            at,
            minutes,
        )
        for at, won in enumerate(winners)
    ]


def test_wins_are_counted_by_position_and_player():
    own = own_table(sessions([0, 0, 1, 3, None]), GAME)
    assert own.positions["won"].to_list() == [2, 1, 0, 1]
    assert own.positions["position"].to_list() == [
        "first dealer",
        "second",
        "third",
        "last",
    ]
    assert own.positions["even"].to_list() == pytest.approx([0.2] * 4)
    low, high = map(float, wilson(2, 5))
    assert own.positions.select("low", "high").row(0) == pytest.approx((low, high))
    assert own.people.row(0)[:3] == ("A", 5, 2)
    assert own.people["even"].to_list() == pytest.approx([0.2] * 4)
    assert own.alone == 4
    assert "1 of 5 sessions nobody won alone." in own.sentences


def test_several_numbers_of_players_are_told_apart():
    both = [*sessions([0, 1, 2], 3), *sessions([3, 3], 4)]
    own = own_table(both, GAME)
    assert own.positions.group_by("players").len().sort("players").rows() == [
        (3, 3),
        (4, 4),
    ]
    d = own.people.filter(player="D").row(0, named=True)
    assert (d["sessions"], d["won"], d["even"]) == (2, 2, 0.25)
    a = own.people.filter(player="A").row(0, named=True)
    assert a["even"] == pytest.approx((3 / 3 + 2 / 4) / 5)


def test_scores_and_minutes_have_an_interval_over_sessions():
    own = own_table(sessions([0, 1, 2], minutes=40.0), GAME)
    score, winner, minutes = own.numbers.rows(named=True)
    assert (score["of"], score["mean"], score["n"]) == ("score", 2.5, 3)
    assert (winner["mean"], winner["low"], winner["high"]) == (10, 10, 10)
    assert (minutes["mean"], minutes["n"]) == (40, 3)
    assert "minutes" not in own_table(sessions([0]), GAME).numbers["of"].to_list()


def test_sessions_without_positions_have_no_table_of_them():
    unplaced = [
        TableSession("1", tuple(SessionSeat(n, None, None, n == "A") for n in "ABC"), 1)
    ]
    own = own_table(unplaced, GAME)
    assert own.positions.is_empty()
    assert own.people.height == 3


def test_the_chance_of_a_group_is_the_binomial_one_for_a_sure_simulation():
    sure = SimulatedShare(0.27, 0.27, 0.27, 1e9)
    for won in range(13):
        chance, few = tail(won, 12, sure)
        law = stats.binom(12, 0.27)
        assert chance == pytest.approx(
            law.cdf(won) if few else law.sf(won - 1), abs=1e-6
        )
        assert few == (won <= 12 * 0.27)
    doubtful = SimulatedShare(0.27, 0.2, 0.35, 100)
    assert tail(0, 12, doubtful)[0] > tail(0, 12, sure)[0]
    assert one_in(tail(1, 12, sure)[0]) == "1 group in 8"


def test_as_many_sessions_as_said_do_tell():
    """Simulated groups of the number at either end see the difference in 80 %."""
    share = SimulatedShare(0.15, 0.14, 0.16, 20_000)
    least, most = sessions_to_tell(share, 0.25)
    rng = np.random.default_rng(1)
    for end, n in ((0.14, least), (0.16, most)):
        won = rng.binomial(n, end, size=2_000)
        p = stats.binomtest
        shown = np.mean([p(int(w), n, 0.25).pvalue < 0.05 for w in won])
        assert shown > 0.75
    assert sessions_to_tell(SimulatedShare(0.25, 0.24, 0.26, 7_000), 0.25)[1] is None


def test_a_group_like_the_simulation_seldom_does_not_fit():
    """5 % on both sides together, and less as wins are whole numbers."""
    share, n = SimulatedShare(0.27, 0.269, 0.271, 1e6), 200
    row = {"position": "last", "sessions": n, "level": "good", "simulated_even": 0.25}
    row |= {"simulated": 0.27, "simulated_low": 0.269, "simulated_high": 0.271}
    strange = []
    for won in range(n + 1):
        chance, few = tail(won, n, share)
        seen = row | {"won": won, "chance": chance, "few": few, "games": 1e6}
        if "does not fit" in position_words(pl.DataFrame([seen])):
            strange.append(won)
    err = stats.binom(n, 0.27).pmf(strange).sum()
    assert 0.02 < err < 0.051


@pytest.fixture(scope="module")
def played():
    cell = Cell("kunitame", GAME.rules(), 4, ("random",), True, 1)
    return {4: play_levels(cell, 512, ("beginner", "good"))}


def test_a_group_is_judged_by_the_simulation(played):
    assert played[4].best == "good"
    usual = own_table(sessions([0, 1, 2, 3] * 3), GAME)
    odd = own_table(sessions([3] * 12), GAME)
    [fits] = sentences(beside(usual.positions, played))
    [strange] = sentences(beside(odd.positions, played))
    assert fits.endswith("tell.")
    assert "so it fits" in fits
    assert "Your last player won 12 of 12" in strange
    assert "fewer than 1 group in 1,000, so it does not fit" in strange
    rows = beside(odd.positions, played)
    assert rows["level"].unique(maintain_order=True).to_list() == ["beginner", "good"]
    assert rows.filter(position="last")["few"].to_list() == [False, False]
    assert rows.filter(position="third")["few"].to_list() == [True, True]
    assert len(plot(odd.positions, rows).axes) == 1


def test_the_oddest_of_positions_is_seldom_called_odd_by_chance():
    """Groups whom the simulation made fit it in at least 90 of 100 cases."""
    share, rng = SimulatedShare(0.25, 0.24, 0.26, 8_000), np.random.default_rng(2)
    alarms = 0
    for _ in range(400):
        won = rng.multinomial(24, [0.25] * 4)
        odd = won[np.abs(won - 6).argmax()]
        alarms += tail(int(odd), 24, share)[0] < 0.05 / 4
    assert alarms < 40


def test_an_unknown_level_is_named():
    cell = Cell("kunitame", GAME.rules(), 4, ("random",), True, 1)
    with pytest.raises(UsageError, match="no level 'god'; did you mean 'good'"):
        play_levels(cell, 16, ["god"])
