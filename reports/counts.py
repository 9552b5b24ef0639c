"""Counts: the y and x of a measure for each group and game, and their sums.

They come from arrays (``grid``, ``grid_of_rows``) or from a tidy table
(``table_counts.count_rows``). If most cells are empty, only the others are kept. Sums
are whole numbers below 2**53, which floats hold exactly, so the order of games changes
no bit.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.batches import GameBatches
from reports.measures import BATCHED, SUM_TYPES

Array = NDArray[Any]
_PRODUCTS = ("yy", "xx", "xy", "yyy")
_AT_ONCE = 131_072  # numbers that are added up together: more do not fit into the cache
_ANY_PLAYERS = GameBatches()


@dataclass(frozen=True, eq=False)
class Counts:
    """The counts of a measure in some games.

    ``labels``: for each grouping column, the label of each group, text or numbers.
    ``y`` and ``x`` are (groups, games), for all games or for those with the numbers
    ``game``. With ``group``, they are (cells,), for cells that are not empty.
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

    def sums(self, batches: GameBatches = _ANY_PLAYERS) -> pl.DataFrame:
        """Return a row for each group: its labels, and the columns of ``SUM_TYPES``.

        ``batches`` are those of the counted games.
        """
        return pl.DataFrame(dict(self.labels) | _columns(self.totals(batches)))

    def totals(self, batches: GameBatches) -> dict[str, Array]:
        """Return the sums of all groups by column: (groups,), or (groups, BATCHES)."""
        if self.group is not None and self.game is not None:
            return self._totals_of_cells(batches, self.group, self.game)
        groups, games = self.y.shape
        many = max(_AT_ONCE // max(games, 1), 1)
        pieces = [slice(at, at + many) for at in range(0, max(groups, 1), many)]
        parts = [self._totals_of(batches, piece) for piece in pieces]
        if len(parts) == 1:
            return parts[0]
        return {
            name: np.concatenate([part[name] for part in parts]) for name in parts[0]
        }

    def cells(self) -> tuple[Array, Array, Array, Array]:
        """Return (cells,) group, game, y and x of all cells that are not empty."""
        if self.group is not None and self.game is not None:
            return self.group, self.game, self.y, self.x
        group, at = np.nonzero((self.y != 0) | (self.x != 0))
        game = at if self.game is None else self.game.take(at)
        return group, game, self.y[group, at], self.x[group, at]

    def _totals_of(self, batches: GameBatches, groups: slice) -> dict[str, Array]:
        """Return the sums of some of the groups, of counts (groups, games)."""
        y, x = (_as_floats(part[groups]) for part in (self.y, self.x))
        of_y, of_x = (batches.sum(part, self.game) for part in (y, x))
        flags = x.dtype == np.bool_
        of_games = of_x if flags else batches.sum(_nonzero(x), self.game)
        return _by_column(of_y, of_x, of_games, _products(y, x))

    def _totals_of_cells(
        self, batches: GameBatches, group: Array, game: Array
    ) -> dict[str, Array]:
        """Return the sums of counts (cells,)."""
        y, x = (part.astype(np.float64, copy=False) for part in (self.y, self.x))
        size = len(self.groups)
        of_y, of_x, of_games = (
            batches.sum_cells(group, game, part, size) for part in (y, x, x != 0)
        )
        products = {
            name: np.bincount(group, product, size).astype(np.float64)
            for name, product in zip(
                _PRODUCTS, (y * y, x * x, x * y, y * y * y), strict=True
            )
        }
        return _by_column(of_y, of_x, of_games, products)


def grid(measure: str, y: Array, x: Array, **groups: Sequence[int | str]) -> Counts:
    """Count y and x for each group and game; both fit the shape (groups, ..., games).

    groups: the labels along each axis before the last, in the order of the axes.
    Groups that occur in no game are left out.
    """
    shape = (*map(len, groups.values()), y.shape[-1])
    return _occurring(measure, _flat(y, shape), _flat(x, shape), groups)


def grid_of_sample(
    measure: str, game: Array, y: Array, x: Array, **groups: Sequence[int | str]
) -> Counts:
    """Count y and x as ``grid`` does, in some games of a block.

    ``game`` (games,) is the number of each of them, from 0.
    """
    return replace(grid(measure, y, x, **groups), game=game)


def grid_of_rows(
    measure: str, game: Array, y: Array, x: Array, **groups: Sequence[int | str]
) -> Counts:
    """Count y and x from rows, such as rounds, whose number differs between games.

    ``game`` (rows,) is the game of each row, from 0; y and x fit (groups, ..., rows).
    """
    shape = (*map(len, groups.values()), len(game))
    y, x = (_by_game(_flat(part, shape), game) for part in (y, x))
    return _occurring(measure, y, x, groups)


def numbers_to(count: int) -> range:
    """Return the labels of rounds or tricks: 1 to ``count``."""
    return range(1, count + 1)


def sums_of(counted: Iterable[Counts], batches: GameBatches) -> pl.DataFrame:
    """Return the sums of several measures in one table, a row for each group of each.

    Columns: measure, the labels of all measures, those of ``SUM_TYPES``; a label that a
    measure lacks is null. ``batches`` are those of the counted games.
    """
    names: list[str] = []
    totals: list[dict[str, Array]] = []
    labels: dict[str, list[pl.Series]] = {}
    rows: dict[str, list[Array]] = {}  # which rows of the table have a label
    for counts in counted:
        sums = counts.totals(batches)
        here = np.arange(len(names), len(names) + len(sums["y"]))
        for name, values in counts.labels.items():
            labels.setdefault(name, []).append(values)
            rows.setdefault(name, []).append(here)
        names += [counts.measure] * len(here)
        totals.append(sums)
    if not totals:
        return pl.DataFrame(schema={"measure": pl.String, **SUM_TYPES})
    columns = {"measure": pl.Series("measure", names, dtype=pl.String)}
    for name, parts in labels.items():
        column = np.full(len(names), None, dtype=object)
        for at, part in zip(rows[name], parts, strict=True):
            column[at] = part.to_list()
        columns[name] = pl.Series(name, column.tolist(), dtype=parts[0].dtype)
    joined = {n: np.concatenate([part[n] for part in totals]) for n in SUM_TYPES}
    return pl.DataFrame(columns | _columns(joined))


def _by_column(
    y: Array, x: Array, games: Array, products: Mapping[str, Array]
) -> dict[str, Array]:
    """Return sums by column, given those by batch (groups, BATCHES) and of products."""
    by_batch = dict(zip(BATCHED, (y, x, games), strict=True))
    whole = {"y": y.sum(axis=1), "x": x.sum(axis=1), "games": games.sum(axis=1)}
    return {**whole, **products, **by_batch}


def _columns(totals: Mapping[str, Array]) -> dict[str, pl.Series]:
    """Return sums as columns, in the order of ``SUM_TYPES``."""
    return {
        name: pl.Series(name, totals[name], kind) for name, kind in SUM_TYPES.items()
    }


def _as_floats(part: Array) -> Array:
    """Return what is added up several times as floats; not flags, nor constants."""
    if part.dtype == np.bool_ or (part.size and part.strides[1] == 0):
        return part
    return part.astype(np.float64, copy=False)


def _nonzero(x: Array) -> Array:
    """Return which of x (groups, games) are not 0, in as little memory as x."""
    if x.strides[1] == 0 and x.size:  # equal in all games
        return np.broadcast_to(x[:, :1] != 0, x.shape)
    return x != 0


def _products(y: Array, x: Array) -> dict[str, Array]:
    """Return the sums of products of y and x, (groups, games), over games."""
    powers = _powers(y)
    if x.strides[1] == 0 and x.size:  # equal in all games
        each, games = x[:, 0].astype(np.float64), float(x.shape[1])
        return {"xx": games * each**2, "xy": powers["y"] * each, **powers}
    if x.dtype == np.bool_:  # 0 or 1: counting is faster than multiplying floats
        total = np.count_nonzero(x, axis=1).astype(np.float64)
        both = (
            np.count_nonzero(x & y, axis=1).astype(np.float64)
            if y.dtype == np.bool_
            else np.einsum("kg,kg->k", x.astype(np.float64), y.astype(np.float64))
        )
        return {"xx": total, "xy": both, **powers}
    floats = x.astype(np.float64, copy=False)
    both = np.einsum("kg,kg->k", floats, y.astype(np.float64, copy=False))
    return {"xx": np.einsum("kg,kg->k", floats, floats), "xy": both, **powers}


def _powers(y: Array) -> dict[str, Array]:
    """Return the sums of y (groups, games), its squares and its cubes."""
    if y.dtype == np.bool_:
        total = np.count_nonzero(y, axis=1).astype(np.float64)
        return {"y": total, "yy": total, "yyy": total}
    y = y.astype(np.float64, copy=False)
    total, squares = y.sum(axis=1), np.einsum("kg,kg->k", y, y)
    flags = np.array_equal(total, squares) and not ((y != 0) & (y != 1)).any()
    # zeros and ones equal their cubes, which take longest to add up
    cubes = squares if flags else np.einsum("kg,kg->k", y * y, y)
    return {"y": total, "yy": squares, "yyy": cubes}


def _occurring(
    measure: str, y: Array, x: Array, groups: Mapping[str, Sequence[int | str]]
) -> Counts:
    """Return counts of the groups that occur; y and x are (groups, games)."""
    kept = np.flatnonzero((x != 0).any(axis=1))
    keys = list(product(*groups.values()))
    labels = {
        name: pl.Series(name, [keys[row][at] for row in kept], dtype=_kind(values))
        for at, (name, values) in enumerate(groups.items())
    }
    if len(kept) == len(x) or not groups:
        return Counts(measure, labels, y, x)
    return Counts(measure, labels, y[kept], x[kept])


def _kind(values: Sequence[int | str]) -> type[pl.DataType]:
    whole = len(values) and isinstance(values[0], int | np.integer)
    return pl.Int64 if whole else pl.String


def _flat(part: Array, shape: tuple[int, ...]) -> Array:
    """Reshape to (groups, last axis)."""
    return np.broadcast_to(part, shape).reshape(math.prod(shape[:-1]), shape[-1])


def _by_game(rows: Array, game: Array) -> Array:
    """Add up the rows of each game: (groups, games)."""
    size = int(game.max()) + 1 if len(game) else 0
    if rows.strides[0] == 0 and len(rows) > 1:  # equal in all groups: add up once
        return np.broadcast_to(_by_game(rows[:1], game), (len(rows), size))
    if rows.dtype == np.bool_:  # faster, as few flags are set as a rule
        sums = [np.bincount(game.take(row.nonzero()[0]), None, size) for row in rows]
    else:
        sums = [np.bincount(game, row, size) for row in rows]
    return np.stack(sums).astype(np.float64)  # sums of no rows are integers
