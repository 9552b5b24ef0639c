"""Designs: the points that a study visits.

    [design]
    kind = "grid"          # grid, zip, list, lhs, sobol or saltelli

    [design.vary]
    rules.life = [2, 3, 4]
    rules.squares.blue.gem = { from = 1, to = 3 }
    strategy.planner.margin = { from = 0.0, to = 2.0, step = 0.5 }
    players = [3, 4]

grid: every combination. zip: the first values of all, then the second, and so on.
list: the tables under ``points``. lhs and sobol: ``samples`` points spread over the
ranges (Latin hypercube; scrambled Sobol' sequence), by ``scipy.stats.qmc``. saltelli:
``samples`` times (number of keys + 2) points for Sobol' indices (Saltelli 2002,
Comput. Phys. Commun. 145:280-297), by SALib.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.core.cells import UsageError
from experiments.studies.study import Design
from sim.parameters import no_such, one_of

SPREAD = ("lhs", "sobol", "saltelli")
"""Kinds that spread points over ranges."""
MOST_POINTS = 10_000
_RANGE = ("from", "to", "step")


@dataclass(frozen=True)
class Axis:
    """A factor: a key with its values, or with a range."""

    key: str
    values: tuple[Any, ...] = ()
    low: float = 0
    high: float = 0

    def levels(self) -> Sequence[Any]:
        """Return the values; those of a range are not made yet.

        Raises ``UsageError`` if there are infinitely many.
        """
        if self.values:
            return self.values
        if _whole(self.low, self.high):
            return range(int(self.low), int(self.high) + 1)
        raise UsageError(f"design.vary.{self.key}: a range of numbers needs a step.")

    @property
    def count(self) -> int:
        """The number of values; raises ``UsageError`` if it is infinite."""
        levels = self.levels()  # len() fails for a huge range
        return levels.stop - levels.start if isinstance(levels, range) else len(levels)

    def at(self, units: NDArray[np.float64]) -> list[Any]:
        """Return values for (points,) places from 0 to 1; levels have equal parts."""
        if self.values or _whole(self.low, self.high):
            levels, count = self.levels(), self.count
            return [levels[min(int(place * count), count - 1)] for place in units]
        values: list[Any] = (self.low + units * (self.high - self.low)).tolist()
        return values


@dataclass(frozen=True)
class Points:
    """The points of a design: a value for each key, in the order of visit.

    ``units`` (points, keys) are places from 0 to 1, of spread points only.
    """

    keys: tuple[str, ...] = ()
    rows: tuple[Mapping[str, Any], ...] = ({},)
    units: NDArray[np.float64] | None = field(default=None, compare=False)


def points(design: Design | None, seed: int) -> Points:
    """Return the points of a design; the seed determines spread points."""
    if design is None:
        return Points()
    if design.kind == "list":
        return _listed(design)
    if design.points:
        raise UsageError('[design] points: only if kind = "list".')
    axes = [_axis(key, value) for key, value in _flat(design.vary)]
    if not axes:
        raise UsageError(
            "[design] vary: nothing is varied. Write [design.vary] and below it values "
            "such as rules.life = [3, 4]."
        )
    if design.kind in SPREAD:
        return _spread(design, axes, seed)
    if design.samples is not None:
        raise UsageError(
            f"[design] samples: only if kind is {one_of(SPREAD)}, not {design.kind}."
        )
    return _crossed(axes) if design.kind == "grid" else _zipped(axes)


def _crossed(axes: Sequence[Axis]) -> Points:
    _check_count(math.prod(axis.count for axis in axes))
    combined = product(*(axis.levels() for axis in axes))
    return _points(axes, combined)


def _zipped(axes: Sequence[Axis]) -> Points:
    lengths = {axis.key: axis.count for axis in axes}
    if len(set(lengths.values())) > 1:
        values = one_of(f"{key} has {count}" for key, count in lengths.items())
        raise UsageError(f'[design] kind "zip" needs lists of equal length: {values}.')
    _check_count(axes[0].count)
    return _points(axes, zip(*(axis.levels() for axis in axes), strict=True))


def _points(axes: Sequence[Axis], rows: Any) -> Points:
    keys = tuple(axis.key for axis in axes)
    return Points(keys, tuple(dict(zip(keys, row, strict=True)) for row in rows))


def _listed(design: Design) -> Points:
    if design.vary or design.samples is not None:
        raise UsageError(
            '[design] kind "list" has points only; leave out vary and samples.'
        )
    _check_count(len(design.points))
    rows = [dict(_flat(point)) for point in design.points]
    if not rows or not rows[0]:
        raise UsageError(
            '[design] points: write a table for each: points = [{ "rules.life" = 3 }, '
            "{ rules.life = 4 }]."
        )
    for number, row in enumerate(rows):
        if set(row) != set(rows[0]):
            raise UsageError(
                f"[design] points: point {number + 1} has {one_of(row)}, the first has "
                f"{one_of(rows[0])}; each needs the same keys."
            )
    keys = tuple(rows[0])
    return Points(keys, tuple({key: row[key] for key in keys} for row in rows))


def _spread(design: Design, axes: Sequence[Axis], seed: int) -> Points:
    count = design.samples
    if count is None:
        raise UsageError(
            f'[design] samples: how many points? kind "{design.kind}" needs it.'
        )
    if design.kind != "lhs" and count & (count - 1):
        low = 1 << (count.bit_length() - 1)
        raise UsageError(
            f"[design] samples: a power of two for {design.kind}, which balances its "
            f"points, not {count}. Nearest: {low}, {2 * low}."
        )
    if design.kind == "saltelli" and len(axes) < 2:
        raise UsageError("[design] saltelli compares factors; vary at least two.")
    _check_count(count * (len(axes) + 2 if design.kind == "saltelli" else 1))
    units = _units(design.kind, count, len(axes), seed)
    columns = [axis.at(units[:, at]) for at, axis in enumerate(axes)]
    spread = _points(axes, zip(*columns, strict=True))
    return Points(spread.keys, spread.rows, units)


def _units(kind: str, count: int, keys: int, seed: int) -> NDArray[np.float64]:
    """Return (points, keys) places from 0 to 1."""
    if kind == "saltelli":
        from SALib.sample import sobol

        problem = {
            "num_vars": keys,
            "names": [str(key) for key in range(keys)],
            "bounds": [[0.0, 1.0]] * keys,
        }
        units: NDArray[np.float64] = sobol.sample(
            problem, count, calc_second_order=False, seed=np.random.default_rng(seed)
        )
        return units
    from scipy.stats import qmc

    rng = np.random.default_rng(seed)
    sampler = qmc.LatinHypercube if kind == "lhs" else qmc.Sobol
    spread: NDArray[np.float64] = sampler(keys, rng=rng).random(count)
    return spread


def _check_count(total: float) -> None:
    """Raise ``UsageError`` for too many points, before any is made."""
    if total > MOST_POINTS:
        raise UsageError(
            f"[design] these are {total:,} points; at most {MOST_POINTS:,}. Vary "
            'less, or sample with kind = "lhs".'
        )


def _flat(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the dotted keys of nested tables, with their values and ranges."""
    for key, value in values.items():
        if isinstance(value, dict) and not set(_RANGE) & set(value):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def _axis(key: str, value: Any) -> Axis:
    """Return the axis of a list, or of a range: ``from``, ``to`` and maybe ``step``."""
    place = f"design.vary.{key}"
    if isinstance(value, list | tuple):
        if not value:
            raise UsageError(f"{place}: the list is empty.")
        return Axis(key, tuple(value))
    if not isinstance(value, dict):
        raise UsageError(
            f"{place}: a list of values, or a range such as {{ from = 1, to = 3 }}, "
            f"not {value!r}."
        )
    for name in value:
        if name not in _RANGE:
            raise UsageError(f"{place}: {no_such('key', name, _RANGE)}")
    low, high = (_number(place, value, name) for name in ("from", "to"))
    if low >= high:
        raise UsageError(f"{place}: from must be below to, not {low} and {high}.")
    if "step" not in value:
        return Axis(key, low=low, high=high)
    return Axis(key, tuple(_steps(place, low, high, _number(place, value, "step"))))


def _number(place: str, value: Mapping[str, Any], name: str) -> float:
    given = value.get(name)
    plain = isinstance(given, int | float) and not isinstance(given, bool)
    if not plain or not math.isfinite(given):  # type: ignore[arg-type]
        raise UsageError(f"{place}.{name}: a number is needed, not {given!r}.")
    return given  # type: ignore[return-value]


def _steps(place: str, low: float, high: float, step: float) -> Iterator[float]:
    """Yield numbers from ``low`` to ``high``, without errors of repeated addition."""
    if step <= 0:
        raise UsageError(f"{place}.step: above 0, not {step}.")
    count = (high - low) / step + 1e-9  # infinite for a tiny step
    _check_count(math.floor(count) + 1 if math.isfinite(count) else count)
    for number in range(math.floor(count) + 1):
        at = low + number * step
        yield at if _whole(low, step) else round(at, 12)


def _whole(*numbers: float) -> bool:
    return all(isinstance(number, int) for number in numbers)
