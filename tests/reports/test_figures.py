"""Figures show their numbers, say what their intervals are, and read in grey."""

import itertools

import matplotlib as mpl
import numpy as np
import polars as pl
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from reports import figure_style, figures

GROUPS = ["timid", "greedy", "planner"]


def table(
    rows=3, groups=("timid",), label="square {:02d} with a rather long name of its own"
):
    cells = itertools.product(range(rows), groups)
    frame = pl.DataFrame(
        [
            {"week": r, "square": label.format(r), "who": g, "e": (r + 1) / (rows + 2)}
            for r, g in cells
        ]
    )
    return frame.with_columns(low=pl.col("e") - 0.05, high=pl.col("e") + 0.05, n=10)


def dots(frame, **more):
    words = {"title": "Claims", "xlabel": "claimed, %"}
    return figures.dots(frame, "square", "e", "low", "high", **words, **more)


def lines(frame, **more):
    words = {"title": "Claims", "ylabel": "claimed, %"}
    return figures.lines(frame, "week", "e", "low", "high", **words, **more)


def heat(frame, **more):
    words = {"title": "Claims", "unit": "claimed, %"}
    return figures.heat(frame, "who", "square", "e", **words, **more)


def bars(frame, **more):
    words = {"title": "Claims", "xlabel": "gems"}
    return figures.bars(frame, "square", "n", **words, **more)


def steps(frame, **more):
    words = {"title": "Score", "xlabel": "points"}
    return figures.steps(frame, "week", "n", **words, **more)


KINDS = [dots, lines, heat, bars, steps]
GROUPED = [dots, lines, bars, steps]


def texts(figure):
    figure.draw_without_rendering()
    return [text for text in figure.findobj(Text) if text.get_text().strip()]


def words(figure):
    return " | ".join(text.get_text() for text in texts(figure))


@pytest.mark.parametrize("rows", [1, 3, 30])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_a_wide_readable_figure_of_its_own(kind, rows):
    before = dict(mpl.rcParams)
    figure = kind(table(rows, GROUPS))
    assert isinstance(figure, Figure)
    assert figure.get_size_inches()[0] == figure_style.WIDTH
    assert min(text.get_fontsize() for text in texts(figure)) >= 8
    assert "interval" in words(figure)
    assert dict(mpl.rcParams) == before


@pytest.mark.parametrize("kind", [dots, heat, bars])
def test_labels_of_thirty_rows_do_not_overlap(kind):
    figure = kind(table(30, GROUPS))
    figure.draw_without_rendering()
    boxes = [label.get_window_extent() for label in figure.axes[0].get_yticklabels()]
    boxes.sort(key=lambda layout: layout.y0)
    assert all(low.y1 <= high.y0 + 1 for low, high in itertools.pairwise(boxes))
    assert min(layout.x0 for layout in boxes) >= 0


@pytest.mark.parametrize("kind", GROUPED)
def test_groups_are_named_in_a_legend_inside_the_figure(kind):
    figure = kind(table(3, [*GROUPS, "gambler", "random", "allround", "x"]), by="who")
    figure.draw_without_rendering()
    legend = figure.axes[0].get_legend()
    named = [text.get_text().split(" (")[0] for text in legend.get_texts()]
    assert named == [*GROUPS, "gambler", "random", "allround", "x"]
    layout, page = legend.get_window_extent(), figure.bbox
    assert layout.x1 <= page.x1
    assert layout.y0 >= page.y0


@pytest.mark.parametrize("kind", [dots, lines])
def test_groups_differ_by_marker(kind):
    axes = kind(table(3, GROUPS), by="who").axes[0]
    drawn = [line for line in axes.get_lines() if line.get_label() in GROUPS]
    assert len({line.get_marker() for line in drawn}) == len(GROUPS)


def test_parts_of_bars_differ_by_hatch_and_add_up():
    axes = bars(table(2, GROUPS), by="who").axes[0]
    patches = [list(part) for part in axes.containers]
    assert len({part[0].get_hatch() for part in patches}) == len(GROUPS)
    assert [part[0].get_x() for part in patches] == [0, 10, 20]


def test_dots_stand_on_their_estimates_between_their_ends():
    axes = dots(table(3), reference=0.25).axes[0]
    assert axes.get_lines()[0].get_xdata().tolist() == pytest.approx([0.2, 0.4, 0.6])
    ends = np.array(axes.collections[0].get_segments())[:, :, 0]
    assert ends.ravel().tolist() == pytest.approx([0.15, 0.25, 0.35, 0.45, 0.55, 0.65])
    assert axes.yaxis_inverted()


@pytest.mark.parametrize(
    ("groups", "rows"),
    [
        (["first second last", "first second third last"], "first second third last"),
        (["first last", "first third last", "second third"], "first second third last"),
        (["b a", "c a"], "b c a"),
        (["a b", "b a c"], "a b c"),  # they contradict one another
    ],
)
@pytest.mark.parametrize("kind", [dots, bars])
def test_rows_stand_as_every_group_has_them(kind, groups, rows):
    labels = [(at, word) for at, words in enumerate(groups) for word in words.split()]
    numbers = {"e": 0.5, "low": 0.4, "high": 0.6, "n": 1}
    frame = pl.DataFrame([{"who": at, "square": w, **numbers} for at, w in labels])
    ticks = kind(frame, by="who").axes[0].get_yticklabels()
    assert [tick.get_text() for tick in ticks] == rows.split()


def test_dots_say_what_they_mean():
    said = words(dots(table(3), reference=0.25))
    assert "unit of resampling: game" in said
    assert "dashed: 25 %" in said
    assert "| 20 |" in said  # shares in percent


def test_missing_numbers_are_named():
    frame = table(3).with_columns(
        pl.when(pl.col("week") != 1).then(pl.col("e", "low", "high"))
    )
    assert words(dots(frame)).count("no data") == 1


def test_lines_have_bands():
    axes = lines(table(4, GROUPS), by="who").axes[0]
    assert len(axes.collections) == len(GROUPS)
    assert axes.get_lines()[0].get_xdata().tolist() == [0, 1, 2, 3]


def test_heat_prints_values_and_intervals():
    figure = heat(table(3, GROUPS).slice(1), low="low", high="high")
    cells = [text.get_text() for text in figure.axes[0].texts]
    assert len(cells) == 8
    assert cells[-1] == "60\n[55, 65]"


@pytest.mark.parametrize("value", [None, 0.5])
def test_heat_of_nothing_or_one_value_still_draws(value):
    frame = table(2).with_columns(e=pl.lit(value, dtype=pl.Float64))
    assert len(heat(frame).axes[0].texts) == (0 if value is None else 2)


def test_steps_are_shares_of_their_group():
    frame = pl.DataFrame({"week": [-1, 0, 2], "n": [1, 1, 2]})
    figure = steps(frame)
    values, edges, _ = figure.axes[0].patches[0].get_data()
    assert values.tolist() == [0.25, 0.25, 0, 0.5]
    assert edges.tolist() == [-1.5, -0.5, 0.5, 1.5, 2.5]
    assert "n = 4 outcomes" in words(figure)
