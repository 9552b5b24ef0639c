"""A line of the scorecard: the question, its tolerance, and words for its number."""

import math
from dataclasses import dataclass
from typing import Literal

Style = Literal["share", "points", "number"]
Sort = Literal["fairness", "tension", "skill", "length", "options"]
SORTS: tuple[Sort, ...] = ("fairness", "tension", "skill", "length", "options")
_NEVER = math.inf


@dataclass(frozen=True)
class LineTolerance:
    """A number is fair from ``least`` to ``most``, and watched ``margin`` beyond."""

    least: float = -_NEVER
    most: float = _NEVER
    margin: float = 0.0

    def __post_init__(self) -> None:
        """Raise ValueError if no number can meet the tolerance."""
        if self.least > self.most:
            raise ValueError(f"least {self.least:g} lies above most {self.most:g}.")
        if not self.margin >= 0:
            raise ValueError(f"margin: 0 or more, not {self.margin:g}.")

    @property
    def fair_range(self) -> tuple[float, float]:
        """Bounds of the numbers that are fair."""
        return self.least, self.most

    @property
    def watch_range(self) -> tuple[float, float]:
        """Bounds of the numbers that are fair or watched."""
        return self.least - self.margin, self.most + self.margin


@dataclass(frozen=True)
class ScoreLine:
    """A line of the scorecard.

    ``style`` and ``unit`` say how its number is printed. ``chance``: whether the
    tolerance is a difference from chance. ``section``: words in the id of the
    section to look at, the best first. ``weight``: the urgency of a problem
    compared with others as far beyond their tolerances; who wins counts double, one
    option of many half. ``whether`` is the question as a clause. ``low`` and
    ``high`` say what is wrong if the number is beyond its tolerance; ``{...}`` in
    them is filled with the words of the line's number
    (``reports.scorecard.sentences``), ``never`` of options that are never on offer.
    ``claims``, for a line about several shares:
    how far from even the line claims that one of them is, as findings do.

    A line can be compared between rule sets if its ``number`` has a name: it then
    needs no panel of strategies and no run of its own. ``sort`` is what it is about,
    ``more`` and ``less`` describe a game whose number is greater, or smaller.
    ``least`` is the smallest difference that matters, ``relative`` the smallest part of
    the number. ``mixed``: it comes from lineups with one beginner.
    """

    id: str
    title: str
    asks: str
    doc: str
    style: Style
    tolerance: LineTolerance
    whether: str
    unit: str = ""
    chance: bool = False
    section: tuple[str, ...] = ()
    low: str = ""
    high: str = ""
    weight: float = 1.0
    claims: float | None = None
    number: str = ""
    sort: Sort = "options"
    more: str = ""
    less: str = ""
    least: float = 0.01
    relative: float = 0.0
    mixed: bool = False
    never: str = ""

    @property
    def about_options(self) -> bool:
        """Whether it is about options: such lines share a sentence."""
        return self.section == ("taken",)

    @property
    def scale(self) -> float:
        """The factor by which its numbers are multiplied to be printed."""
        return 1.0 if self.style == "number" else 100.0

    @property
    def number_unit(self) -> str:
        """The unit of its number."""
        return "%" if self.style == "share" else self.measured

    @property
    def measured(self) -> str:
        """The unit of a difference, in words."""
        return self.unit or ("" if self.style == "number" else "points")

    def name(self, option: str | None) -> str:
        """Return the name of its number, with the option that it is about, if any."""
        return self.number if option is None else f"{self.number}, {option}"

    def negligible(self, base: float) -> float:
        """Return the largest difference from a base that does not matter."""
        return max(self.least, self.relative * abs(base))

    def direction(self, before: float, after: float) -> str:
        """Return better, worse or other, by the line's tolerance."""
        allowed = self.tolerance
        over = [max(x - allowed.most, allowed.least - x) for x in (before, after)]
        if math.isfinite(allowed.least) and math.isfinite(allowed.most):
            over = [max(excess, 0.0) for excess in over]
        if over[0] == over[1]:
            return "other"
        return "worse" if over[1] > over[0] else "better"


def text(line: ScoreLine, value: float, *, bare: bool = False) -> str:
    """Format a number in its line's style; ``bare``: without its unit."""
    if line.style in ("share", "points"):
        unit = "" if bare else " %" if line.style == "share" else " points"
        return f"{100 * value:z.1f}{unit}".replace("-", "\N{MINUS SIGN}")
    unit = "" if bare or not line.unit else f" {line.unit}"
    return f"{value:z,.1f}{unit}".replace("-", "\N{MINUS SIGN}")
