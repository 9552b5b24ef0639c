"""What hangs on a decision, in cases solved by hand and in a game played on."""

import numpy as np
import polars as pl
import pytest

from experiments.core.cells import Cell, play
from experiments.counterfactual.asked_decisions import AskedDecisions
from experiments.counterfactual.grants_and_brakes import grant_rows
from experiments.counterfactual.turning_points import (
    decision_stakes,
    options_on_deals,
    sample_decisions,
    turning_points,
)
from reports.course.turning_points import GAP, WHAT, by_kind, decision_table
from reports.course.win_probability_section import win_probability_section
from reports.formatting import GROUPS
from reports.report_data import CELL, ReportData
from sim.games import load
from tests.reports.planted import dice

__all__ = ["dice"]
SUMS = pl.DataFrame(schema={"measure": pl.String, "cell": pl.Int64})
COLUMNS = {column.name: column for column in GROUPS}


def table_row(rows, name):
    """The row of one of ``WHAT``, or of the gap."""
    return rows.row(by_predicate=pl.col("what") == WHAT.get(name, GAP), named=True)


def wins(*options, seats=3):
    """(seats, options, deals) of who wins each deal by each option; 9 is nobody."""
    return (np.arange(seats)[:, None, None] == np.array(options)).astype(float)


@pytest.mark.parametrize(
    ("options", "matters", "dead", "kingmaker", "gap"),
    [
        (([1, 1, 1, 1], [2, 2, 2, 2]), False, True, True, 0),
        (([1, 1, 1, 1], [9, 9, 9, 9]), False, True, False, 0),  # another, or nobody
        (([0, 1, 1, 1], [0, 2, 2, 2]), False, True, False, 0),  # they may win
        (([1, 2, 1, 2], [1, 2, 1, 2]), False, True, False, 0),  # chance decides
        (([0, 0, 0, 0], [1, 1, 1, 1]), True, False, False, 1),
        (([0, 0, 0, 0], [0, 0, 1, 1], [1] * 4), False, False, False, 0.5),
    ],
)
def test_what_hangs_on_a_decision_by_hand(options, matters, dead, kingmaker, gap):
    found = decision_stakes(wins(*options), 0)
    assert (found["dead"], found["kingmaker"]) == (dead, kingmaker)
    assert found["gap"] == pytest.approx(gap, abs=1e-12)
    if len(options) == 2:
        assert found["matters"] == matters


def test_one_round_of_coins_is_as_worked_out_by_hand(dice):
    """Each takes one to three coins, the first one first; who has most alone wins.

    Against chance three coins of the first win 2/3, two 1/3. The second wins for sure
    or not at all: if the first has two, by three only; if he has three, never. So the
    best option wins 1/3 more than the next on average; 2/3 of the decisions matter, and
    1/6 are dead.
    """
    rules = dice.rules.of({"die": 1})  # nothing is left to chance
    cell = Cell("dice", rules, 2, ("random",) * 2, seed=3)
    found = sample_decisions(cell, 400, turning_points(cell, 40, 10, 64))
    assert (found.decisions, found.choices, found.options.height) == (800, 800, 400)
    rows = decision_table(found.options, found.decisions, found.choices)
    truth = {"matters": 2 / 3, "dead": 1 / 6, "kingmaker": 0, "gap": 1 / 3}
    for name, value in truth.items():
        row = table_row(rows, name)
        assert row["low"] - 0.02 <= value <= row["high"] + 0.02, name
    assert set(truth) == {*WHAT, "gap"}
    assert (found.kinds, set(found.options["weight"])) == ({"take": 800}, {1.0})


