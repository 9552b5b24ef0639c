"""The number of a line of the scorecard, and what the verdict is based on."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from statistics import NormalDist
from typing import Any

import numpy as np

Z = 1.959963984540054
"""Standard errors from the middle to the ends of a 95 % interval."""
HEURISTICS = "our heuristics"
"""What the players are called if none of them searches or has learned."""
STRONGER = "stronger players"
"""What they are called if several sorts do: only then something is sure."""


@dataclass(frozen=True)
class LineEstimate:
    """The number of a line, and what the verdict is based on.

    ``values`` and ``errors`` (standard errors) are a family, each judged against the
    tolerance; often just the number itself. ``share``: judged by the tests for shares.
    ``sign`` names which of several it is. ``parts`` are the shares of all of several,
    by name. ``words`` fill the line's sentence. ``known_of``: the one strategy that
    the number is from, if a verdict would need more than one.
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
        """The number and the ends of its 95 % interval."""
        return self.value, self.low, self.high

    @property
    def negative(self) -> "LineEstimate":
        """The same number with the opposite sign."""
        return replace(
            self,
            value=-self.value,
            low=-self.high,
            high=-self.low,
            values=tuple(-value for value in self.values),
        )

    @property
    def se(self) -> float:
        """Standard error of the number, from the width of its interval."""
        return (self.high - self.low) / 2 / Z

    @property
    def judged_interval(self) -> tuple[float, float]:
        """The 95 % interval of what is compared with the tolerance."""
        if self.chance is None:
            return self.low, self.high
        [value], [se] = self.values, self.errors
        return value - Z * se, value + Z * se


def per_hundred(share: float) -> str:
    """Format a share as a number of games in a hundred."""
    text = f"{100 * share:.0f}"
    return text if text not in {"0", "100"} else f"{100 * share:.1f}"


def single_estimate(
    row: Mapping[str, Any],
    *,
    share: bool = False,
    note: str = "",
    words: Mapping[str, str] | None = None,
) -> LineEstimate:
    """Return the number of a row of estimates, judged by itself."""
    value = float(row["estimate"])
    low, high = (value if row[end] is None else row[end] for end in ("low", "high"))
    number_words = {
        "value": f"{value:.0f}" if abs(value) >= 10 else f"{value:.1f}",
        "value_of": per_hundred(value),
        "percent": f"{100 * value:.0f}",
    }
    return LineEstimate(
        value,
        low,
        high,
        (value,),
        (row["se"] if row["se"] is not None else np.nan,),
        share,
        n=row["n"] or 0.0,
        note=note,
        words={**number_words, **(words or {})},
    )


def extremes_z(among: int) -> float:
    """Return the standard errors to the ends of simultaneous intervals (Bonferroni)."""
    return NormalDist().inv_cdf(1 - 0.05 / 2 / max(among, 1))


def option_words(decision: str, option: str) -> str:
    """Name an option in words."""
    return f"{option} at {decision}"
