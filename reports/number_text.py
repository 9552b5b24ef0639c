"""Numbers as texts: a true minus sign, and an interval as ± half of its width.

Both are rounded to what the interval can tell. The half is rounded up, so that what is
printed is never narrower than the interval. One that is lopsided, or lacks an end, is
not told as ±.
"""

import math
from collections.abc import Sequence
from typing import TypeGuard

NO_DATA = "no data"
"""Printed where there is no number."""
_LOPSIDED = 1.5  # times the shorter side


def plain_number(value: float, digits: int, sign: str = "") -> str:
    """Format a number, without a sign for 0; sign: "+" also tells what is above."""
    return f"{value:{sign}z,.{digits}f}".replace("-", "\N{MINUS SIGN}")


def known(value: float | None) -> TypeGuard[float]:
    """Return whether there is a number."""
    return value is not None and math.isfinite(value)


def half_width(value: float, low: float, high: float) -> float:
    """Return the longer side of an interval.

    >>> half_width(30.0, 28.0, 32.5)
    2.5
    """
    return max(high - value, value - low, 0.0)


def digits_for(half: float, most: int = 4) -> int:
    """Return the decimals that show an interval of this half-width, and no more.

    >>> [digits_for(half) for half in (3.1, 1.2, 0.3, 0.0)]
    [0, 1, 1, 1]
    """
    return 1 if half <= 0 else min(max(math.ceil(-math.log10(half / 2)), 0), most)


def with_interval(
    number: Sequence[float | None],
    *,
    digits: int | None = None,
    unit: str = "",
    sign: str = "",
) -> str:
    """Format a number with its interval; digits: None as the interval needs.

    >>> with_interval((30.1, 28.0, 32.4), unit=" %")
    '30 ± 3 %'
    >>> with_interval((0.4, 0.1, 1.4), unit=" %")
    '0.4 % (0.1 to 1.4)'
    """
    value, low, high = (end if known(end) else None for end in number)
    if value is None:
        return NO_DATA
    if low is None or high is None:
        places = 1 if digits is None else digits
        return f"{plain_number(value, places, sign)}{unit} (no interval)"
    half = half_width(value, low, high)
    whole = all(float(end).is_integer() for end in (value, low, high))
    places = 0 if whole else digits_for(half) if digits is None else digits
    middle = plain_number(value, places, sign)
    if half > _LOPSIDED * min(high - value, value - low):
        ends = " to ".join(plain_number(end, places, sign) for end in (low, high))
        return f"{middle}{unit} ({ends})" if half > 0 else f"{middle} ± 0{unit}"
    wide = math.ceil(half * 10**places - 1e-6) / 10**places
    return f"{middle} ± {wide:,.{places}f}{unit}"
