"""Sums of what two sides count in the same games, and of the products of both.

Differences of two sides are estimated from them (``reports.statistics``). If both count
the same groups of the same games, their arrays are multiplied whole; else cell by cell,
if both have the cell.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from reports.batches import GameBatches
from reports.counts import Array, Counts
from reports.measures import SUMS

Sums = Mapping[str, Array]

SIDES = ("one", "other", "one x other", "other x one")
"""Values of the column ``side`` of ``cross_moments``."""


def cross_moments(one: Counts, other: Counts) -> pl.DataFrame:
    """Return the sums of two sides that played the same games, and of their products.

    A row for each side and group:

    one, other   the sums of ``Counts.sums``
    one x other  yy = y of one * y of the other, xx = x * x, xy = x of one * y of the
                 other, yyy = y of one squared * y of the other; games = games with the
                 group on both sides
    other x one  with the sides exchanged: xy = x of the other * y of one, yyy = y of
                 the other squared * y of one; games = games in which the sides differ

    A group that a game lacks on one side counts as 0 there.
    """
    labels, to, size = _joined(one, other)
    if _same_games(one, other):
        here = np.arange(len(one.y))
        sides = _crossed(_spread(one, here, labels), _spread(other, to, labels))
    else:
        sides = _crossed_cells(one, other, to, size)
    rows = np.tile(np.arange(size), len(SIDES))
    columns = {name: column.gather(rows) for name, column in labels.items()}
    sums = {name: np.concatenate([side[name] for side in sides]) for name in SUMS}
    return pl.DataFrame({**columns, **sums, "side": np.repeat(SIDES, size)})


def _same_games(one: Counts, other: Counts) -> bool:
    """Return whether both are (groups, games) arrays of the same games."""
    if one.group is not None or other.group is not None:
        return False
    if one.game is None or other.game is None:
        return one.game is other.game and one.y.shape[1] == other.y.shape[1]
    return np.array_equal(one.game, other.game)


def _joined(one: Counts, other: Counts) -> tuple[dict[str, pl.Series], Array, int]:
    """Return the labels of all groups, the places of the other's, and their number."""
    place = {key: at for at, key in enumerate(one.groups)}
    new = [at for at, key in enumerate(other.groups) if key not in place]
    place |= {other.groups[at]: len(place) + n for n, at in enumerate(new)}
    labels = {
        name: pl.concat([mine, other.labels[name].gather(new)])
        for name, mine in one.labels.items()
    }
    to = np.array([place[key] for key in other.groups], dtype=np.int64)
    return labels, to, len(place)


def _spread(counts: Counts, to: Array, labels: Mapping[str, pl.Series]) -> Counts:
    """Return counts on all groups; ``to``: the places of their own groups."""
    size = max((len(column) for column in labels.values()), default=1)
    if np.array_equal(to, np.arange(size)):
        return counts
    y, x = (
        np.zeros((size, part.shape[1]), dtype=part.dtype)
        for part in (counts.y, counts.x)
    )
    y[to], x[to] = counts.y, counts.x
    return replace(counts, labels=labels, y=y, x=x)


def _crossed(one: Counts, other: Counts) -> list[Sums]:
    """Return the sums of each of ``SIDES``, given the same groups and games."""
    y, x, v, u = (_floats(part) for part in (one.y, one.x, other.y, other.x))
    common = _games_with((one.x != 0) & (other.x != 0))
    differ = _games_with((one.x != other.x) | (one.y != other.y))
    none = np.zeros(len(y))
    both = {"y": none, "x": none, "yy": _product(y, v), "xx": _product(x, u)}
    one_x_other = {"xy": _product(x, v), "games": common, "yyy": _product(y * y, v)}
    other_x_one = {"xy": _product(u, y), "games": differ, "yyy": _product(v * v, y)}
    totals = one.totals(GameBatches()), other.totals(GameBatches())
    return [*totals, both | one_x_other, both | other_x_one]


def _floats(part: Array) -> Array:
    """Return an array (groups, games) as floats."""
    # values that are equal in every game stay one number a group: nothing to copy
    if part.strides[1] == 0 and part.size:
        return np.broadcast_to(part[:, :1].astype(np.float64), part.shape)
    return part.astype(np.float64, copy=False)


def _product(one: Array, other: Array) -> Array:
    """Return the sum of products over games, for each group."""
    sums: Array = np.einsum("kg,kg->k", one, other)
    return sums


def _games_with(flags: Array) -> Array:
    """Return the number of games with the flag, for each group."""
    return np.count_nonzero(flags, axis=1).astype(np.float64)


def _crossed_cells(one: Counts, other: Counts, to: Array, size: int) -> list[Sums]:
    """Return the sums of each of ``SIDES``, from cells.

    ``to`` are the places of the other side's groups. Only cells that both sides have
    contribute to products.
    """
    (g, i, *ours), (h, j, *theirs) = one.cells(), other.cells()
    g, h = g.astype(np.int64), to[h]
    width = 1 + max((int(at.max()) for at in (i, j) if len(at)), default=0)
    _, here, there = np.intersect1d(
        g * width + i, h * width + j, assume_unique=True, return_indices=True
    )
    y, x = (part.take(here).astype(np.float64) for part in ours)
    v, u = (part.take(there).astype(np.float64) for part in theirs)
    group, none = g.take(here), np.zeros(len(here))
    common, differ = (x != 0) & (u != 0), (x != u) | (y != v)
    both = none, none, y * v, x * u
    one_x_other = sum_by_group(group, size, (*both, x * v, common, y * y * v))
    other_x_one = sum_by_group(group, size, (*both, u * y, differ, v * v * y))
    alone = _alone(g, ours, here, size) + _alone(h, theirs, there, size)
    other_x_one["games"] += alone
    all_of_one = _placed(one, np.arange(len(one.groups)), size)
    return [all_of_one, _placed(other, to, size), one_x_other, other_x_one]


def _alone(group: Array, values: Sequence[Array], common: Array, size: int) -> Array:
    """Return the number of non-empty cells that only one side has, for each group."""
    left = np.logical_or(*(part != 0 for part in values))
    left[common] = False
    return np.bincount(group[left], minlength=size).astype(np.float64)


def _placed(counts: Counts, to: Array, size: int) -> Sums:
    """Return the sums of counts on ``size`` groups; ``to``: the places of theirs."""
    sums = {name: np.zeros(size) for name in SUMS}
    totals = counts.totals(GameBatches())
    for name in SUMS:
        sums[name][to] = totals[name]
    return sums


def sum_by_group(group: Array, size: int, values: Sequence[Array]) -> dict[str, Array]:
    """Add up (cells,) values by group, for each of ``SUMS``."""
    return {
        name: np.bincount(group, value, size).astype(np.float64)
        for name, value in zip(SUMS, values, strict=True)
    }
