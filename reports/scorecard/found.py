"""The number of a line of the scorecard, and what is judged of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any

import numpy as np

Z = 1.959963984540054
"""Standard errors to the ends of an interval of 95 %."""
HEURISTICS = "our heuristics"
"""Who is asked where nobody searches."""


@dataclass(frozen=True)
class Found:
    """The number of a line, and what is judged.

    ``values`` and ``errors`` are a family, each judged against the tolerance: where
    nothing is said, the number itself. ``share``: by the tests of shares. ``sign``
    says which of several it is. ``parts`` are the shares of all of several, by name.
    ``words`` are put into the line's sentence. ``known_of``: the one strategy that it
    is known of, where more than one would have to be asked.
    """

    value: float
    low: float
    high: float
    values: tuple[float, ...]
    errors: tuple[float, ...]
    share: bool = False
    chance: float | None = None
    sign: str = ""
    n: float = 0.0
    note: str = ""
    words: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, float] = field(default_factory=dict)
    known_of: str = ""

    @property
    def interval(self) -> tuple[float, float, float]:
        """The number, and the ends of its 95 % interval."""
        return self.value, self.low, self.high

    @property
    def se(self) -> float:
        """Standard error of the number, as its interval tells it."""
        return (self.high - self.low) / 2 / Z

    @property
    def held(self) -> tuple[float, float]:
        """The 95 % interval of what is held to the tolerance."""
        if self.chance is None:
            return self.low, self.high
        [value], [se] = self.values, self.errors
        return value - Z * se, value + Z * se


def of_100(share: float) -> str:
    """A share as games of a hundred."""
    text = f"{100 * share:.0f}"
    return text if text not in {"0", "100"} else f"{100 * share:.1f}"


def one_number(
    row: Mapping[str, Any],
    *,
    share: bool = False,
    note: str = "",
    words: Mapping[str, str] | None = None,
) -> Found:
    """A number that is judged by itself."""
    value = float(row["estimate"])
    low, high = (value if row[end] is None else row[end] for end in ("low", "high"))
    told = {
        "value": f"{value:.0f}" if abs(value) >= 10 else f"{value:.1f}",
        "value_of": of_100(value),
        "percent": f"{100 * value:.0f}",
    }
    return Found(
        value,
        low,
        high,
        (value,),
        (row["se"] if row["se"] is not None else np.nan,),
        share,
        n=row["n"] or 0.0,
        note=note,
        words={**told, **(words or {})},
    )


def extremes_z(among: int) -> float:
    """Standard errors to the end of an interval that holds for all of so many."""
    return NormalDist().inv_cdf(1 - 0.05 / 2 / max(among, 1))


def named(decision: str, option: str) -> str:
    """An option in words."""
    return f"{option} at {decision}"
