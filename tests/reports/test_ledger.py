"""Economies worked out by hand: a known leak, a runaway, a gift, a brake."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from experiments.core.cells import Cell, play
from experiments.counterfactual.grants_and_brakes import grant_rows
from reports.course import Standings
from reports.formatting import GROUPS, subtract
from reports.ledger import Account, Brake, Ledger, section
from reports.ledger.account import gini
from reports.ledger.paired_effects import BRAKES, GRANTED, brake_effect, grant_worth
from reports.measures import SUMS
from reports.report_data import CELL, ReportData
from reports.report_document import Column
from sim import games
from sim.games import Grant
from sim.recorder import Recorder
from tests.reports.planted import GAME as DICE
from tests.reports.planted import dice

__all__ = ["dice"]
GAMES = 400
ROUND = Column("round", "round", "round", "count")


def account(before, mined, spent, burnt, after, gained=0):
    """The same of a seat in every game: a value a round each."""
    parts = np.broadcast_arrays(before, mined, spent, burnt, after, gained)
    shape = (len(parts[0]), 1, GAMES)
    told = [np.broadcast_to(p[:, None, None], shape).reshape(1, -1) for p in parts]
    before, mined, spent, burnt, after, gained = told
    moves = {"sources": {"mined": mined}, "sinks": {"spent": spent, "burnt": burnt}}
    held = {"before": before, "after": after, "gained": gained}
    times = len(parts[0])
    game, time = np.tile(np.arange(GAMES), times), np.arange(1, times + 1).repeat(GAMES)
    return Account(game, time, **moves, **held)


def ore(of, **more):
    sources, sinks = {"mined": "dug up"}, {"spent": "paid", "burnt": "lost"}
    more |= {"wasted": ("burnt",), "gains": True}
    return Ledger("ore", "round", lambda _: of, sources, sinks, **more)


def found(ledger, story=None):
    """What a report finds of it, and what it says."""
    sums = [
        counts.sums().with_columns(measure=pl.lit(counts.measure), cell=0)
        for counts in ledger.counts(None)
    ]
    cells = pl.DataFrame([[0, "toy", "self", 4, "", 0, ""]], schema=CELL, orient="row")
    names = {one.name: one for one in ledger.measures}
    groups = {one.name: one for one in (*GROUPS, ROUND)}
    every = pl.concat(sums, how="diagonal_relaxed")
    data = ReportData(every, cells, GAMES, {}, "toy", names, groups, story or {})
    shown = section((ledger,)).of(data)
    return data, [one.text for one in shown.findings]


def value(data, name, **where):
    rows = data.leading(f"ore: {name}").filter(**where)
    return rows["estimate"].to_list()


HONEST = account([0, 2, 3], [4, 4, 4], [2, 2, 3], [0, 1, 0], [2, 3, 4], [4, 6, 12])


def test_an_economy_by_hand():
    data, texts = found(ore(HONEST))
    assert value(data, "mined") == [4, 4, 4]
    assert value(data, "velocity") == [2 / 4, 2 / 6, 3 / 7]  # of what there is
    assert value(data, "yield") == [2, 3, 4]  # points for one
    assert value(data, "idle") == pytest.approx([4 / 12])
    assert value(data, "wasted") == pytest.approx([1 / 12])
    assert value(data, "growth") == pytest.approx([(4 - 2) / 4])
    assert value(data, "inflation") == [1]
    assert value(data, "astray") == [0]
    assert not any("Conservation" in text for text in texts)
    assert any("a stable economy" in text for text in texts)


@pytest.mark.parametrize(
    ("leaky", "lost"),
    [
        (account([0, 2], [4, 4], [2, 2], [0, 0], [2, 3]), 1),  # 1 of 6 vanishes
        (account([0, 4], [4, 4], [2, 2], [0, 0], [2, 6]), 2),  # 2 in between
    ],
)
def test_a_leak_is_named_with_its_size(leaky, lost):
    _, texts = found(ore(leaky))
    (said,) = (text for text in texts if "Conservation" in text)
    assert said.startswith(f"Conservation fails: {lost * GAMES:,} ore of")


@pytest.mark.parametrize(
    ("economy", "words"),
    [
        ([[0, 3, 6], [4, 4, 4], [1, 1, 1], 0, [3, 6, 9]], "runaway economy, it piles"),
        ([[0, 0, 0], [2, 4, 8], [2, 4, 8], 0, [0, 0, 0]], "runaway economy, it income"),
        ([[0, 9, 5], [9, 0, 0], [0, 4, 4], 0, [9, 5, 1]], "runs down"),
    ],
)
def test_an_economy_that_runs_away_is_named(economy, words):
    """Half of the games have one more at the start, so that there is an interval."""
    of = account(*map(np.array, economy))
    more = np.arange(GAMES) % 2
    extra = np.tile(more, 3)[None]
    sources = {"mined": of.sources["mined"] + extra * (of.time == 1)}
    before, after = of.before + extra * (of.time > 1), of.after + extra
    of = replace(of, before=before, after=after, sources=sources)
    _, texts = found(ore(of))
    assert any(words in text for text in texts), texts
    assert not any("Conservation" in text for text in texts)


def test_gini_by_hand_and_against_independent_rounds():
    values = np.array([[[4], [0], [2]], [[1], [1], [1]]])
    # pairs differ by 4, 2 and 2: 8 of 3 seats * 6
    assert gini(values)[:, 0].tolist() == [8 / 18, 0]
    rng = np.random.default_rng(1)
    gains = rng.integers(0, 7, (4, 3, GAMES))
    alike = Standings(np.cumsum(gains, 0), np.zeros(GAMES, int), np.arange(GAMES))
    data, _ = found(ore(HONEST, wealth=lambda _: alike))
    rows = data.leading("ore: gini beyond chance").rows(named=True)
    assert all(abs(row["estimate"]) < 3.5 * row["se"] for row in rows)
    rich = np.sort(gains, axis=1)  # the last seat has most in every round
    same = Standings(np.cumsum(rich, 0), np.full(GAMES, 2), np.arange(GAMES))
    data, texts = found(ore(HONEST, wealth=lambda _: same))
    assert data.leading("ore: gini beyond chance")["low"][-1] > 0.1
    assert any(": more unequal than with independent" in text for text in texts)


def test_the_gini_index_of_what_is_gathered():
    """Two seats hold 3 and 1, then 3 and 3; the second game is over after one round."""
    after = np.array([[3, 3, 3], [1, 1, 3]])  # (seats, rows)
    change = np.array([[3, 3, 0], [1, 1, 2]])
    none = np.zeros_like(after)
    game, time, before = np.array([0, 1, 0]), np.array([1, 1, 2]), after - change
    sources, sinks = {"mined": change}, {"spent": none, "burnt": none}
    of = Account(game, time, before, sources, sinks, after, change)
    assert of.standings().values.tolist() == [[[3, 3], [1, 1]], [[3, 3], [3, 1]]]
    assert of.standings().rounds_played.tolist() == [2, 1]
    data, texts = found(ore(of, gathered=True))
    assert value(data, "gini") == [0.25, 0.0]  # round 2 is of the first game alone
    # By chance round 2 brings its 2 to the one or the other: 5 and 1, or 3 and 3
    [second] = np.round(value(data, "gini by chance"), 3)[1:]
    assert second in (0.0, 0.333)
    assert any("Inequality in ore" in text for text in texts)


def coin(state, seat):
    """A coin more for a seat."""
    state.points[seat, np.arange(len(seat))] += 1
    return np.ones(len(seat), dtype=np.bool_)


def test_what_one_more_is_worth_agrees_with_a_count_of_the_same_games(
    dice, monkeypatch
):
    """Coins only add up, so that whoever gets one has one more at the end."""
    grant = Grant("round", coin, scored=True)
    toy = replace(DICE, grants={"coins": grant})
    monkeypatch.setattr(games, "load", lambda _: toy)
    cell = Cell("dice", toy.rules.of({"die": 3}), 2, ("random",), seed=4)
    given = grant_rows(cell, "coins", grant, 300)
    assert set(given["points"]) == {1.0}
    heard = Recorder(["result"])
    play(cell, np.arange(300, dtype=np.uint64), [heard])
    points = heard.table("result")["points"].reshape(2, 300).astype(int)
    for moment in (1, 2):
        rows = given.filter(time=moment).sort("game")
        seat = (np.arange(300) + moment - 1) % 2
        assert rows["seat"].to_list() == seat.tolist()
        lead = points[seat, np.arange(300)] - points[1 - seat, np.arange(300)]
        won = (lead + 1 > 0).astype(int) - (lead > 0)
        assert rows["won"].to_list() == won.tolist()
    table = grant_worth(given, "toy")
    (first, second) = table.rows(named=True)
    assert first["estimate"] > 0.05 < second["estimate"]
    _, texts = found(replace(ore(HONEST), name="coins"), {GRANTED: table})
    assert any("Shown to be worth over 1 point: round 1, 2" in text for text in texts)


@pytest.mark.parametrize("game", ["devil", "socialism"])
def test_grants_of_a_game_do_not_depend_on_the_games_beside_it(game):
    known = games.load(game)
    cell = Cell(game, known.rules(), known.players[-1], ("allround",), True, 3)
    [(thing, grant)] = known.grants.items()
    whole = grant_rows(cell, thing, grant, 40, 5)
    halves = [grant_rows(cell, thing, grant, 20, first) for first in (5, 25)]
    keys = ["game", "time", "seat"]
    assert whole.sort(keys).equals(pl.concat(halves).sort(keys))
    assert whole["time"].n_unique() > 2


def test_a_brake_by_hand():
    """Two seats: with the brake who is ahead mines 1, without it 3, as who is last."""
    shape = (2, 2, GAMES)
    ahead = np.arange(GAMES) % 2
    score = np.zeros(shape, dtype=np.int64)
    score[:, ahead, np.arange(GAMES)] = 5
    standing = Standings(score, ahead, np.arange(GAMES))

    def mined(of_leader):
        income = np.full(shape, 3)
        income[1, ahead, np.arange(GAMES)] = of_leader
        none = np.zeros_like(income)
        moves = {"mined": income}, {"spent": income, "burnt": none}
        return Account.of_times(*moves, after=none)

    ledger = ore(HONEST, brake=Brake("a flat table of {}", lambda *_: {}))
    table = brake_effect(ledger, (mined(1), standing), (mined(3), standing))
    by = {row["what"]: row for row in table.rows(named=True)}
    leads, last = by["the leader receives next"], by["the last player receives next"]
    assert (leads["estimate"], leads["without"], leads["more"]) == (1, 3, -2)
    assert (last["estimate"], last["more"]) == (3, 0)
    assert by["the leader at half-time wins"]["estimate"] == 1
    rule = {"rule": pl.lit("a flat table of 3"), "strategy": pl.lit("toy")}
    story = {BRAKES: table.with_columns(**rule)}
    _, texts = found(ledger, story)
    assert any(
        "less with a flat table of 3: the leader receives next" in t for t in texts
    )


def test_rules_without_the_thing_say_so():
    none = Ledger("gold", "round", lambda _: None, {"mined": ""}, {"spent": ""})
    cells = pl.DataFrame([[0, "toy", "self", 4, "", 0, ""]], schema=CELL, orient="row")
    sums = pl.DataFrame(schema={"measure": pl.String, "cell": pl.Int64})
    names = {one.name: one for one in none.measures}
    sums = sums.with_columns(**{name: pl.lit(None, pl.Float64) for name in SUMS})
    data = ReportData(sums, cells, 9, {}, "toy", names, {"round": ROUND})
    shown = section((none,)).of(data)
    assert (shown.exhibits, shown.findings) == ((), ())
    assert shown.intro.endswith("In these rules nobody has gold.")


def test_what_is_never_worth_anything_is_a_number_too():
    """In games of which no one changes there is no error to tell; yet tables add up."""
    given = pl.DataFrame(
        {
            "game": range(40),
            "thing": "coins",
            "unit": "round",
            "time": 1,
            "won": 0.0,
            "points": pl.Series([0.0] * 40),
        }
    )
    found = grant_worth(given, "allround")
    numbers = ("estimate", "low", "high", "se", "points", "points_se")
    assert {found.schema[name] for name in numbers} == {pl.Float64}
    beside = found.with_columns(lead=pl.lit(0.0), lead_se=pl.lit(None, pl.Float64))
    assert subtract(beside, "estimate", "lead", "apart")["apart_se"].to_list() == [None]
