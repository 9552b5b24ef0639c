"""How strong strategies are: Plackett-Luce ratings from who won among whom.

In this model a seat wins with a chance in proportion to the strength of its strategy,
exp(rating), whoever else sits there (Plackett 1975, Appl. Stat. 24:193-202; Luce 1959,
Individual Choice Behavior; for two seats Bradley & Terry 1952, Biometrika 39:324-345).
Ratings are those of largest likelihood, with mean 0: a difference of 0.69 is twice as
many wins. Only who won counts, not who came second.

A strategy that never won would have the rating minus infinity. So each plays GHOST of
a game against a strategy of rating 0 and wins half of it, which moves a rating by no
more than GHOST over its wins; and where wins do not connect the strategies (Hunter
2004, Ann. Stat. 32:384-406) the interval has no end on that side.

One rating for each strategy is a claim; `lack_of_fit` tests it.
"""

from typing import Literal, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.statistics.intervals import Array
from reports.statistics.tally import Tally, tally

GHOST = 0.01


class Fit(NamedTuple):
    """How well ratings explain the results of all lineups."""

    statistic: float  # likelihood ratio against a win share of its own in each lineup
    freedom: int
    p: float  # small: how strong a strategy is depends on who else sits there


def plackett_luce(
    counts: pl.DataFrame, draws: int = 1_000, seed: int = 0, level: float = 0.95
) -> pl.DataFrame:
    """Rate strategies so that a seat wins in proportion to exp(rating).

    counts: lineup (list of titles, one a seat, in any order), winner (a title), games.
    A strategy counts as often as it has seats. Games must be independent, also of
    those of other lineups (seeds of their own). Returns a row a strategy, best first:
    strategy, rating, low, high, wins, games (that it took part in). The interval is
    that of `draws` resamples of games; an end is null where the results set none.
    """
    table = tally(counts)
    rating = fitted(table.seats, table.wins[None])[0]
    again = [fitted(table.seats, wins) for wins in table.resampled(draws, seed)]
    tails = [(1 - level) / 2, (1 + level) / 2]
    low, high = np.quantile(np.concatenate(again), tails, axis=0)
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

    Likelihood ratio against lineups that have win shares of their own. Of few games it
    is larger than its chi-square, so it is divided by its mean over `draws` results
    that the ratings themselves make, each rated anew (Bartlett 1937, Proc. R. Soc. A
    160:268-282). p is nan where there are too few lineups to tell.
    """
    from scipy.special import chdtrc  # slow to import

    table = tally(counts)
    chance = _chances(table.seats, fitted(table.seats, table.wins[None]))[0]
    statistic = float(_deviance(table.seats, table.wins[None])[0])
    played = table.games > 0
    free = np.sum(np.count_nonzero(table.seats[played], axis=1) - 1)
    groups, _ = _components(table.seats[played].T @ table.seats[played] > 0)
    freedom = int(free) - (len(table.strategies) - groups)
    if freedom < 1:
        return Fit(statistic, 0, float("nan"))
    rng = np.random.default_rng(seed)
    again = rng.multinomial(table.games.astype(np.int64), chance, (draws, len(chance)))
    usual = float(_deviance(table.seats, again.astype(float)).mean()) / freedom
    return Fit(statistic, freedom, float(chdtrc(freedom, statistic / usual)))


def _deviance(seats: Array, wins: Array) -> Array:
    """Twice the log-likelihood that ratings lack: (results,)."""
    expected = wins.sum(2, keepdims=True) * _chances(seats, fitted(seats, wins))
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.where(wins > 0, wins * np.log(wins / expected), 0.0)
    found: Array = np.maximum(2 * parts.sum((1, 2)), 0.0)
    return found


def fitted(seats: Array, wins: Array) -> Array:
    """Find the ratings of largest likelihood of several results of the same lineups.

    seats: (lineups, strategies); wins: (results, lineups, strategies). Returns
    (results, strategies), mean 0. Newton's method on a concave likelihood: steps shrink
    quickly, down to the size of rounding.
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
        step -= step.mean(1, keepdims=True)  # the common height is the ghost's alone
        rating += np.clip(step, -1.0, 1.0)
        size = float(np.abs(step).max())
        if size < 1e-10 or last / 2 < size < 1e-4:
            return rating - rating.mean(1, keepdims=True)
        last = size
    raise ArithmeticError("ratings did not settle")  # a concave likelihood does


def _chances(seats: Array, rating: Array) -> Array:
    """The chance of each strategy to win: (results, lineups, strategies)."""
    strength = seats * np.exp(rating - rating.max(1, keepdims=True))[:, None, :]
    return strength / strength.sum(2, keepdims=True)


def _unbounded(table: Tally) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whose rating the results do not bound, from below and from above.

    Strategies that won in turn form a group. A group that never won against another
    has no least rating, one that never lost to another no greatest.
    """
    beat = (table.wins > 0).T.astype(float) @ ((table.seats > 0) & _played(table)) > 0
    groups, group = _components(beat, connection="strong")
    apart = group[:, None] != group
    below, above = np.zeros(len(group), bool), np.zeros(len(group), bool)
    for number in range(groups if groups > 1 else 0):
        inside = group == number
        below[inside] = not (beat & apart)[inside].any()
        above[inside] = not (beat & apart)[:, inside].any()
    return below, above


def _played(table: Tally) -> NDArray[np.bool_]:
    return table.games[:, None] > 0


def _components(
    edges: NDArray[np.bool_], connection: Literal["weak", "strong"] = "weak"
) -> tuple[int, NDArray[np.int32]]:
    from scipy.sparse.csgraph import connected_components  # slow to import

    number, labels = connected_components(edges, directed=True, connection=connection)
    return int(number), labels
