"""The number of each line, made of the sums of measures.

A report takes them of all games, with the intervals of their kinds (``measured``); what
a change of the rules does is told by the same numbers, of all games and of all but a
part of them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
import polars as pl

from reports.follow_ups import TAKEN
from reports.scorecard.lines import SECONDS
from reports.statistics import extremes
from reports.statistics.intervals import Array

POSITION, STRATEGY, DECIDED = "won by position", "won by strategy", "decided"
CHOICES = "decisions with a choice"
OPTIONS = "options a decision"
ROLE_WINS = "won by role"
"""Of games that deal roles: games that each wins, whoever plays it."""
LATER = "won by position in a later phase"
"""Of games in which who begins is drawn anew for a later phase, from him on."""
CHANCE, BEYOND = " by chance", " beyond chance"
"""What is added to the name of a measure for what it would be by chance, and for what
it is more."""
WEAK = "random"
"""Who lacks what skill pays."""
OFFERED = 100
"""Times that an option has to be offered before anything is said about it."""


@dataclass(frozen=True)
class Totals:
    """The sums of a measure in a cell: y, x and n (games with it) are (sets, groups).

    ``sets`` of games: all of them first, then others; ``games`` (sets,). ``groups`` has
    a row a group.
    """

    y: Array
    x: Array
    n: Array
    games: Array
    groups: pl.DataFrame
    kind: str = "share"

    @classmethod
    def of(cls, rows: pl.DataFrame, games: float, kind: str) -> Self:
        """The sums of all games, a row a group."""
        y, x, n = (rows[name].to_numpy()[None, :] for name in ("y", "x", "games"))
        return cls(y, x, n, np.array([games], dtype=np.float64), rows, kind)

    @property
    def number(self) -> Array:
        """(sets, groups) what the measure is of each group."""
        whole = self.kind in ("per game", "share of games")
        with np.errstate(divide="ignore", invalid="ignore"):
            found: Array = self.y / (self.games[:, None] if whole else self.x)
        return found


Extreme = Literal["greatest", "least"]


@dataclass(frozen=True)
class Number:
    """What a line is made of: ``of`` makes (sets,) numbers of its ``measures``.

    nan where there are none. ``bound``: a number on the safe side, for an upper bound.
    ``extreme``: it is the greatest or the least of the groups of its one measure that
    are offered often, so which group that is depends on the games.
    """

    measures: tuple[str, ...]
    of: Callable[..., Array]
    bound: Callable[..., Array] | None = None
    extreme: Extreme | None = None


def raw_gap(won: Totals) -> Array:
    """How far the best group seems to be above the worst: rather more than it is."""
    found: Array = np.ptp(won.number, axis=1)
    return found


def gap(won: Totals) -> Array:
    """How far the best group is above the worst, less what chance makes of it."""
    raw = raw_gap(won)
    fair = extremes.of_shares(won.number[0], float(won.games[0])).estimate
    return raw + (fair - raw[0])


def undecided(ways: Sequence[str], won: Totals, decided: Totals) -> Array:
    """Games that nobody wins alone, or that end in these ways, if those are more."""
    nobody: Array = won.games - won.y.sum(axis=1)
    settled: Array = decided.y[:, ended(decided, ways)].sum(axis=1)
    return settled if settled[0] >= nobody[0] else nobody


def ended(decided: Totals, ways: Sequence[str]) -> Any:
    """(groups,) which of the ways to end are these."""
    return decided.groups["by"].is_in(list(ways)).to_numpy()


def ties(ways: Sequence[str], won: Totals, decided: Totals) -> Array:
    """The share of games that play leaves undecided."""
    return undecided(ways, won, decided) / won.games


def minutes(choices: Totals, seconds: float = SECONDS) -> Array:
    """Minutes of a game, from its decisions."""
    found: Array = choices.x[:, 0] / choices.n[:, 0] * seconds / 60
    return found


def only(one: Totals) -> Array:
    """The number of a measure without groups."""
    found: Array = one.number[:, 0]
    return found


def beside(one: Totals, chance: Totals) -> Array:
    """A number, less what it would be by chance."""
    return only(one) - only(chance)


def ratio(one: Totals, chance: Totals) -> Array:
    """A number, as a part of what it would be by chance, less one."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Array = only(one) / only(chance) - 1
    return found


def weak(won: Totals) -> Array:
    """What the weak one at the table lacks of an even share, as a part of it."""
    at = won.groups["strategy"].to_list().index(WEAK)
    seats = won.x[:, at]
    with np.errstate(divide="ignore", invalid="ignore"):
        share, all_ = won.y[:, at] / seats, won.y.sum(axis=1) / won.x.sum(axis=1)
        found: Array = 1 - share / all_
    return found


def rarest(taken: Totals) -> Array:
    """The option that is taken least, of the times that it and another could be."""
    return _options(taken).min(axis=1, initial=1.0)


def commonest(taken: Totals) -> Array:
    """The option that is taken most."""
    return _options(taken).max(axis=1, initial=0.0)


def _options(taken: Totals) -> Array:
    return taken.number[:, taken.x[0] >= OFFERED]


def _by_chance(name: str, of: Callable[..., Array] = beside) -> Number:
    return Number((name, name + CHANCE), of)


NUMBERS: Mapping[str, Number] = {
    "positions": Number((POSITION,), gap, bound=raw_gap),
    "later": Number((LATER,), gap, bound=raw_gap),
    "roles": Number((ROLE_WINS,), gap, bound=raw_gap),
    "ties": Number((POSITION, DECIDED), ties),
    "skill": Number((STRATEGY,), weak),
    "early": _by_chance("decisiveness"),
    "runaway": _by_chance("runaway"),
    "half": _by_chance("leader at half wins"),
    "comeback": _by_chance("comeback"),
    "changes": _by_chance("lead changes", ratio),
    "length": Number((CHOICES,), minutes),
    "choices": Number((CHOICES,), only),
    "options": Number((OPTIONS,), only),
    "dead": Number((TAKEN,), rarest, extreme="least"),
    "dominant": Number((TAKEN,), commonest, extreme="greatest"),
}
"""By the line; ``ties`` also takes the ways in which games are not decided by play."""
MEASURES = frozenset(
    name
    for number in NUMBERS.values()
    for one in number.measures
    for name in (one, one.replace(CHANCE, BEYOND))
)
"""All that the scorecard reads."""
