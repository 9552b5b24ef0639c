"""Test the scorecard lines of one rule set against the scorecard's tolerances.

    check_line(line, scores.values[0])  # number, interval and verdict

The numbers are those of ``Scores.effects``, with one strategy.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from experiments.analysis.line_values import LineValue
from experiments.analysis.scorecard_effects import bounds, standard_error
from reports.scorecard.line_estimate import LineEstimate
from reports.scorecard.lines import BY_ID
from reports.scorecard.score_line import ScoreLine
from reports.scorecard.scored_line import UNSURE, LineVerdict, ScoredLine, verdict_of
from reports.scorecard.sentences import worst

ONE_WAY = ("dead", "dominant")
"""Lines that no single strategy can decide: a report asks all of them."""


@dataclass(frozen=True)
class LineCheck:
    """A number with its 95 % interval, and its verdict."""

    value: float
    low: float
    high: float
    verdict: LineVerdict


def check_line(
    line: ScoreLine, values: Mapping[str, LineValue], widening: float = 1.0
) -> LineCheck | None:
    """Return the verdict on a line of a rule set; None if it has no such number.

    ``values``: the numbers by line (``scorecard_effects.Scores.values``). ``widening``:
    the factor by which intervals are widened for looking. ``ONE_WAY`` lines are "not
    measured".
    """
    number = values.get(line.id)
    if number is None or not np.isfinite(number.estimate):
        return None
    value, (low, high) = number.estimate, bounds(number, 0.975, widening)
    if not np.isfinite(low + high):
        return None
    if line.id in ONE_WAY:
        return LineCheck(value, low, high, "not measured")
    half = value - low
    estimate = LineEstimate(
        value, low, value + half, (value,), (standard_error(number, widening),)
    )
    limits = BY_ID[line.id].tolerance
    verdict = verdict_of(estimate, limits)
    if verdict == "fair" and high - half > value:  # on the safe side
        safe = replace(estimate, values=(high - half,), high=high)
        word = verdict_of(safe, limits)
        verdict = word if word in ("fair", *UNSURE) else "fair or watch"
    return LineCheck(value, low, high, verdict)


def problems(
    lines: Sequence[ScoreLine], values: Mapping[str, LineValue]
) -> list[ScoreLine]:
    """Return the lines that a rule set is shown to break, the most urgent first.

    ``values``: its numbers by line. Urgency is that of a report's page one.
    """
    scored = []
    for line in lines:
        if (check := check_line(line, values)) is not None:
            limits = BY_ID[line.id].tolerance
            over = max(check.value - limits.most, limits.least - check.value, 0.0)
            size = over / (limits.margin or 1.0)
            scored.append(ScoredLine(BY_ID[line.id], 0, check.verdict, size=size))
    order = [score.line.id for score in worst(scored)]
    return [line for name in order for line in lines if line.id == name]
