"""Figures of tables: each kind is a function from a table to a figure.

``dots`` compares many things with their intervals, ``lines`` follows them over weeks,
``heat`` shows a grid, ``bars`` the parts of a whole, ``steps`` the spread of outcomes,
``scatter`` two numbers of each thing. All are in the style of ``reports.figure_style``.

In all of them ``table`` is a polars frame, and ``label``, ``x``, ``by``, ... name its
columns. Rows keep their order, and null means "no data". If the label of an axis (or
the unit of ``heat``) ends with %, 0.31 is printed as 31.
"""

from typing import Any

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from reports.figure_rows import groups_of, numbers_of, places_of, rows_of, values_of
from reports.figure_style import (
    COLOURS,
    DASHES,
    GRID,
    HATCHES,
    MARKERS,
    REFERENCE,
    SMALL,
    canvas,
    column_words,
    finish,
    percent,
    pick,
    reference_note,
    row_height,
    rows_on_y,
    text_of,
    wrap_label,
)
from reports.safe_text import literal_text

INTERVALS = "95 % intervals, unit of resampling: game"

_CENTRED: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 8}
_ALLOWED_COLOUR = "#DDEFE2"


@literal_text()
def dots(  # noqa: PLR0913 - nearly all are keywords
    table: pl.DataFrame,
    label: str,
    estimate: str,
    low: str,
    high: str,
    *,
    title: str,
    xlabel: str,
    by: str | None = None,
    reference: float | None = None,
    note: str = "",
) -> Figure:
    """Draw a row for each label: its estimate as a dot, its interval as a bar.

    by: column of groups, which share a row and differ in marker and colour.
    reference: a value to compare with, drawn as a dashed line. note: a footnote,
    instead of the one on what bars mean.
    """
    groups = groups_of(table, by)
    rows = rows_of(table, label, groups)
    height = max(row_height(rows), 0.1 + 0.15 * len(groups))
    figure, axes = canvas(0.1 + height * len(rows), title, xlabel)
    for place, (name, part) in enumerate(groups.items()):
        shift = (place - (len(groups) - 1) / 2) * 0.7 / len(groups)
        y = places_of(part, label, rows) + shift
        middle, colour = numbers_of(part, estimate), pick(COLOURS, place)
        ends = numbers_of(part, low), numbers_of(part, high)
        axes.hlines(y, *ends, colour, linewidth=1.6)
        look = {"color": colour, "markersize": 4.5, "label": text_of(name)}
        axes.plot(middle, y, pick(MARKERS, place), **look)
        for empty in y[np.isnan(middle)]:
            side = axes.get_yaxis_transform()
            axes.text(0.01, empty, "no data", va="center", fontsize=8, transform=side)
    rows_on_y(axes, rows)
    if reference is not None:
        axes.axvline(reference, **REFERENCE)
    percent(axes.xaxis, xlabel)
    note = note or f"bars: {INTERVALS}{reference_note(reference, xlabel)}"
    return finish(figure, axes, note, by)


@literal_text()
def lines(  # noqa: PLR0913 - nearly all are keywords
    table: pl.DataFrame,
    x: str,
    estimate: str,
    low: str,
    high: str,
    *,
    title: str,
    ylabel: str,
    by: str | None = None,
    reference: float | None = None,
    allowed: tuple[float, float] | None = None,
) -> Figure:
    """Draw a line for each group along x (weeks, rounds), its interval as a band.

    reference: a value to compare with, drawn as a dashed line. allowed: least and most,
    shaded; either may be infinite.
    """
    figure, axes = canvas(2.9, title, column_words(x), ylabel)
    for place, (name, rows) in enumerate(groups_of(table, by).items()):
        part, colour = rows.sort(x), pick(COLOURS, place)
        along = part[x].to_numpy()
        ends = numbers_of(part, low), numbers_of(part, high)
        axes.fill_between(along, *ends, color=colour, alpha=0.18, linewidth=0)
        dash, marker = pick(DASHES, place), pick(MARKERS, place)
        look = {"color": colour, "linestyle": dash, "marker": marker, "markersize": 4}
        axes.plot(along, numbers_of(part, estimate), label=text_of(name), **look)
    if reference is not None:
        axes.axhline(reference, **REFERENCE)
    if table[x].dtype.is_integer():
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axes.grid(axis="y", **GRID)
    more = "" if allowed is None else _shade(axes, allowed)
    percent(axes.yaxis, ylabel)
    note = f"bands: {INTERVALS}{reference_note(reference, ylabel)}{more}"
    return finish(figure, axes, note, by)


