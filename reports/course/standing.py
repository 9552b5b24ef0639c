"""How the seats of some games stand at each moment, and what became of them."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import polars as pl

from reports.counts import Array

MOST = 128
"""Moments of a game: of a longer one so many are told, evenly spaced."""


@dataclass(frozen=True, eq=False)
class Standing:
    """How the seats of some games stand at the end of each moment.

    ``values`` (moments, seats, games) are whole numbers, and more of it is better; a
    shorter game stays as it ended. ``winner`` (games,) is a seat, or -1, and ``game``
    (games,) are their numbers in the run. A round is so many moments. ``rounds``
    (games,) is how many each game lasted; without it, all. Where games end with what
    somebody has, ``over(values)`` says whether they do: it takes (..., seats, games).
    """

    values: Array
    winner: Array
    game: Array
    moments: int = 1
    rounds: Array | None = None
    over: Callable[[Array], Array] | None = None

    @property
    def lasted(self) -> Array:
        """(games,) rounds of each game."""
        if self.rounds is not None:
            return self.rounds
        return np.full(len(self.game), len(self.values) // self.moments)


def as_told(
    rows: pl.DataFrame, field: str, players: int, first: int, games: int
) -> tuple[Array, Array]:
    """What a note tells by seat, as (moments, seats, games), and (games,) how often.

    ``rows`` have the columns game (from ``first`` on), seat and ``field``, and stand in
    the order of time for each seat. Games of which less is told stay as they were.
    """
    place = rows["game"].to_numpy().astype(np.int64) - first
    key = place * players + rows["seat"].to_numpy()
    order = np.argsort(key, kind="stable")
    each = np.bincount(key, minlength=games * players)
    at = np.arange(len(key)) - (np.cumsum(each) - each)[key[order]]
    often = each[::players]
    values = np.zeros((max(int(often.max(initial=0)), 1), games * players), np.int64)
    values[at, key[order]] = rows[field].to_numpy()[order]
    shown = min(len(values), MOST)
    lasted = np.clip(often, 1, shown)
    moment = np.minimum(np.arange(1, shown + 1)[:, None], lasted)  # from 1
    found = -(-moment * np.maximum(often, 1) // lasted) - 1
    seats = np.repeat(found, players, axis=1)
    told = np.take_along_axis(values, seats, axis=0)
    return told.reshape(shown, games, players).swapaxes(1, 2).copy(), lasted
