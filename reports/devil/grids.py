"""Sums from arrays in which every game has rows of its own number.

A grid has a number for each of some groups (ending; place; card) in each row, and rows
belong to games. Its sums are those of ``reports.measures``, by game.
"""

import math
from collections.abc import Sequence
from itertools import product

import numpy as np
import polars as pl

from reports.devil.played import Array
from reports.measures import SUMS


def grid(
    measure: str, game: Array, y: Array, x: Array, **groups: Sequence[int | str]
) -> pl.DataFrame:
    """Sum y per x over the games; both fit the shape (groups, ..., rows).

    game: (rows,) the game of each row, from 0. groups: the labels along each axis
    before the last, in the order of the axes.
    """
    shape = (*map(len, groups.values()), len(game))
    top, below = (_by_game(part, game, shape) for part in (y, x))
    labels = list(product(*groups.values()))
    named = {
        name: pl.Series([label[at] for label in labels], dtype=_kind(values))
        for at, (name, values) in enumerate(groups.items())
    }
    sums = {
        "y": top.sum(axis=1),
        "x": below.sum(axis=1),
        "yy": np.einsum("kg,kg->k", top, top),
        "xx": np.einsum("kg,kg->k", below, below),
        "xy": np.einsum("kg,kg->k", top, below),
        "games": np.count_nonzero(below, axis=1).astype(np.float64),
    }
    rows = pl.DataFrame({**named, **sums, "measure": [measure] * len(top)})
    return rows.filter(pl.col("games") > 0)


def _by_game(part: Array, game: Array, shape: tuple[int, ...]) -> Array:
    """(groups, games) the rows of each game added up, exact as floats."""
    flat = np.broadcast_to(part, shape).reshape(math.prod(shape[:-1]), shape[-1])
    added = np.stack([np.bincount(game, row) for row in flat.astype(np.float64)])
    return added.astype(np.float64)  # what has no rows comes as whole numbers


def _kind(values: Sequence[int | str]) -> type[pl.DataType]:
    return pl.Int64 if values and isinstance(values[0], int) else pl.String


def flags(codes: Array, number: int) -> Array:
    """(number, rows) whether the code of a row is 0, 1, ..."""
    return codes == np.arange(number)[:, None]


LADDER = np.array(
    [*range(200), *range(200, 500, 5), *range(500, 2000, 20), *range(2000, 60001, 500)]
)
"""Lengths that shares of longer rounds are counted for: every one up to 200 turns."""


def ladder(measure: str, game: Array, length: Array) -> pl.DataFrame:
    """How many rows are longer than each length of ``LADDER`` (column ``beyond``).

    Lengths that none exceeds are left out, so that tables stay small.
    """
    if not len(length):
        return grid(measure, game, np.zeros((1, 0)), np.zeros((1, 0)), beyond=[0])
    steps = LADDER[: np.searchsorted(LADDER, length.max()) or 1]
    return grid(
        measure, game, length > steps[:, None], np.ones(len(game)),
        beyond=steps.tolist(),
    )  # fmt: skip


def climbed(rows: pl.DataFrame) -> pl.DataFrame:
    """The sums of a ladder with those of every block: x stands in the first step."""
    first = rows.filter(beyond=0).select("cell", x="x", xx="xx", games="games")
    kept = rows.drop("x", "xx", "games").join(first, on="cell", how="inner")
    return kept.select(*(n for n in rows.columns if n not in SUMS), *SUMS)
