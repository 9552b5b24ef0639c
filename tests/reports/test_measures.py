"""Sums of measures are exact, merge in any order, and agree with a plain reading."""

from collections import defaultdict

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from scipy import stats

from reports import measures
from reports.measures import Measure, merge
from reports.statistics import intervals
from reports.statistics.estimates import estimates
from reports.table_counts import count_rows

SEATS = pl.Enum(["north", "east", "south"])
ROW = st.tuples(
    st.integers(0, 6),
    st.integers(0, 3),
    st.sampled_from(["north", "east", "south"]),
    st.integers(-5, 40),
    st.integers(0, 4),
)


def table(rows):
    schema = {
        "game": pl.UInt64,
        "week": pl.Int8,
        "seat": SEATS,
        "gems": pl.Int16,
        "tricks": pl.UInt8,
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def sums(asked, frame):
    """What a worker adds up, sorted by its groups."""
    found = count_rows(asked, frame).sums()
    return found.sort(asked.by) if asked.by else found


def plain(rows, by):
    """The sums as a statistician would write them down, one game at a time."""
    names = ("game", "week", "seat", "gems", "tricks")
    cells = defaultdict(lambda: [0, 0])
    for row in (dict(zip(names, row, strict=True)) for row in rows):
        cell = cells[tuple(row[name] for name in by), row["game"]]
        cell[0] += row["gems"]
        cell[1] += row["tricks"]
    groups = defaultdict(lambda: [0] * 7)
    for (group, _), (y, x) in cells.items():
        for place, part in enumerate((y, x, y * y, x * x, x * y, int(x != 0), y**3)):
            groups[group][place] += part
    return dict(groups)


def measure(by=(), **more):
    return Measure(
        "gems",
        "gems a trick",
        "mean",
        "claims",
        pl.col("gems"),
        pl.col("tricks"),
        by=by,
        **more,
    )


@settings(max_examples=60, deadline=None)
@given(rows=st.lists(ROW, min_size=1, max_size=60), spread=st.sampled_from([1, 10**9]))
@pytest.mark.parametrize("by", [(), ("week",), ("seat",), ("week", "seat")])
def test_sums_are_those_of_a_plain_reading(by, rows, spread):
    """Games far apart (`spread`) take the other road to the same sums."""
    rows = [(game * spread, *rest) for game, *rest in rows]
    found = sums(measure(by), table(rows))
    width = len(by)
    found = found.drop(measures.BATCHED)
    assert {row[:width]: list(row[width:]) for row in found.rows()} == plain(rows, by)


def test_dense_and_hashed_sums_are_one_table():
    rows = [(g, w, s, g + w, 1) for g in range(9) for w in range(4) for s in ("east",)]
    near = sums(measure(("seat", "week")), table(rows))
    far = table(rows).with_columns(pl.col("game") + pl.col("game") // 4 * 64 * 10**10)
    assert_frame_equal(near, sums(measure(("seat", "week")), far))
    assert near.schema == {
        "seat": pl.String,
        "week": pl.Int64,
        **measures.SUM_TYPES,
    }


@pytest.mark.parametrize("by", ["word", "flag", "fraction", "gap"])
def test_any_kind_of_column_can_group(by):
    frame = pl.DataFrame(
        {
            "game": [1, 1, 2, 2],
            "word": ["b", "a", "b", "b"],
            "flag": [True, False, True, True],
            "fraction": [0.5, 0.25, 0.5, 0.5],
            "gap": [7, None, 7, 7],
            "won": [True, True, False, True],
        }
    )
    found = sums(Measure("won", "", "mean", "t", pl.col("won"), by=(by,)), frame)
    assert sorted(found[by].to_list(), key=str) == sorted(
        set(frame[by].to_list()), key=str
    )
    assert found.sort("x").drop(by, *measures.BATCHED).rows() == [
        (1, 1, 1, 1, 1, 1, 1),
        (2, 3, 2, 5, 3, 2, 2),
    ]


def test_whole_numbers_below_2_to_the_53_stay_exact():
    frame = pl.DataFrame({"game": [1, 1, 2], "points": [2**25 + 1, 2**25, -1]})
    found = sums(Measure("points", "", "mean", "t", pl.col("points")), frame)
    assert found["yy"].item() == (2**26 + 1) ** 2 + 1


def test_fractions_are_summed_as_floats():
    frame = pl.DataFrame({"game": [1, 2], "share": [0.5, 0.25]})
    found = sums(Measure("share", "", "mean", "t", pl.col("share")), frame)
    assert found.drop(measures.BATCHED).row(0) == (
        0.75,
        2,
        0.3125,
        2,
        0.75,
        2,
        0.140625,
    )


def test_rows_with_null_do_not_count():
    frame = pl.DataFrame({"game": [1, 2], "life": [3, None]})
    assert (
        sums(Measure("life", "", "mean", "t", pl.col("life")), frame)["x"].item() == 1
    )


def test_derived_columns_serve_filters_and_groups():
    frame = pl.DataFrame({"game": [1, 1, 2], "week": [1, 2, 3], "won": [1, 1, 0]})
    late = (pl.col("week") > 1).alias("late")
    asked = Measure(
        "won",
        "",
        "mean",
        "t",
        pl.col("won"),
        by=("late",),
        derive=(late,),
        where=pl.col("late"),
    )
    found = sums(asked, frame).drop(measures.BATCHED)
    assert found.rows() == [(True, 1, 2, 1, 2, 1, 2, 1)]


@settings(max_examples=40, deadline=None)
@given(rows=st.lists(ROW, max_size=60), order=st.permutations(range(7)))
@pytest.mark.parametrize("by", [(), ("seat", "week")])
def test_blocks_merge_in_any_order_to_the_whole(by, rows, order):
    frame = table(rows)
    blocks = [frame.filter(pl.col("game") == game) for game in order]
    asked = measure(by)
    assert_frame_equal(merge(sums(asked, b) for b in blocks), sums(asked, frame))
    halves = [
        merge([sums(asked, b) for b in part]) for part in (blocks[:3], blocks[3:])
    ]
    assert_frame_equal(merge(halves), sums(asked, frame))


def test_merging_nothing_is_refused():
    with pytest.raises(ValueError, match="no tables"):
        merge([])


@pytest.mark.parametrize("name", ["game", "games", "x", "estimate"])
def test_grouping_columns_must_not_clash(name):
    with pytest.raises(ValueError, match=name):
        Measure("m", "", "mean", "t", pl.col("a"), by=(name,))


def test_estimates_carry_interval_and_count():
    frame = table([(g, 1, "east", g % 3, 2) for g in range(30)])
    found = estimates(sums(measure(("week",)), frame), "share")
    assert found.columns[-5:] == ["estimate", "low", "high", "se", "n"]
    row = found.row(0, named=True)
    assert (row["estimate"], row["n"]) == (0.5, 60)
    expected = intervals.rate(*(row[name] for name in measures.SUMS[:6]))
    assert (row["low"], row["high"]) == (expected.low, expected.high)


def test_per_game_counts_games_in_which_nothing_happened():
    frame = table([(0, 1, "east", 4, 1), (1, 1, "east", 2, 1)])
    counted = sums(measure(), frame).with_columns(yyy=pl.lit(float("nan")))
    found = estimates(counted, "per game", 8)
    assert found.select("estimate", "n").row(0) == (0.75, 8)
    expected = stats.sem([4, 2, 0, 0, 0, 0, 0, 0])
    few = stats.t.ppf(0.975, 7) / stats.norm.ppf(0.975)
    assert found["se"].item() == pytest.approx(expected * few)


def test_per_game_needs_the_games():
    with pytest.raises(ValueError, match="number of games"):
        estimates(sums(measure(), table([])), "per game")


@pytest.mark.parametrize("kind", ["mean", "share"])
def test_no_data_is_null_never_nan(kind):
    found = estimates(sums(measure(), table([])), kind).row(0, named=True)
    assert found["estimate"] is None
    assert (found["low"], found["high"]) == (
        (0, 1) if kind == "share" else (None, None)
    )


def test_one_game_gives_a_mean_without_interval():
    found = estimates(sums(measure(), table([(5, 1, "east", 3, 2)])), "mean")
    assert found.select("estimate", "low", "high").row(0) == (1.5, None, None)
