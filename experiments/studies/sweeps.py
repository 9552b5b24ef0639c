"""What a study found, against what it varied: tables and sensitivities.

The sensitivity of a measure to a key is the share of its variance over the design
that goes with the key: alone (``alone``; Sobol' index of first order), and with all
that it does together with others (``total``). saltelli: both, by Saltelli's estimators
(Saltelli et al. 2010, Comput. Phys. Commun. 181:259-270). lhs and sobol: ``alone``, by
RBD-FAST (Tarantola et al. 2006, Reliab. Eng. Syst. Saf. 91:717-727, with the correction
of Tissot & Prieur 2012, same journal 107:205-213). Both by SALib, on the places from 0
to 1 that the points were made of, so that whole numbers and choices are no trouble.

Intervals tell what another draw of points would change, and allow for what another draw
of games would: that is told beside them as ``noise``, the mean variance of an estimate
over the variance of the estimates. A total takes all of it up (a key that matters not
at all has ``noise`` in total), unless the points, which share their deals, share their
luck too; how far they do is not known, so intervals reach over both. Where it is not
small, play more games.
"""

import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.studies.factors import PLAYERS, STRATEGY
from experiments.studies.play import StudyResult
from reports.measures import SUMS, Statistic

FEWEST = 64
"""Points that RBD-FAST needs: with fewer, its correction for bias is most of it."""
ABOUT = ("variant", "lineup", "players")
FOUND = ("estimate", "low", "high", "se", "n")
_RESAMPLES = 200
_POINT = "place in the design"  # no group of a measure has such a name

Floats = NDArray[np.float64]


def table(
    done: StudyResult, measure: str, kind: Statistic | None = None, level: float = 0.95
) -> pl.DataFrame:
    """A measure against what was varied: a row a place and group.

    Columns: variant, lineup, players, point, the keys of the design, the groups of the
    measure, estimate, low, high, se, n. A strategy is named without the parameters
    that the design varies. Places whose cell failed are left out. Raises KeyError with
    the nearest name.
    """
    plan = done.plan
    found = done.results.estimates(measure, kind, level)
    groups = [n for n in found.columns if n not in {*SUMS, *FOUND, "cell", *ABOUT}]
    found = found.select("cell", *groups, *FOUND)
    if "strategy" in groups:
        names = pl.col("strategy").map_elements(
            lambda title: _bare(title, plan.keys), return_dtype=pl.String
        )
        found = found.with_columns(names)
    design_points = plan.frame().with_row_index(_POINT)
    joined = design_points.join(found, on="cell", how="inner")
    return joined.sort(_POINT, *groups).drop(_POINT, "cell")


def groups_of(done: StudyResult, found: pl.DataFrame) -> list[str]:
    """The columns of a table that say who or what, beside the point."""
    fixed = {*done.plan.keys, *FOUND, "point"}
    return [name for name in found.columns if name not in fixed]


def sensitivity(done: StudyResult, measure: str, level: float = 0.95) -> pl.DataFrame:
    """How much each key matters: a row a key, for each variant, lineup and group.

    Columns: the groups, key, alone, alone_low, alone_high, total, total_low,
    total_high, noise, points. Empty for designs that are not spread over ranges. Null
    where nothing varies, or where too few points were played.
    """
    plan, found = done.plan, table(done, measure)
    by = [name for name in groups_of(done, found) if name not in plan.keys]
    rows: list[dict[str, Any]] = []
    if plan.points.units is not None:
        for name, part in found.group_by(by, maintain_order=True):
            about = dict(zip(by, name, strict=True))
            rows += [{**about, **one} for one in _indices(done, part, level)]
    kept = {name: found.schema[name] for name in by}
    return pl.DataFrame(rows, schema={**kept, **SENSITIVITY})


_ENDS = ("alone", "alone_low", "alone_high", "total", "total_low", "total_high")
SENSITIVITY = {
    "key": pl.String,
    **dict.fromkeys((*_ENDS, "noise"), pl.Float64),
    "points": pl.Int64,
}


def _indices(
    done: StudyResult, part: pl.DataFrame, level: float
) -> Iterator[dict[str, Any]]:
    """The indices of all keys in the rows of one group, in the order of the points."""
    points = done.plan.points
    assert points.units is not None  # noqa: S101 - asked for by ``sensitivity``
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
    allowed = allowing(alone, total, noise)
    for at, key in enumerate(points.keys):
        ends = (*allowed[0][:, at], *allowed[1][:, at])
        told = [float(end) if math.isfinite(end) else None for end in (*ends, noise)]
        yield {
            "key": key,
            **dict(zip((*_ENDS, "noise"), told, strict=True)),
            "points": len(y),
        }


def allowing(
    alone: tuple[Floats, Floats], total: tuple[Floats, Floats], noise: float
) -> tuple[Floats, Floats]:
    """Widen intervals of indices for the noise of games: (3, keys) index, low, high.

    Of the variance of the estimates ``noise`` is not the design's. Games of their own
    at each point shrink an index alone by 1 - noise, and make of a total T
    noise + (1 - noise) T; the same luck at all points does neither.
    """
    part = max(1 - noise, 1e-9) if math.isfinite(noise) else 1.0
    found = []
    for (middle, half), taken in ((alone, 0.0), (total, 1 - part)):
        low, high = middle - half, middle + half
        low = np.minimum(low, (low - taken) / part if taken else low)
        high = np.maximum(high, high / part)
        both = np.where(np.isnan(half), np.nan, np.clip([low, high], -1.0, 1.0))
        ends = np.array([np.minimum(both[0], middle), np.maximum(both[1], middle)])
        found.append(np.array([middle, *ends]))
    return found[0], found[1]


def saltelli(
    keys: Sequence[str], y: Floats, level: float
) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
    """Indices of a saltelli design: alone and in total, with half their intervals.

    y: (points,) in the order of the design; each result is (keys,).
    """
    from SALib.analyze import sobol

    found = sobol.analyze(
        _problem(keys),
        y,
        calc_second_order=False,
        conf_level=level,
        num_resamples=_RESAMPLES,
        seed=np.random.default_rng(0),
    )
    return (found["S1"], found["S1_conf"]), (found["ST"], found["ST_conf"])


def first_order(
    keys: Sequence[str], units: Floats, y: Floats, level: float
) -> tuple[Floats, Floats]:
    """Indices of first order from points spread anyhow, with half their intervals.

    units: (points, keys) places from 0 to 1; y: (points,); each result is (keys,).
    """
    from SALib.analyze import rbd_fast

    found = rbd_fast.analyze(
        _problem(keys),
        units,
        y,
        conf_level=level,
        num_resamples=_RESAMPLES,
        seed=np.random.default_rng(0),
    )
    return np.asarray(found["S1"]), np.asarray(found["S1_conf"])


def _problem(keys: Sequence[str]) -> dict[str, Any]:
    return {
        "num_vars": len(keys),
        "names": list(keys),
        "bounds": [[0.0, 1.0]] * len(keys),
    }


def _bare(title: str, keys: Sequence[str]) -> str:
    """The title of a strategy without the parameters that are varied."""
    for key in keys:
        name, _, parameter = key.removeprefix(STRATEGY).partition(".")
        if key != PLAYERS and re.match(rf"{re.escape(name)}(:|$)", title):
            title = re.sub(rf":{re.escape(parameter)}=[^:]*", "", title)
    return title
