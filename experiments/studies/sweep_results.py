"""The results of a study against the factors that it varied: tables, sensitivities.

The sensitivity of a measure to a key is the share of its variance over the design that
the key explains: alone (``alone``; first-order Sobol' index), and including its
interactions (``total``). saltelli has both, by Saltelli's estimators (Saltelli et al.
2010, Comput. Phys. Commun. 181:259-270). lhs and sobol have ``alone``, by RBD-FAST
(Tarantola et al. 2006, Reliab. Eng. Syst. Saf. 91:717-727, with the correction of
Tissot & Prieur 2012, same journal 107:205-213). Both are by SALib, on the places from 0
to 1 that the points were made from, so whole numbers and choices need no special care.

Intervals cover another draw of points, and allow for another draw of games. The latter
is given as ``noise``: the mean variance of an estimate over the variance of the
estimates. A total includes all of it (a key without any effect has ``noise`` in total),
unless the points, which share their deals, share their luck too. How far they do is not
known, so intervals cover both cases. If ``noise`` is not small, play more games.
"""

import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.studies.factors import PLAYERS, STRATEGY
from experiments.studies.run_study import StudyResult
from reports.measures import SUMS, Statistic

FEWEST = 64
"""Points that RBD-FAST needs; with fewer, its correction for bias dominates."""
CELL_COLUMNS = ("variant", "lineup", "players")
ESTIMATE_COLUMNS = ("estimate", "low", "high", "se", "n")
_RESAMPLES = 200
_POINT = "place in the design"  # no group of a measure has this name

Floats = NDArray[np.float64]


def sweep_table(
    done: StudyResult, measure: str, kind: Statistic | None = None, level: float = 0.95
) -> pl.DataFrame:
    """Return a measure with a row for each design point and group.

    Columns: variant, lineup, players, point, the keys of the design, the groups of the
    measure, estimate, low, high, se, n. Strategies are named without parameters that
    the design varies. Points of failed cells are left out. Raises KeyError.
    """
    plan = done.plan
    rows = done.results.estimates(measure, kind, level)
    groups = [
        n
        for n in rows.columns
        if n not in {*SUMS, *ESTIMATE_COLUMNS, "cell", *CELL_COLUMNS}
    ]
    rows = rows.select("cell", *groups, *ESTIMATE_COLUMNS)
    if "strategy" in groups:
        names = pl.col("strategy").map_elements(
            lambda title: _bare(title, plan.keys), return_dtype=pl.String
        )
        rows = rows.with_columns(names)
    design_points = plan.frame().with_row_index(_POINT)
    joined = design_points.join(rows, on="cell", how="inner")
    return joined.sort(_POINT, *groups).drop(_POINT, "cell")


def groups_of(done: StudyResult, rows: pl.DataFrame) -> list[str]:
    """Return the columns of a table that name groups, besides the point."""
    fixed = {*done.plan.keys, *ESTIMATE_COLUMNS, "point"}
    return [name for name in rows.columns if name not in fixed]


def sensitivity(done: StudyResult, measure: str, level: float = 0.95) -> pl.DataFrame:
    """Return a row for each key, and for each variant, lineup and group.

    Columns: the groups, key, alone, alone_low, alone_high, total, total_low,
    total_high, noise, points. Empty for designs that are not spread over ranges. Null
    if nothing varies, or too few points were played.
    """
    plan, estimates = done.plan, sweep_table(done, measure)
    by = [name for name in groups_of(done, estimates) if name not in plan.keys]
    rows: list[dict[str, Any]] = []
    if plan.points.units is not None:
        for name, part in estimates.group_by(by, maintain_order=True):
            about = dict(zip(by, name, strict=True))
            rows += [{**about, **index} for index in _indices(done, part, level)]
    groups = {name: estimates.schema[name] for name in by}
    return pl.DataFrame(rows, schema={**groups, **SENSITIVITY})


_ENDS = ("alone", "alone_low", "alone_high", "total", "total_low", "total_high")
SENSITIVITY = {
    "key": pl.String,
    **dict.fromkeys((*_ENDS, "noise"), pl.Float64),
    "points": pl.Int64,
}


