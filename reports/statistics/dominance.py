"""Who beats whom: duels, circles and dominance, from the results of a tournament.

A strategy beats another when a seat of it wins more often at the same tables. That
need not be transitive: rock, paper and scissors go round in a circle. One dominates
another when replacing the other by it always helps, whoever else sits there. All claims
are made for a family of pairs (Holm): at most 5 % chance of any false one.
"""

from typing import Any, NamedTuple

import numpy as np
import polars as pl

from reports.statistics import families
from reports.statistics.evolution import Payoffs, companies
from reports.statistics.intervals import Array
from reports.statistics.tally import Tally

_DUELS: dict[str, Any] = {
    "one": pl.String,
    "other": pl.String,
    "advantage": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "p": pl.Float64,
    "lineups": pl.Int64,
    "games": pl.Int64,
}
_DOMINATED: dict[str, Any] = {
    "dominated": pl.String,
    "by": pl.String,
    "least": pl.Float64,
    "low": pl.Float64,
    "others": pl.List(pl.String),
    "p": pl.Float64,
    "p_against": pl.Float64,
    "compared": pl.Int64,
    "possible": pl.Int64,
}
_CIRCLES: dict[str, Any] = {
    "circle": pl.List(pl.String),
    "sure": pl.Boolean,
    "least": pl.Float64,
    "p": pl.Float64,
}


class _Won(NamedTuple):
    """A duel that was won."""

    by: float
    p: float
    sure: bool


_Beats = dict[str, dict[str, _Won]]  # winner -> loser -> how


def duels(table: Payoffs, level: float = 0.95, *, alone: bool = False) -> pl.DataFrame:
    """Tell who beats whom, over all lineups in which both sit.

    alone: only at tables of just these two strategies. A row a pair that met:
    one, other        names, in the order of the alphabet
    advantage, low, high    win share of a seat of one less that of a seat of other,
                      mean over the lineups (each counts the same)
    p, p_adjusted     two-sided, and for the family of all pairs (Holm)
    lineups, games    behind it
    verdict           "beats" (one the other), "loses" (to the other), "undecided"
    """
    results = _results(table)
    count = len(table.strategies)
    pairs = [(one, other) for one in range(count) for other in range(one + 1, count)]
    found = [_duel(results, *pair, level, alone) for pair in pairs]
    rows = pl.DataFrame([row for row in found if row], schema=_DUELS, orient="row")
    p = rows["p"].to_numpy()
    sure = families.different(p, level=level)
    words = np.where(rows["advantage"].to_numpy() > 0, "beats", "loses")
    return rows.with_columns(
        pl.Series("p_adjusted", families.adjust(p), pl.Float64),
        pl.Series("verdict", np.where(sure, words, "undecided"), pl.String),
    )


def cycles(duels: pl.DataFrame) -> pl.DataFrame:
    """Find circles of strategies that beat each other in turn.

    For every duel a shortest circle that it is part of, each circle once. Columns:
    circle (list: each beats the next, the last the first), sure (every duel is, in the
    family of all), least (the smallest advantage in it), p (the largest adjusted p).
    Sure circles come first; the others are what the numbers look like, no more.
    """
    beats: _Beats = {}
    for row in duels.iter_rows(named=True):
        one, other, gain = row["one"], row["other"], row["advantage"]
        winner, loser = (one, other) if gain > 0 else (other, one)
        if gain != 0:
            won = _Won(abs(gain), row["p_adjusted"], row["verdict"] != "undecided")
            beats.setdefault(winner, {})[loser] = won
    surely = {
        winner: {loser: won for loser, won in lost.items() if won.sure}
        for winner, lost in beats.items()
    }
    circles = dict.fromkeys([*_circles(surely), *_circles(beats)])
    rows = []
    for circle in circles:
        steps = zip(circle, (*circle[1:], circle[0]), strict=True)
        wins = [beats[winner][loser] for winner, loser in steps]
        sure = all(won.sure for won in wins)
        least, p = min(won.by for won in wins), max(won.p for won in wins)
        rows.append((list(circle), sure, least, p))
    found = pl.DataFrame(rows, schema=_CIRCLES, orient="row")
    return found.sort("sure", "least", descending=True, maintain_order=True)


def dominated(table: Payoffs, level: float = 0.95) -> pl.DataFrame:
    """Find strategies that another would replace to advantage, whoever else sits there.

    A row a pair for which it was tried with some others at the table:
    dominated, by     names
    least, others     the smallest advantage of the replacement, and with whom
    low               at least so much it is with all others that were tried (one-sided)
    p, p_adjusted     that it is no advantage with some (the largest p of all: Berger
                      1982, Technometrics 24:295-300), and for all pairs (Holm)
    compared, possible    sets of others that were tried, and that there are
    verdict           "dominated"; "so far" where not all others were tried; "not"
                      where with some it certainly is a loss; "undecided"
    """
    results = _results(table)
    count = len(table.strategies)
    possible = list(companies(table.players, count))
    pairs = [(a, b) for a in range(count) for b in range(count) if a != b]
    found = [_replaced(table, results, *pair, possible, level) for pair in pairs]
    rows = pl.DataFrame([r for r in found if r], schema=_DOMINATED, orient="row")
    p, against = rows["p"].to_numpy(), rows["p_against"].to_numpy()
    every = (rows["compared"] == rows["possible"]).to_numpy()
    better = families.different(p, level=level)
    worse = families.different(against, level=level)
    words = np.where(worse, "not", "undecided")
    words = np.where(better, np.where(every, "dominated", "so far"), words)
    return rows.drop("p_against").with_columns(
        pl.Series("p_adjusted", families.adjust(p), pl.Float64),
        pl.Series("verdict", words, pl.String),
    )


