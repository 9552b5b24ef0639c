"""Estimates of a measure from its sums; its kind decides the interval."""

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
    wider: float = 1.0,
) -> pl.DataFrame:
    """Add estimate, low, high, se and n to a table of sums of this kind.

    ``games``: the number played (one for all rows, or (rows,)), which kinds that count
    all games need. n is the count behind the number: x, or the games played. se is half
    the interval (of a mean, its longer half) in units of z, so that verdicts from it
    agree with the interval, even for few games. Null without data (a share then has the
    interval 0 to 1), and if a single game allows no interval. wider: how many times
    wider intervals and standard errors are than for a single look.
    """
    normal = NormalDist()
    z = normal.inv_cdf((1 + level) / 2)
    if wider != 1:
        level = 2 * normal.cdf(wider * z) - 1
    columns = of_kind(sums, kind, games)
    if is_share(kind):
        del columns["yyy"]
        estimate = intervals.rate(**columns, level=level)
        half = (estimate.high - estimate.low) / 2
    else:
        estimate = intervals.ratio(**columns, level=level)
        half = np.maximum(
            estimate.high - estimate.estimate, estimate.estimate - estimate.low
        )
    se = half / z
    estimate = estimate._replace(se=np.where(np.isnan(estimate.estimate), np.nan, se))
    named = zip(ESTIMATES, (*estimate, columns["x"]), strict=True)
    added = [pl.Series(name, value, nan_to_null=True) for name, value in named]
    return sums.with_columns(added)


def of_kind(
    sums: pl.DataFrame | Mapping[str, Any],
    kind: Statistic,
    games: int | NDArray[np.integer[Any]] | None,
) -> dict[str, NDArray[Any]]:
    """Return the sums as a kind reads them: with x = 1 per game, if it is per game."""
    if kind not in KINDS:
        raise ValueError(f"kind: one of {', '.join(KINDS)}, not {kind!r}")
    columns = {name: np.asarray(sums[name]) for name in SUMS}
    if kind in ("per game", "share of games"):
        if games is None:
            raise ValueError(f"a measure {kind!r} needs the number of games played")
        played = np.full(len(columns["y"]), np.float64(games))
        columns.update(x=played, xx=played, xy=columns["y"], games=played)
    return columns