def _indices(
    done: StudyResult, part: pl.DataFrame, level: float
) -> Iterator[dict[str, Any]]:
    """Yield the indices of all keys, from the rows of one group in point order."""
    points = done.plan.points
    assert points.units is not None  # noqa: S101 - checked by ``sensitivity``
    part = part.drop_nulls("estimate").sort("point")
    y, se = part["estimate"].to_numpy(), part["se"].to_numpy()
    varied = len(y) > 1 and float(np.var(y)) > 0
    noise = float(np.mean(se**2) / np.var(y, ddof=1)) if varied else math.nan
    alone = total = (np.full(len(points.keys), np.nan),) * 2
    units = points.units[part["point"].to_numpy()]
    if varied and done.plan.kind == "saltelli":
        if len(y) == len(points.rows):
            alone, total = saltelli(points.keys, y, level)
    elif varied and len(y) >= FEWEST:
        alone = first_order(points.keys, units, y, level)
    allowed = widen_for_noise(alone, total, noise)
    for at, key in enumerate(points.keys):
        ends = (*allowed[0][:, at], *allowed[1][:, at])
        values = [float(end) if math.isfinite(end) else None for end in (*ends, noise)]
        yield {
            "key": key,
            **dict(zip((*_ENDS, "noise"), values, strict=True)),
            "points": len(y),
        }


def widen_for_noise(
    alone: tuple[Floats, Floats], total: tuple[Floats, Floats], noise: float
) -> tuple[Floats, Floats]:
    """Widen intervals of indices for the noise of games: (3, keys) index, low, high.

    A part ``noise`` of the variance of the estimates is not the design's. Independent
    games at each point shrink an index alone by 1 - noise, and turn a total T into
    noise + (1 - noise) T; with the same luck at all points neither happens.
    """
    part = max(1 - noise, 1e-9) if math.isfinite(noise) else 1.0
    widened = []
    for (middle, half), taken in ((alone, 0.0), (total, 1 - part)):
        low, high = middle - half, middle + half
        low = np.minimum(low, (low - taken) / part if taken else low)
        high = np.maximum(high, high / part)
        both = np.where(np.isnan(half), np.nan, np.clip([low, high], -1.0, 1.0))
        ends = np.array([np.minimum(both[0], middle), np.maximum(both[1], middle)])
        widened.append(np.array([middle, *ends]))
    return widened[0], widened[1]


def saltelli(
    keys: Sequence[str], y: Floats, level: float
) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
    """Return indices of a saltelli design, alone and total, with half-widths.

    y: (points,) in the order of the design; each result is (keys,).
    """
    from SALib.analyze import sobol

    indices = sobol.analyze(
        _problem(keys),
        y,
        calc_second_order=False,
        conf_level=level,
        num_resamples=_RESAMPLES,
        seed=np.random.default_rng(0),
    )
    return (indices["S1"], indices["S1_conf"]), (indices["ST"], indices["ST_conf"])


def first_order(
    keys: Sequence[str], units: Floats, y: Floats, level: float
) -> tuple[Floats, Floats]:
    """Return first-order indices of any spread points, with half-widths.

    units: (points, keys) places from 0 to 1; y: (points,); each result is (keys,).
    """
    from SALib.analyze import rbd_fast

    indices = rbd_fast.analyze(
        _problem(keys),
        units,
        y,
        conf_level=level,
        num_resamples=_RESAMPLES,
        seed=np.random.default_rng(0),
    )
    return np.asarray(indices["S1"]), np.asarray(indices["S1_conf"])


def _problem(keys: Sequence[str]) -> dict[str, Any]:
    return {
        "num_vars": len(keys),
        "names": list(keys),
        "bounds": [[0.0, 1.0]] * len(keys),
    }


def _bare(title: str, keys: Sequence[str]) -> str:
    """Return the title of a strategy without the parameters that are varied."""
    for key in keys:
        name, _, parameter = key.removeprefix(STRATEGY).partition(".")
        if key != PLAYERS and re.match(rf"{re.escape(name)}(:|$)", title):
            title = re.sub(rf":{re.escape(parameter)}=[^:]*", "", title)
    return title
