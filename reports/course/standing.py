"""How the seats of some games stand at each moment, and what became of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

import numpy as np
import polars as pl

from reports.counts import Array

MOST = 128
"""Moments of a game: of a longer one so many are told, evenly spaced."""


@dataclass(frozen=True, eq=False)
class Standing:
    """How the seats of some games stand at the end of each moment.

    ``values`` (moments, seats, games) are whole numbers, and more of it is better:
    they are ``sign`` times what is told. A shorter game stays as it ended. ``winner``
    (games,) is a seat, or -1, and ``game`` (games,) are their numbers in the run. A
    round is so many moments. ``rounds`` (games,) is how many each game lasted; without
    it, all. Where games end with what somebody has, ``over(values)`` says whether they
    do: it takes (..., seats, games).
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
        told: Array,
        winner: Array,
        game: Array,
        moments: int = 1,
        rounds: Array | None = None,
        over: Callable[[Array], Array] | None = None,
    ) -> Self:
        """What is told of how seats stand, as the game declares who is ahead.

        ``told`` and what ``over`` takes are as the game has them. Raises KeyError
        where the game declares no standing.
        """
        if about["standing"] is None:
            raise KeyError("the game declares no standing, so nobody is ahead")
        sign = {"most": 1, "fewest": -1}[about["standing"]["wins"]]
        values = sign * told.astype(np.int64) if sign < 0 else told
        ends = over
        if over is not None and sign < 0:
            ends = partial(_ended, over)
        return cls(values, winner, game, moments, rounds, ends, sign)

    @property
    def told(self) -> Array:
        """(moments, seats, games) the numbers as the game tells them."""
        return self.values if self.sign > 0 else -self.values

    def some(self, games: Array) -> Self:
        """Some of the games, by their places."""
        rounds = None if self.rounds is None else self.rounds[games]
        return replace(
            self,
            values=self.values[..., games],
            winner=self.winner[games],
            game=self.game[games],
            rounds=rounds,
        )

    @property
    def lasted(self) -> Array:
        """(games,) rounds of each game."""
        if self.rounds is not None:
            return self.rounds
        return np.full(len(self.game), len(self.values) // self.moments)


def _ended(over: Callable[[Array], Array], values: Array) -> Array:
    """Whether games end with these numbers, of which less is told as more."""
    return over(-values)


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