def _shade(axes: Axes, allowed: tuple[float, float]) -> str:
    """Shade what is allowed, keep its bounds in sight, and return a footnote."""
    bounds = [end for end in allowed if np.isfinite(end)]
    low, high = axes.get_ylim()
    room = 0.04 * (high - low)
    low = min(low, *(b - room for b in bounds))
    high = max(high, *(b + room for b in bounds))
    shaded = max(low, allowed[0]), min(high, allowed[1])
    axes.axhspan(*shaded, color=_ALLOWED_COLOUR, zorder=0)
    axes.set_ylim(low, high)
    return "; shaded: allowed"


@literal_text()
def heat(
    table: pl.DataFrame,
    x: str,
    y: str,
    value: str,
    *,
    title: str,
    unit: str,
    low: str | None = None,
    high: str | None = None,
) -> Figure:
    """Print values in the cells of a grid; with low and high, their intervals, too.

    Light is low and dark is high; a hatched cell has no data. unit: what is printed.
    """
    across, down = values_of(table, x), values_of(table, y)
    columns = (value, low, high) if low and high else (value,)
    grids = np.full((len(columns), len(down), len(across)), np.nan)
    for grid, name in zip(grids, columns, strict=True):
        at = places_of(table, y, down), places_of(table, x, across)
        grid[at] = numbers_of(table, name)
    height = 0.5 + len(down) * max(row_height(down), 0.36 if low and high else 0.26)
    figure, axes = canvas(height, title, column_words(x), column_words(y))
    axes.patch.set(hatch="////", edgecolor="#BBBBBB")
    filled = np.ma.masked_invalid(grids[0])
    least, most = (filled.min(), filled.max()) if filled.count() else (0.0, 1.0)
    pale = Normalize(least, least + 2 * ((most - least) or 1.0))  # for dark text on it
    axes.pcolormesh(filled, cmap="Blues", norm=pale, edgecolors="white")
    for row, column in zip(*np.nonzero(~filled.mask), strict=True):
        words = _cell(grids[:, row, column].tolist(), unit)
        axes.text(column + 0.5, row + 0.5, words, **_CENTRED)
    long = sum(len(text_of(name)) + 2 for name in across) > 80
    axes.set_xticks(np.arange(len(across)) + 0.5, [text_of(name) for name in across])
    axes.tick_params(axis="x", rotation=90 if long else 0)
    axes.set_yticks(np.arange(len(down)) + 0.5, [wrap_label(name) for name in down])
    axes.invert_yaxis()
    meaning = f"below it: {INTERVALS}" if low and high else "intervals: in the table"
    return finish(figure, axes, f"in each cell: {unit}; {meaning}")


@literal_text()
def bars(
    table: pl.DataFrame,
    label: str,
    value: str,
    *,
    title: str,
    xlabel: str,
    by: str | None = None,
) -> Figure:
    """Draw a bar for each label, made of its groups end to end (shares or counts)."""
    groups = groups_of(table, by)
    rows = rows_of(table, label, groups)
    height = max(0.1 + len(rows) * row_height(rows), 0.2 * len(groups))
    figure, axes = canvas(height, title, xlabel)
    start = np.zeros(len(rows))
    for place, (name, part) in enumerate(groups.items()):
        size = np.zeros(len(rows))
        np.add.at(
            size, places_of(part, label, rows), np.nan_to_num(numbers_of(part, value))
        )
        look = {"color": pick(COLOURS, place), "hatch": pick(HATCHES, place)}
        edge: dict[str, Any] = {"edgecolor": "white", "linewidth": 0.8, **look}
        axes.barh(np.arange(len(rows)), size, 0.72, start, label=text_of(name), **edge)
        start += size
    rows_on_y(axes, rows)
    axes.set_xlim(0, 1 if np.allclose(start, 1) else None)
    percent(axes.xaxis, xlabel)
    return finish(figure, axes, "no intervals here: they are in the table", by)


