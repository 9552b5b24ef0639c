"""The lines of the scorecard that every rule set can be asked for, as numbers.

Each is made of the sums of measures, batch by batch, of games in which one strategy
sits everywhere, or in which a weak one sits among its like (``mixed``). What takes a
panel of strategies (one plan above all), or plays of its own (luck, traps), is for a
report.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl

from reports.lever_page import About
from reports.printing import Style
from reports.statistics import extremes
from reports.statistics.intervals import Array

Sort = Literal["fairness", "tension", "skill", "length", "options"]
SORTS: tuple[Sort, ...] = ("fairness", "tension", "skill", "length", "options")


@dataclass(frozen=True)
class Totals:
    """The sums of a measure in a cell: y and x are (sets, groups).

    ``sets`` of games: all of them, then all but one batch each; ``games`` (sets,).
    ``groups`` has a row a group.
    """

    y: Array
    x: Array
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

    @property
    def about(self) -> About:
        """What figures and tables tell of it."""
        return About(self.id, self.title, self.doc, self.style, self.unit)

    def tolerance(self, base: float) -> float:
        """The difference from a base that does not matter."""
        return max(self.least, self.relative * abs(base))


def _gap(won: Totals) -> Array:
    """How far the best position is above the worst, less what chance makes of it."""
    shares = won.number
    raw: Array = np.ptp(shares, axis=1)
    fair = extremes.of_shares(shares[0], float(won.games[0])).estimate
    return raw + (fair - raw[0])


def _nobody(won: Totals) -> Array:
    """Games that nobody wins alone."""
    found: Array = 1 - won.y.sum(axis=1) / won.games
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


def _leads(won: Totals) -> Array:
    """Games won by who leads alone, or is among those who do, late in the game."""
    late = won.groups.with_row_index().filter(quarter=3, rank=1)["index"]
    rows = late.to_list()
    if not rows:
        return np.full(len(won.games), np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Array = won.y[:, rows[0]] / won.x[:, rows[0]]
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
LINES = (
    Line(
        "positions",
        "gap of positions",
        "win share of the best position less that of the worst, chance deducted",
        "fairness",
        "points",
        ("won by position",),
        _gap,
        "less fair",
        "fairer",
    ),
    Line(
        "ties",
        "no single winner",
        "games that nobody wins alone",
        "fairness",
        "share",
        ("won by position",),
        _nobody,
        "more often without a single winner",
        "less often without a single winner",
    ),
    Line(
        "early",
        "open to the end",
        "share of the game played when the winner takes the lead for good, less what "
        "chance alone makes of it",
        "tension",
        "points",
        ("decisiveness", "decisiveness by chance"),
        _beside,
        "decided later",
        "decided earlier",
    ),
    Line(
        "runaway",
        "runaway leader",
        "wins of who alone leads after a third of the game, less those by chance",
        "tension",
        "points",
        ("runaway", "runaway by chance"),
        _beside,
        "easier to run away with",
        "harder to run away with",
    ),
    Line(
        "comeback",
        "comebacks",
        "wins of who is last at half-time, less those by chance",
        "tension",
        "points",
        ("comeback", "comeback by chance"),
        _beside,
        "with more comebacks",
        "with fewer comebacks",
    ),
    Line(
        "changes",
        "lead changes",
        "changes of the sole leader in a game, as a part of those by chance, less one",
        "tension",
        "number",
        ("lead changes", "lead changes by chance"),
        _ratio,
        "with more changes of the lead",
        "with fewer changes of the lead",
        least=0.05,
    ),
    Line(
        "leader",
        "wins of the late leader",
        "games won by who leads after three quarters",
        "tension",
        "share",
        ("won by rank",),
        _leads,
        "decided earlier",
        "decided later",
    ),
    Line(
        "skill",
        "skill pays",
        f"what one {WEAK} player among the others lacks of their share of wins",
        "skill",
        "share",
        ("won by strategy",),
        _weak,
        "skill pays more",
        "skill pays less",
        least=0.05,
        mixed=True,
    ),
    Line(
        "length",
        "decisions a game",
        "decisions of all players in a game",
        "length",
        "number",
        ("decisions",),
        _only,
        "longer",
        "shorter",
        least=0.0,
        relative=0.05,
    ),
    Line(
        "choices",
        "real choices",
        "decisions with more than one option, of all decisions",
        "options",
        "share",
        ("choices",),
        _only,
        "with more to choose",
        "with less to choose",
    ),
    Line(
        "options",
        "options a decision",
        "options of a decision",
        "options",
        "number",
        ("options a decision",),
        _only,
        "with more options a decision",
        "with fewer options a decision",
        least=0.0,
        relative=0.05,
    ),
    Line(
        "dead",
        "rarest option",
        "of the options, the one that is taken least of the times that it could be",
        "options",
        "share",
        ("option taken",),
        _rarest,
        "with its rarest option taken more",
        "with its rarest option taken less",
    ),
    Line(
        "dominant",
        "commonest option",
        "of the options, the one that is taken most of the times that it could be",
        "options",
        "share",
        ("option taken",),
        _commonest,
        "with its commonest option taken more",
        "with its commonest option taken less",
    ),
)
"""In the order of the scorecard."""


def lines_of(measures: Sequence[str], players: int, lead: str) -> tuple[Line, ...]:
    """The lines that these measures tell; of several that tell one thing the first."""
    there = [line for line in LINES if set(line.measures) <= set(measures)]
    course = any(line.id in {"early", "runaway"} for line in there)
    return tuple(
        line
        for line in there
        if not (line.id == "leader" and course) and not (line.mixed and lead == WEAK)
    )
