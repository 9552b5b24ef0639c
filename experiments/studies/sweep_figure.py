"""The figure of a study: a measure against the factors that it varied."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import polars as pl

from experiments.studies import sweep_results
from experiments.studies.run_study import StudyResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST_GROUPS = 7  # that a reader can distinguish in a figure
_MOST_ROWS = 40
_BARS = "bars: 95 % intervals, unit of resampling: point of the design"


def figure(
    done: StudyResult, measure: str, allowed: tuple[float, float] | None = None
) -> "Figure | None":
    """Draw a measure; return None if it would not be readable.

    It draws sensitivities, if there are any; a line along a single number that was
    varied; a grid of two factors; otherwise a row for each place. ``allowed``: bounds
    that are shaded along a line.
    """
    matters = sweep_results.sensitivity(done, measure).drop_nulls("alone")
    if matters.height:
        return _sensitivities(done, measure, matters)
    table = sweep_results.sweep_table(done, measure).drop_nulls("estimate")
    keys = _varying(table, done.plan.keys)
    rest = _varying(table, sweep_results.CELL_COLUMNS)
    rest = [name for name in rest if name not in keys]
    groups = [name for name in _groups(table) if name not in done.plan.keys]
    rows = _labelled(table, [*rest, *groups])
    lines = rows["who"].n_unique()
    if table.is_empty():
        return None
    if len(keys) == 1 and table.schema[keys[0]].is_numeric() and lines <= _MOST_GROUPS:
        return _lines(done, measure, rows, keys[0], allowed)
    if len(keys) == 2 and lines == 1:
        return _grid(done, measure, rows, keys)
    rows = _labelled(_labelled(table, [*rest, *keys], "place"), groups)
    if rows["place"].n_unique() > _MOST_ROWS or rows["who"].n_unique() > _MOST_GROUPS:
        return None
    return _places(done, measure, rows)


def _sensitivities(
    done: StudyResult, measure: str, matters: pl.DataFrame
) -> "Figure | None":
    from reports import figures
    from reports.figure_style import footnote

    rows = _labelled(
        matters, [*_varying(matters, sweep_results.CELL_COLUMNS), *_groups(matters)]
    )
    if rows["who"].n_unique() > _MOST_GROUPS:
        return None
    drawn = figures.dots(
        rows,
        "key",
        "alone",
        "alone_low",
        "alone_high",
        title=_title(done, measure),
        xlabel=f"share of the variance of {measure}, %",
        by="who",
    )
    footnote(drawn, _BARS)
    return drawn


def _lines(
    done: StudyResult,
    measure: str,
    rows: pl.DataFrame,
    key: str,
    allowed: tuple[float, float] | None,
) -> "Figure":
    from reports import figures

    name = key.rpartition(".")[2]
    return figures.lines(
        rows.rename({key: name}),
        name,
        "estimate",
        "low",
        "high",
        title=_title(done, measure),
        ylabel=_unit(done, measure),
        by="who",
        allowed=allowed,
    )


def _grid(
    done: StudyResult, measure: str, rows: pl.DataFrame, keys: Sequence[str]
) -> "Figure":
    from reports import figures

    return figures.heat(
        rows,
        keys[0],
        keys[1],
        "estimate",
        title=_title(done, measure),
        unit=_unit(done, measure),
        low="low",
        high="high",
    )


def _places(done: StudyResult, measure: str, rows: pl.DataFrame) -> "Figure":
    from reports import figures

    return figures.dots(
        rows,
        "place",
        "estimate",
        "low",
        "high",
        title=_title(done, measure),
        xlabel=_unit(done, measure),
        by="who",
    )


def _title(done: StudyResult, measure: str) -> str:
    return done.plan.question or measure


def _unit(done: StudyResult, measure: str) -> str:
    return f"{measure}, %" if done.measure(measure).share else measure


def _groups(table: pl.DataFrame) -> list[str]:
    """Return the columns by which a measure is grouped."""
    fixed = {
        *sweep_results.CELL_COLUMNS,
        *sweep_results.ESTIMATE_COLUMNS,
        *sweep_results.SENSITIVITY,
        "point",
    }
    return [name for name in table.columns if name not in fixed]


def _varying(table: pl.DataFrame, names: Sequence[str]) -> list[str]:
    present = [name for name in names if name in table.columns]
    return [name for name in present if table[name].n_unique() > 1]


def _labelled(
    table: pl.DataFrame, names: Sequence[str], called: str = "who"
) -> pl.DataFrame:
    """Return the table with a column that joins several in words."""
    if not names:
        return table.with_columns(pl.lit("all").alias(called))
    numbers = [n for n in names if table.schema[n].is_numeric()]
    words = [
        pl.format(f"{name.rpartition('.')[2]} {{}}", name)
        if name in numbers
        else pl.col(name).cast(pl.String)
        for name in names
    ]
    return table.with_columns(pl.concat_str(words, separator=", ").alias(called))
