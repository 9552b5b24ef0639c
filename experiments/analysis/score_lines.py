"""The lines of the scorecard that every rule set can be asked for, as numbers.

Each is a number of the scorecard (``reports.scorecard.numbers``), of games in which one
strategy sits everywhere, or in which a weak one sits among its like (``mixed``). What
takes a panel of strategies (one plan above all), or plays of its own (luck, traps), is
for a report.
"""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import isfinite
from typing import Any, Literal

from reports.lever_page import About
from reports.printing import Style
from reports.scorecard import lines
from reports.scorecard.numbers import NUMBERS, WEAK, Extreme, ties
from reports.statistics.intervals import Array

Sort = Literal["fairness", "tension", "skill", "length", "options"]
SORTS: tuple[Sort, ...] = ("fairness", "tension", "skill", "length", "options")


@dataclass(frozen=True)
class Line:
    """A line: what it is called, what it is made of, and words for its change.

    ``of`` makes (sets,) numbers of the totals of its ``measures``; nan where there are
    none. ``more`` and ``less`` say what a game is whose number is greater, or smaller.
    ``least`` is the smallest difference that matters, ``relative`` part of its number.
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
    def about(self) -> About:
        """What figures and tables tell of it."""
        return About(self.id, self.title, self.doc, self.style, self.unit)

    def name(self, option: str | None) -> str:
        """What it is called, with the option that it is about, if it is about one."""
        return self.title if option is None else f"{self.title}, {option}"

    def tolerance(self, base: float) -> float:
        """The difference from a base that does not matter."""
        return max(self.least, self.relative * abs(base))

    def direction(self, before: float, after: float) -> str:
        """Better, worse or other: by the end that the scorecard's tolerance has."""
        allowed = lines.BY_ID[self.id].tolerance
        over = [max(one - allowed.most, allowed.least - one) for one in (before, after)]
        if isfinite(allowed.least) and isfinite(allowed.most):
            over = [max(one, 0.0) for one in over]
        if over[0] == over[1]:
            return "other"
        return "worse" if over[1] > over[0] else "better"


def _line(id_: str, title: str, sort: Sort, more: str, less: str, **how: Any) -> Line:
    """A line of the scorecard as a number that can be more or less."""
    [one] = [line for line in lines.LINES if line.id == id_]
    number = NUMBERS[id_]
    what = (one.doc, sort, one.style, number.measures, number.of, more, less)
    how |= {"unit": one.unit, "bound": number.bound, "extreme": number.extreme}
    return Line(id_, title, *what, **how)


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
) -> tuple[Line, ...]:
    """The lines that these measures tell, where ``lead`` is who plays.

    ``undecided``: ways in which games are decided, but not by play.
    """
    there = [
        line
        for line in LINES
        if all(name in measures for name in line.measures)
        and not (line.mixed and lead == WEAK)
    ]
    settled = partial(ties, tuple(undecided))
    return tuple(
        replace(line, of=settled) if line.id == "ties" else line for line in there
    )
