"""Columns of tidy tables from arrays, and which tables of strategies are read."""

import numpy as np
import polars as pl

from reports.found import PAIRED, Found
from reports.grids import Array
from reports.kbernestich.played import SUITS, Played


def said(played: Played, codes: Array) -> pl.Series:
    """Numbers of strategies as their names, one column."""
    names = pl.Series(played.names, dtype=played.schools)
    return names.gather(codes.reshape(-1).astype(np.uint32))


def flat(values: Array, shape: tuple[int, ...]) -> Array:
    """Values once for every cell of the shape, as one column."""
    return np.broadcast_to(values, shape).reshape(-1)


def suit_masks(played: Played) -> Array:
    """(5,) the cards of each suit as a mask; nothing for no trump."""
    cards = played.words["card"]
    found = [
        sum(1 << n for n, card in enumerate(cards) if card[0] == suit) for suit in SUITS
    ]
    return np.array([*found, 0], dtype=np.uint64)


def alone(found: Found) -> pl.Expr:
    """Tables at which everybody plays the same strategy, or the lineup asked for.

    With the number of players that details are about.
    """
    kinds = pl.col("kind").is_in(["self", "given"]) & ~PAIRED
    return kinds & (pl.col("players") == found.players)
