"""The number of each line, from the sums of measures.

A report takes the sums of all games, with the intervals of their kinds. The effect of a
rule change uses the same numbers, once from all games and once from all but each batch
of them (``reports.batches``).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, Self

import numpy as np
import polars as pl

from reports.measures import BATCHED, Measure
from reports.option_follow_ups import OFFERED, TAKEN
from reports.scorecard.lines import SECONDS
from reports.statistics import extremes
from reports.statistics.intervals import Array

POSITION, STRATEGY, DECIDED = "won by position", "won by strategy", "decided"
CHOICES, IN_TURN = "decisions with a choice", "decisions in turn"
OPTIONS = "options a decision"
ROLE_WINS = "won by role"
"""In games that deal roles: games that each role wins, whoever plays it."""
LATER = "won by position in a later phase"
"""In games that draw anew who begins a later phase: wins by position, from that player
on."""
CHANCE, BEYOND = " by chance", " beyond chance"
"""Endings of a measure's name: its value by chance, and its excess over that."""


@dataclass(frozen=True)
class Totals:
    """The sums of a measure in a cell: y, x and n (games with it) are (sets, groups).

    The first of the ``sets`` of games is all games, then come others; ``games`` is
    (sets,). ``groups`` has a row for each group.
    """

    y: Array
    x: Array
    n: Array
    games: Array
    groups: pl.DataFrame
    kind: str = "share"

    @classmethod
    def of(cls, rows: pl.DataFrame, games: float, kind: str) -> Self:
        """Return the sums of all games, from a table with a row for each group."""
        y, x, n = (rows[name].to_numpy()[None, :] for name in ("y", "x", "games"))
        return cls(y, x, n, np.array([games], dtype=np.float64), rows, kind)

    @classmethod
    def without_each_batch(
        cls, rows: pl.DataFrame, sizes: Array, what: Measure
    ) -> Self:
        """Return the sums of all games, then those of all but each batch.

        sizes: (batches,) games in each; without a batch that has none, all are nan.
        """
        y, x, n = (_left_out(rows[name].to_numpy().T, sizes) for name in BATCHED)
        games = _left_out(sizes, sizes)
        return cls(y, x, n, games, rows.select(what.by), what.kind)

    @property
    def number(self) -> Array:
        """(sets, groups) value of the measure in each group."""
        whole = self.kind in ("per game", "share of games")
        with np.errstate(divide="ignore", invalid="ignore"):
            value: Array = self.y / (self.games[:, None] if whole else self.x)
        return value


def _left_out(values: Array, sizes: Array) -> Array:
    """Return (1 + batches, ...): the sum over all batches, then without each."""
    whole = values.sum(axis=0)
    sums = np.concatenate([whole[None], whole[None] - values])
    sums[1:][sizes == 0] = np.nan
    return sums


Extreme = Literal["greatest", "least"]


@dataclass(frozen=True)
class LineStatistic:
    """How a line's number is computed: ``compute`` turns measures into numbers.

    (sets,) from ``measures``; nan where there are none. ``bound``: the same on the safe
    side, for an upper bound. ``extreme``: the number is the greatest or least among the
    groups of its one measure that are offered often, so the group that it belongs to
    depends on the games. ``share``: the number is a share, perhaps less another.
    """

    measures: tuple[str, ...]
    compute: Callable[..., Array]
    bound: Callable[..., Array] | None = None
    extreme: Extreme | None = None
    share: bool = False


def raw_gap(won: Totals) -> Array:
    """Return how far the best group seems to be above the worst: biased upwards."""
    gaps: Array = np.ptp(won.number, axis=1)
    return gaps


def gap(won: Totals) -> Array:
    """Return how far the best group is above the worst, with the bias taken off."""
    raw = raw_gap(won)
    corrected = extremes.of_shares(won.number[0], float(won.games[0])).estimate
    return raw + (corrected - raw[0])  # the correction of all games, for every set


def undecided(ways: Sequence[str], won: Totals, decided: Totals) -> Array:
    """Return the games that nobody wins alone or that end in these ways: the larger."""
    nobody: Array = won.games - won.y.sum(axis=1)
    settled: Array = decided.y[:, ended_by(decided, ways)].sum(axis=1)
    return settled if settled[0] >= nobody[0] else nobody


