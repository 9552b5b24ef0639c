"""Figures as sections declare them: functions that draw a table once it exists.

matplotlib is slow to import, so it is imported only when a figure is drawn, and never
by workers.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Draw = Callable[[pl.DataFrame, str], "Figure | None"]
"""Draws a table under a title; returns None if it has no rows to draw."""


def _ends(value: str) -> tuple[str, str, str]:
    prefix = "" if value == "estimate" else f"{value}_"
    return value, f"{prefix}low", f"{prefix}high"


def dots(
    label: str,
    xlabel: str,
    value: str = "estimate",
    *,
    by: str | None = None,
    reference: float | None = None,
    only: pl.Expr | None = None,
    heading: str = "",
) -> Draw:
    """Draw a row for each label, with its interval.

    ``only`` selects rows, and ``heading`` is then the title of the figure.
    """

    def draw(table: pl.DataFrame, title: str) -> "Figure | None":
        from reports import figures

        rows = table if only is None else table.filter(only)
        if rows.is_empty():
            return None
        return figures.dots(
            rows,
            label,
            *_ends(value),
            title=heading or title,
            xlabel=xlabel,
            by=by,
            reference=reference,
        )

    return draw


def lines(
    x: str,
    ylabel: str,
    value: str = "estimate",
    *,
    by: str | None = None,
    reference: float | None = None,
    only: pl.Expr | None = None,
) -> Draw:
    """Draw lines along x, with bands; ``only`` selects rows."""

    def draw(table: pl.DataFrame, title: str) -> "Figure | None":
        from reports import figures

        rows = table if only is None else table.filter(only)
        if rows.is_empty():
            return None
        return figures.lines(
            rows,
            x,
            *_ends(value),
            title=title,
            ylabel=ylabel,
            by=by,
            reference=reference,
        )

    return draw


def heat(
    x: str, y: str, unit: str, *, ends: bool = False, only: pl.Expr | None = None
) -> Draw:
    """Draw a grid of estimates; with ``ends``, their intervals, too."""

    def draw(table: pl.DataFrame, title: str) -> "Figure | None":
        from reports import figures

        rows = table if only is None else table.filter(only)
        if rows.is_empty():
            return None
        low, high = ("low", "high") if ends else (None, None)
        return figures.heat(
            rows, x, y, "estimate", title=title, unit=unit, low=low, high=high
        )

    return draw


def bars(label: str, xlabel: str, by: str) -> Draw:
    """Draw a bar for each label, made of its groups."""

    def draw(table: pl.DataFrame, title: str) -> "Figure | None":
        from reports import figures

        return figures.bars(table, label, "estimate", title=title, xlabel=xlabel, by=by)

    return draw


def steps(x: str, count: str, xlabel: str, by: str) -> Draw:
    """Draw how often each outcome occurred."""

    def draw(table: pl.DataFrame, title: str) -> "Figure | None":
        from reports import figures

        return figures.steps(table, x, count, title=title, xlabel=xlabel, by=by)

    return draw


def scatter(
    label: str,
    x: str,
    y: str,
    xlabel: str,
    ylabel: str,
    *,
    reference: float | None = None,
    only: pl.Expr | None = None,
) -> Draw:
    """Draw a dot for each row, with intervals both ways; ``only`` selects rows."""

    def draw(table: pl.DataFrame, title: str) -> "Figure | None":
        from reports import figures

        rows = table if only is None else table.filter(only)
        rows = rows.drop_nulls([x, y])
        if rows.is_empty():
            return None
        named = {"title": title, "xlabel": xlabel, "ylabel": ylabel}
        return figures.scatter(rows, label, x, y, reference=reference, **named)

    return draw
