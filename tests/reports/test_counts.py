"""Counts by game: their sums, in all and by batch, held to plain loops."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reports.batches import BATCHES, GameBatches
from reports.counts import grid, grid_of_rows
from reports.measures import BATCHED, Measure
from reports.table_counts import RowCounter, count_rows

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


def in_cells(counts):
    """The same counts, of which only the cells that are not empty are told."""
    group, game, y, x = counts.cells()
    return replace(counts, y=y, x=x, group=group, game=game)


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(ROW, min_size=1, max_size=30),
    spread=st.sampled_from([1, 3, 10**9]),
    players=st.integers(1, 5),
    first=st.integers(0, 2_000),
)
def test_sums_by_batch_are_those_of_a_plain_reading(rows, spread, players, first):
    """A batch has whole turns of the lineup; game by game, on any grid."""
    found = counted(rows, spread).sums(GameBatches(players, first))
    plain = {}
    for (week, who), games in by_group(rows).items():
        parts = plain[week, who] = np.zeros((3, BATCHES))
        for game, (y, x) in games.items():
            batch = (game * spread + first) // players % BATCHES
            parts[:, batch] += y, x, x != 0
    assert found.height == len(plain)
    for row in found.to_dicts():
        mine = [row[name] for name in BATCHED]
        np.testing.assert_array_equal(mine, plain[row["week"], row["who"]])
        assert [sum(part) for part in mine] == [row[n] for n in ("y", "x", "games")]


def by_group(rows):
    """(week, who) -> game -> [y, x]."""
    found = {}
    for game, week, who, y, x in rows:
        cell = found.setdefault((week, who), {}).setdefault(game, [0, 0])
        cell[0] += y
        cell[1] += x
    return found


@pytest.mark.parametrize("each", [1, 2, None])
@pytest.mark.parametrize("game", [None, np.array([0, 2, 3, 7, 8])])
def test_sums_on_a_grid_are_those_cell_by_cell(each, game):
    rng, batches = np.random.default_rng(1), GameBatches(3, 250)
    y = rng.integers(0, 3, (2, 5))
    x = rng.integers(0, 2, (2, 5)) if each is None else np.full((2, 1), each)
    for values in (y, y > 0):
        one = replace(grid("m", values, x, card="RB"), game=game)
        assert one.sums(batches).equals(in_cells(one).sums(batches))


@pytest.mark.parametrize("games", [7, 256, 1_000])
def test_batches_differ_by_one_turn_at_most(games):
    sizes = GameBatches(4).sizes(games)
    assert sizes.sum() == games
    assert np.ptp(sizes) <= 4
    halves = GameBatches(4).sizes(games // 2) + GameBatches(4, games // 2).sizes(
        games - games // 2
    )
    np.testing.assert_array_equal(sizes, halves)


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
    monkeypatch.setattr(RowCounter, "_of_groups", lambda *_: None)
    assert found.equals(count_rows(measure, frame).sums().sort(by))
    assert found.schema["made"] == pl.Int64
    assert found["y"].sum() == frame["y"].sum()


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
