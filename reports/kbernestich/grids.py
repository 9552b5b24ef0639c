"""Sums from dense arrays: a row for every seat and square of a game would be too slow.

A grid has a number for each of some groups (round; square; round and area) in each
game. Its sums are those of ``reports.measures``, without a row for every number.
"""

import math
from collections.abc import Sequence
from itertools import product

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.kbernestich.played import Array


def grid(
    measure: str, y: Array, x: Array, **groups: Sequence[int | str]
) -> pl.DataFrame:
    """Sum y per x over the games; both fit the shape (groups, ..., games).

    groups: the labels along each axis before the last, in the order of the axes.
    """
    shape = (*map(len, groups.values()), y.shape[-1])
    top, below = (_flat(part, shape) for part in (y, x))
    labels = list(product(*groups.values()))
    named = {
        name: pl.Series([label[at] for label in labels], dtype=_kind(values))
        for at, (name, values) in enumerate(groups.items())
    }
    return pl.DataFrame(
        {
            **named,
            "y": top.sum(axis=1),
            "x": below.sum(axis=1),
            "yy": np.einsum("kg,kg->k", top, top),
            "xx": np.einsum("kg,kg->k", below, below),
            "xy": np.einsum("kg,kg->k", top, below),
            "games": np.count_nonzero(below, axis=1).astype(np.float64),
            "measure": [measure] * len(top),
        }
    ).filter(pl.col("games") > 0)


def _flat(part: Array, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """(groups, games) as floats, which hold whole numbers exactly."""
    full = np.broadcast_to(part, shape).reshape(math.prod(shape[:-1]), shape[-1])
    return full.astype(np.float64)


def _kind(values: Sequence[int | str]) -> type[pl.DataType]:
    return pl.Int64 if values and isinstance(values[0], int) else pl.String


def numbered(count: int) -> range:
    """Labels of rounds or tricks: 1 to ``count``."""
    return range(1, count + 1)
