"""Points after every step: each trick of a week, then liquidation with contracts."""

from collections.abc import Iterator

import numpy as np

from reports.counts import Array
from reports.course import Standings
from reports.kunitame.game_arrays import KunitameArrays


def standing(played: KunitameArrays) -> Standings:
    """Return points after each step; a round is a week."""
    steps = np.stack([points.copy() for points in _points(played)])
    ends = played.winner, played.game, played.rounds + 1
    return Standings.of(played.about, steps, *ends)


def _points(played: KunitameArrays) -> Iterator[Array]:
    """Yield points after each step, (seats, games)."""
    won, back = played.at_tricks(won=True), played.at_tricks(won=False)
    points = np.zeros((played.players, played.size), dtype=np.int16)
    games = np.arange(played.size)
    for week in range(played.weeks):
        for trick in range(played.rounds):
            points[played.taker[week, trick], games] += (
                won[week, trick] - back[week, trick]
            )
            yield points
        points = played.week_points[week].copy()
        yield points
