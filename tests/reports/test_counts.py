"""Counts by game: sums and products of two sides, held to plain loops."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reports.counts import grid, grid_of_rows
from reports.cross_moments import SIDES, cross_moments
from reports.measures import BATCHED, SUMS, Measure
from reports.table_counts import count_rows

ROW = st.tuples(
    st.integers(0, 5),
    st.integers(0, 2),
    st.sampled_from("ab"),
    st.integers(-3, 9),
    st.integers(0, 3),
)
MEASURE = Measure("m", "", "mean", "t", pl.col("y"), pl.col("x"), by=("week", "who"))


def counted(rows, spread):
    """Counts of rows; games far apart (``spread``) are left out, or not laid out."""
    names = ["game", "week", "who", "y", "x"]
    frame = pl.DataFrame(rows, schema=names, orient="row").with_columns(
        pl.col("game") * spread
    )
    return count_rows(MEASURE, frame)


def cells(rows):
    """(week, who) -> game -> [y, x]."""
    found = {}
    for game, week, who, y, x in rows:
        cell = found.setdefault((week, who), {}).setdefault(game, [0, 0])
        cell[0] += y
        cell[1] += x
    return found


def plain(one, other):
    """Group -> side -> the sums."""
    here, there = cells(one), cells(other)
    found = {}
    for group in here.keys() | there.keys():
        mine, theirs = here.get(group, {}), there.get(group, {})
        sums = {side: [0] * 7 for side in SIDES}
        for game in mine.keys() | theirs.keys():
            y, x = mine.get(game, (0, 0))
            v, u = theirs.get(game, (0, 0))
            both, differ = x != 0 and u != 0, (y, x) != (v, u)
            for side, parts in {
                "one": (y, x, y * y, x * x, x * y, x != 0, y**3),
                "other": (v, u, v * v, u * u, u * v, u != 0, v**3),
                "one x other": (0, 0, y * v, x * u, x * v, both, y * y * v),
                "other x one": (0, 0, y * v, x * u, u * y, differ, v * v * y),
            }.items():
                sums[side] = [a + b for a, b in zip(sums[side], parts, strict=True)]
        found[group] = sums
    return found


@settings(max_examples=60, deadline=None)
@given(
    one=st.lists(ROW, min_size=1, max_size=30),
    other=st.lists(ROW, min_size=1, max_size=30),
    spread=st.tuples(*[st.sampled_from([1, 3, 10**9])] * 2),
)
def test_products_are_those_of_a_plain_reading(one, other, spread):
    spread = spread[:1] * 2 if spread[0] != spread[1] else spread
    found = cross_moments(
        *(counted(r, s) for r, s in zip((one, other), spread, strict=True))
    )
    told = {}
    for row in found.to_dicts():
        sums = told.setdefault((row["week"], row["who"]), {})
        sums[row["side"]] = [row[name] for name in SUMS]
    assert told == plain(one, other)


def in_cells(counts):
    """The same counts, of which only the cells that are not empty are told."""
    group, game, y, x = counts.cells()
    return replace(counts, y=y, x=x, group=group, game=game)


@pytest.mark.parametrize("cards", ["RB", "BG", "GY"])
@pytest.mark.parametrize("each", [1, 2, None])
@pytest.mark.parametrize("game", [None, np.array([0, 2, 3, 7, 8])])
def test_products_on_a_grid_are_those_cell_by_cell(cards, each, game):
    rng = np.random.default_rng(1)
    y, v = rng.integers(0, 3, (2, 2, 5))
    x, u = rng.integers(0, 2, (2, 2, 5)) if each is None else np.full((2, 2, 1), each)
    one, other = grid("m", y, x, card="RB"), grid("m", v > 0, u, card=cards)
    one, other = replace(one, game=game), replace(other, game=game)
    found = cross_moments(one, other)
    assert found.equals(cross_moments(in_cells(one), in_cells(other)))
    assert found.filter(side="one")["y"].sum() == y.sum()


def test_rows_that_all_groups_share_are_added_up_for_each():
    game, y = np.array([0, 0, 2]), np.array([[1, 0, 1], [0, 1, 0]], dtype=np.bool_)
    each = np.array([1, 2, 4])
    shared = grid_of_rows("m", game, y, each, card="RB").sums()
    assert shared.equals(
        grid_of_rows("m", game, y * 1, np.stack([each, each]), card="RB").sums()
    )
    assert shared["x"].to_list() == [7, 7]
    assert shared["y"].to_list() == [2, 1]


@pytest.mark.parametrize("options", [2, 60])
@pytest.mark.parametrize("games", [40, 4_000, 10**12])
def test_sums_are_the_same_in_whatever_way_rows_are_counted(
    options, games, monkeypatch
):
    """On a grid, by sorting, or by polars; groups are flags, words and numbers."""
    rng, size = np.random.default_rng(options), 500
    words = np.array([f"option {n}" for n in range(options)])
    frame = pl.DataFrame(
        {
            "game": rng.integers(0, games, size),
            "made": rng.integers(0, 2, size) > 0,
            "option": pl.Series(rng.choice(words, size), dtype=pl.Categorical),
            "points": rng.integers(-9, 3, size),
            "y": rng.integers(-3, 9, size),
            "x": rng.integers(0, 3, size),
        }
    )
    by = ("made", "option", "points")
    measure = Measure("m", "", "mean", "t", pl.col("y"), pl.col("x"), by=by)
    found = count_rows(measure, frame).sums().sort(by)
    monkeypatch.setattr("reports.table_counts._codes", lambda *_: None)
    assert found.equals(count_rows(measure, frame).sums().sort(by))
    assert found.schema["made"] == pl.Int64
    assert found["y"].sum() == frame["y"].sum()


def test_a_side_that_lacks_a_measure_counts_nothing():
    one = counted([(0, 1, "a", 2, 1), (3, 1, "a", 1, 1)], 1)
    found = cross_moments(one, one.none()).filter(side="other x one")
    assert found["games"].to_list() == [2]
    assert cross_moments(one.none(), one).filter(side="one")["y"].to_list() == [0]


def test_a_grid_leaves_out_groups_that_never_occur():
    y = np.array([[1, 0, 2], [0, 0, 0]], dtype=np.uint8)
    x = np.array([[1, 0, 3], [0, 0, 0]], dtype=np.uint8)
    found = grid("m", y, x, card=["R", "B"]).sums()
    assert found.drop(BATCHED).rows() == [("R", 3, 4, 5, 10, 7, 2, 9)]
    assert found.schema["card"] == pl.String


def test_the_same_x_in_every_game_is_summed_as_any_other():
    y = np.arange(12.0).reshape(2, 6)
    same = grid("m", y, np.array([[[2], [3]]])[0], week=range(2)).sums()
    full = grid("m", y, np.repeat([[2], [3]], 6, axis=1), week=range(2)).sums()
    assert same.equals(full)


def test_rows_of_a_game_are_added_up_before_they_are_multiplied():
    game = np.array([0, 0, 2])
    found = grid_of_rows("m", game, np.array([1, 2, 5]), np.ones(3)).sums()
    assert found.drop(BATCHED).row(0) == (8, 3, 9 + 25, 4 + 1, 6 + 5, 2, 27 + 125)


@pytest.mark.parametrize("labels", [["north", "south"], range(1, 3)])
def test_labels_are_words_or_numbers(labels):
    found = grid("m", np.ones((2, 3)), np.ones((2, 3)), region=labels)
    assert found.labels["region"].to_list() == list(labels)
    whole = isinstance(labels, range)
    assert found.labels["region"].dtype == (pl.Int64 if whole else pl.String)


def test_cubes_are_no_squares_where_sums_happen_to_be_alike():
    """Of flags all powers are the same, and only of flags."""
    y = np.array([1.5, -0.5, *[0.5] * 6])
    assert y.sum() == (y**2).sum() == 4.0
    [row] = grid("m", y, np.ones(len(y))).sums().rows(named=True)
    assert (row["y"], row["yy"], row["yyy"]) == (4.0, 4.0, (y**3).sum())
