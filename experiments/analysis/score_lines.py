"""The lines of the scorecard that every rule set can be asked for, as numbers.

Each is made of the sums of measures, batch by batch, of games in which one strategy
sits everywhere, or in which a weak one sits among its like (``mixed``). What takes a
panel of strategies (one plan above all), or plays of its own (luck, traps), is for a
report.
"""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np
import polars as pl

from reports.lever_page import About
from reports.printing import Style
from reports.scorecard import lines
from reports.scorecard.lines import SECONDS
from reports.scorecard.measured import (
    CHANCE,
    CHOICES,
    DECIDED,
    OPTIONS,
    POSITION,
    STRATEGY,
    TAKEN,
)
from reports.statistics import extremes
from reports.statistics.intervals import Array

Sort = Literal["fairness", "tension", "skill", "length", "options"]
SORTS: tuple[Sort, ...] = ("fairness", "tension", "skill", "length", "options")


@dataclass(frozen=True)
class Totals:
    """The sums of a measure in a cell: y, x and n (games with it) are (sets, groups).

    ``sets`` of games: all of them, then all but one batch each; ``games`` (sets,).
    ``groups`` has a row a group.
    """

    y: Array
    x: Array
    n: Array
    games: Array
    groups: pl.DataFrame
    kind: str = "share"

    @property
    def number(self) -> Array:
        """(sets, groups) what the measure is of each group."""
        whole = self.kind in ("per game", "share of games")
        with np.errstate(divide="ignore", invalid="ignore"):
            found: Array = self.y / (self.games[:, None] if whole else self.x)
        return found


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

    @property
    def about(self) -> About:
        """What figures and tables tell of it."""
        return About(self.id, self.title, self.doc, self.style, self.unit)

    def tolerance(self, base: float) -> float:
        """The difference from a base that does not matter."""
        return max(self.least, self.relative * abs(base))


def _raw_gap(won: Totals) -> Array:
    """How far the best position seems to be above the worst: rather more than it is."""
    found: Array = np.ptp(won.number, axis=1)
    return found


def _gap(won: Totals) -> Array:
    """How far the best position is above the worst, less what chance makes of it."""
    raw = _raw_gap(won)
    fair = extremes.of_shares(won.number[0], float(won.games[0])).estimate
    return raw + (fair - raw[0])


def _ties(undecided: Sequence[str], won: Totals, decided: Totals) -> Array:
    """Games that nobody wins alone, or that end in such a way, if that is more."""
    nobody: Array = 1 - won.y.sum(axis=1) / won.games
    ways = decided.groups["by"].is_in(list(undecided)).to_numpy()
    settled: Array = decided.y[:, ways].sum(axis=1) / won.games
    return settled if settled[0] >= nobody[0] else nobody


def _minutes(choices: Totals) -> Array:
    """Minutes of a game, from its decisions."""
    found: Array = choices.x[:, 0] / choices.n[:, 0] * SECONDS / 60
    return found


def _only(one: Totals) -> Array:
    """The number of a measure without groups."""
    found: Array = one.number[:, 0]
    return found


def _beside(one: Totals, chance: Totals) -> Array:
    """A number, less what it would be by chance."""
    return _only(one) - _only(chance)


def _ratio(one: Totals, chance: Totals) -> Array:
    """A number, as a part of what it would be by chance, less one."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Array = _only(one) / _only(chance) - 1
    return found


def _weak(won: Totals) -> Array:
    """What the weak one at the table lacks of an even share, as a part of it."""
    weak = won.groups["strategy"].to_list().index(WEAK)
    seats = won.x[:, weak]
    with np.errstate(divide="ignore", invalid="ignore"):
        share, all_ = won.y[:, weak] / seats, won.y.sum(axis=1) / won.x.sum(axis=1)
        found: Array = 1 - share / all_
    return found


def _rarest(taken: Totals) -> Array:
    """The option that is taken least, of the times that it and another could be."""
    return _options(taken).min(axis=1, initial=1.0)


def _commonest(taken: Totals) -> Array:
    """The option that is taken most."""
    return _options(taken).max(axis=1, initial=0.0)


def _options(taken: Totals) -> Array:
    often = taken.x[0] >= _OFFERED
    return taken.number[:, often]


WEAK = "random"
_OFFERED = 100  # times that an option has to be offered


def _line(
    id_: str,
    title: str,
    sort: Sort,
    measures: Sequence[str],
    of: Callable[..., Array],
    more: str,
    less: str,
    **how: Any,
) -> Line:
    """A line of the scorecard as a number that can be more or less."""
    [one] = [line for line in lines.LINES if line.id == id_]
    what = (one.doc, sort, one.style, tuple(measures))
    return Line(id_, title, *what, of, more, less, unit=one.unit, **how)


def _of_chance(*names: str) -> tuple[str, ...]:
    return tuple(name + more for name in names for more in ("", CHANCE))


LINES = (
    _line(
        "positions",
        "gap of positions",
        "fairness",
        [POSITION],
        _gap,
        "less fair",
        "fairer",
        bound=_raw_gap,
    ),
    _line(
        "ties",
        "undecided by play",
        "fairness",
        [POSITION, DECIDED],
        _ties,
        "more often undecided by play",
        "less often undecided by play",
    ),
    _line(
        "skill",
        "skill pays",
        "skill",
        [STRATEGY],
        _weak,
        "skill pays more",
        "skill pays less",
        least=0.05,
        mixed=True,
    ),
    _line(
        "early",
        "lead taken for good",
        "tension",
        _of_chance("decisiveness"),
        _beside,
        "decided later",
        "decided earlier",
    ),
    _line(
        "runaway",
        "runaway leader",
        "tension",
        _of_chance("runaway"),
        _beside,
        "the early leader wins more often",
        "the early leader wins less often",
    ),
    _line(
        "comeback",
        "comebacks",
        "tension",
        _of_chance("comeback"),
        _beside,
        "more comebacks",
        "fewer comebacks",
    ),
    _line(
        "changes",
        "lead changes",
        "tension",
        _of_chance("lead changes"),
        _ratio,
        "the lead changes hands more",
        "the lead changes hands less",
        least=0.05,
    ),
    _line(
        "length",
        "length",
        "length",
        [CHOICES],
        _minutes,
        "longer",
        "shorter",
        least=0.0,
        relative=0.05,
    ),
    _line(
        "choices",
        "real choices",
        "options",
        [CHOICES],
        _only,
        "more decisions are real choices",
        "fewer decisions are real choices",
    ),
    _line(
        "options",
        "options a decision",
        "options",
        [OPTIONS],
        _only,
        "more options a decision",
        "fewer options a decision",
        least=0.0,
        relative=0.05,
    ),
    _line(
        "dead",
        "rarest option",
        "options",
        [TAKEN],
        _rarest,
        "the rarest option is taken more",
        "the rarest option is taken less",
    ),
    _line(
        "dominant",
        "commonest option",
        "options",
        [TAKEN],
        _commonest,
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
    ties = partial(_ties, tuple(undecided))
    return tuple(
        replace(line, of=ties) if line.id == "ties" else line for line in there
    )
