"""Judging by targets: each group, gaps, shares of all, medians; exit codes."""

import math

import numpy as np
import polars as pl
import pytest

import fairdeal as fd
from experiments.analysis.interval_widening import IntervalWidening
from experiments.analysis.target_tests import assess, exit_code
from experiments.core.cells import Cell, UsageError
from experiments.execution.results import Results
from experiments.execution.run import run
from experiments.studies.targets import parse
from reports.measures import SUMS
from reports.statistics.sequential import PrecisionStop
from sim.games import load

RULES = load("kunitame").rules()
CELL = Cell("kunitame", RULES, 4, ("random",) * 4, True, 1)


def target(**values):
    [one] = parse({"wanted": {"measure": "won by position", **values}})
    return one


def results(measure, rows, games=10_000, cells=1, **manifest):
    """Results of these sums: a row a group with y, x, yy, xx, xy, games."""
    frame = pl.DataFrame(rows).with_columns(
        measure=pl.lit(measure),
        cell=pl.col("cell").cast(pl.Int32)
        if "cell" in rows[0]
        else pl.lit(0, pl.Int32),
    )
    frame = frame.with_columns(yyy=pl.lit(math.nan))
    frame = frame.with_columns(pl.col(name).cast(pl.Float64) for name in SUMS)
    return Results((CELL,) * cells, games, frame, (games,) * cells, manifest)


def wins(shares, games=10_000, group="position", **more):
    """Sums of a share by group that counts a game once."""
    return [
        {
            group: number,
            "y": round(share * games),
            "x": games,
            "yy": round(share * games),
            "xx": games,
            "xy": round(share * games),
            "games": games,
            **more,
        }
        for number, share in enumerate(shares)
    ]


def verdict(one, found):
    [judged] = assess([one], found)
    return judged


def test_each_group_has_to_keep_to_the_bounds():
    found = results("won by position", wins([0.25, 0.26, 0.24, 0.25]))
    assert verdict(target(least=0.22, most=0.28), found).verdict == "pass"
    low = verdict(target(least=0.27), found)
    assert low.verdict == "fail"
    assert low.worst["group"] == "position 2"
    assert low.rows["verdict"].to_list().count("fail") == 4
    open_ = verdict(target(most=0.262), found)
    assert open_.verdict == "undecided"
    assert open_.worst["group"] == "position 1"
    assert "games of each lineup would decide" in open_.needed
    assert "on the edge" in verdict(target(most=0.26), found).needed


def test_exit_codes():
    found = results("won by position", wins([0.25, 0.26, 0.24, 0.25]))
    passes, fails, open_ = (target(most=0.30), target(most=0.20), target(most=0.262))
    assert exit_code(assess([passes], found)) == 0
    assert exit_code(assess([passes, open_], found)) == 4
    assert exit_code(assess([open_, fails, passes], found)) == 3


def test_a_gap_is_between_any_two():
    found = results("won by position", wins([0.25, 0.26, 0.24, 0.25]))
    wide = verdict(target(gap=0.04), found)
    assert wide.verdict == "pass"
    assert wide.rows.height == 6
    assert wide.worst["group"] == "position 1 over position 2"
    assert verdict(target(gap=0.01), found).verdict == "undecided"
    apart = results("won by position", wins([0.25, 0.30, 0.20, 0.25]))
    assert verdict(target(gap=0.03), apart).verdict == "fail"
    # shares of one multinomial: var = (p + q - (p - q)**2) / n
    expected = math.sqrt((0.26 + 0.24 - 0.02**2) / 9_999)
    assert wide.worst["se"] == pytest.approx(expected)


