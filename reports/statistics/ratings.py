"""How strong strategies are: Plackett-Luce ratings from the winners of lineups.

In this model a seat wins with a chance in proportion to the strength of its strategy,
exp(rating), whoever else sits there (Plackett 1975, Appl. Stat. 24:193-202; Luce 1959,
Individual Choice Behavior; for two seats Bradley & Terry 1952, Biometrika 39:324-345).
Ratings are maximum-likelihood estimates with mean 0: a difference of 0.69 means twice
as many wins. Only winners count, not who comes second.

A strategy that never won would have the rating minus infinity. So each plays ``GHOST``
of a game against a strategy of rating 0 and wins half of it, which moves a rating by at
most ``GHOST`` over its wins; and if wins do not connect the strategies (Hunter 2004,
Ann. Stat. 32:384-406), the interval has no end on that side.

That one rating describes each strategy is a claim; ``lack_of_fit`` tests it.
"""

from typing import Literal, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.statistics.intervals import Array
from reports.statistics.tournament_results import TournamentResults, tournament_results

GHOST = 0.01


class Fit(NamedTuple):
    """How well ratings explain the results of all lineups."""

    statistic: float  # likelihood ratio against separate win shares in each lineup
    freedom: int
    p: float  # small: how strong a strategy is depends on who else sits there


def plackett_luce(
    counts: pl.DataFrame, draws: int = 1_000, seed: int = 0, level: float = 0.95
) -> pl.DataFrame:
    """Rate strategies so that a seat wins in proportion to exp(rating).

    counts: lineup (list of titles, one per seat, in any order), winner (a title),
    games. A strategy counts as often as it has seats. Games must be independent, also
    between lineups (separate seeds). Returns a row for each strategy, best first:
    strategy, rating, low, high, wins, games (that it took part in). The interval is
    from ``draws`` resamples of games; an end is null if the results do not bound it.
    """
    table = tournament_results(counts)
    rating = fitted(table.seats, table.wins[None])[0]
    resampled = [fitted(table.seats, wins) for wins in table.resampled(draws, seed)]
    tails = [(1 - level) / 2, (1 + level) / 2]
    low, high = np.quantile(np.concatenate(resampled), tails, axis=0)
    below, above = _unbounded(table)
    rows = pl.DataFrame(
        {
            "strategy": table.strategies,
            "rating": rating,
            "low": np.where(below, np.nan, np.minimum(low, rating)),
            "high": np.where(above, np.nan, np.maximum(high, rating)),
            "wins": table.wins.sum(0).astype(np.int64),
            "games": (table.games @ (table.seats > 0)).astype(np.int64),
        }
    ).fill_nan(None)
    return rows[np.argsort(-rating, stable=True)]


def lack_of_fit(counts: pl.DataFrame, draws: int = 200, seed: int = 0) -> Fit:
    """Test whether one rating for each strategy explains all results.

    Likelihood ratio against separate win shares in each lineup. With few games it is
    larger than its chi-square, so it is divided by its mean over ``draws`` results
    simulated from the ratings, each fitted again (Bartlett 1937, Proc. R. Soc. A
    160:268-282). p is nan if there are too few lineups to tell.
    """
    from scipy.special import chdtrc  # slow to import

    table = tournament_results(counts)
    chance = _chances(table.seats, fitted(table.seats, table.wins[None]))[0]
    statistic = float(_deviance(table.seats, table.wins[None])[0])
    played = table.games > 0
    free = np.sum(np.count_nonzero(table.seats[played], axis=1) - 1)
    groups, _ = _components(table.seats[played].T @ table.seats[played] > 0)
    freedom = int(free) - (len(table.strategies) - groups)
    if freedom < 1:
        return Fit(statistic, 0, float("nan"))
    rng = np.random.default_rng(seed)
    games = table.games.astype(np.int64)
    simulated = rng.multinomial(games, chance, (draws, len(chance)))
    bartlett = float(_deviance(table.seats, simulated.astype(float)).mean()) / freedom
    return Fit(statistic, freedom, float(chdtrc(freedom, statistic / bartlett)))


def _deviance(seats: Array, wins: Array) -> Array:
    """Return the deviance of the ratings, (results,)."""
    expected = wins.sum(2, keepdims=True) * _chances(seats, fitted(seats, wins))
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.where(wins > 0, wins * np.log(wins / expected), 0.0)
    deviance: Array = np.maximum(2 * parts.sum((1, 2)), 0.0)
    return deviance


def fitted(seats: Array, wins: Array) -> Array:
    """Return maximum-likelihood ratings for several results of the same lineups.

    seats: (lineups, strategies); wins: (results, lineups, strategies). Returns
    (results, strategies), mean 0. Newton's method on a concave likelihood: steps shrink
    quickly, down to rounding errors.
    """
    last = np.inf
    rating = np.zeros((len(wins), wins.shape[2]))
    won, games = wins.sum(1), wins.sum(2)
    diagonal = np.arange(wins.shape[2])
    for _ in range(200):
        chance = _chances(seats, rating)
        ghost = 1 / (1 + np.exp(-rating))
        slope = won - np.einsum("bl,blk->bk", games, chance) + GHOST * (0.5 - ghost)
        weighted = games[:, :, None] * chance
        bend = -np.einsum("blk,blj->bkj", weighted, chance)
        bend[:, diagonal, diagonal] += weighted.sum(1) + GHOST * ghost * (1 - ghost)
        step = np.linalg.solve(bend, slope[..., None])[..., 0]
        step -= step.mean(1, keepdims=True)  # only the ghost would set the level
        rating += np.clip(step, -1.0, 1.0)
        size = float(np.abs(step).max())
        if size < 1e-10 or last / 2 < size < 1e-4:
            return rating - rating.mean(1, keepdims=True)
        last = size
    raise ArithmeticError("ratings did not settle")  # a concave likelihood does


def _chances(seats: Array, rating: Array) -> Array:
    """Return the chance of each strategy to win, (results, lineups, strategies)."""
    strength = seats * np.exp(rating - rating.max(1, keepdims=True))[:, None, :]
    return strength / strength.sum(2, keepdims=True)


def _unbounded(table: TournamentResults) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return whose rating the results do not bound, from below and from above.

    Strategies that beat each other in turn form a group. A group that never beat
    another has no lower bound, one that never lost to another no upper bound.
    """
    met = (table.seats > 0) & (table.games[:, None] > 0)
    beat = (table.wins > 0).T.astype(float) @ met > 0
    groups, group = _components(beat, connection="strong")
    outside = group[:, None] != group
    below, above = np.zeros(len(group), bool), np.zeros(len(group), bool)
    for number in range(groups if groups > 1 else 0):
        inside = group == number
        below[inside] = not (beat & outside)[inside].any()
        above[inside] = not (beat & outside)[:, inside].any()
    return below, above


def _components(
    edges: NDArray[np.bool_], connection: Literal["weak", "strong"] = "weak"
) -> tuple[int, NDArray[np.int32]]:
    from scipy.sparse.csgraph import connected_components  # slow to import

    number, labels = connected_components(edges, directed=True, connection=connection)
    return int(number), labels
