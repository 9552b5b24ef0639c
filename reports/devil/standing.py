"""Who is ahead after each round, who has won by rank, and margins; the least leads."""

import numpy as np
import polars as pl

from reports.counts import Array, Counts, grid
from reports.course import Standing, as_told
from reports.devil.played import PlayedGames


def standing(played: PlayedGames) -> Standing | None:
    """Totals after each round, less being better; a total at the target ends it."""
    if "round" not in played.raw:
        return None
    rows = played.raw["round"].select(
        "game", "seat", less=-pl.col("scores").cast(pl.Int64)
    )
    shape = (played.players, played.first, played.size)
    values, rounds = as_told(rows, "less", *shape)
    target = played.rules["target"]

    def over(values: Array) -> Array:
        flags: Array = values.min(axis=-2) <= -target
        return flags

    return Standing(values, played.winner, played.game, 1, rounds, over)


def counts(played: PlayedGames) -> list[Counts]:
    """Sums by rank at half-time, and of margins at the end."""
    first, second = np.sort(played.final, axis=0)[:2]
    wins = (played.winner >= 0).astype(np.int64)
    found = [grid("margin", (second - first) * wins, wins)]
    told = standing(played)
    if told is not None:
        half = np.maximum(told.lasted // 2, 1) - 1
        now = np.take_along_axis(told.values, half[None, None], axis=0)[0]
        rank = 1 + (now[:, None] < now[None]).sum(axis=1)
        ranks = range(1, played.players + 1)
        here = rank == np.arange(1, played.players + 1)[:, None, None]
        won = (here & played.victory).sum(axis=1)
        found.append(grid("won by rank", won, here.sum(axis=1), rank=ranks))
    return found
