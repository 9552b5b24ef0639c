"""Worth and risk of contracts from the paired cells: pooled, break-even and CVaR."""

import numpy as np
import polars as pl

from reports import intervals
from reports.found import Found
from reports.measures import Kind

_CLEAR = 3.0
"""K must exceed B by so many standard errors for a break-even rate to be told."""
_Z = 1.96
_BY = ("target", "stake")


def _rows(found: Found, measure: str, by: tuple[str, ...]) -> pl.DataFrame:
    """Sums of the paired cells under the rules of the run."""
    rows = found.raw(measure, by).filter(pl.col("changes") == "")
    return rows.rename({"strategy_declining": "strategy", "moment": "week"})


def pooled(
    found: Found, measure: str, groups: tuple[str, ...], kind: Kind = "mean"
) -> pl.DataFrame:
    """A measure of the paired cells by groups, the weeks not named added up."""
    by = tuple(group for group in groups if group not in {"strategy", "week"})
    return found.together(_rows(found, measure, by), groups, kind)


def break_even(found: Found, groups: tuple[str, ...]) -> pl.DataFrame:
    """The made rate ``even`` at which a contract is worth nothing.

    Kept and broken contracts lie in different games, so their means are independent.
    A rate that surely lies below 0 (the contract pays even where broken) or above 1
    is told as 0 or 1, without an interval.
    """
    rows = pooled(found, "won_more if kept", (*groups, "kept"))
    kept, broken = (
        rows.filter(kept=flag).select(*groups, mean="estimate", se="se")
        for flag in (1, 0)
    )
    both = kept.join(broken, on=groups, how="inner", suffix="_b")
    k, k_se, b, b_se = (
        both[name].cast(pl.Float64).to_numpy()
        for name in ("mean", "se", "mean_b", "se_b")
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        even = -b / (k - b)
        half = _Z * np.hypot(k * b_se, b * k_se) / (k - b) ** 2
        clear = k - b > _CLEAR * np.hypot(k_se, b_se)
        ends = {"even": even, "even_low": even - half, "even_high": even + half}
        inside = (even + half > 0) & (even - half < 1)
    columns = [
        pl.Series(
            name,
            np.where(clear & (inside | (name == "even")), np.clip(one, 0, 1), np.nan),
            nan_to_null=True,
        )
        for name, one in ends.items()
    ]
    return both.select(groups).with_columns(columns)


def tail(found: Found, groups: tuple[str, ...]) -> pl.DataFrame:
    """The mean ``cvar`` of the worst tenth of what contracts change in points."""
    rows = _rows(found, "outcomes", (*_BY, "score_more"))
    rows = rows.group_by(*groups, "score_more").agg(pl.col("y").sum())
    rows = rows.sort(*groups, "score_more")
    told = [
        dict(zip(groups, key, strict=True))
        | {"cvar": float(intervals.cvar(part["score_more"], part["y"]))}
        for key, part in rows.partition_by(groups, as_dict=True).items()
    ]
    schema = {name: rows.schema[name] for name in groups} | {"cvar": pl.Float64()}
    return pl.DataFrame(told, schema=schema)
