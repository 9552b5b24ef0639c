"""Format the numbers of a comparison, for the terminal and the page.

A row has measure, group, one and other (the two sides), difference, low, high,
different, verdict, and ``share``: whether its numbers are shares, printed in percent.
"""

import math
from collections.abc import Mapping
from typing import Any

MANY = 10_000_000
"""More games than anybody will play to decide something."""
ONE_SIDE = "on one side only"
"""The verdict on things that cannot, or never do, happen on the other side."""
NO_DATA = "no data"
_SAID = {
    (True, "outside"): "differs",
    (True, "within"): "differs a little",
    (True, "undecided"): "differs, size open",
    (False, "outside"): "differs",
    (False, "within"): "the same",
    (False, "undecided"): "undecided",
    (False, "too rare"): "too rare",
}


def measure_label(measure: str, group: str) -> str:
    """Return a measure and its group in words: ``won, seat 0``."""
    if not group:
        return measure
    name, _, by = measure.partition(" by ")
    return f"{name if by else measure}, {group.removeprefix('strategy ')}"


def verdict_words(row: Mapping[str, Any]) -> str:
    """Say whether a number differs."""
    if row.get("one_side"):
        return ONE_SIDE
    return _SAID[bool(row["different"]), row["verdict"]]


def format_estimate(row: Mapping[str, Any], name: str, unit: str | None = None) -> str:
    """Format a number of one side, with as many decimals as its difference has.

    unit: what follows the number; by default the percent sign for shares.
    """
    if row[name] is None:
        return NO_DATA
    if unit is None:
        unit = "%" if row["share"] else ""
    return f"{_scale(row) * row[name]:z.{_digits(row)}f} {unit}".strip()


def format_difference(row: Mapping[str, Any], unit: str = "") -> str:
    """Format a signed difference and its interval; shares in points, else in unit."""
    if row["difference"] is None:
        return NO_DATA
    scale, digits = _scale(row), _digits(row)
    unit = "points" if row["share"] else unit
    middle = f"{scale * row['difference']:+z.{digits}f} {unit}".strip()
    if row["low"] is None:
        return f"{middle} (no interval)"
    low, high = (f"{scale * row[end]:+z.{digits}f}" for end in ("low", "high"))
    return f"{middle} ({low} to {high})"


def format_games(needed: float | None) -> str:
    """Format a number of games that would decide, rounded up to two digits."""
    if needed is None:
        return ""
    if not needed <= MANY:
        return "more than 10 million"
    step = 10 ** max(len(str(int(needed))) - 2, 0)
    return f"{int(-(-needed // step) * step):,}"


def _scale(row: Mapping[str, Any]) -> int:
    return 100 if row["share"] else 1


def _digits(row: Mapping[str, Any]) -> int:
    """Return the decimals that are enough to show the interval."""
    width = 0.0 if row["low"] is None else _scale(row) * (row["high"] - row["low"])
    if width <= 0:
        return 2
    return min(max(1 - math.floor(math.log10(width)), 0), 4)
