"""The house style of figures: size, texts and axes.

Groups differ by marker, dash or hatch as well as by colour (Okabe & Ito's palette, safe
for the colour-blind), so that figures can be read in grey. A footnote says what bars or
bands mean. Nothing here touches files, pyplot or matplotlib's settings.
"""

from collections.abc import Sequence
from functools import cache
from textwrap import fill
from typing import Any

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backend_bases import FigureCanvasBase
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from reports.safe_text import plain, render_figure

WIDTH = 7.2
"""Width of every figure in inches: the text of an A4 page."""

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (1, 1)), (0, (3, 1, 1, 1)))
HATCHES = ("", "///", "...", "\\\\\\", "xxx", "---", "+++")
SMALL = 8.5
"""Font size of labels and legends, in points."""
REFERENCE: dict[str, Any] = {"color": "#222222", "lw": 1, "ls": (0, (4, 3))}
GRID: dict[str, Any] = {"color": "#DDDDDD", "linewidth": 0.6}

_DPI = 150
_BROWSER_DPI = 96


class NotebookFigure(Figure):
    """A figure that a notebook shows as a picture, as the last line of a cell.

    Without ``%matplotlib inline``, a plain matplotlib figure made without pyplot is
    shown as a line of text.
    """

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        """Return the picture, and its size in a browser, in pixels."""
        inches = self.get_size_inches()
        width, height = (round(length * _BROWSER_DPI) for length in inches)
        size = {"width": width, "height": height}
        return render_figure(self, "png", "notebook"), size


def paper(height: float, title: str) -> Figure:
    """Make a figure with only a title; height: inches of the space below it."""
    title = fill(plain(title), 84)
    size = WIDTH, height + 1.0 + 0.2 * title.count("\n")
    figure = NotebookFigure(size, dpi=_DPI)
    figure.suptitle(title, x=0.01, ha="left", fontsize=11, fontweight="bold")
    return figure


def canvas(
    height: float, title: str, xlabel: str, ylabel: str = ""
) -> tuple[Figure, Axes]:
    """Make an empty figure in the house style; height: inches of its plot."""
    figure = paper(height, title)
    figure.set_layout_engine("constrained")
    axes = figure.add_subplot()
    axes.set_xlabel(xlabel, fontsize=9)
    axes.set_ylabel(ylabel, fontsize=9)
    axes.tick_params(labelsize=SMALL, length=2.5, color="#999999")
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color("#999999")
    axes.set_axisbelow(True)
    return figure, axes


def footnote(figure: Figure, note: str) -> None:
    """Say below a figure what its bars or bands mean; replaces an earlier footnote."""
    figure.supxlabel(note, x=0.99, ha="right", fontsize=8, color="#555555")


def finish(figure: Figure, axes: Axes, note: str, by: str | None = None) -> Figure:
    """Add the legend of the groups and the footnote; fix the layout."""
    footnote(figure, note)
    if by is not None:
        text: dict[str, Any] = {
            "fontsize": SMALL,
            "title_fontsize": SMALL,
            "alignment": "left",
        }
        text |= {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0)}
        text |= {"frameon": False, "borderaxespad": 0, "handlelength": 2.6}
        axes.legend(title=column_words(by), **text)
    layout = figure.get_layout_engine()
    if layout is not None:
        _MeasuringCanvas(figure)
        layout.execute(figure)
        FigureCanvasBase(figure)
    figure.set_layout_engine(None)  # else each drawing takes twice as long
    return figure


class _MeasuringCanvas(FigureCanvasAgg):
    """Measures texts for layouts; all figures share what it has measured, for speed."""

    def get_renderer(self) -> RendererAgg:
        """Return the shared renderer, whatever the figure's size."""
        return _renderer()


@cache
def _renderer() -> RendererAgg:
    any_size: Any = FigureCanvasAgg(Figure((1, 1), dpi=_DPI))
    renderer: RendererAgg = any_size.get_renderer()
    return renderer


def rows_on_y(axes: Axes, rows: list[Any]) -> None:
    """Label rows from top to bottom and shade every other one."""
    axes.set_yticks(range(len(rows)), [wrap_label(row) for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", **GRID)
    for row in range(0, len(rows), 2):
        axes.axhspan(row - 0.5, row + 0.5, color="#F1F1EE", linewidth=0, zorder=0)


def percent(axis: Axis, label: str) -> None:
    """Print shares in percent if the label of the axis ends in "%"."""
    if label.endswith("%"):
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.4g}"))


def pick(choices: Sequence[Any], place: int) -> Any:
    """Return the choice for the group at a place, starting over if they run out."""
    return choices[place % len(choices)]


def text_of(value: object) -> str:
    """Return a label as plain text."""
    return "none" if value is None else plain(str(value))


def wrap_label(value: object) -> str:
    """Return the label of a row, broken into lines."""
    return fill(text_of(value), 38)


def column_words(column: str) -> str:
    """Return a column's name in words."""
    return column.replace("_", " ")


def row_height(rows: list[Any]) -> float:
    """Return the inches that the tallest label of a row needs."""
    return 0.1 + 0.14 * max(
        (wrap_label(row).count("\n") + 1 for row in rows), default=1
    )


def reference_note(reference: float | None, label: str) -> str:
    """Return the part of a footnote that explains the dashed line."""
    if reference is None:
        return ""
    if label.endswith("%"):
        return f"; dashed: {100 * reference:.4g} %"
    return f"; dashed: {reference:g}"
