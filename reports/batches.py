"""Batches: the 64 parts of a run's games, by which sums are kept.

Moments of single games give the error of a share or a mean, but not that of a gap
between the best and the worst position, of a correlation, or of a difference between
two rule sets that played the same games. These errors follow from how the number
changes from one part of the games to the next (jackknife of groups: Shao & Wu 1989,
Ann. Stat. 17:1176-1197), so every row of sums also has them by batch. Two tables of
sums whose batches have the same games are paired: their batches are subtracted.

A game's batch depends on its number alone, so it is the same in any block, and in any
run. All rotations of a lineup are equally frequent in each.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
BATCHES = 64


@dataclass(frozen=True)
class GameBatches:
    """The batches of games from number ``first`` on, with this number of players."""

    players: int = 1
    first: int = 0

    def of(self, game: Array) -> NDArray[np.int64]:
        """Return the batch of each game, counted from 0 in this block."""
        number = game.astype(np.int64) + self.first
        batch: NDArray[np.int64] = number // self.players % BATCHES
        return batch

    def sizes(self, games: int) -> Array:
        """Return (BATCHES,): how many of so many games are in each."""
        batch = self.of(np.arange(games))
        return np.bincount(batch, minlength=BATCHES).astype(np.float64)

    def sum(self, values: Array, game: Array | None = None) -> Array:
        """Return (groups, BATCHES): the sums of values (groups, games) by batch.

        ``game`` (games,): the number of each of these games, from 0; by default all.
        """
        if game is not None:
            return self._sum_of_sample(values, game)
        groups, games = values.shape
        if values.strides[1] == 0 and values.size:  # equal in all games
            return values[:, :1].astype(np.float64) * self.sizes(games)
        # Laid out by turns of all batches, which is faster than sorting by batch
        turn = BATCHES * self.players
        lead = self.first % turn
        turns = -(-(lead + games) // turn)
        small = values.dtype == np.bool_
        kind = np.float32 if small else np.float64
        if games == turns * turn:
            laid_out = values.astype(kind, copy=False)
        else:
            laid_out = np.zeros((groups, turns * turn), kind)
            laid_out[:, lead : lead + games] = values
        by_turn = laid_out.reshape(groups, turns, turn).sum(axis=1)
        batches = by_turn.reshape(groups, BATCHES, self.players)
        summed: Array = batches.sum(axis=2, dtype=np.float64)
        return summed

    def _sum_of_sample(self, values: Array, game: Array) -> Array:
        summed = np.zeros((len(values), BATCHES))
        if len(game):
            batch = self.of(game)
            order = batch.argsort(kind="stable")
            batch, first = np.unique(batch[order], return_index=True)
            sorted_ = values.take(order, axis=1)
            summed[:, batch] = np.add.reduceat(sorted_, first, axis=1, dtype=np.float64)
        return summed

    def sum_cells(self, group: Array, game: Array, value: Array, groups: int) -> Array:
        """Return (groups, BATCHES): the sums of (cells,) values of a group and game."""
        code = group.astype(np.int64) * BATCHES + self.of(game)
        flat = np.bincount(code, value, groups * BATCHES).astype(np.float64)
        return flat.reshape(groups, BATCHES)
