"""Levers of a toy game: a planted one leads, idle ones are told, null ones unmarked."""

from dataclasses import replace
from itertools import pairwise
from typing import NoReturn

import numpy as np
import polars as pl
import pytest

from experiments.analysis import lever_report
from experiments.analysis.levers import levers
from experiments.analysis.line_values import LineValue
from experiments.analysis.report_sections import sections_to_make
from experiments.analysis.scorecard_effects import difference, play
from experiments.core.cells import Cell, UsageError
from experiments.core.measures import report_of
from reports.batches import BATCHES
from reports.scorecard.line_statistics import LINE_STATISTICS, Totals, gap, raw_gap
from sim.games import load
from strategies.random import Random
from tests.reports.planted import DiceRules, dice  # noqa: F401 - a fixture

SMALL = DiceRules(die=6)


@pytest.fixture
def found(dice):  # noqa: F811
    """The levers of dice, where a head start favours the second player."""
    return levers("dice", "bold", rules=SMALL, players=2, games=2_048, seed=1)


def test_the_planted_lever_leads(found):
    row = found.ranked("positions").row(0, named=True)
    assert row["label"] == "head_start 0 -> 1"
    assert row["marked"]
    # of 36 pairs of dice the second wins 21 instead of 15, the first 10
    assert row["low"] < (21 - 10) / 36 < row["high"]
    assert row["verdict"] == "differs"


def test_the_line_that_is_broken_leads(found):
    drake = levers("drake", "allround", only=["knights"], games=512, seed=1)
    assert [line.id for line in drake.broken][:1] == ["roles"]
    assert drake.line().id == "roles"
    assert drake.ranked()["line"].unique().to_list() == ["roles"]
    assert drake.line("positions").id == "positions"
    fair = replace(drake, scores=replace(drake.scores, values=({},)))
    assert not fair.broken
    assert fair.line() == fair.lines[0]


def test_null_levers_are_unmarked(found):
    rows = found.rows.filter(
        pl.col("line") == "positions", pl.col("key") != "head_start"
    )
    assert set(rows["label"]) == {"die 6 -> 5", "die 6 -> 7", "gift 0 -> 1"}
    assert not rows["marked"].any()
    # nobody takes a single coin, but for the weak one: of that the line of skill tells
    assert rows.filter(key="gift")["difference"].to_list() == [0.0]
    assert "gift 0 -> 1" not in found.ranked("positions")["label"].to_list()


def test_what_alters_nothing_is_idle():
    only = ["gems_each_colour", "weeks"]
    box = levers("kunitame", "allround", only=only, games=128, seed=1)
    assert box.idle == ["gems_each_colour 15 -> 14", "gems_each_colour 15 -> 16"]


@pytest.mark.slow
def test_false_alarms_are_as_rare_as_said(dice):  # noqa: F811
    cell = Cell("dice", SMALL, 2, ("bold",), True, 0)
    runs = [play([replace(cell, seed=n)], 256, mixed=False) for n in range(41)]
    values = [one.values[0]["length"] for one in runs]
    assert all(np.ptp(one.numbers) == 0 for one in values)  # two decisions, always
    ties = [one.values[0]["ties"] for one in runs]
    p = [difference(one, other)["p"] for one, other in pairwise(ties)]
    assert sum(one < 0.05 for one in p) <= 7  # of 40; more in 0.3 % of such tests


READ = {
    (): ("all", "result"),
    ("positions", "skill"): ("result", "result"),
    ("positions",): ("result",),
    ("skill",): ("result", "result"),
    ("comeback",): ("all",),
}


@pytest.mark.parametrize("only", READ, ids=" ".join)
def test_no_more_is_counted_than_the_lines_read(only):
    rules = load("kunitame").rules
    sides = [
        Cell("kunitame", rules.of(one), 4, ("allround",), True, 1)
        for one in ({}, {"life": 4})
    ]
    some, every = play(sides, 256, only=only), play(sides, 256)
    assert tuple(one.collect for one in some.results.cells) == 2 * READ[only]
    wanted = {n for line in some.lines for n in LINE_STATISTICS[line.id].measures}
    assert wanted <= {*some.results.sums["measure"]}
    if READ[only][0] == "result":
        assert "lead changes" not in {*some.results.sums["measure"]}
    for mine, all_ in zip(some.values, every.values, strict=True):
        assert {*mine} == {*only} or not only
        for name, value in mine.items():
            np.testing.assert_array_equal(value.numbers, all_[name].numbers)
            np.testing.assert_array_equal(value.bound, all_[name].bound)


def test_the_jackknife_is_that_of_a_mean():
    values = np.random.default_rng(1).normal(size=BATCHES)
    left = (values.sum() - values) / (BATCHES - 1)
    one, none = np.concatenate([[values.mean()], left]), np.zeros(1 + BATCHES)
    found = difference(LineValue(none, none), LineValue(one, one))
    assert found["se"] == pytest.approx(values.std(ddof=1) / np.sqrt(BATCHES))