def ended_by(decided: Totals, ways: Sequence[str]) -> Any:
    """Return (groups,) which endings are among ``ways``."""
    return decided.groups["by"].is_in(list(ways)).to_numpy()


def ties(ways: Sequence[str], won: Totals, decided: Totals) -> Array:
    """Return the share of games that play leaves undecided; nan of no games."""
    with np.errstate(invalid="ignore"):
        return undecided(ways, won, decided) / won.games


def minutes(in_turn: Totals, seconds: float = SECONDS) -> Array:
    """Return the minutes of a game, from its number of decisions; nan of no games."""
    return single(in_turn) * seconds / 60


def single(totals: Totals) -> Array:
    """Return the number of a measure without groups."""
    value: Array = totals.number[:, 0]
    return value


def beyond_chance(totals: Totals, chance: Totals) -> Array:
    """Return a number less its value by chance."""
    return single(totals) - single(chance)


def ratio(totals: Totals, chance: Totals) -> Array:
    """Return a number divided by its value by chance, less one."""
    with np.errstate(divide="ignore", invalid="ignore"):
        relative: Array = single(totals) / single(chance) - 1
    return relative


def weak(name: str, won: Totals) -> Array:
    """Return the part of an even share that the weak player of this name misses."""
    at = won.groups["strategy"].to_list().index(name)
    seats = won.x[:, at]
    with np.errstate(divide="ignore", invalid="ignore"):
        share, all_ = won.y[:, at] / seats, won.y.sum(axis=1) / won.x.sum(axis=1)
        missing: Array = 1 - share / all_
    return missing


def rarest(taken: Totals) -> Array:
    """Return the share of the option taken least, among those often offered."""
    return _options(taken).min(axis=1, initial=1.0)


def commonest(taken: Totals) -> Array:
    """Return the share of the option taken most, among those often offered."""
    return _options(taken).max(axis=1, initial=0.0)


def _options(taken: Totals) -> Array:
    return taken.number[:, taken.x[0] >= OFFERED]


def _by_chance(name: str) -> LineStatistic:
    return LineStatistic((name, name + CHANCE), beyond_chance, share=True)


LINE_STATISTICS: Mapping[str, LineStatistic] = {
    "positions": LineStatistic((POSITION,), gap, bound=raw_gap, share=True),
    "later": LineStatistic((LATER,), gap, bound=raw_gap, share=True),
    "roles": LineStatistic((ROLE_WINS,), gap, bound=raw_gap, share=True),
    "ties": LineStatistic((POSITION, DECIDED), ties, share=True),
    "skill": LineStatistic((STRATEGY,), partial(weak, "")),
    "early": _by_chance("decisiveness"),
    "runaway": _by_chance("runaway"),
    "half": _by_chance("leader at half wins"),
    "comeback": _by_chance("comeback"),
    "changes": LineStatistic(("lead changes", "lead changes" + CHANCE), ratio),
    "length": LineStatistic((IN_TURN,), minutes),
    "choices": LineStatistic((CHOICES,), single, share=True),
    "options": LineStatistic((OPTIONS,), single),
    "dead": LineStatistic((TAKEN,), rarest, extreme="least"),
    "dominant": LineStatistic((TAKEN,), commonest, extreme="greatest"),
}
"""By line; ``ties`` and ``skill`` take more, which ``line_statistics`` fills in."""


def line_statistics(
    undecided: Sequence[str] = (), weak_player: str = ""
) -> Mapping[str, LineStatistic]:
    """Return how the number of each line is computed, in a game with these endings.

    ``undecided``: ways in which games end that play does not decide. ``weak_player``:
    the title of who sits alone at the tables of lines that are ``mixed``.
    """
    filled = {
        "ties": partial(ties, tuple(undecided)),
        "skill": partial(weak, weak_player),
    }
    return {**LINE_STATISTICS} | {
        name: replace(LINE_STATISTICS[name], compute=compute)
        for name, compute in filled.items()
    }
