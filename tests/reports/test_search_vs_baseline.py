"""Numbers by the leading strategy and by search: where they part, both are told."""

from dataclasses import replace

import polars as pl

from reports.formatting import GROUPS
from reports.measures import SUMS, Measure
from reports.report_data import CELL, ReportData
from reports.search_vs_baseline import search_vs_baseline

MEASURES = {
    name: Measure(name, "a share", "share") for name in ("ore: idle", "ore: wasted")
}


def data(kind, games, **wins):
    """A table at which so many games are won, one measure each."""
    rows = []
    for name, y in wins.items():
        sums = dict.fromkeys(SUMS, float(y)) | {"x": games, "xx": games, "games": games}
        rows.append({"measure": f"ore: {name}", "cell": 0} | sums)
    cells = pl.DataFrame([[0, "toy", kind, 4, "", 0, ""]], schema=CELL, orient="row")
    columns = {one.name: one for one in GROUPS}
    floats = pl.col(SUMS).cast(pl.Float64)
    sums = pl.DataFrame(rows).with_columns(floats)
    return ReportData(sums, cells, games, {}, "toy", MEASURES, columns)


def test_where_they_part_both_are_told():
    lead = data("self", 10_000, idle=3_000, wasted=1_000)
    search = data("search", 10_000, idle=5_000, wasted=1_050)
    both = replace(lead, search_data=[search])
    tolerances = dict.fromkeys(MEASURES, 0.05)
    table, finding = search_vs_baseline(both, "ore-search", "Ore", tolerances)
    rows = {row["what"]: row for row in table.rows.rows(named=True)}
    assert rows["idle"]["verdict"] == "differs"
    assert rows["wasted"]["verdict"] == "alike"
    assert abs(rows["idle"]["more"] - 0.2) < 1e-9
    assert "they differ in idle (0.300 ± 0.010 by toy, 0.500 ± 0.010 by" in (
        finding.text
    )
    assert finding.sure == "sure"


def test_numbers_that_are_all_alike_are_called_so():
    lead = data("self", 10_000, idle=3_000, wasted=1_000)
    both = replace(lead, search_data=[data("search", 10_000, idle=3_050, wasted=1_050)])
    tolerances = dict.fromkeys(MEASURES, 0.05)
    _, finding = search_vs_baseline(both, "ore-search", "Ore", tolerances)
    assert (
        finding.text
        == "Ore, 4 players: alike in all numbers (undecided: 0 of 2 numbers)."
    )
    assert finding.sure == "sure"


def test_nothing_is_told_where_nobody_searches():
    lead = data("self", 10, idle=3, wasted=1)
    told = search_vs_baseline(lead, "ore-search", "Ore", dict.fromkeys(MEASURES, 0.05))
    assert list(told) == []


def test_no_interval_of_a_difference_of_shares_goes_beyond_them():
    few, ends = data("self", 2, idle=1), []
    for unit in ("", "pp"):
        told = Measure("ore: idle", "a difference", "mean", unit=unit)
        of = replace(few, measures={told.name: told})
        ends.append(of.of(told.name).select("low", "high").row(0))
        ends.append(of.pooled(told.name, ("players",)).select("low", "high").row(0))
    wide, same, bounded, pooled = ends
    assert wide == same
    assert wide[0] < -1
    assert wide[1] > 1
    assert bounded == pooled == (-1.0, 1.0)
