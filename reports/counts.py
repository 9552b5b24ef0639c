"""Counts: the y and x of a measure for each group and game, and their sums.

They come from arrays (``grid``, ``grid_of_rows``) or from a tidy table
(``row_counts.of_table``). Where most cells are empty, only the others are kept. Sums
are those of one side (``sums``), or of two sides that played the same games
(``products``); they are whole numbers below 2**53, which floats hold exactly, so the
order of games changes no bit.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.measures import SUMS

Array = NDArray[Any]
Sums = Mapping[str, Array]

SIDES = ("one", "other", "one x other", "other x one")
"""What ``products`` has rows for, in its column ``side``."""


@dataclass(frozen=True, eq=False)
class Counts:
    """What a measure counts in some games.

    ``labels``: for each grouping column the label of each group, text or numbers.
    ``y`` and ``x`` are (groups, games), of all games, or of those with the numbers
    ``game``; with ``group`` too, they are (cells,) of cells that are not empty.
    """

    measure: str
    labels: Mapping[str, pl.Series]
    y: Array
    x: Array
    group: Array | None = None
    game: Array | None = None

    @property
    def groups(self) -> list[tuple[Any, ...]]:
        """The labels of each group; without grouping columns there is one group."""
        columns = [labels.to_list() for labels in self.labels.values()]
        return list(zip(*columns, strict=True)) if columns else [()]

    def sums(self) -> pl.DataFrame:
        """A row a group: its labels and ``SUMS``."""
        totals = self.totals()
        return pl.DataFrame({**self.labels, **{n: totals[n] for n in SUMS}})

    def totals(self) -> dict[str, Array]:
        """For each of ``SUMS`` those of the groups, (groups,)."""
        y, x = self.y, self.x
        if self.group is not None:
            y, x = (part.astype(np.float64, copy=False) for part in (y, x))
            values = (y, x, y * y, x * x, x * y, x != 0, y * y * y)
            return _added(self.group, len(self.groups), values)
        if x.strides[1] == 0 and x.size:  # the same in every game
            return _constant(y, x[:, 0].astype(np.float64))
        return _summed(y, x)

    def none(self) -> "Counts":
        """Counts of the same measure and groups, in which there is nothing."""
        labels = {name: column.clear() for name, column in self.labels.items()}
        nothing = np.zeros(0, dtype=np.int64)
        return Counts(self.measure, labels, nothing, nothing, nothing, nothing)

    def cells(self) -> tuple[Array, Array, Array, Array]:
        """(cells,) group, game, y and x of all cells that are not empty."""
        if self.group is not None and self.game is not None:
            return self.group, self.game, self.y, self.x
        group, at = np.nonzero((self.y != 0) | (self.x != 0))
        game = at if self.game is None else self.game.take(at)
        return group, game, self.y[group, at], self.x[group, at]


def grid(measure: str, y: Array, x: Array, **groups: Sequence[int | str]) -> Counts:
    """Count y and x for each group and game; both fit the shape (groups, ..., games).

    groups: the labels along each axis before the last, in the order of the axes.
    Groups that occur in no game are left out.
    """
    shape = (*map(len, groups.values()), y.shape[-1])
    return _occurring(measure, _flat(y, shape), _flat(x, shape), groups)


def grid_of_rows(
    measure: str, game: Array, y: Array, x: Array, **groups: Sequence[int | str]
) -> Counts:
    """Count y and x where every game has rows of its own number, such as rounds.

    ``game`` (rows,) is the game of each row, from 0; y and x fit (groups, ..., rows).
    """
    shape = (*map(len, groups.values()), len(game))
    top, below = (_by_game(_flat(part, shape), game) for part in (y, x))
    return _occurring(measure, top, below, groups)


def numbered(count: int) -> range:
    """Labels of rounds or tricks: 1 to ``count``."""
    return range(1, count + 1)


def sums_of(counted: Iterable[Counts]) -> pl.DataFrame:
    """The sums of several measures, a row a measure and group, all in one table.

    Columns: measure, the labels of all measures, ``SUMS``; a label that a measure lacks
    is null.
    """
    names: list[str] = []
    totals: list[dict[str, Array]] = []
    labels: dict[str, list[pl.Series]] = {}
    rows: dict[str, list[Array]] = {}  # which rows of the table have a label
    for counts in counted:
        found = counts.totals()
        here = np.arange(len(names), len(names) + len(found["y"]))
        for name, values in counts.labels.items():
            labels.setdefault(name, []).append(values)
            rows.setdefault(name, []).append(here)
        names += [counts.measure] * len(here)
        totals.append(found)
    columns = {"measure": pl.Series("measure", names, dtype=pl.String)}
    for name, parts in labels.items():
        column = np.full(len(names), None, dtype=object)
        for at, part in zip(rows[name], parts, strict=True):
            column[at] = part.to_list()
        columns[name] = pl.Series(name, column.tolist(), dtype=parts[0].dtype)
    none = np.zeros(0)
    sums = {n: np.concatenate([none, *(one[n] for one in totals)]) for n in SUMS}
    return pl.DataFrame({**columns, **sums})


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


def _summed(y: Array, x: Array) -> dict[str, Array]:
    """The sums of y and x, (groups, games)."""
    powers = _powers(y)
    if x.dtype == np.bool_:  # one or nothing in each game
        total = np.count_nonzero(x, axis=1).astype(np.float64)
        both = (
            np.count_nonzero(x & y, axis=1).astype(np.float64)
            if y.dtype == np.bool_
            else np.einsum("kg,kg->k", x.astype(np.float64), y.astype(np.float64))
        )
        return {"x": total, "xx": total, "xy": both, "games": total, **powers}
    below = x.astype(np.float64, copy=False)
    return {
        "x": below.sum(axis=1),
        "xx": np.einsum("kg,kg->k", below, below),
        "xy": np.einsum("kg,kg->k", below, y.astype(np.float64, copy=False)),
        "games": np.count_nonzero(x, axis=1).astype(np.float64),
        **powers,
    }


def _constant(y: Array, each: Array) -> dict[str, Array]:
    """The sums of y (groups, games), where x is ``each`` (groups,) in every game."""
    powers, games = _powers(y), float(y.shape[1])
    return {
        "x": games * each,
        "xx": games * each**2,
        "xy": powers["y"] * each,
        "games": np.where(each != 0, games, 0.0),
        **powers,
    }


def _powers(y: Array) -> dict[str, Array]:
    """The sums of y (groups, games), its squares and its cubes."""
    if y.dtype == np.bool_:
        total = np.count_nonzero(y, axis=1).astype(np.float64)
        return {"y": total, "yy": total, "yyy": total}
    y = y.astype(np.float64, copy=False)
    total, squares = y.sum(axis=1), np.einsum("kg,kg->k", y, y)
    flags = np.array_equal(total, squares)  # whole numbers: then all are 0 or 1
    cubes = squares if flags else np.einsum("kg,kg->k", y * y, y)
    return {"y": total, "yy": squares, "yyy": cubes}


def _added(group: Array, size: int, values: Sequence[Array]) -> dict[str, Array]:
    """(cells,) values added up by group, for each of ``SUMS``."""
    return {
        name: np.bincount(group, value, size).astype(np.float64)
        for name, value in zip(SUMS, values, strict=True)
    }


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
    mine = _added(group, size, (none, none, y * v, x * u, x * v, common, y * y * v))
    its = _added(group, size, (none, none, y * v, x * u, u * y, differ, v * v * y))
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


def _occurring(
    measure: str, y: Array, x: Array, groups: Mapping[str, Sequence[int | str]]
) -> Counts:
    """Counts of the groups that occur; y and x are (groups, games)."""
    some = np.flatnonzero((x != 0).any(axis=1))
    every = list(product(*groups.values()))
    labels = {
        name: pl.Series(name, [every[row][at] for row in some], dtype=_kind(values))
        for at, (name, values) in enumerate(groups.items())
    }
    if len(some) == len(x) or not groups:
        return Counts(measure, labels, y, x)
    return Counts(measure, labels, y[some], x[some])


def _kind(values: Sequence[int | str]) -> type[pl.DataType]:
    whole = len(values) and isinstance(values[0], int | np.integer)
    return pl.Int64 if whole else pl.String


def _flat(part: Array, shape: tuple[int, ...]) -> Array:
    """(groups, last axis)."""
    return np.broadcast_to(part, shape).reshape(math.prod(shape[:-1]), shape[-1])


def _by_game(rows: Array, game: Array) -> Array:
    """(groups, games) the rows of each game added up."""
    size = int(game.max()) + 1 if len(game) else 0
    if rows.strides[0] == 0 and len(rows) > 1:  # the same for every group
        return np.broadcast_to(_by_game(rows[:1], game), (len(rows), size))
    if rows.dtype == np.bool_:  # few of them are set, as a rule
        added = [np.bincount(game.take(row.nonzero()[0]), None, size) for row in rows]
    else:
        added = [np.bincount(game, row, size) for row in rows]
    return np.stack(added).astype(np.float64)  # no rows come as whole numbers
