"""Who beats whom: duels, cycles and dominance, from the results of a tournament.

A strategy beats another if a seat of it wins more often at the same tables. That need
not be transitive: rock, paper and scissors form a cycle. One dominates another if
replacing the other by it always helps, whoever else sits there. All claims are made for
a family of pairs (Holm): at most 5 % chance of any false one.
"""

from typing import Any, NamedTuple

import numpy as np
import polars as pl

from reports.statistics import multiple_comparisons
from reports.statistics.evolution import Payoffs, companies
from reports.statistics.intervals import Array
from reports.statistics.tournament_results import TournamentResults

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
    """A duel that was won: by how much, and how sure that is."""

    by: float
    p: float
    sure: bool


_Beats = dict[str, dict[str, _Won]]  # winner -> loser -> how


def duels(table: Payoffs, level: float = 0.95, *, alone: bool = False) -> pl.DataFrame:
    """Return who beats whom, over all lineups in which both sit.

    alone: only at tables of just these two strategies. A row for each pair that met:
    one, other        names, in alphabetical order
    advantage, low, high    win share of a seat of one less that of a seat of other,
                      mean over the lineups (with equal weights)
    p, p_adjusted     two-sided, and for the family of all pairs (Holm)
    lineups, games    behind it
    verdict           "beats" (one the other), "loses" (to the other), "undecided"
    """
    results = _results(table)
    count = len(table.strategies)
    pairs = [(one, other) for one in range(count) for other in range(one + 1, count)]
    duel_rows = [_duel(results, *pair, level, alone) for pair in pairs]
    rows = pl.DataFrame([row for row in duel_rows if row], schema=_DUELS, orient="row")
    p = rows["p"].to_numpy()
    sure = multiple_comparisons.different(p, level=level)
    words = np.where(rows["advantage"].to_numpy() > 0, "beats", "loses")
    return rows.with_columns(
        pl.Series("p_adjusted", multiple_comparisons.adjust(p), pl.Float64),
        pl.Series("verdict", np.where(sure, words, "undecided"), pl.String),
    )


def cycles(duels: pl.DataFrame) -> pl.DataFrame:
    """Return cycles of strategies that beat each other in turn.

    For every duel a shortest cycle that it is part of, each cycle once. Columns:
    circle (list: each beats the next, the last the first), sure (every duel is, in the
    family of all), least (the smallest advantage in it), p (the largest adjusted p).
    Sure cycles come first; the others may be due to chance.
    """
    beats: _Beats = {}
    for row in duels.iter_rows(named=True):
        one, other, gain = row["one"], row["other"], row["advantage"]
        winner, loser = (one, other) if gain > 0 else (other, one)
        if gain != 0:
            won = _Won(abs(gain), row["p_adjusted"], row["verdict"] != "undecided")
            beats.setdefault(winner, {})[loser] = won
    sure_beats = {
        winner: {loser: won for loser, won in lost.items() if won.sure}
        for winner, lost in beats.items()
    }
    circles = dict.fromkeys([*_circles(sure_beats), *_circles(beats)])
    rows = []
    for circle in circles:
        steps = zip(circle, (*circle[1:], circle[0]), strict=True)
        wins = [beats[winner][loser] for winner, loser in steps]
        sure = all(won.sure for won in wins)
        least, p = min(won.by for won in wins), max(won.p for won in wins)
        rows.append((list(circle), sure, least, p))
    table = pl.DataFrame(rows, schema=_CIRCLES, orient="row")
    return table.sort("sure", "least", descending=True, maintain_order=True)


def dominated(table: Payoffs, level: float = 0.95) -> pl.DataFrame:
    """Return pairs in which one strategy could replace the other with an advantage.

    A row for each pair that was played with the same others at the table:
    dominated, by     names
    least, others     the smallest advantage of the replacement, and with whom
    low               lower bound of it with all others that were tried (one-sided)
    p, p_adjusted     of no advantage with some others (the largest p of all: Berger
                      1982, Technometrics 24:295-300), and for all pairs (Holm)
    compared, possible    sets of others that were tried, and that exist
    verdict           "dominated"; "so far" if not all others were tried; "not" if it
                      is shown to be a loss with some others; "undecided"
    """
    results = _results(table)
    count = len(table.strategies)
    possible = list(companies(table.players, count))
    pairs = [(a, b) for a in range(count) for b in range(count) if a != b]
    compared = [_replaced(table, results, *pair, possible, level) for pair in pairs]
    rows = pl.DataFrame([r for r in compared if r], schema=_DOMINATED, orient="row")
    p, against = rows["p"].to_numpy(), rows["p_against"].to_numpy()
    complete = (rows["compared"] == rows["possible"]).to_numpy()
    better = multiple_comparisons.different(p, level=level)
    worse = multiple_comparisons.different(against, level=level)
    words = np.where(worse, "not", "undecided")
    words = np.where(better, np.where(complete, "dominated", "so far"), words)
    return rows.drop("p_against").with_columns(
        pl.Series("p_adjusted", multiple_comparisons.adjust(p), pl.Float64),
        pl.Series("verdict", words, pl.String),
    )


def _results(table: Payoffs) -> TournamentResults:
    if table.tally is None:
        raise ValueError("payoffs without results have no uncertainty; give counts")
    return table.tally


def _duel(
    results: TournamentResults, one: int, other: int, level: float, alone: bool
) -> tuple[object, ...] | None:
    """Return the mean advantage over the lineups in which both sit, as strata."""
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
    """Return the advantage of a seat in each lineup, and its variance: two (lineups,).

    With four more games that differ as much as games can, so that a strategy that won
    all of ten games is not sure to win always (as in ``paired_estimates``).
    """
    games = wins.sum(1)
    score = sign / np.where(seats > 0, seats, np.inf)  # of a win by each strategy
    mean = (wins * score).sum(1) / games
    square = (wins * score**2).sum(1) / games
    return mean, np.maximum(square - mean**2, 0.0) / games + 4 / games**2


def _replaced(
    table: Payoffs,
    results: TournamentResults,
    old: int,
    new: int,
    possible: list[tuple[int, ...]],
    level: float,
) -> tuple[object, ...] | None:
    """Return the smallest advantage of ``new`` over ``old``, over all others tried."""
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
    against = float(multiple_comparisons.adjust(ndtr(z)).min())  # no loss with any
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
    table: Payoffs, results: TournamentResults, lineup: tuple[int, ...]
) -> tuple[float, float] | None:
    """Return the win share of a lineup's last seat and its variance, None if unplayed.

    It is exact if one strategy has all seats.
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
    variance = share * (1 - share) / games + 2 / games**2
    return float(share / seats[who]), float(variance / seats[who] ** 2)


def _circles(beats: _Beats) -> list[tuple[str, ...]]:
    """Return a shortest cycle through every edge, each once, its least name first."""
    unique: dict[tuple[str, ...], None] = {}
    for winner, lost in sorted(beats.items()):
        for loser in sorted(lost):
            back = _path(beats, loser, winner)
            if back:
                circle = (winner, *back[:-1])
                turn = circle.index(min(circle))
                unique[circle[turn:] + circle[:turn]] = None
    return list(unique)


def _path(beats: _Beats, start: str, end: str) -> list[str]:
    """Return a shortest path along wins from start to end; empty if there is none."""
    paths, seen = [[start]], {start}
    while paths:
        longer = []
        for path in paths:
            for loser in sorted(beats.get(path[-1], {})):
                if loser == end:
                    return [*path, end]
                if loser not in seen:
                    seen.add(loser)
                    longer.append([*path, loser])
        paths = longer
    return []
