"""Printing the numbers of a table, each column in its style."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from typing import Literal

import polars as pl

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
    pairs = list(zip(*ends, strict=True))
    widths = [high - low for low, high in pairs if _known(low) and _known(high)]
    digits = _digits(column.style, widths)
    for value, (low, high) in zip(values, pairs, strict=True):
        text = _number(value, column.style, digits)
        if not _known(value):
            yield text
        elif not (_known(low) and _known(high)):
            yield f"{text} (no interval)"
        else:
            around = (_number(end, column.style, digits) for end in (low, high))
            bare = ", ".join(
                end.removesuffix(" %").removesuffix(" pp") for end in around
            )
            yield f"{text} [{bare}]"


def _known(value: float | None) -> bool:
    return value is not None and math.isfinite(value)


def _digits(style: Style, widths: list[float]) -> int:
    """Choose decimals that show a typical interval, and no more."""
    if style == "count":
        return 0
    percent = style != "number"
    width = (100 if percent else 1) * median(widths) if widths else 0.0
    if width <= 0:
        return 1 if percent else 2
    return min(max(1 + math.ceil(-math.log10(width)), int(percent)), 4)


def _number(value: float | None, style: Style, digits: int) -> str:
    """Print a number in its style, with a true minus sign."""
    if value is None or not _known(value):
        return "no data"
    if style == "share":
        text = f"{100 * value:z.{digits}f} %"
    elif style == "points":
        text = f"{100 * value:+z.{digits}f} pp"
    else:
        text = f"{value:z,.{digits}f}"
    return text.replace("-", "\N{MINUS SIGN}")