def _results(table: Payoffs) -> Tally:
    if table.tally is None:
        raise ValueError("payoffs without results have no uncertainty; give counts")
    return table.tally


def _duel(
    results: Tally, one: int, other: int, level: float, alone: bool
) -> tuple[object, ...] | None:
    """The mean advantage over the lineups where both sit, each a stratum."""
    from scipy.special import ndtr, ndtri  # slow to import

    seats, games = results.seats, results.games
    both = (seats[:, one] > 0) & (seats[:, other] > 0) & (games > 0)
    if alone:
        both &= np.count_nonzero(seats, axis=1) == 2
    if not both.any():
        return None
    sign = np.zeros(seats.shape[1])
    sign[one], sign[other] = 1, -1
    gain, variance = _difference(seats[both], results.wins[both], sign)
    lineups = len(gain)
    middle, se = float(gain.mean()), float(np.sqrt(variance.sum())) / lineups
    half = float(ndtri((1 + level) / 2)) * se
    p = float(2 * ndtr(-abs(middle) / se))
    names = results.strategies[one], results.strategies[other]
    return (
        *names,
        middle,
        middle - half,
        middle + half,
        p,
        lineups,
        int(games[both].sum()),
    )


def _difference(seats: Array, wins: Array, sign: Array) -> tuple[Array, Array]:
    """Advantage of a seat in each lineup, and its variance: two (lineups,).

    With four games more that differ as much as games can, so that a strategy that won
    each of ten games is not sure to win for ever (as in `paired_estimates`).
    """
    games = wins.sum(1)
    score = sign / np.where(seats > 0, seats, np.inf)  # what a win of each counts
    mean = (wins * score).sum(1) / games
    square = (wins * score**2).sum(1) / games
    return mean, np.maximum(square - mean**2, 0.0) / games + 4 / games**2


def _replaced(
    table: Payoffs,
    results: Tally,
    old: int,
    new: int,
    possible: list[tuple[int, ...]],
    level: float,
) -> tuple[object, ...] | None:
    """The smallest advantage of `new` in place of `old`, over all others tried."""
    from scipy.special import ndtr, ndtri  # slow to import

    tried, gains, variances = [], [], []
    for others in possible:
        with_new = _seat(table, results, (*others, new))
        with_old = _seat(table, results, (*others, old))
        if with_new and with_old:
            tried.append(others)
            gains.append(with_new[0] - with_old[0])
            variances.append(with_new[1] + with_old[1])
    if not tried:
        return None
    gain, se = np.array(gains), np.sqrt(variances)
    z = gain / se
    low = float((gain - ndtri(level) * se).min())
    worst, names = int(gain.argmin()), results.strategies
    against = float(families.adjust(ndtr(z)).min())  # a certain loss with some
    company = [names[place] for place in tried[worst]]
    return (
        names[old],
        names[new],
        float(gain[worst]),
        low,
        company,
        float(ndtr(-z).max()),
        against,
        len(tried),
        len(possible),
    )


def _seat(
    table: Payoffs, results: Tally, lineup: tuple[int, ...]
) -> tuple[float, float] | None:
    """Win share of the last seat of a lineup, and its variance; None if not played.

    Exact where one strategy has all seats.
    """
    row, who = table.at(lineup), lineup[-1]
    if row is None:
        return None
    seats, wins = results.seats[row], results.wins[row]
    if seats[who] == seats.sum():
        return 1 / float(seats.sum()), 0.0
    games = float(wins.sum())
    if games == 0:
        return None
    share = wins[who] / games
    spread = share * (1 - share) / games + 2 / games**2
    return float(share / seats[who]), float(spread / seats[who] ** 2)


def _circles(beats: _Beats) -> list[tuple[str, ...]]:
    """For every edge a shortest circle through it, each once, its least name first."""
    found: dict[tuple[str, ...], None] = {}
    for winner, lost in sorted(beats.items()):
        for loser in sorted(lost):
            back = _path(beats, loser, winner)
            if back:
                circle = (winner, *back[:-1])
                turn = circle.index(min(circle))
                found[circle[turn:] + circle[:turn]] = None
    return list(found)


def _path(beats: _Beats, start: str, end: str) -> list[str]:
    """A shortest way along wins from start to end; empty if there is none."""
    ways, seen = [[start]], {start}
    while ways:
        onward = []
        for way in ways:
            for after in sorted(beats.get(way[-1], {})):
                if after == end:
                    return [*way, end]
                if after not in seen:
                    seen.add(after)
                    onward.append([*way, after])
        ways = onward
    return []
