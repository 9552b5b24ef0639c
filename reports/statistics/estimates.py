"""Estimates of a measure from its sums: its kind decides the interval."""

from collections.abc import Mapping
from statistics import NormalDist
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.measures import ESTIMATES, KINDS, SUMS, Statistic, is_share
from reports.statistics import intervals


def estimates(
    sums: pl.DataFrame,
    kind: Statistic,
    games: int | NDArray[np.integer[Any]] | None = None,
    level: float = 0.95,
) -> pl.DataFrame:
    """Add estimate, low, high, se and n to a table of sums of this kind.

    ``games`` were played (by all, or (rows,)); kinds that count all of them need it. n
    is the count behind the number: x, or the games played. se is half the interval in
    units of z, so that verdicts by it agree with the interval, for few games too; that
    of a mean is of the longer half. Null where there is no data (a share then has the
    interval 0 to 1) and where a single game allows no interval.
    """
    columns = of_kind(sums, kind, games)
    if is_share(kind):
        del columns["yyy"]
        found = intervals.rate(**columns, level=level)
        half = (found.high - found.low) / 2
    else:
        found = intervals.ratio(**columns, level=level)
        half = np.maximum(found.high - found.estimate, found.estimate - found.low)
    se = half / NormalDist().inv_cdf((1 + level) / 2)
    found = found._replace(se=np.where(np.isnan(found.estimate), np.nan, se))
    named = zip(ESTIMATES, (*found, columns["x"]), strict=True)
    added = [pl.Series(name, value, nan_to_null=True) for name, value in named]
    return sums.with_columns(added)


def of_kind(
    sums: pl.DataFrame | Mapping[str, Any],
    kind: Statistic,
    games: int | NDArray[np.integer[Any]] | None,
) -> dict[str, NDArray[Any]]:
    """The sums as a kind reads them: x is 1 in each game played, where it says so."""
    if kind not in KINDS:
        raise ValueError(f"kind: one of {', '.join(KINDS)}, not {kind!r}")
    columns = {name: np.asarray(sums[name]) for name in SUMS}
    if kind in ("per game", "share of games"):
        if games is None:
            raise ValueError(f"a measure {kind!r} needs the number of games played")
        played = np.full(len(columns["y"]), np.float64(games))
        columns.update(x=played, xx=played, xy=columns["y"], games=played)
    return columns
