"""The figure of things as ribbons: from what is held at a time to where they end up.

Each time, such as a round, has two columns: what is held, made of what was kept and of
what is newly received, and where it goes, part by part.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from reports.figure_specs import Draw
from reports.safe_text import literal_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

KEPT = "kept"
"""The part that is held again at the next time; it is the last one."""
_GAP = 0.22  # between the parts
_BAR, _STEP, _REACH = 0.07, 1.0, 0.62  # widths: a column, a time, a ribbon
_KEPT, _RECEIVED = "#777777", "#BBBBBB"


@dataclass(frozen=True)
class _Band:
    """A part of a column: where it begins, and its height."""

    bottom: float
    size: float

    @property
    def top(self) -> float:
        return self.bottom + self.size


def ribbons(time: str, part: str, whose: str) -> Draw:
    """Draw what a seat holds, and where it goes, by time.

    The table has the columns ``time`` and ``part``, the mean ``estimate`` of each part,
    and ``received`` by time; ``whose`` says of what heights are the mean.
    """

    def draw(table: pl.DataFrame, title: str) -> "Figure | None":
        rows = table.select("estimate", "received", time=time, part=part)
        return _figure(rows, title, time, whose) if rows.height else None

    return draw


@literal_text()
def _figure(rows: pl.DataFrame, title: str, time: str, whose: str) -> "Figure":
    from reports.figure_style import footnote, paper

    figure = paper(3.6, title)
    axes = figure.add_axes((0.01, 0.07, 0.74, 0.84))
    times = rows["time"].unique().sort().to_list()
    colours = _colours(rows["part"].unique(maintain_order=True).to_list())
    kept = _Band(0.0, 0.0)
    for place, number in enumerate(times):
        of = rows.filter(pl.col("time") == number)
        kept = _draw_time(axes, place * _STEP, of, colours, kept if place else None)
        axes.text(place * _STEP, -0.25, f"{time} {number}", fontsize=8.5, va="top")
    _legend(axes, colours)
    axes.set_xlim(-0.06, len(times) * _STEP - 1 + _REACH + 0.26)
    sizes = rows.group_by("time").agg(pl.col("estimate").sum(), pl.len())
    tallest = sizes.select((pl.col("estimate") + _GAP * pl.col("len")).max()).item()
    axes.set_ylim(-0.5, float(tallest or 1.0) + 0.1)
    axes.axis("off")
    footnote(figure, f"height: {whose}; intervals: in the table")
    return figure


def _colours(parts: list[str]) -> dict[str, str]:
    """Return a colour for each part."""
    from reports.figure_style import COLOURS, pick

    others = [part for part in parts if part != KEPT]
    named = {part: str(pick(COLOURS, at)) for at, part in enumerate(others)}
    return {part: named.get(part, _KEPT) for part in parts}


def _draw_time(
    axes: "Axes",
    x: float,
    rows: pl.DataFrame,
    colours: Mapping[str, str],
    kept: _Band | None,
) -> _Band:
    """Draw what is held and where it goes; return the band that is kept.

    kept: that of the time before.
    """
    received = float(rows["received"][0] or 0.0)
    low = 0.0 if kept is None else kept.size
    _bar(axes, x, _Band(0.0, low), _KEPT)
    _bar(axes, x, _Band(low, received), _RECEIVED)
    if kept is not None:
        left = x - _STEP + _REACH + _BAR
        _ribbon(axes, (left, x), kept, _Band(0.0, low), _KEPT)
    axes.text(x, low + received + 0.05, f"{low + received:.2f}", fontsize=7.5)
    source = target = 0.0
    stays = _Band(0.0, 0.0)
    for row in rows.reverse().to_dicts():  # from the bottom: what is kept comes first
        size = float(row["estimate"] or 0.0)
        start, end = _Band(source, size), _Band(target, size)
        colour = colours[row["part"]]
        _ribbon(axes, (x + _BAR, x + _REACH), start, end, colour)
        _bar(axes, x + _REACH, end, colour)
        if size >= 0.05:
            at = x + _REACH + _BAR + 0.01, end.bottom + size / 2
            axes.text(*at, f"{size:.2f}", fontsize=7, va="center")
        stays = end if row["part"] == KEPT else stays
        source, target = start.top, end.top + _GAP
    return stays


def _bar(axes: "Axes", x: float, band: _Band, colour: str) -> None:
    from matplotlib.patches import Rectangle

    look: dict[str, Any] = {"facecolor": colour, "edgecolor": "white", "linewidth": 0.4}
    axes.add_patch(Rectangle((x, band.bottom), _BAR, band.size, **look))


def _ribbon(
    axes: "Axes", ends: tuple[float, float], here: _Band, there: _Band, colour: str
) -> None:
    """Draw a curved band from one column to the next."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    left, right = ends
    middle = (left + right) / 2
    points = [
        (left, here.bottom),
        (middle, here.bottom),
        (middle, there.bottom),
        (right, there.bottom),
        (right, there.top),
        (middle, there.top),
        (middle, here.top),
        (left, here.top),
        (left, here.bottom),
    ]
    curve = [Path.CURVE4] * 3
    codes = [Path.MOVETO, *curve, Path.LINETO, *curve, Path.CLOSEPOLY]
    axes.add_patch(
        PathPatch(Path(points, codes), facecolor=colour, alpha=0.42, linewidth=0)
    )


def _legend(axes: "Axes", colours: Mapping[str, str]) -> None:
    from matplotlib.patches import Patch

    colours = {**colours, "newly received": _RECEIVED}
    axes.legend(
        handles=[Patch(color=colour, label=name) for name, colour in colours.items()],
        loc="upper left",
        bbox_to_anchor=(1.03, 1.0),
        frameon=False,
        fontsize=8,
        borderaxespad=0,
    )
