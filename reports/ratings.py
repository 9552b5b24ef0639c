"""How strong strategies are: Plackett-Luce ratings from who won among whom."""

from typing import NamedTuple

import polars as pl


class Fit(NamedTuple):
    """How well ratings explain the results of all lineups."""

    statistic: float  # likelihood ratio against one win share for each of each lineup
    freedom: int
    p: float  # small: strength depends on who else sits there


def plackett_luce(
    counts: pl.DataFrame, draws: int = 1_000, seed: int = 0, level: float = 0.95
) -> pl.DataFrame:
    """Rate strategies so that a seat wins in proportion to exp(rating).

    counts: lineup (list of titles, one a seat, any order), winner (title), games. A
    strategy in several seats of a lineup counts so often. Games of different lineups
    must be independent (seeds of their own). Returns, best first: strategy, rating
    (mean 0), low, high, wins, games.
    """
    raise NotImplementedError


def lack_of_fit(counts: pl.DataFrame) -> Fit:
    """Test whether one rating for each strategy explains the results."""
    raise NotImplementedError
