"""How the seats of some games stand at each moment, and who wins."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

import numpy as np
import polars as pl

from reports.counts import Array

MOST = 128
"""The most moments of a game; of longer games, this many are kept, evenly spaced."""


@dataclass(frozen=True, eq=False)
class Standings:
    """How the seats of some games stand at the end of each moment.

    ``values`` (moments, seats, games) are integers, and more is better: they are
    ``sign`` times the game's numbers. A shorter game keeps its last values. ``winner``
    (games,) is a seat, or -1, and ``game`` (games,) are their numbers in the run. A
    round has ``moments``. ``rounds`` (games,): the rounds of each game (default: all).
    If games end when somebody has enough, ``over(values)`` says whether they do, given
    (..., seats, games).
    """

    values: Array
    winner: Array
    game: Array
    moments: int = 1
    rounds: Array | None = None
    over: Callable[[Array], Array] | None = None
    sign: int = 1

    @classmethod
    def of(
        cls,
        about: Mapping[str, Any],
        recorded: Array,
        winner: Array,
        game: Array,
        moments: int = 1,
        rounds: Array | None = None,
        over: Callable[[Array], Array] | None = None,
    ) -> Self:
        """Return how seats stand, given what the game declares about who is ahead.

        ``recorded``, and the argument of ``over``, are the game's numbers. Raises
        KeyError if the game declares no standing.
        """
        if about["standing"] is None:
            raise KeyError("the game declares no standing, so nobody is ahead")
        sign = {"most": 1, "fewest": -1}[about["standing"]["wins"]]
        values = sign * recorded.astype(np.int64) if sign < 0 else recorded
        ends = over
        if over is not None and sign < 0:
            ends = partial(_ended, over)
        return cls(values, winner, game, moments, rounds, ends, sign)

    @property
    def as_recorded(self) -> Array:
        """The game's numbers, (moments, seats, games)."""
        return self.values if self.sign > 0 else -self.values

    def take(self, games: Array) -> Self:
        """Return some of the games, by their places."""
        rounds = None if self.rounds is None else self.rounds[games]
        return replace(
            self,
            values=self.values[..., games],
            winner=self.winner[games],
            game=self.game[games],
            rounds=rounds,
        )

    @property
    def rounds_played(self) -> Array:
        """The rounds of each game, (games,)."""
        if self.rounds is not None:
            return self.rounds
        return np.full(len(self.game), len(self.values) // self.moments)


def _ended(over: Callable[[Array], Array], values: Array) -> Array:
    """Return whether games end with these negated numbers."""
    return over(-values)


def from_note(
    rows: pl.DataFrame, field: str, players: int, first: int, games: int
) -> tuple[Array, Array]:
    """Return a note by seat as (moments, seats, games), and its count by game (games,).

    ``rows`` have the columns game (from ``first`` on), seat and ``field``, in the order
    of time for each seat. Games with fewer notes keep their last values.
    """
    place = rows["game"].to_numpy().astype(np.int64) - first
    key = place * players + rows["seat"].to_numpy()
    order = np.argsort(key, kind="stable")
    each = np.bincount(key, minlength=games * players)
    at = np.arange(len(key)) - (np.cumsum(each) - each)[key[order]]
    often = each[::players]
    values = np.zeros((max(int(often.max(initial=0)), 1), games * players), np.int64)
    values[at, key[order]] = rows[field].to_numpy()[order]
    kept = min(len(values), MOST)
    lasted = np.clip(often, 1, kept)
    moment = np.minimum(np.arange(1, kept + 1)[:, None], lasted)  # from 1
    of_moment = -(-moment * np.maximum(often, 1) // lasted) - 1
    of_seats = np.repeat(of_moment, players, axis=1)
    notes = np.take_along_axis(values, of_seats, axis=0)
    return notes.reshape(kept, games, players).swapaxes(1, 2).copy(), lasted
