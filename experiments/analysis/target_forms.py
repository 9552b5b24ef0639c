"""The forms of targets: each group, its share of all, gaps between groups, a quantile.

Each form turns the rows of a cell (groups with sums and estimates) into the numbers
that are bounded: the columns of the cell, group (in words), estimate, low, high, se, n,
least, most, and wider (the factor by which intervals are widened for looking).
"""

from collections.abc import Callable, Sequence
from itertools import combinations
from statistics import NormalDist
from typing import Any

import numpy as np
import polars as pl

from experiments.analysis.interval_widening import IntervalWidening
from experiments.core.cells import UsageError
from experiments.core.measures import group_words
from experiments.studies.targets import Target
from reports.measures import SUMS
from reports.statistics.quantiles import quantiles

_Z = NormalDist().inv_cdf(0.975)
_NUMBERS = ("estimate", "low", "high", "se", "n")


def _cell(part: pl.DataFrame, by: Sequence[str]) -> pl.DataFrame:
    """Return the columns of the rows' cell: variant, lineup, players, swept keys."""
    return part.drop(*by, *SUMS, *_NUMBERS, strict=False)


def _named(part: pl.DataFrame, by: Sequence[str]) -> pl.DataFrame:
    """Return the rows with the columns of the cell, and groups in words."""
    numbers = part.select(name for name in _NUMBERS if name in part.columns)
    return pl.concat(
        [_cell(part, by), group_words(part, by).to_frame(), numbers], how="horizontal"
    )


def _bounded(
    rows: pl.DataFrame, target: Target, looks: IntervalWidening
) -> pl.DataFrame:
    """Add the bounds; the standard error is at least half the width, divided by z."""
    ends = {"least": target.least, "most": target.most}
    missing = {"least": -np.inf, "most": np.inf}
    half = (pl.col("high") - pl.col("low")) / (2 * _Z)
    return rows.with_columns(
        pl.max_horizontal("se", half).alias("se"),
        pl.lit(looks.widening).alias("wider"),
        *(
            pl.lit(missing[name] if end is None else end).alias(name)
            for name, end in ends.items()
        ),
    )


def _each(
    part: pl.DataFrame, target: Target, by: Sequence[str], looks: IntervalWidening
) -> pl.DataFrame:
    return _bounded(_named(part, by), target, looks)


def _of_all(
    part: pl.DataFrame, target: Target, by: Sequence[str], looks: IntervalWidening
) -> pl.DataFrame:
    """Bound each group's share of the total: y over the sum of y.

    The residual of a game is (1 - share) y - share (the others' y); the correlation of
    the two is not known, so their standard deviations are added.
    """
    mean = part["y"].to_numpy() / looks.games
    spread = np.sqrt(np.maximum(part["yy"].to_numpy() / looks.games - mean**2, 0.0))
    total = mean.sum()
    share = mean / total if total > 0 else np.full(len(mean), np.nan)
    apart = (1 - share) * spread + share * (spread.sum() - spread)
    se = looks.widening * apart / total / np.sqrt(max(looks.games - 1, 1))
    return _bounded(_with(_named(part, by), share, se, part["y"]), target, looks)


def _gap(
    part: pl.DataFrame, target: Target, by: Sequence[str], looks: IntervalWidening
) -> pl.DataFrame:
    """Bound the difference between any two groups, greater minus smaller."""
    named = _named(part, by).sort("estimate", descending=True)
    part = part.sort("estimate", descending=True)
    exclusive = _exclusive(part, looks.games) and target.measure.startswith("won by")
    middle, se = named["estimate"].to_numpy(), named["se"].to_numpy()
    gaps = []
    for one, other in combinations(range(named.height), 2):
        apart = middle[one] - middle[other]
        if exclusive:  # a game has one winner, so the shares are multinomial
            both = middle[one] + middle[other] - apart**2
            spread = looks.widening * np.sqrt(both / max(looks.games - 1, 1))
        else:
            spread = se[one] + se[other]
        text = f"{named['group'][one]} over {named['group'][other]}"
        gaps.append((text, apart, spread, min(named["n"][one], named["n"][other])))
    if not gaps:
        return pl.DataFrame()
    texts, apart, spreads, n = zip(*gaps, strict=True)
    base = _cell(part, by)[[0] * len(gaps)].with_columns(pl.Series("group", texts))
    return _with(
        base, np.array(apart), np.array(spreads), pl.Series("n", n)
    ).with_columns(
        least=-pl.lit(target.gap), most=pl.lit(target.gap), wider=pl.lit(1.0)
    )


def _exclusive(part: pl.DataFrame, games: int) -> bool:
    """Whether every game is counted, once, and for one group at most."""
    once = (part["yy"] == part["y"]).all() and (part["x"] == games).all()
    return bool(once and part["y"].sum() <= games)


def _quantile(
    part: pl.DataFrame, target: Target, by: Sequence[str], looks: IntervalWidening
) -> pl.DataFrame:
    """Bound a quantile of a histogram: groups are values, y counts games."""
    if not (part["yy"] == part["y"]).all() or part["y"].sum() > looks.games:
        raise UsageError(
            f"targets.{target.name}: quantile needs a measure that counts each game "
            f"once; {target.measure!r} does not."
        )
    least = -np.inf if target.least is None else target.least
    most = np.inf if target.most is None else target.most
    bounds = quantiles(
        part[by[0]].to_numpy(),
        part["y"].to_numpy(),
        target.quantile or 0.5,
        looks.widening,
    )
    return _cell(part, by)[[0]].with_columns(
        pl.Series("group", [_quantile_words(target.quantile or 0.5, by[0])]),
        pl.Series("n", [float(part["y"].sum())]),
        pl.lit(least).alias("least"),
        pl.lit(most).alias("most"),
        *(
            pl.lit(value, dtype=pl.Float64).alias(name)
            for name, value in bounds.as_text()
        ),
        verdict=pl.lit(bounds.verdict(least, most)),
    )


def _quantile_words(quantile: float, of: str) -> str:
    name = "median" if quantile == 0.5 else f"{100 * quantile:g} % quantile"
    return f"{name} of {of}"


def _with(rows: pl.DataFrame, estimate: Any, se: Any, n: Any) -> pl.DataFrame:
    """Add an estimate and a symmetric 95 % interval to the rows."""
    low, high = estimate - _Z * se, estimate + _Z * se
    names = ("estimate", "low", "high", "se")
    values = zip(names, (estimate, low, high, se), strict=True)
    return rows.with_columns(
        *(pl.Series(name, value, nan_to_null=True) for name, value in values),
        n.cast(pl.Float64).alias("n"),
    )


Form = Callable[[pl.DataFrame, Target, Sequence[str], IntervalWidening], pl.DataFrame]
FORMS: dict[str, Form] = {
    "each": _each,
    "of all": _of_all,
    "gap": _gap,
    "quantile": _quantile,
}
"""The forms by the name that ``Target.form`` gives."""
