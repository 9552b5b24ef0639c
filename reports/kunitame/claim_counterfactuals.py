"""Squares of pledges: claims tried, games without a square, and what goes together."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl

from reports.counts import Array, Counts
from reports.kunitame.game_arrays import KunitameArrays
from reports.pledges import Pledges

SQUARES = Pledges("square", "squares", "week", "pass")
CLAIMS = "claims"
"""The name of the raw table of claims that were tried."""
_KINDS = ("claim", "bonus")
_OF = (7, 16)
"""One in this many claims is tried, after a trick and at liquidation."""
_EVERY = 3
"""One game in this many is played again without each square."""
_COUNTED = 16
"""One game in this many is counted by pairs of squares, which takes long."""


def branching(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return which claims are tried, with 4 players.

    After a search player's claim play goes on without search, except in full reports.
    """
    return (
        {
            "decisions": _KINDS,
            "one_in": _OF,
            "keeps": ("result",),
            "left": True,
            "name": CLAIMS,
            "players": (4,),
            "search": {"one_in": (2, 4)},
            "full": {"plays_on": ""},
        },
    )


def forbidden(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return the squares to forbid to one player, or to all."""
    removed = rules.get("removed_pledge")
    ids = [row["id"] for row in rules["squares"] if row["pledge"] != removed]
    pools = {square: (square,) for square in ids}
    lead = {"decisions": _KINDS, "pools": pools, "one_game_in": _EVERY, "players": (4,)}
    return (lead | {"full": {"one_game_in": _EVERY}},)


def tables(played: KunitameArrays) -> dict[str, pl.DataFrame]:
    """Return the tables of what was tried, and of the games without each square."""
    without = played.raw.get("forbidden", pl.DataFrame())
    return SQUARES.tables(claim_rows(played), without)


def claim_rows(played: KunitameArrays) -> pl.DataFrame:
    """Return a row per square tried."""
    ids = np.array(played.vocabularies["square"])

    def columns(raw: pl.DataFrame) -> dict[str, Array]:
        option = raw["option"].to_numpy()
        return {"option": ids[np.bitwise_count(option - np.uint64(1))]}

    return played.counterfactual_rows(CLAIMS, SQUARES.schema, columns)


def taken_together(
    played: KunitameArrays, claims: Array, bits: Mapping[str, np.uint64]
) -> Iterator[Counts]:
    """Yield which squares a seat takes in one week.

    claims: gems won, (squares, weeks, places, games).
    """
    sample = np.flatnonzero(played.game % _COUNTED == 0)
    seats = claims.shape[1] * claims.shape[2]  # of all weeks
    won = claims[..., sample].reshape(len(bits), seats, len(sample)) > 0
    taken = np.zeros(won.shape[1:], dtype=np.uint64)
    for square, bit in zip(won, bits.values(), strict=True):
        taken |= np.where(square, bit, np.uint64(0))
    yield from SQUARES.taken_with(taken, bits, sample)
