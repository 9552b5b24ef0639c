"""Targets for lines of the scorecard: ``positions <= 2pp``, ``length <= 30``."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from experiments.analysis.line_values import LineValue
from experiments.analysis.scorecard_effects import bounds
from experiments.core.cells import UsageError
from reports.scorecard.lines import BY_ID
from reports.scorecard.score_line import ScoreLine
from sim.parameters import no_such, one_of

Word = Literal["met", "missed", "open"]
_FORM = re.compile(r"\s*([\w-]+)\s*(<=|>=)\s*(-?\d+(?:\.\d+)?)\s*(pp|%)?\s*")


@dataclass(frozen=True)
class Goal:
    """A bound on one line."""

    line: ScoreLine
    at_most: bool  # else the least
    bound: float

    def __str__(self) -> str:
        """Return it as it is written."""
        about = self.line
        unit = {"points": "pp", "share": "%"}.get(self.line.style, "")
        sign = "<=" if self.at_most else ">="
        return f"{self.line.id} {sign} {about.scale * self.bound:g}{unit}"

    def excess(self, values: Mapping[str, LineValue]) -> float:
        """Return how far the number lies beyond the bound; negative if it is met."""
        apart = values[self.line.id].estimate - self.bound
        return apart if self.at_most else -apart

    def word(self, values: Mapping[str, LineValue], level: float = 0.95) -> Word:
        """Return whether it is shown to be met or missed at this level, or open."""
        low, high = bounds(values[self.line.id], level)
        met = high <= self.bound if self.at_most else low >= self.bound
        missed = low > self.bound if self.at_most else high < self.bound
        return "met" if met else "missed" if missed else "open"


def goal_within(line: ScoreLine, value: float) -> Goal:
    """Return the bound of a line's tolerance that a number is beyond."""
    limits = BY_ID[line.id].tolerance
    at_most = value > limits.most
    return Goal(line, at_most, limits.most if at_most else limits.least)


def goals(texts: Sequence[str], lines: Sequence[ScoreLine]) -> list[Goal]:
    """Parse targets; one text may hold several, separated by commas.

    Raises ``UsageError``, which lists the lines.
    """
    known = {line.id: line for line in lines}
    parsed = []
    for text in (part for whole in texts for part in whole.split(",")):
        match = _FORM.fullmatch(text)
        if match is None:
            raise UsageError(
                f"target {text.strip()!r}: write a line of the scorecard and a bound, "
                f"as 'positions <= 2pp' or 'length <= 30'. Lines: {one_of(known)}."
            )
        name, sign, number, unit = match.groups()
        if name not in known:
            raise UsageError("target: " + no_such("line", name, known, "Lines here"))
        bound = float(number) * (0.01 if unit else 1.0)
        share = known[name].style != "number"
        if share and abs(bound) > 1:
            raise UsageError(
                f"target {text.strip()!r}: {name} is a share; write {number}pp."
            )
        if unit and not share:
            raise UsageError(f"target {text.strip()!r}: {name} is not a share.")
        parsed.append(Goal(known[name], sign == "<=", bound))
    if not parsed:
        raise UsageError("target: name at least one, as 'positions <= 2pp'.")
    return parsed
