"""Totals after each round, wins by rank, and margins; the lowest total leads."""

import numpy as np

from reports.counts import Counts, grid
from reports.course import Standings
from reports.devil.game_arrays import DevilArrays


def standing(played: DevilArrays) -> Standings | None:
    """Return totals after each round; None if rounds are not recorded."""
    return played.standing


def counts(played: DevilArrays) -> list[Counts]:
    """Count wins by rank at half-time, and margins at the end."""
    first, second = np.sort(played.final, axis=0)[:2]
    wins = (played.winner >= 0).astype(np.int64)
    measured = [grid("margin", (second - first) * wins, wins)]
    totals = played.standing
    if totals is not None:
        half = np.maximum(totals.rounds_played // 2, 1) - 1
        now = np.take_along_axis(totals.values, half[None, None], axis=0)[0]
        rank = 1 + (now[:, None] < now[None]).sum(axis=1)
        ranks = range(1, played.players + 1)
        here = rank == np.arange(1, played.players + 1)[:, None, None]
        won = (here & played.victory).sum(axis=1)
        measured.append(grid("won by rank", won, here.sum(axis=1), rank=ranks))
    return measured