EVEN = (0.25,) * 4
CLEAR, TWO_AND_TWO = (0.22, 0.25, 0.25, 0.28), (0.22, 0.22, 0.28, 0.28)


def gaps_of(chance, shares, games=2_048):
    """The gap of positions that win these shares, in a run of so many games."""
    won = chance.multinomial(games // BATCHES, shares, size=BATCHES).astype(float)
    y = np.vstack([won.sum(0), won.sum(0) - won])
    played = y.sum(1)
    x = np.broadcast_to(played[:, None], y.shape)
    totals = Totals(y, x, x, played, pl.DataFrame())
    return LineValue(gap(totals), raw_gap(totals))


@pytest.mark.slow
@pytest.mark.parametrize("shares", [EVEN, CLEAR, TWO_AND_TWO], ids=str)
def test_gaps_of_two_runs_of_the_same_seldom_differ(shares):
    """With errors of the gaps less what chance makes of them 6 to 12 % differ."""
    chance, alarms = np.random.default_rng(6), 0
    for _ in range(200):
        alarms += (
            difference(gaps_of(chance, shares), gaps_of(chance, shares))["p"] < 0.05
        )
    assert alarms <= 18  # of 200 at 5 %, more than 18 in one of 100 tests


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "after", "least"),
    [(CLEAR, TWO_AND_TWO, 0), (EVEN, (0.19, 0.25, 0.25, 0.31), 190)],
    ids=["the same gap", "another"],
)
def test_a_gap_differs_where_it_does(before, after, least):
    """However many positions share the gap that there is; both ways round."""
    chance, found = np.random.default_rng(7), []
    for one, other in 100 * [(before, after), (after, before)]:
        found.append(difference(gaps_of(chance, one), gaps_of(chance, other)))
        truth = np.ptp(other) - np.ptp(one)
        found[-1] |= {"covers": found[-1]["low"] < truth < found[-1]["high"]}
    differ = sum(one["p"] < 0.05 for one in found)
    assert differ >= least if least else differ <= 18
    assert sum(one["covers"] for one in found) >= 182


def test_a_run_that_is_kept_says_the_same_again(dice, tmp_path, found):  # noqa: F811
    again = levers(
        "dice", "bold", rules=SMALL, players=2, games=2_048, seed=1, out=tmp_path / "r"
    )
    assert again.rows.equals(found.rows)
    more = levers(
        "dice", "bold", rules=SMALL, players=2, games=2_048, seed=1, out=tmp_path / "r"
    )
    assert more.rows.equals(found.rows)


def test_the_page_has_a_matrix_and_weights(found, tmp_path):
    page = lever_report.write(found, tmp_path)
    assert "head_start 0 -&gt; 1" in page.read_text()
    assert (tmp_path / "figures" / "matrix.svg").is_file()
    table = pl.read_csv(tmp_path / "tables" / "matrix.csv")
    assert table.height == found.rows.height
    [first, *_] = lever_report.report(found).findings
    assert first.text.startswith("Less fair, most of all, with head_start 0 -> 1 (+")
    steps = tuple(replace(one, label=f"without {one.label}") for one in found.steps)
    [first, *_] = lever_report.report(replace(found, steps=steps)).findings
    assert first.text.startswith("Less fair, most of all, without head_start 0 -> 1 (")


def test_the_section_of_a_report_ranks_by_the_line_that_is_broken(tmp_path):
    rules = load("drake").rules()
    cell = Cell("drake", rules, 4, ("allround",), True, 1)
    made = lever_report.lever_section([cell], 128, tmp_path)
    assert made.id == lever_report.LINK.id
    assert [exhibit.id for exhibit in made.exhibits] == ["weights-roles", "matrix"]
    assert "knights 8 -> 9" in made.exhibits[1].table["label"].to_list()
    assert (tmp_path / "levers" / "sums.parquet").is_file()
    mixed = replace(cell, lineup=("allround", "random") * 2)
    assert lever_report.lever_section([mixed], 128, tmp_path) is None


def test_levers_are_made_by_name_alone(tmp_path):
    """Learned players may take half an hour for them."""
    asked = (report_of("drake"), (), ["all"], tmp_path / "none")
    assert "levers" not in sections_to_make(*asked)
    assert "watch" in sections_to_make(*asked)
    named = (*asked[:2], ["all", "levers"], asked[3])
    assert "levers" in sections_to_make(*named)


def test_a_line_that_is_not_is_refused(found):
    with pytest.raises(UsageError, match=r"'position'; did you mean 'positions'"):
        found.ranked("position")


def test_rules_under_which_nobody_can_play_are_told():
    """Whoever fails: the base too, and then there is nothing to sum up."""

    class Fails(Random):
        def decide(self, view: object) -> NoReturn:
            raise RuntimeError("no idea")

    with pytest.raises(UsageError, match=r"base rules cannot be played: .*no idea"):
        levers("kunitame", Fails(), only=["weeks"], games=1_024)
