"""The numbers of a comparison as they are printed, in the terminal and on the page.

A row has measure, group, one and other (of both sides), difference, low, high,
different, verdict, and ``share``: whether its numbers are shares, printed in percent.
"""

import math
from collections.abc import Mapping
from typing import Any

MANY = 10_000_000
"""Games that nobody will play to decide something."""
ONE_SIDE = "on one side only"
"""The verdict on what cannot happen, or never did, on the other side."""
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


def label(measure: str, group: str) -> str:
    """A measure and its group in words: ``won, seat 0``."""
    if not group:
        return measure
    name, _, by = measure.partition(" by ")
    return f"{name if by else measure}, {group.removeprefix('strategy ')}"


def said(row: Mapping[str, Any]) -> str:
    """Whether a number differs, in words."""
    if row.get("one_side"):
        return ONE_SIDE
    return _SAID[bool(row["different"]), row["verdict"]]


def estimate(row: Mapping[str, Any], name: str, unit: str | None = None) -> str:
    """A number of one side, with as many decimals as its difference has.

    unit: what it is printed with; of a share, if nothing is said, the percent sign.
    """
    if row[name] is None:
        return NO_DATA
    if unit is None:
        unit = "%" if row["share"] else ""
    return f"{_scale(row) * row[name]:z.{_digits(row)}f} {unit}".strip()


def difference(row: Mapping[str, Any], unit: str = "") -> str:
    """A difference with its interval, signed; of shares in points, else in the unit."""
    if row["difference"] is None:
        return NO_DATA
    scale, digits = _scale(row), _digits(row)
    unit = "points" if row["share"] else unit
    middle = f"{scale * row['difference']:+z.{digits}f} {unit}".strip()
    if row["low"] is None:
        return f"{middle} (no interval)"
    low, high = (f"{scale * row[end]:+z.{digits}f}" for end in ("low", "high"))
    return f"{middle} ({low} to {high})"


def games(needed: float | None) -> str:
    """A number of games that would decide, with two leading digits."""
    if needed is None:
        return ""
    if not needed <= MANY:
        return "more than 10 million"
    step = 10 ** max(len(str(int(needed))) - 2, 0)
    return f"{int(-(-needed // step) * step):,}"


def _scale(row: Mapping[str, Any]) -> int:
    return 100 if row["share"] else 1


def _digits(row: Mapping[str, Any]) -> int:
    """Decimals that show the interval, and no more."""
    width = 0.0 if row["low"] is None else _scale(row) * (row["high"] - row["low"])
    if width <= 0:
        return 2
    return min(max(1 - math.floor(math.log10(width)), 0), 4)
