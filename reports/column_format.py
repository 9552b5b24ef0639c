"""Printing the numbers of a table, each column in its style."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from typing import Literal

import polars as pl

from reports.number_text import (
    NO_DATA,
    digits_for,
    half_width,
    known,
    plain_number,
    with_interval,
)

Style = Literal["text", "count", "share", "number", "points"]


@dataclass(frozen=True)
class Column:
    """A column of an exhibit's table, and how its values are printed.

    style: "share" prints 0.312 as 31.2 %, "points" (percentage points, a difference of
    shares) 0.012 as +1.2 pp. With ``low`` and ``high``, names of columns, the interval
    follows; texts are printed as they are.
    """

    name: str
    title: str
    doc: str
    style: Style = "text"
    low: str | None = None
    high: str | None = None


def format_column(table: pl.DataFrame, column: Column) -> Iterator[str]:
    """Yield the texts of a column, with intervals."""
    values = table[column.name].to_list()
    if column.style == "text":
        yield from ("none" if value is None else str(value) for value in values)
        return
    ends = [table[end].to_list() for end in (column.low, column.high) if end]
    if len(ends) < 2:
        digits = _digits(column.style, [])
        yield from (_number(value, column.style, digits) for value in values)
        return
    scale = 1 if column.style == "number" else 100
    rows = [
        [math.nan if end is None else scale * end for end in numbers]
        for numbers in zip(values, *ends, strict=True)
    ]
    halves = [half_width(*row) for row in rows if all(map(known, row))]
    digits = _digits(column.style, halves)
    unit, sign = _UNITS[column.style]
    for row in rows:
        yield with_interval(row, digits=digits, unit=unit, sign=sign)


_UNITS: dict[Style, tuple[str, str]] = {
    "text": ("", ""),
    "count": ("", ""),
    "share": (" %", ""),
    "number": ("", ""),
    "points": (" pp", "+"),
}
"""The unit of each style, and the sign of numbers above 0."""


def _digits(style: Style, halves: list[float]) -> int:
    """Choose decimals that show a typical interval, and no more."""
    if style == "count":
        return 0
    if not halves or median(halves) <= 0:
        return 2 if style == "number" else 1
    return digits_for(median(halves))


def _number(value: float | None, style: Style, digits: int) -> str:
    """Print a number in its style, with a true minus sign."""
    if not known(value):
        return NO_DATA
    unit, sign = _UNITS[style]
    return f"{plain_number(value if not unit else 100 * value, digits, sign)}{unit}"