def test_of_one_among_others_their_decisions_are_tried(dice):
    """Each game has one who is bold; what hangs on it is as for anybody."""
    rules = dice.rules.of({"die": 1})
    cell = Cell("dice", rules, 2, ("bold", "random"), True, seed=3)
    found = sample_decisions(cell, 400, turning_points(cell, 40, 10, 64))
    assert (found.decisions, found.choices) == (400, 400)
    assert found.options["game"].n_unique() > 100
    row = table_row(decision_table(found.options, 400, 400), "gap")
    assert row["low"] - 0.02 <= 1 / 3 <= row["high"] + 0.02


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        *[(name, {}) for name in ("article_ii", "drake", "evilpact")],
        *[(name, {}) for name in ("kbernestich", "kunitame")],
        ("devil", {"target": 40}),  # games are out of step
        ("socialism", {"tokens": 6, "guard": 27}),  # and are broken off
    ],
)
def test_decisions_tried_together_end_as_each_moment_alone(name, changes):
    known = load(name)
    rules = known.rules.of(changes)
    cell = Cell(name, rules, known.players[-1], ("allround",), True, seed=3)
    asked = AskedDecisions(turning_points(cell, 9), cell, slice(0, 30), 0)
    play(cell, np.arange(30, dtype=np.uint64), [asked])
    last = {call.kind: number for number, call in enumerate(asked.kept)}
    size = len(asked.kept)
    numbers = sorted({*range(0, size, size // 9), *last.values()})
    calls = [asked.kept[number] for number in numbers]
    apart = [options_on_deals(cell, [call], 4) for call in calls]
    together = options_on_deals(cell, calls, 4)
    assert together.equals(pl.concat(apart))
    assert set(together["kind"]) == set(last)
    assert together.group_by("decision").len()["len"].min() > 1


def test_grants_are_worth_the_same_in_smaller_blocks():
    """Though games of one block are played on together, from different moments."""
    rules = load("socialism").rules.of({"tokens": 20, "guard": 60})
    cell = Cell("socialism", rules, 3, ("allround",), True, seed=3)
    [(thing, grant)] = load("socialism").grants.items()
    whole = grant_rows(cell, thing, grant, 40)
    parts = [grant_rows(cell, thing, grant, 10, first) for first in range(0, 40, 10)]
    assert whole["time"].n_unique() > 2
    keys = ["game", "time"]
    assert whole.sort(keys).equals(pl.concat(parts).sort(keys))


def test_rare_kinds_are_told_apart_and_weigh_what_they_are():
    """Of 100 decisions 10 are bids, on each of which half a win hangs."""
    kinds = {"play": 90, "bid": 10}
    rows = [
        {
            "game": game,
            "kind": kind,
            "weight": 2 * kinds[kind] / 100,
            "gap": 0.5 * (kind == "bid"),
            "matters": kind == "bid",
            "dead": kind == "play",
            "kingmaker": False,
        }
        for game in range(40)
        for kind in kinds
    ]
    tried = pl.DataFrame(rows)
    every = decision_table(tried, 200, 100)
    assert table_row(every, "gap")["estimate"] == pytest.approx(0.05)
    assert table_row(every, "matters")["estimate"] == pytest.approx(0.1)
    bid, play = by_kind(tried, kinds).rows(named=True)
    assert (bid["kind"], bid["part"], bid["estimate"], bid["matters"]) == (
        "bid",
        0.1,
        0.5,
        1,
    )
    assert (play["estimate"], play["dead"], play["n"]) == (0, 1, 40)


def test_the_decisions_of_a_searcher_stand_beside_those_of_the_leading_one():
    """Of theirs one in two matters, of the others' one in ten, which is said."""
    story = {}
    for who, of, every in (("toy", "", 10), ("search", " of search", 2)):
        tried = pl.DataFrame(
            {
                "game": range(400),
                "kind": "play",
                "weight": 1.0,
                "gap": 0.0,
                "matters": [game % every == 0 for game in range(400)],
                "dead": [game % 3 == 0 for game in range(400)],
                "kingmaker": False,
            }
        )
        rows = decision_table(tried, 800, 400)
        story[f"turns{of}"] = rows.select(pl.lit(who).alias("strategy"), pl.all())
    cells = pl.DataFrame([[0, "toy", "self", 4, "", 0, ""]], schema=CELL, orient="row")
    data = ReportData(SUMS, cells, 400, {}, "toy", {}, columns=COLUMNS, story=story)
    table, said = list(win_probability_section(data))
    assert table.rows["strategy"].unique(maintain_order=True).to_list() == [
        "toy",
        "search",
    ]
    assert "differences between strategies: best option is shown" in said.text
    assert "(10 ± 5 % to toy, 50 ± 6 % to search)" in said.text
