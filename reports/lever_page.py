"""Drawing what changes of the rules do: a ranked chart, and a matrix with the lines.

Rows are of plain tables: label (of the change), line, base, value, difference, low,
high, marked, verdict, tolerance.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from reports.printing import Style
from reports.texts import as_they_are

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 40
"""Changes that a ranked chart shows."""
MARK = "*"
_MIDDLE: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 7}
_SURE: dict[str, Any] = {"fontweight": "bold", "color": "#000000"}
_OPEN: dict[str, Any] = {"color": "#777777"}


@dataclass(frozen=True)
class About:
    """What is told of a line: its id, what it is called, what it means, its style.

    ``style`` is that of its number: ``share``, ``points`` or ``number``.
    """

    id: str
    title: str
    doc: str
    style: Style
    unit: str = ""

    @property
    def scale(self) -> float:
        """What a number is multiplied with to be printed."""
        return 1.0 if self.style == "number" else 100.0

    @property
    def measured(self) -> str:
        """The unit of a difference, in words."""
        return self.unit or ("" if self.style == "number" else "points")


def amount(row: Mapping[str, Any], about: About) -> str:
    """A difference as it is printed, signed: ``+4.9``."""
    size = row["difference"]
    if not isinstance(size, float):
        return "no data"
    low, high = row["low"], row["high"]
    known = isinstance(low, float) and isinstance(high, float)
    width = about.scale * (high - low) if known else 0.0
    digits = 1 if width <= 0 else int(min(max(1 - np.floor(np.log10(width)), 0), 3))
    return f"{about.scale * size:+z.{digits}f}"


def weights(rows: pl.DataFrame, about: About) -> "Figure":
    """Draw the changes of one line, as ranked: a dot and its interval each."""
    from reports import figures  # slow to import, and workers do without

    mark, none = pl.lit(f" {MARK}"), pl.lit("")
    shown = rows.head(MOST).with_columns(
        *(pl.col(name) * about.scale for name in ("difference", "low", "high")),
        label=pl.col("label") + pl.when("marked").then(mark).otherwise(none),
    )
    more = rows.height - shown.height
    rest = f" (the first {MOST} of {rows.height})" if more > 0 else ""
    return figures.dots(
        shown,
        "label",
        "difference",
        "low",
        "high",
        title=f"Rule weights: {about.title}{rest}",
        xlabel=f"difference to the base, {about.measured or about.title}",
        reference=0.0,
        note=f"bars: {figures.INTERVALS}, same deals; {MARK}: sure among all changes "
        "and lines (Benjamini-Hochberg, 5 %)",
    )


@as_they_are()
def matrix(
    rows: pl.DataFrame,
    lines: Sequence[About],
    title: str = "Changes of one rule, by line of the scorecard",
) -> "Figure":
    """Draw changes by lines: the size of each difference, its sign as a colour.

    Colours go with the difference in tolerances of its line, up to five of them; only
    what surely differs by more than that is coloured.
    """
    from matplotlib.colors import Normalize

    from reports.house_style import canvas, finish

    labels = rows["label"].unique(maintain_order=True).to_list()
    grid = np.zeros((len(labels), len(lines)))
    texts = [["" for _ in lines] for _ in labels]
    known = {line.id: at for at, line in enumerate(lines)}
    for row in rows.iter_rows(named=True):
        at, to = labels.index(row["label"]), known.get(row["line"])
        if to is None:
            continue
        texts[at][to] = amount(row, lines[to])
        if row["marked"]:
            texts[at][to] += MARK
        if row["verdict"] == "differs":
            grid[at, to] = row["difference"] / max(row["tolerance"], 1e-9)
        elif row["p"] is None:
            texts[at][to] = "0"
    figure, axes = canvas(0.6 + 0.24 * len(labels), title, "")
    colours: dict[str, Any] = {"cmap": "PuOr_r", "norm": Normalize(-9, 9)}
    axes.pcolormesh(np.clip(grid, -5, 5), edgecolors="white", **colours)
    for at, words in enumerate(texts):
        for to, text in enumerate(words):
            look = _SURE if MARK in text else _OPEN
            axes.text(to + 0.5, at + 0.5, text, **_MIDDLE, **look)
    names = [f"{line.title}\n{line.measured}" for line in lines]
    axes.set_xticks(np.arange(len(lines)) + 0.5, names, rotation=35, ha="right")
    axes.set_yticks(np.arange(len(labels)) + 0.5, [fill(one, 34) for one in labels])
    axes.invert_yaxis()
    return finish(
        figure,
        axes,
        f"differences to the base; {MARK}: sure among all (Benjamini-Hochberg, 5 %)\n"
        "coloured: beyond the tolerance, too; intervals: in the table",
    )
