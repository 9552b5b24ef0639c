"""Lines of the scorecard of one rule set, held to what the scorecard allows.

    held(line, scores.values[0])       # number, interval and verdict

The numbers are those of ``effects``, of one way to play.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from experiments.analysis.batch_sums import BOUND
from experiments.analysis.effects import difference
from experiments.analysis.score_lines import Line
from reports.scorecard.found import Found
from reports.scorecard.lines import BY_ID
from reports.scorecard.score import UNSURE, Verdict, verdict_of
from reports.statistics.intervals import Array

ONE_WAY = ("dead", "dominant")
"""Lines that no single way to play can tell: a report asks all of them."""


@dataclass(frozen=True)
class Held:
    """A number with its 95 % interval, and its verdict."""

    value: float
    low: float
    high: float
    verdict: Verdict


def held(line: Line, seen: Mapping[str, Array], wide: float = 1.0) -> Held | None:
    """The line of a rule set; None where it has no such number.

    ``seen``: its numbers, by line (``effects.Scores.values``). ``wide``: how many times
    wider intervals are for looking. Of ``ONE_WAY`` lines nothing is said.
    """
    values = seen.get(line.id)
    if values is None or not np.isfinite(values[0]):
        return None
    found = difference(np.zeros_like(values), values)
    if not np.isfinite(found["se"]):
        return None
    value, half = found["difference"], wide * (found["high"] - found["difference"])
    number = Found(value, value - half, value + half, (value,), (wide * found["se"],))
    limits = BY_ID[line.id].tolerance
    verdict = verdict_of(number, limits)
    bound = seen.get(f"{line.id}{BOUND}", values)[0]  # on the safe side
    if verdict == "fair" and bound > value:
        safe = replace(number, values=(bound,), high=bound + half)
        word = verdict_of(safe, limits)
        verdict = word if word in ("fair", *UNSURE) else "fair or watch"
    if line.id in ONE_WAY:
        verdict = "not measured"
    return Held(value, value - half, max(value, bound) + half, verdict)
