"""Pledges by hand: one worth exactly 2 points, a trap, denial, and pairs."""

import numpy as np
import polars as pl
import pytest

from reports.counterfactuals import COUNTERFACTUAL_GROUPS
from reports.formatting import GROUPS
from reports.pledges import PLEDGE_GROUPS, PLEDGE_SCHEMA, Pledges, pledge_parts
from reports.pledges.estimates import PledgeEstimates
from reports.report_data import CELL, ReportData
from reports.report_document import Column
from reports.table_counts import count_rows

TOY = Pledges("pledge", "pledges", "week")
WEEK = Column("week", "week", "week", "count")
GAMES = 4_000


def found(tried=(), knocked=(), taken=None, of=TOY):
    """What a report finds of these rows."""
    tables = of.tables(
        pl.DataFrame(list(tried), {**PLEDGE_SCHEMA, "week": pl.Int64()}),
        pl.DataFrame(list(knocked)),
    )
    counts = [count_rows(one, tables[one.table]) for one in of.measures if one.table]
    if taken is not None:
        bits = {name: np.uint64(1 << n) for n, name in enumerate("abc")}
        counts += list(of.taken_with(taken, bits, np.arange(taken.shape[-1])))
    sums = [
        one.sums().with_columns(measure=pl.lit(one.measure), cell=0) for one in counts
    ]
    cells = pl.DataFrame([[0, "toy", "self", 4, "", 0, ""]], schema=CELL, orient="row")
    names = {one.name: one for one in of.measures}
    groups = {
        one.name: one for one in (*GROUPS, *COUNTERFACTUAL_GROUPS, *PLEDGE_GROUPS, WEEK)
    }
    every = pl.concat(sums, how="diagonal_relaxed")
    return ReportData(every, cells, GAMES, {}, "toy", names, groups)


def knocked():
    """Of 100 games ``two`` is worth 2 to one player, who takes it in 50 of them.

    Where nobody may, who took it first wins 4 of these 50 fewer. ``few`` is taken
    once in 1,000 games, ``never`` not at all; ``trap`` makes its player lose 30 of 100.
    """
    for game in range(GAMES):
        at = game % 100
        for name, used, one, nobody in (
            ("two", at < 50, at < 2, at < 4),
            ("few", game % 1000 == 0, False, False),
            ("never", False, False, False),
            ("trap", True, -(at < 30), -(at < 30)),
        ):
            for whose, worth in (("first", one), ("all", nobody)):
                won = {"winner": int(worth <= 0), "winner_without": 1 - (worth < 0)}
                who = {"strategy": "toy", "seat": 0, "used": used, "own": used}
                yield {"game": game, "option": name, "whose": whose, **who, **won}


def said(data):
    return [part.text for part in pledge_parts(TOY, data) if hasattr(part, "text")]


@pytest.fixture(scope="module")
def of_knocked():
    return found(knocked=knocked())


def test_a_pledge_worth_exactly_two_points(of_knocked):
    rows = PledgeEstimates(TOY, of_knocked).worth()
    two = rows.filter(option="two").row(0, named=True)
    assert (two["used"], two["lost"]) == (0.5, 0.02)
    assert two["would"] == 0.04  # of the games in which he would
    assert two["first"] == 0.08  # 4 of 50, where nobody may
    assert two["ends"] == 0.04
    assert two["lost_low"] < 0.02 < two["lost_high"]
    assert rows["option"].to_list() == ["two", "few", "never", "trap"]


def test_what_costs_and_what_pays_are_named(of_knocked):
    rows = PledgeEstimates(TOY, of_knocked).worth()
    verdicts = dict(rows.select("option", "verdict").rows())
    assert (verdicts["two"], verdicts["trap"]) == ("pays", "costs")
    told = said(of_knocked)
    gain = "a gain without trap (\N{MINUS SIGN}30.0"
    assert any(gain in text for text in told)
    assert any("a loss without two (+2.0" in text for text in told)


def claims(outcomes, many, chosen="a"):
    """So many decisions; outcomes(game): option -> (winner, next who takes a)."""
    for game in range(many):
        for option, (winner, after) in outcomes(game).items():
            where = {"game": game, "decision": game, "week": 1}
            chose = {"strategy": "toy", "option": option, "chosen": option == chosen}
            ends = {"won": winner == 0, "winner": winner, "next": after}
            yield {**where, **chose, **ends}


def outcomes(game):
    """Of 10: ``a`` wins 4, ``b`` 5, ``c`` none. Left, seat 2 takes ``a`` 6 times.

    Of these 6 he wins 3 of what he takes, and 1 where ``a`` was taken before.
    """
    at = game % 10
    left = 2 if at < 6 else -1
    return {
        "a": (0 if 1 <= at <= 4 else 2 if at == 0 else 1, -1),
        "b": (2 if at < 3 else 0 if at >= 5 else 1, left),
        "c": (2 if at < 3 else 1, left),
    }


def test_regret_against_the_best_other():
    data = found(claims(outcomes, 4000))
    rows = {
        row["option"]: row
        for row in PledgeEstimates(TOY, data).regret().rows(named=True)
    }
    assert rows["a"]["worth"] == pytest.approx((-0.1 + 0.4) / 2)
    assert (rows["a"]["best"], rows["a"]["verdict"]) == ("b", "costs")
    assert rows["a"]["best_worth"] == pytest.approx(-0.1)
    assert (rows["c"]["best"], rows["c"]["best_worth"]) == ("b", pytest.approx(-0.5))
    assert rows["b"]["best_worth"] == pytest.approx(0.1)
    worse = "a (\N{MINUS SIGN}10 ±"
    assert any(worse in text and "against b" in text for text in said(data))


def test_denial_is_what_the_next_one_would_gain():
    [row] = (
        PledgeEstimates(TOY, found(claims(outcomes, 4000))).denial().rows(named=True)
    )
    assert (row["option"], row["denied"]) == ("a", 0.6)
    assert row["denial"] == pytest.approx((3 - 1) / 6)


def test_what_always_comes_with_another_is_redundant():
    """(seats, games): ``b`` comes with ``a`` always, ``a`` with ``b`` every other."""
    games = np.arange(GAMES)
    taken = np.stack([np.where(games % 2, 0b011, 0b001), np.where(games % 4, 0, 0b100)])
    data = found(claims(outcomes, 200), taken=taken.astype(np.uint64))
    rows = PledgeEstimates(TOY, data).taken_together()
    both = {(a, b): n for a, b, n in rows.select("option", "beside", "both").rows()}
    assert (both["b", "a"], both["a", "b"], both["c", "a"]) == (1, 0.5, 0)
    alone = dict(rows.select("beside", "all").rows())
    assert (alone["a"], alone["b"], alone["c"]) == (0.5, 0.25, 0.125)
    assert any("(redundant): b with a." in text for text in said(data))
