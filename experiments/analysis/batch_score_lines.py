"""The scorecard lines that can be compared between rule sets, as numbers.

Each is a number of the scorecard (``reports.scorecard.line_statistics``) from games in
which one strategy has all seats, or a weak one has one of them (``mixed``). Lines that
need a panel of strategies (one plan above all), or separate runs (luck, traps), are
left to reports.
"""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import isfinite
from typing import Any, Literal

from reports.column_format import Style
from reports.lever_figures import LeverMeasure
from reports.scorecard import lines
from reports.scorecard.line_statistics import LINE_STATISTICS, WEAK, Extreme, ties
from reports.statistics.intervals import Array

Sort = Literal["fairness", "tension", "skill", "length", "options"]
SORTS: tuple[Sort, ...] = ("fairness", "tension", "skill", "length", "options")


@dataclass(frozen=True)
class BatchScoreLine:
    """A line: its names, its measures, and words for a change.

    ``of`` computes (sets,) numbers from the totals of its ``measures``; nan if there
    are none. ``more`` and ``less`` describe a game whose number is greater, or smaller.
    ``least`` is the smallest difference that matters, ``relative`` the smallest part of
    the number.
    """

    id: str
    title: str
    doc: str
    sort: Sort
    style: Style
    measures: tuple[str, ...]
    of: Callable[..., Array]
    more: str
    less: str
    least: float = 0.01
    relative: float = 0.0
    mixed: bool = False
    unit: str = ""
    bound: Callable[..., Array] | None = None  # on the safe side, for an upper bound
    extreme: Extreme | None = None  # of the options of its measure, if it is one

    @property
    def about(self) -> LeverMeasure:
        """The facts about it for figures and tables."""
        return LeverMeasure(self.id, self.title, self.doc, self.style, self.unit)

    def name(self, option: str | None) -> str:
        """Return its title, with the option that it is about, if any."""
        return self.title if option is None else f"{self.title}, {option}"

    def tolerance(self, base: float) -> float:
        """Return the largest difference from a base that does not matter."""
        return max(self.least, self.relative * abs(base))

    def direction(self, before: float, after: float) -> str:
        """Return better, worse or other, by the scorecard's tolerance."""
        allowed = lines.BY_ID[self.id].tolerance
        over = [max(x - allowed.most, allowed.least - x) for x in (before, after)]
        if isfinite(allowed.least) and isfinite(allowed.most):
            over = [max(excess, 0.0) for excess in over]
        if over[0] == over[1]:
            return "other"
        return "worse" if over[1] > over[0] else "better"


def _line(
    id_: str, title: str, sort: Sort, more: str, less: str, **how: Any
) -> BatchScoreLine:
    """Make a line of the scorecard, with words for more and less."""
    line, number = lines.BY_ID[id_], LINE_STATISTICS[id_]
    what = (line.doc, sort, line.style, number.measures, number.compute, more, less)
    how |= {"unit": line.unit, "bound": number.bound, "extreme": number.extreme}
    return BatchScoreLine(id_, title, *what, **how)


LINES = (
    _line("positions", "gap of positions", "fairness", "less fair", "fairer"),
    _line(
        "later",
        "gap of later turns",
        "fairness",
        "later turns are less fair",
        "later turns are fairer",
    ),
    _line(
        "roles",
        "gap of roles",
        "fairness",
        "roles are less fair",
        "roles are fairer",
    ),
    _line(
        "ties",
        "undecided by play",
        "fairness",
        "more often undecided by play",
        "less often undecided by play",
    ),
    _line(
        "skill",
        "skill pays",
        "skill",
        "skill pays more",
        "skill pays less",
        least=0.05,
        mixed=True,
    ),
    _line(
        "early", "lead taken for good", "tension", "decided later", "decided earlier"
    ),
    _line(
        "runaway",
        "runaway leader",
        "tension",
        "the early leader wins more often",
        "the early leader wins less often",
    ),
    _line("comeback", "comebacks", "tension", "more comebacks", "fewer comebacks"),
    _line(
        "changes",
        "lead changes",
        "tension",
        "the lead changes hands more",
        "the lead changes hands less",
        least=0.05,
    ),
    _line("length", "length", "length", "longer", "shorter", least=0.0, relative=0.05),
    _line(
        "choices",
        "real choices",
        "options",
        "more decisions are real choices",
        "fewer decisions are real choices",
    ),
    _line(
        "options",
        "options a decision",
        "options",
        "more options a decision",
        "fewer options a decision",
        least=0.0,
        relative=0.05,
    ),
    _line(
        "dead",
        "rarest option",
        "options",
        "the rarest option is taken more",
        "the rarest option is taken less",
    ),
    _line(
        "dominant",
        "commonest option",
        "options",
        "the commonest option is taken more",
        "the commonest option is taken less",
    ),
)
"""In the order of the scorecard."""


def lines_of(
    measures: Container[str], lead: str, undecided: Sequence[str] = ()
) -> tuple[BatchScoreLine, ...]:
    """Return the lines that these measures give when ``lead`` plays.

    ``undecided``: ways in which games end that play does not decide.
    """
    known = [
        line
        for line in LINES
        if all(name in measures for name in line.measures)
        and not (line.mixed and lead == WEAK)
    ]
    settled = partial(ties, tuple(undecided))
    return tuple(
        replace(line, of=settled) if line.id == "ties" else line for line in known
    )
