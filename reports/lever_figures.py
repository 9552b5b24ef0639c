"""Figures of what rule changes do: a ranked chart, and a matrix of changes by lines.

Tables have a row for each change and line: label (of the change), line, base, value,
difference, low, high, marked, verdict, tolerance.
"""

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from reports.safe_text import literal_text
from reports.scorecard.score_line import ScoreLine

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LINES_SHOWN = 40
"""The most changes in a ranked chart."""
MARK = "*"
_LEAST_HEIGHT = 1.8  # inches of the matrix; the names of the lines need some
_CENTRED: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 7}
_SURE_STYLE: dict[str, Any] = {"fontweight": "bold", "color": "#000000"}
_OPEN_STYLE: dict[str, Any] = {"color": "#777777"}


def amount(row: Mapping[str, Any], about: ScoreLine) -> str:
    """Format a difference with its sign: ``+4.9``."""
    size = row["difference"]
    if not isinstance(size, float):
        return "no data"
    low, high = row["low"], row["high"]
    known = isinstance(low, float) and isinstance(high, float)
    width = about.scale * (high - low) if known else 0.0
    digits = 1 if width <= 0 else int(min(max(1 - np.floor(np.log10(width)), 0), 3))
    return f"{about.scale * size:+z.{digits}f}"


def weights(rows: pl.DataFrame, about: ScoreLine) -> "Figure":
    """Draw the ranked changes of one line, each a dot with its interval."""
    from reports import figures  # here, as it is slow to import and workers need none

    mark, none = pl.lit(f" {MARK}"), pl.lit("")
    shown = rows.head(LINES_SHOWN).with_columns(
        *(pl.col(name) * about.scale for name in ("difference", "low", "high")),
        label=pl.col("label") + pl.when("marked").then(mark).otherwise(none),
    )
    more = rows.height - shown.height
    rest = f" (the first {LINES_SHOWN} of {rows.height})" if more > 0 else ""
    return figures.dots(
        shown,
        "label",
        "difference",
        "low",
        "high",
        title=f"Rule weights: {about.title}{rest}",
        xlabel=f"difference from the base, {about.measured or about.title}",
        reference=0.0,
        note=f"bars: {figures.INTERVALS}, same deals; {MARK}: sure among all changes "
        "and lines (Benjamini-Hochberg, 5 %)",
    )


@literal_text()
def matrix(
    rows: pl.DataFrame,
    lines: Sequence[ScoreLine],
    title: str = "Changes of one rule, by line of the scorecard",
) -> "Figure":
    """Draw changes by lines: the size of each difference, with its sign as a colour.

    Differences shown to exceed the tolerance of their line are coloured, the larger the
    darker, up to five tolerances.
    """
    from matplotlib.colors import Normalize

    from reports.figure_style import canvas, finish

    labels = rows["label"].unique(maintain_order=True).to_list()
    grid = np.zeros((len(labels), len(lines)))
    texts = [["" for _ in lines] for _ in labels]
    places = {line.id: at for at, line in enumerate(lines)}
    for row in rows.iter_rows(named=True):
        at, to = labels.index(row["label"]), places.get(row["line"])
        if to is None:
            continue
        texts[at][to] = amount(row, lines[to])
        if row["marked"]:
            texts[at][to] += MARK
        if row["verdict"] == "differs":
            grid[at, to] = row["difference"] / max(row["tolerance"], 1e-9)
        elif row["p"] is None:
            texts[at][to] = "0"
    figure, axes = canvas(max(0.6 + 0.24 * len(labels), _LEAST_HEIGHT), title, "")
    colours: dict[str, Any] = {"cmap": "PuOr_r", "norm": Normalize(-9, 9)}
    axes.pcolormesh(np.clip(grid, -5, 5), edgecolors="white", **colours)
    for at, words in enumerate(texts):
        for to, text in enumerate(words):
            look = _SURE_STYLE if MARK in text else _OPEN_STYLE
            axes.text(to + 0.5, at + 0.5, text, **_CENTRED, **look)
    names = [f"{line.title}\n{line.measured}" for line in lines]
    axes.set_xticks(np.arange(len(lines)) + 0.5, names, rotation=35, ha="right")
    axes.set_yticks(np.arange(len(labels)) + 0.5, [fill(name, 34) for name in labels])
    axes.invert_yaxis()
    return finish(
        figure,
        axes,
        f"differences from the base; {MARK}: sure among all (Benjamini-Hochberg, 5 %)\n"
        "coloured: beyond the tolerance, too; intervals: in the table",
    )
