"""The figure of cubes as ribbons: from the hand of each round to where they end up.

Each round has two columns: the hand at the deal, made of cubes kept and cubes newly
received, and where its cubes go, area by area. Heights are mean cubes of a seat.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from reports.figure_specs import Draw
from reports.safe_text import literal_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_GAP = 0.22  # between the areas, in cubes
_BAR, _STEP, _REACH = 0.07, 1.0, 0.62  # widths: a column, a round, a ribbon
_COLOURS = {
    "Letter to Marie": "#0072B2",
    "Hunch of Growth": "#D55E00",
    "Letter from Marie": "#009E73",
    "Zabine's Aftermath": "#CC79A7",
    "Hannah's Grace": "#E69F00",
    "Action": "#56B4E9",
    "kept": "#777777",
}
_RECEIVED = "#BBBBBB"


@dataclass(frozen=True)
class _Band:
    """A part of a column: where it begins, and its height in cubes."""

    bottom: float
    size: float

    @property
    def top(self) -> float:
        return self.bottom + self.size


def ribbons(players: int) -> Draw:
    """Draw cubes of a seat by area and round, for one number of players.

    The table has players, round, area, estimate, and received by round.
    """

    def draw(table: pl.DataFrame, title: str) -> "Figure | None":
        rows = table.filter(pl.col("players") == players)
        return _figure(rows, title) if rows.height else None

    return draw


@literal_text()
def _figure(rows: pl.DataFrame, title: str) -> "Figure":
    from reports.figure_style import footnote, paper

    figure = paper(3.6, title)
    axes = figure.add_axes((0.01, 0.07, 0.74, 0.84))
    rounds = rows["round"].unique().sort().to_list()
    kept = _Band(0.0, 0.0)
    for place, number in enumerate(rounds):
        part = rows.filter(pl.col("round") == number)
        kept = _draw_round(axes, place * _STEP, part, kept, place > 0)
        axes.text(place * _STEP, -0.25, f"round {number}", fontsize=8.5, va="top")
    names = rows["area"].unique(maintain_order=True).to_list()
    _legend(axes, names)
    axes.set_xlim(-0.06, len(rounds) * _STEP - 1 + _REACH + 0.26)
    sizes = rows.group_by("round").agg(pl.col("estimate").sum(), pl.len())
    tallest = sizes.select((pl.col("estimate") + _GAP * pl.col("len")).max()).item()
    axes.set_ylim(-0.5, float(tallest or 1.0) + 0.1)
    axes.axis("off")
    footnote(figure, "height: mean cubes of a seat; intervals: in the table")
    return figure


def _draw_round(
    axes: "Axes", x: float, part: pl.DataFrame, kept: _Band, again: bool
) -> _Band:
    """Draw the hand of a round and where its cubes go; return the band that is kept."""
    received = float(part["received"][0] or 0.0)
    low = kept.size if again else 0.0
    _bar(axes, x, _Band(0.0, low), _COLOURS["kept"])
    _bar(axes, x, _Band(low, received), _RECEIVED)
    if again:
        left = x - _STEP + _REACH + _BAR
        _ribbon(axes, (left, x), kept, _Band(0.0, low), _COLOURS["kept"])
    axes.text(x, low + received + 0.05, f"{low + received:.2f}", fontsize=7.5)
    source = target = 0.0
    stays = _Band(0.0, 0.0)
    for row in part.reverse().to_dicts():  # from the bottom: kept comes first
        size = float(row["estimate"] or 0.0)
        start, end = _Band(source, size), _Band(target, size)
        colour = _COLOURS.get(row["area"], _RECEIVED)
        _ribbon(axes, (x + _BAR, x + _REACH), start, end, colour)
        _bar(axes, x + _REACH, end, colour)
        if size >= 0.05:
            axes.text(
                x + _REACH + _BAR + 0.01,
                end.bottom + size / 2,
                f"{size:.2f}",
                fontsize=7,
                va="center",
            )
        stays = end if row["area"] == "kept" else stays
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


def _legend(axes: "Axes", names: list[str]) -> None:
    from matplotlib.patches import Patch

    colours = {name: _COLOURS.get(name, _RECEIVED) for name in names}
    colours["newly received"] = _RECEIVED
    axes.legend(
        handles=[Patch(color=colour, label=name) for name, colour in colours.items()],
        loc="upper left",
        bbox_to_anchor=(1.03, 1.0),
        frameon=False,
        fontsize=8,
        borderaxespad=0,
    )
