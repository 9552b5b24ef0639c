"""Verdicts on families, break-even rates and shares of games, by hand."""

import numpy as np
import polars as pl
import pytest
from scipy import stats

from reports.counterfactuals.estimates import break_even, spread
from reports.formatting import join_words, number, points, share
from reports.kunitame.report import REPORT
from reports.measures import SUMS
from reports.report_data import CELL, ReportData
from reports.statistics import equivalence
from reports.statistics.estimates import estimates


def found_of(rows, games=1000):
    cells = pl.DataFrame(
        [[0, "allround", "paired", 4, "allround", 2, ""]], schema=CELL, orient="row"
    )
    rules = {"weeks": 4, "rounds": 7}
    return ReportData(
        pl.DataFrame(rows),
        cells,
        games,
        rules,
        "allround",
        REPORT.measures,
        REPORT.columns,
    )


def test_three_way_verdicts():
    told = equivalence.judge([0.0, 0.05, 0.02], [0.005, 0.005, 0.005], -0.02, 0.02)
    assert told == ["within", "outside", "undecided"]
    assert equivalence.overall(told) == "outside"
    assert equivalence.overall(["within", "undecided"]) == "undecided"
    assert equivalence.overall(["within"]) == "within"
    assert equivalence.overall([]) == "undecided"


def test_holm_asks_more_of_a_larger_family():
    one = equivalence.judge([0.0325], [0.005], -0.02, 0.02)
    many = equivalence.judge([0.0325] + [0.0] * 9, [0.005] * 10, -0.02, 0.02)
    assert (one[0], many[0]) == ("outside", "undecided")


def test_no_data_is_undecided():
    assert equivalence.judge([None, 0.1], [None, 0.001], 0, 0) == [
        "undecided",
        "outside",
    ]
    assert equivalence.judge([], [], 0, 0) == []


def test_more_games():
    text = equivalence.more_games([0.01], [0.01], 1000, -0.02, 0.02)
    assert text == "about 8,600 games of each lineup would decide"
    assert "edge" in equivalence.more_games([0.02], [0.01], 1000, -0.02, 0.02)
    assert "too few" in equivalence.more_games([None], [None], 1, -0.02, 0.02)


def needed(rows):
    return break_even(estimates(pl.DataFrame(rows), "mean"), ("option",), "made")


def test_break_even():
    """Kept: +0.2 of 400 games; broken: -0.3 of 600: worth nothing at 0.3 / 0.5."""
    base = {"option": "exactly 2"}
    rows = [
        {**base, "made": kept, **dict(zip(SUMS, (*sums, np.nan), strict=True))}
        for kept, sums in (
            (1, (80.0, 400.0, 120.0, 400.0, 80.0, 400.0)),
            (0, (-180.0, 600.0, 220.0, 600.0, -180.0, 600.0)),
        )
    ]
    row = needed(rows).row(0, named=True)
    assert row["even"] == pytest.approx(0.6)
    kept_se = ((120 - 2 * 0.2 * 80 + 0.04 * 400) / 399 * 400) ** 0.5 / 400
    broken_se = ((220 - 2 * 0.3 * 180 + 0.09 * 600) / 599 * 600) ** 0.5 / 600
    kept_se *= stats.t.ppf(0.975, 399) / 1.959964  # as in their intervals
    broken_se *= stats.t.ppf(0.975, 599) / 1.959964
    for end in (row["even_low"], row["even_high"]):  # what 5 % would just deny
        apart = 0.3 - end * 0.5
        se = np.hypot((1 - end) * broken_se, end * kept_se)
        assert abs(apart) == pytest.approx(1.959964 * se, rel=1e-5)
    assert row["even_low"] < 0.6 < row["even_high"]


def test_no_break_even_where_keeping_is_not_surely_better():
    base = {"option": "exactly 2"}
    rows = [
        {**base, "made": kept, **dict(zip(SUMS, (*sums, np.nan), strict=True))}
        for kept, sums in (
            (1, (1.0, 20.0, 9.0, 20.0, 1.0, 20.0)),
            (0, (0.0, 20.0, 8.0, 20.0, 0.0, 20.0)),
        )
    ]
    assert needed(rows)["even"].to_list() == [None]


def test_spread_and_the_worst_tenth():
    """-5 of 5, -2 of 10, 3 of 85: by numpy, and (5 * -5 + 5 * -2) / 10."""
    values, many = [-5, -2, 3], [5.0, 10.0, 85.0]
    found = spread(pl.DataFrame({"points_more": values, "y": many}))
    every = np.repeat(values, [5, 10, 85])
    assert found["cvar"] == pytest.approx(-3.5)
    assert found["sd"] == pytest.approx(every.std())
    fourth = ((every - every.mean()) ** 4).mean()
    error = np.sqrt((fourth - every.var() ** 2) / 100) / (2 * every.std())
    assert found["sd_high"] - found["sd"] == pytest.approx(1.96 * error)


def test_shares_of_games_stay_between_0_and_1():
    name = "games by lead changes"
    one = {"cell": 0, "measure": name, "lead_changes": 3, **dict.fromkeys(SUMS, 1.0)}
    row = found_of([one]).of(name, only=pl.lit(value=True))
    assert row["estimate"].item() == pytest.approx(0.001)
    assert 0 < row["low"].item() < 0.001 < row["high"].item() < 0.01


def test_words():
    row = {"estimate": -0.0123, "low": -0.02, "high": 0.001}
    assert share(row) == "\u22121.2 % (\u22122.0 to 0.1)"
    assert points(row) == "\u22121.2 (\u22122.0 to +0.1)"
    assert number(row) == "\u22120.012 (\u22120.020 to 0.001)"
    assert number(dict.fromkeys(row)) == "no data"
    assert number({"estimate": 1.0, "low": None, "high": None}) == "1.0 (no interval)"
    assert [join_words(list("abc")), join_words(["a"]), join_words([])] == [
        "a, b and c",
        "a",
        "",
    ]


def test_break_even_outside_has_no_interval():
    """Kept: +0.5 of 4,000 games; broken: +0.3 of 6,000: it pays whatever happens."""
    base = {"option": "exactly 2"}
    rows = [
        {**base, "made": kept, **dict(zip(SUMS, (*sums, np.nan), strict=True))}
        for kept, sums in (
            (1, (2000.0, 4000.0, 2000.0, 4000.0, 2000.0, 4000.0)),
            (0, (1800.0, 6000.0, 1800.0, 6000.0, 1800.0, 6000.0)),
        )
    ]
    row = needed(rows).row(0, named=True)
    assert (row["even"], row["even_low"], row["even_high"]) == (0, None, None)
