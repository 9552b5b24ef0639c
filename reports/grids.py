"""Sums from dense arrays, where a row for every number would be too slow.

A grid has a number for each of some groups (place; card; phase and card) in each game.
Its sums are those of ``reports.measures``, without a row for every number.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

Array = NDArray[Any]


def grid(
    measure: str, y: Array, x: Array, **groups: Sequence[int | str]
) -> pl.DataFrame:
    """Sum y per x over the games; both fit the shape (groups, ..., games).

    groups: the labels along each axis before the last, in the order of the axes.
    Groups that occur in no game are left out.
    """
    shape = (*map(len, groups.values()), y.shape[-1])
    return _summed(measure, _flat(y, shape), _flat(x, shape), groups)


def grid_of_rows(
    measure: str, game: Array, y: Array, x: Array, **groups: Sequence[int | str]
) -> pl.DataFrame:
    """The same where every game has rows of its own number, such as rounds.

    ``game`` (rows,) is the game of each row, from 0; y and x fit (groups, ..., rows).
    """
    shape = (*map(len, groups.values()), len(game))
    top, below = (_by_game(_flat(part, shape), game) for part in (y, x))
    return _summed(measure, top, below, groups)


def numbered(count: int) -> range:
    """Labels of rounds or tricks: 1 to ``count``."""
    return range(1, count + 1)


def _summed(
    measure: str, top: Array, below: Array, groups: Mapping[str, Sequence[int | str]]
) -> pl.DataFrame:
    """A row for each group that occurs; ``top`` and ``below`` are (groups, games)."""
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


def _flat(part: Array, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """(groups, last axis) as floats, which hold whole numbers exactly."""
    full = np.broadcast_to(part, shape).reshape(math.prod(shape[:-1]), shape[-1])
    return full.astype(np.float64)


def _by_game(rows: NDArray[np.float64], game: Array) -> Array:
    """(groups, games) the rows of each game added up."""
    added = np.stack([np.bincount(game, row) for row in rows])
    return added.astype(np.float64)  # what has no rows comes as whole numbers


def _kind(values: Sequence[int | str]) -> type[pl.DataType]:
    return pl.Int64 if len(values) and isinstance(values[0], int) else pl.String