def test_a_gap_of_other_measures_takes_the_worst_case():
    rows = [
        {
            "week": week,
            "y": y,
            "x": 10_000,
            "yy": 4 * y,
            "xx": 10_000,
            "xy": y,
            "games": 10_000,
        }
        for week, y in ((1, 4_000), (2, 4_400))
    ]
    found = results("punished by week", rows)
    one = target(measure="punished by week", kind="mean", gap=0.05)
    [row] = verdict(one, found).rows.to_dicts()
    sds = [math.sqrt(4 * y / 1e4 - (y / 1e4) ** 2) for y in (4_000, 4_400)]
    assert row["se"] == pytest.approx(sum(sds) / 100, rel=0.001)


@pytest.mark.slow
def test_the_interval_of_a_gap_covers():
    """1,000 studies of 400 games of four even seats: 95 % hold the true gap, 0."""
    rng = np.random.default_rng(1)
    games, inside = 400, 0
    one = target(gap=0.5)
    for counts in rng.multinomial(games, [0.25] * 4, 1_000):
        found = results("won by position", wins(counts / games, games), games)
        row = (
            verdict(one, found)
            .rows.filter(
                pl.col("group").is_in(
                    ["position 0 over position 1", "position 1 over position 0"]
                )
            )
            .row(0, named=True)
        )
        inside += row["low"] <= 0 <= row["high"]
    assert 926 <= inside <= 972  # 950 +- 3.4 standard errors


def test_shares_of_all():
    rows = [
        {
            "square": name,
            "y": y,
            "x": 40_000,
            "yy": 2 * y,
            "xx": 160_000,
            "xy": 4 * y,
            "games": 10_000,
        }
        for name, y in (("a", 9_000), ("b", 900), ("c", 100))
    ]
    found = results("claims by square", rows)
    one = target(measure="claims by square", of_all=True, least=0.05)
    judged = verdict(one, found)
    assert judged.verdict == "fail"
    assert judged.share
    assert judged.rows["estimate"].to_list() == pytest.approx([0.9, 0.09, 0.01])
    [b] = judged.rows.filter(group="square b").to_dicts()
    assert b["verdict"] == "pass"
    sd = [math.sqrt(2 * y / 1e4 - (y / 1e4) ** 2) for y in (9_000, 900, 100)]
    worst = (0.91 * sd[1] + 0.09 * (sd[0] + sd[2])) / math.sqrt(9_999)
    assert b["se"] == pytest.approx(worst)


def test_shares_of_all_are_not_too_narrow():
    """Against the exact residuals of simulated counts that go together strongly."""
    rng = np.random.default_rng(2)
    both = rng.poisson(2.0, (5_000, 1)) + rng.poisson(1.0, (5_000, 3))
    rows = [
        {
            "square": n,
            "y": y.sum(),
            "x": 5_000,
            "yy": (y**2).sum(),
            "xx": 5_000,
            "xy": y.sum(),
            "games": 5_000,
        }
        for n, y in enumerate(both.T)
    ]
    judged = verdict(
        target(measure="claims by square", of_all=True, least=0.3),
        results("claims by square", rows, 5_000),
    )
    share = both.sum(0) / both.sum()
    residual = (both - share * both.sum(1, keepdims=True)) / both.sum(1).mean()
    exact = residual.std(0) / math.sqrt(5_000)
    assert (judged.rows["se"].to_numpy() >= exact).all()


def test_a_median():
    rows = wins([0.1, 0.2, 0.3, 0.3, 0.1], group="lead_changes")
    found = results("games by lead changes", rows)
    one = target(measure="games by lead changes", quantile=0.5, least=1, most=3)
    judged = verdict(one, found)
    assert judged.verdict == "pass"
    assert judged.worst["estimate"] == 2
    assert not judged.share
    assert judged.worst["group"] == "median of lead_changes"
    high = target(measure="games by lead changes", quantile=0.95, most=3)
    assert verdict(high, found).verdict == "fail"
    twice = [{**row, "yy": 2 * row["y"]} for row in rows]
    with pytest.raises(UsageError, match="counts each game once"):
        verdict(one, results("games by lead changes", twice))


