"""Columns of tidy tables from arrays."""

import numpy as np
import polars as pl

from reports.counts import Array
from reports.kbernestich.played import SUITS, PlayedGames


def said(played: PlayedGames, codes: Array) -> pl.Series:
    """Numbers of strategies as their names, one column."""
    names = pl.Series(played.names, dtype=played.strategies)
    return names.gather(codes.reshape(-1).astype(np.uint32))


def flat(values: Array, shape: tuple[int, ...]) -> Array:
    """Values once for every cell of the shape, as one column."""
    return np.broadcast_to(values, shape).reshape(-1)


def suit_masks(played: PlayedGames) -> Array:
    """(5,) the cards of each suit as a mask; nothing for no trump."""
    cards = played.vocabularies["card"]
    found = [
        sum(1 << n for n, card in enumerate(cards) if card[0] == suit) for suit in SUITS
    ]
    return np.array([*found, 0], dtype=np.uint64)