@literal_text()
def steps(
    table: pl.DataFrame,
    x: str,
    count: str,
    *,
    title: str,
    xlabel: str,
    by: str | None = None,
) -> Figure:
    """Draw how often each whole-number outcome x occurred, as a share of its group."""
    figure, axes = canvas(2.6, title, xlabel, "share of its group, %")
    outcome, groups = table[x].to_numpy(), groups_of(table, by)
    whole = np.arange(outcome.min(initial=0), outcome.max(initial=0) + 1)
    edges = np.append(whole, whole[-1] + 1) - 0.5
    for place, (name, part) in enumerate(groups.items()):
        counts = np.zeros(len(whole))
        np.add.at(counts, part[x].to_numpy() - whole[0], numbers_of(part, count))
        look = {"color": pick(COLOURS, place), "linestyle": pick(DASHES, place)}
        legend = f"{text_of(name)} (n = {counts.sum():,.0f})"
        look |= {"linewidth": 1.6, "fill": len(groups) == 1, "label": legend}
        axes.stairs(counts / max(counts.sum(), 1), edges, **look)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axes.grid(axis="y", **GRID)
    percent(axes.yaxis, "%")
    total = f"n = {numbers_of(table, count).sum():,.0f} outcomes counted, no intervals"
    return finish(figure, axes, total, by)


@literal_text()
def scatter(
    table: pl.DataFrame,
    label: str,
    x: str,
    y: str,
    *,
    title: str,
    xlabel: str,
    ylabel: str,
    reference: float | None = None,
) -> Figure:
    """Draw a dot for each label, with intervals in both directions.

    The interval of a column is in the columns that end in ``_low`` and ``_high``.
    reference: a value of y to compare with, drawn as a dashed line.
    """
    height = max(3.6, 0.2 * table.height)  # inches, of the plot and of its legend
    figure, axes = canvas(height, title, xlabel, ylabel)
    across, up = numbers_of(table, x), numbers_of(table, y)
    ends = {f"{n}{e}": numbers_of(table, f"{n}{e}") for n in (x, y) for e in _ENDS}
    for place, name in enumerate(table[label].to_list()):
        colour, at = pick(COLOURS, place), (across[place], up[place])
        along = [ends[f"{x}{end}"][place] for end in _ENDS]
        axes.plot(along, [at[1]] * 2, color=colour, linewidth=1.4)
        upward = [ends[f"{y}{end}"][place] for end in _ENDS]
        axes.plot([at[0]] * 2, upward, color=colour, linewidth=1.4)
        look = {"color": colour, "markersize": 4.5, "linestyle": "none"}
        legend = f"{place + 1}: {text_of(name)}"
        axes.plot(*at, pick(MARKERS, place), label=legend, **look)
    if reference is not None:
        axes.axhline(reference, **REFERENCE)
    axes.grid(**GRID)
    percent(axes.yaxis, ylabel)
    note = f"bars: {INTERVALS}{reference_note(reference, ylabel)}"
    finish(figure, axes, note, label)
    _number(axes, np.column_stack([across, up]))
    return figure


_ENDS = ("_low", "_high")
_LABEL_OFFSETS = 7 * np.array(
    [(1, 1), (-1, 1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1), (0, -1)]
)
_LABEL_ROOM = 8  # points between a number and the next dot or number


def _number(axes: Axes, at: NDArray[np.float64]) -> None:
    """Number dots (dots, 2) from 1, with each number beside its dot.

    It is on the upper right if there is room, or else on the next side with room; if
    there is no room, on the side that is farthest from all other dots and numbers.
    """
    dots = axes.transData.transform(at) * 72 / axes.figure.dpi
    taken = dots[np.isfinite(dots).all(axis=1)]
    for number, dot in enumerate(dots, start=1):
        if not np.isfinite(dot).all():
            continue
        spots = dot + _LABEL_OFFSETS
        others = taken[(taken != dot).any(axis=1)]
        distances = np.linalg.norm(spots[:, None] - others[None], axis=2)
        room = distances.min(axis=1, initial=_LABEL_ROOM)
        best = room.argmax()
        taken = np.vstack([taken, spots[best]])
        where: dict[str, Any] = {"xytext": _LABEL_OFFSETS[best], "ha": "center"}
        where |= {"textcoords": "offset points", "va": "center"}
        axes.annotate(str(number), at[number - 1], fontsize=SMALL, **where)


def _cell(values: list[float], unit: str) -> str:
    """Return the text of a value, with its interval below it."""
    scale, digits = (100, 0) if unit.endswith("%") else (1, 1)
    value, *ends = (f"{scale * value:.{digits}f}" for value in values)
    return f"{value}\n[{', '.join(ends)}]" if ends else value
