"""Where strategies part: two surely differ, two are surely alike, one is open."""

import polars as pl

from reports.report_data import CELL, ReportData
from reports.strategy_differences import strategy_differences

SUMS = pl.DataFrame(schema={"measure": pl.String, "cell": pl.Int64})
DATA = ReportData(SUMS, pl.DataFrame(schema=CELL), 100, {}, "toy")


def rows(strategy, **values):
    for what, (value, se) in values.items():
        low, high = value - 1.96 * se, value + 1.96 * se
        told = {"estimate": value, "low": low, "high": high, "se": se, "n": 100.0}
        yield {"strategy": strategy, "what": what, **told}


TOY = [*rows("toy", a=(0.05, 0.003), b=(0.02, 0.001), c=(0.01, 0.03))]
SEARCH = [*rows("search", a=(0.0, 0.004), b=(0.021, 0.001), c=(0.06, 0.03))]


def test_who_surely_differ_are_both_named():
    [said] = strategy_differences(
        pl.DataFrame([*TOY, *SEARCH]), "what", DATA, 0.01, "Bets"
    )
    assert said.text == (
        "Bets, differences between strategies: a (+5.0 ± 0.8 to toy, +0.0 ± 1.0 "
        "to search) (undecided: 1 of 3 numbers)."
    )
    assert said.sure == "likely"


def test_one_alone_parts_from_nobody():
    assert (
        list(strategy_differences(pl.DataFrame(TOY), "what", DATA, 0.01, "Bets")) == []
    )


def test_none_is_named_where_it_is_not_sure():
    both = pl.DataFrame([*TOY, *SEARCH]).filter(pl.col("what") != "a")
    [said] = strategy_differences(both, "what", DATA, 0.01, "Bets")
    assert "none is shown (undecided: 1 of 2 numbers)" in said.text


def test_numbers_of_another_name_share_one_count():
    ends = ("estimate", "low", "high", "se")
    names = dict(zip(ends, ("more", "more_low", "more_high", "more_se"), strict=True))
    both = pl.DataFrame([*TOY, *SEARCH]).rename(names)
    [said] = strategy_differences(both, "what", DATA, 0.01, "Brakes", "more")
    assert "n = 100 games" in said.tested
