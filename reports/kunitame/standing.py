"""Who is ahead when: points after every trick and liquidation, and what they tell.

A game has steps: each trick of a week, then its liquidation (contracts included).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from reports.counts import Array
from reports.kunitame.played import PlayedGames


@dataclass(frozen=True)
class Standing:
    """What the points in the course of some games tell."""

    lead_changes: Array  # (games,) changes of the sole leader
    settled: Array  # (games,) last step after which the winner was not sole leader
    steps: int  # steps in a game
    last_at_half: Array  # (seats, games) nobody had fewer points at half-time
    sole_at_third: Array  # (seats, games) sole leader at one third of the game


def standing(played: PlayedGames) -> Standing:
    """Follow the points through the games."""
    steps = played.weeks * (played.rounds + 1)
    changes = np.zeros(played.size, dtype=np.int16)
    settled = np.zeros(played.size, dtype=np.int16)
    leader = np.full(played.size, -1, dtype=np.int8)  # last sole leader
    last = third = np.zeros((played.players, played.size), dtype=np.bool_)
    for step, points in enumerate(_points(played), start=1):
        best = points.max(axis=0)
        at_top = points == best
        sole = at_top.sum(axis=0) == 1
        now = np.where(sole, at_top.argmax(axis=0), leader)
        changes += sole & (leader >= 0) & (now != leader)
        leader = now.astype(np.int8)
        settled[~sole | (now != played.winner)] = step
        if step == half_time(steps):
            last = points == points.min(axis=0)
        if step == one_third(steps):
            third = at_top & sole
    return Standing(changes, settled, steps, last, third)


def half_time(steps: int) -> int:
    """The step at which half the game is over."""
    return max(steps // 2, 1)


def one_third(steps: int) -> int:
    """The step at which a third of the game is over."""
    return max(steps // 3, 1)


def _points(played: PlayedGames) -> Iterator[Array]:
    """(seats, games) points after each step."""
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