def test_what_is_rare_is_left_out_and_told():
    rows = [*wins([0.5, 0.5]), {**wins([0.0], games=10)[0], "position": 7}]
    found = results("won by position", rows)
    judged = verdict(target(least=0.4, ignore_below=100), found)
    assert judged.verdict == "pass"
    assert judged.ignored == 1
    assert verdict(target(least=0.4), found).verdict == "fail"


def test_where_keeps_groups_and_cells():
    rows = [*wins([0.25, 0.3], cell=0), *wins([0.1, 0.3], cell=1)]
    found = results("won by position", rows, cells=2)
    places = pl.DataFrame(
        {
            "variant": ["base", "mine"],
            "lineup": ["x", "x"],
            "players": [4, 4],
            "cell": pl.Series([0, 1], dtype=pl.Int32),
        }
    )
    one = target(least=0.2, where={"variant": "base"})
    [judged] = assess([one], found, places)
    assert judged.verdict == "pass"
    assert judged.rows["variant"].to_list() == ["base", "base"]
    one = target(least=0.2, where={"variant": ["base", "mine"], "position": 1})
    [judged] = assess([one], found, places)
    assert judged.rows.height == 2
    with pytest.raises(UsageError, match="did you mean 'base'"):
        assess([target(least=0.2, where={"variant": "bas"})], found, places)
    with pytest.raises(UsageError, match=r"no column 'positoin'.* did you mean"):
        assess([target(least=0.2, where={"positoin": 1})], found, places)


def test_one_bad_cell_fails_the_target():
    rows = [*wins([0.25], cell=0), *wins([0.1], cell=1)]
    judged = verdict(target(least=0.2), results("won by position", rows, cells=2))
    assert judged.verdict == "fail"
    assert judged.worst["cell"] == 1


def test_what_never_happened_is_undecided():
    found = results("won by position", wins([0.25]))
    judged = verdict(target(measure="decided", most=0.1), found)
    assert judged.verdict == "undecided"
    assert judged.worst is None
    assert "no data" in judged.needed


def test_shares_are_no_percents():
    found = results("won by position", wins([0.25]))
    for key in ("least", "most", "gap"):
        with pytest.raises(UsageError, match=r"write 0\.3 for 30 %"):
            verdict(target(**{key: 30}), found)


def test_looking_makes_intervals_wider():
    plain = run([CELL], 4_096)
    stopped = run(
        [CELL], 4_096, stop=PrecisionStop("won by position", 0.001, first=1_024)
    )
    assert IntervalWidening.of(plain, 0).widening == 1.0
    assert IntervalWidening.of(stopped, 0).widening > 1.2
    one = target(gap=0.1)
    widths = [verdict(one, found).rows["se"].to_numpy() for found in (plain, stopped)]
    assert (widths[1] > 1.2 * widths[0]).all()


def test_on_real_games():
    found = fd.play(
        "kunitame",
        games=2_000,
        lineup="allround",
        seed=1,
        jobs=1,
        rotate=False,
        detailed=True,
    )
    targets = parse(
        {
            "seats": {"measure": "won by position", "gap": 0.15},
            "made": {"measure": "made by strategy", "least": 0.5, "most": 0.7},
            "claims": {"measure": "claims by square", "of_all": True, "least": 0.001},
            "gems": {"measure": "claims by square", "least": 1.0},
            "draws": {"measure": "decided", "where": {"by": "draw"}, "most": 0.10},
            "out": {"measure": "eliminated", "most": 0.05},
        }
    )
    judged = {one.target.name: one for one in assess(targets, found)}
    assert {name for name, one in judged.items() if one.verdict == "pass"} == {
        "seats",
        "made",
        "claims",
        "draws",
        "out",
    }
    assert judged["draws"].target.wanted(share=True) == "at most 10 %"
    gems = found.estimates("claims by square", "per game")
    assert set(judged["gems"].rows["estimate"]) == set(gems["estimate"])
