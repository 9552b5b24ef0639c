"""Who is ahead after each round, who has won by rank, and margins; the least leads."""

import numpy as np

from reports.counts import Counts, grid
from reports.course import Standing
from reports.devil.played import PlayedGames


def standing(played: PlayedGames) -> Standing | None:
    """Totals after each round; None where rounds are not told."""
    return played.standing


def counts(played: PlayedGames) -> list[Counts]:
    """Sums by rank at half-time, and of margins at the end."""
    first, second = np.sort(played.final, axis=0)[:2]
    wins = (played.winner >= 0).astype(np.int64)
    found = [grid("margin", (second - first) * wins, wins)]
    told = played.standing
    if told is not None:
        half = np.maximum(told.lasted // 2, 1) - 1
        now = np.take_along_axis(told.values, half[None, None], axis=0)[0]
        rank = 1 + (now[:, None] < now[None]).sum(axis=1)
        ranks = range(1, played.players + 1)
        here = rank == np.arange(1, played.players + 1)[:, None, None]
        won = (here & played.victory).sum(axis=1)
        found.append(grid("won by rank", won, here.sum(axis=1), rank=ranks))
    return found
