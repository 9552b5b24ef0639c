"""What a target bounds: each group, its share of all, gaps between groups, a quantile.

Each form turns the rows of one cell (groups with sums and estimates) into the numbers
that are bounded: what the cell stands for, group (in words), estimate, low, high, se,
n, least, most, and how much wider intervals are for looking.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from statistics import NormalDist
from typing import Any

import numpy as np
import polars as pl

from experiments.analysis.early_stopping import IntervalWidening
from experiments.core.cells import UsageError
from experiments.core.measures import words
from experiments.studies.targets import Target
from reports.measures import SUMS
from reports.statistics.quantiles import quantiles

_Z = NormalDist().inv_cdf(0.975)
_NUMBERS = ("estimate", "low", "high", "se", "n")


def _cell(part: pl.DataFrame, by: Sequence[str]) -> pl.DataFrame:
    """What the rows' cell stands for: variant, lineup, players, what was swept."""
    return part.drop(*by, *SUMS, *_NUMBERS, strict=False)


def _named(part: pl.DataFrame, by: Sequence[str]) -> pl.DataFrame:
    """Rows with their groups in words, and what the cell stands for."""
    numbers = part.select(name for name in _NUMBERS if name in part.columns)
    return pl.concat(
        [_cell(part, by), words(part, by).to_frame(), numbers], how="horizontal"
    )


def _bounded(
    rows: pl.DataFrame, target: Target, looks: IntervalWidening
) -> pl.DataFrame:
    """Add the bounds; the standard error is the half width, in units of z."""
    ends = {"least": target.least, "most": target.most}
    missing = {"least": -np.inf, "most": np.inf}
    half = (pl.col("high") - pl.col("low")) / (2 * _Z)
    return rows.with_columns(
        pl.max_horizontal("se", half).alias("se"),
        pl.lit(looks.wider).alias("wider"),
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
    """Each group's share of the total: y over the sum of y, game by game.

    The residual of a game is (1 - share) y - share (the others' y); how these go
    together is not known, so their standard deviations are added.
    """
    mean = part["y"].to_numpy() / looks.games
    spread = np.sqrt(np.maximum(part["yy"].to_numpy() / looks.games - mean**2, 0.0))
    total = mean.sum()
    share = mean / total if total > 0 else np.full(len(mean), np.nan)
    apart = (1 - share) * spread + share * (spread.sum() - spread)
    se = looks.wider * apart / total / np.sqrt(max(looks.games - 1, 1))
    return _bounded(_with(_named(part, by), share, se, part["y"]), target, looks)


def _gap(
    part: pl.DataFrame, target: Target, by: Sequence[str], looks: IntervalWidening
) -> pl.DataFrame:
    """The difference between any two groups, the greater less the smaller."""
    named = _named(part, by).sort("estimate", descending=True)
    part = part.sort("estimate", descending=True)
    once = _exclusive(part, looks.games) and target.measure.startswith("won by")
    middle, se = named["estimate"].to_numpy(), named["se"].to_numpy()
    found = []
    for one, other in combinations(range(named.height), 2):
        apart = middle[one] - middle[other]
        if once:  # a game has one winner: the shares are of one multinomial
            both = middle[one] + middle[other] - apart**2
            spread = looks.wider * np.sqrt(both / max(looks.games - 1, 1))
        else:
            spread = se[one] + se[other]
        text = f"{named['group'][one]} over {named['group'][other]}"
        found.append((text, apart, spread, min(named["n"][one], named["n"][other])))
    if not found:
        return pl.DataFrame()
    texts, apart, spreads, n = zip(*found, strict=True)
    base = _cell(part, by)[[0] * len(found)].with_columns(pl.Series("group", texts))
    return _with(
        base, np.array(apart), np.array(spreads), pl.Series("n", n)
    ).with_columns(
        least=-pl.lit(target.gap), most=pl.lit(target.gap), wider=pl.lit(1.0)
    )


def _exclusive(part: pl.DataFrame, games: int) -> bool:
    """Whether each game counts for one group at most, once, and all games are asked."""
    once = (part["yy"] == part["y"]).all() and (part["x"] == games).all()
    return bool(once and part["y"].sum() <= games)


def _quantile(
    part: pl.DataFrame, target: Target, by: Sequence[str], looks: IntervalWidening
) -> pl.DataFrame:
    """A quantile of a histogram: groups are values, y counts games."""
    if not (part["yy"] == part["y"]).all() or part["y"].sum() > looks.games:
        raise UsageError(
            f"targets.{target.name}: quantile needs a measure that counts each game "
            f"once; {target.measure!r} does not."
        )
    least = -np.inf if target.least is None else target.least
    most = np.inf if target.most is None else target.most
    found = quantiles(
        part[by[0]].to_numpy(),
        part["y"].to_numpy(),
        target.quantile or 0.5,
        looks.wider,
    )
    return _cell(part, by)[[0]].with_columns(
        pl.Series("group", [_quantile_words(target.quantile or 0.5, by[0])]),
        pl.Series("n", [float(part["y"].sum())]),
        pl.lit(least).alias("least"),
        pl.lit(most).alias("most"),
        *(pl.lit(value, dtype=pl.Float64).alias(name) for name, value in found.told()),
        verdict=pl.lit(found.verdict(least, most)),
    )


def _quantile_words(quantile: float, of: str) -> str:
    name = "median" if quantile == 0.5 else f"{100 * quantile:g} % quantile"
    return f"{name} of {of}"


def _with(rows: pl.DataFrame, estimate: Any, se: Any, n: Any) -> pl.DataFrame:
    """Rows with an estimate and a symmetric 95 % interval."""
    low, high = estimate - _Z * se, estimate + _Z * se
    values: Mapping[str, Any] = {
        "estimate": estimate,
        "low": low,
        "high": high,
        "se": se,
    }
    return rows.with_columns(
        *(pl.Series(name, value, nan_to_null=True) for name, value in values.items()),
        n.cast(pl.Float64).alias("n"),
    )


Form = Callable[[pl.DataFrame, Target, Sequence[str], IntervalWidening], pl.DataFrame]
FORMS: dict[str, Form] = {
    "each": _each,
    "of all": _of_all,
    "gap": _gap,
    "quantile": _quantile,
}
"""By the name that ``Target.form`` gives."""
