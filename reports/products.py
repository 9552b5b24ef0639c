"""Products: sums of what two sides count in the same games, and of both together.

A difference of two sides is estimated from them (``reports.statistics``). Where both
count the same groups of the same games, they are multiplied on their grid; else cell
by cell, where both have one.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from reports.counts import Array, Counts, Sums, added
from reports.measures import SUMS

SIDES = ("one", "other", "one x other", "other x one")
"""What ``products`` has rows for, in its column ``side``."""


def products(one: Counts, other: Counts) -> pl.DataFrame:
    """Sums of both sides, which played the same games, and of their products.

    A row a side and group:

    one, other   those of ``Counts.sums``
    one x other  yy = y of one * y of the other, xx = x * x, xy = x of one * y of the
                 other, yyy = y of one squared * y of the other; games = games with the
                 group on both sides
    other x one  the same with the sides changed: xy = x of the other * y of one, yyy =
                 y of the other squared * y of one; games = games that came out
                 differently

    A group that a game lacks on one side counts as 0 there.
    """
    labels, to, size = _joined(one, other)
    if _same_games(one, other):
        here = np.arange(len(one.y))
        sides = _crossed(_spread(one, here, size), _spread(other, to, size))
    else:
        sides = _crossed_cells(one, other, to, size)
    rows = np.tile(np.arange(size), len(SIDES))
    columns = {name: column.gather(rows) for name, column in labels.items()}
    sums = {name: np.concatenate([one[name] for one in sides]) for name in SUMS}
    return pl.DataFrame({**columns, **sums, "side": np.repeat(SIDES, size)})


def _same_games(one: Counts, other: Counts) -> bool:
    """Whether both are (groups, games), of the same games."""
    if one.group is not None or other.group is not None:
        return False
    if one.game is None or other.game is None:
        return one.game is other.game and one.y.shape[1] == other.y.shape[1]
    return np.array_equal(one.game, other.game)


def _joined(one: Counts, other: Counts) -> tuple[dict[str, pl.Series], Array, int]:
    """The labels of the groups of either, where the other's are, and how many."""
    place = {key: at for at, key in enumerate(one.groups)}
    new = [at for at, key in enumerate(other.groups) if key not in place]
    place |= {other.groups[at]: len(place) + n for n, at in enumerate(new)}
    labels = {
        name: pl.concat([mine, other.labels[name].gather(new)])
        for name, mine in one.labels.items()
    }
    to = np.array([place[key] for key in other.groups], dtype=np.int64)
    return labels, to, len(place)


def _spread(counts: Counts, to: Array, size: int) -> Counts:
    """Counts (groups, games) as those of ``size`` groups, of which it has these."""
    if np.array_equal(to, np.arange(size)):
        return counts
    y, x = (
        np.zeros((size, part.shape[1]), dtype=part.dtype)
        for part in (counts.y, counts.x)
    )
    y[to], x[to] = counts.y, counts.x
    return replace(counts, y=y, x=x)


def _crossed(one: Counts, other: Counts) -> list[Sums]:
    """For each of ``SIDES`` its sums, of the same groups and games."""
    y, x, v, u = (_floats(part) for part in (one.y, one.x, other.y, other.x))
    common = _many((one.x != 0) & (other.x != 0))
    differ = _many((one.x != other.x) | (one.y != other.y))
    none = np.zeros(len(y))
    both = {"y": none, "x": none, "yy": _product(y, v), "xx": _product(x, u)}
    mine = {"xy": _product(x, v), "games": common, "yyy": _product(y * y, v)}
    its = {"xy": _product(u, y), "games": differ, "yyy": _product(v * v, y)}
    return [one.totals(), other.totals(), both | mine, both | its]


def _floats(part: Array) -> Array:
    """As floats; what is the same in every game stays one number a group."""
    if part.strides[1] == 0 and part.size:
        return np.broadcast_to(part[:, :1].astype(np.float64), part.shape)
    return part.astype(np.float64, copy=False)


def _product(one: Array, other: Array) -> Array:
    """The sums of products, of each group."""
    found: Array = np.einsum("kg,kg->k", one, other)
    return found


def _many(flags: Array) -> Array:
    """In how many games it is so, of each group."""
    return np.count_nonzero(flags, axis=1).astype(np.float64)


def _crossed_cells(one: Counts, other: Counts, to: Array, size: int) -> list[Sums]:
    """The same of cells; the groups of the other are those that ``to`` says.

    Only where both have a cell there is something to multiply.
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
    mine = added(group, size, (none, none, y * v, x * u, x * v, common, y * y * v))
    its = added(group, size, (none, none, y * v, x * u, u * y, differ, v * v * y))
    its["games"] += _alone(g, ours, here, size) + _alone(h, theirs, there, size)
    every = np.arange(len(one.groups))
    return [_placed(one, every, size), _placed(other, to, size), mine, its]


def _alone(group: Array, values: Sequence[Array], common: Array, size: int) -> Array:
    """How many cells of each group there are that are not empty, nor in common."""
    left = np.logical_or(*(part != 0 for part in values))
    left[common] = False
    return np.bincount(group[left], minlength=size).astype(np.float64)


def _placed(counts: Counts, to: Array, size: int) -> Sums:
    """The sums of counts, as those of ``size`` groups, of which they have these."""
    found = {name: np.zeros(size) for name in SUMS}
    for name, values in counts.totals().items():
        found[name][to] = values
    return found
