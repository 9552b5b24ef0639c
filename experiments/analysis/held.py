"""Lines of the scorecard of one rule set, held to what the scorecard allows.

    held(line, scores.values[0])       # number, interval and verdict

The numbers are those of ``effects``, of one way to play.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from experiments.analysis.batch_sums import Value
from experiments.analysis.effects import bounds, error
from experiments.analysis.score_lines import Line
from reports.scorecard.found import Found
from reports.scorecard.lines import BY_ID
from reports.scorecard.score import UNSURE, Verdict, verdict_of

ONE_WAY = ("dead", "dominant")
"""Lines that no single way to play can tell: a report asks all of them."""


@dataclass(frozen=True)
class Held:
    """A number with its 95 % interval, and its verdict."""

    value: float
    low: float
    high: float
    verdict: Verdict


def held(line: Line, seen: Mapping[str, Value], wide: float = 1.0) -> Held | None:
    """The line of a rule set; None where it has no such number.

    ``seen``: its numbers, by line (``effects.Scores.values``). ``wide``: how many times
    wider intervals are for looking. Of ``ONE_WAY`` lines nothing is said.
    """
    one = seen.get(line.id)
    if one is None or not np.isfinite(one.estimate):
        return None
    value, (low, high) = one.estimate, bounds(one, 0.975, wide)
    if not np.isfinite(low + high):
        return None
    if line.id in ONE_WAY:
        return Held(value, low, high, "not measured")
    half = value - low
    number = Found(value, low, value + half, (value,), (error(one, wide),))
    limits = BY_ID[line.id].tolerance
    verdict = verdict_of(number, limits)
    if verdict == "fair" and high - half > value:  # on the safe side
        safe = replace(number, values=(high - half,), high=high)
        word = verdict_of(safe, limits)
        verdict = word if word in ("fair", *UNSURE) else "fair or watch"
    return Held(value, low, high, verdict)
