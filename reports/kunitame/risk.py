"""Worth and risk of contracts from the paired cells: pooled, break-even and CVaR."""

import numpy as np
import polars as pl

from reports.report_data import ReportData
from reports.statistics import intervals

_CLEAR = 3.0
"""K must exceed B by so many standard errors for a break-even rate to be told."""
_CELLS = {"strategy": "strategy_declining", "week": "moment"}
"""Groups that are cells: who declines, and when."""


def pooled(data: ReportData, measure: str, groups: tuple[str, ...]) -> pl.DataFrame:
    """A measure of the paired cells by groups, the weeks not named added up.

    Those under the rules of the run.
    """
    of = tuple(_CELLS.get(name, name) for name in groups)
    rows = data.pooled(measure, of, only=pl.col("changes") == "")
    return rows.rename({_CELLS[name]: name for name in groups if name in _CELLS})


def break_even(data: ReportData, groups: tuple[str, ...]) -> pl.DataFrame:
    """The made rate ``even`` at which a contract is worth nothing.

    Kept and broken contracts lie in different games, so their means are independent.
    A rate that surely lies below 0 (the contract pays even where broken) or above 1
    is told as 0 or 1, without an interval.
    """
    rows = pooled(data, "won_more if kept", (*groups, "kept"))
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
        apart = np.hypot(k_se, b_se)
        low, high = intervals.fieller(-b, k - b, b_se, apart, b_se**2)
        clear = k - b > _CLEAR * apart
        ends = {"even": -b / (k - b), "even_low": low, "even_high": high}
        inside = (high > 0) & (low < 1)
    columns = [
        pl.Series(
            name,
            np.where(clear & (inside | (name == "even")), np.clip(one, 0, 1), np.nan),
            nan_to_null=True,
        )
        for name, one in ends.items()
    ]
    return both.select(groups).with_columns(columns)


def tail(data: ReportData, groups: tuple[str, ...]) -> pl.DataFrame:
    """The mean ``cvar`` of the worst tenth of what contracts change in points."""
    rows = pooled(data, "outcomes", (*groups, "score_more"))
    values = [
        dict(zip(groups, key, strict=True))
        | {"cvar": float(intervals.cvar(part["score_more"], part["y"]))}
        for key, part in rows.partition_by(groups, as_dict=True).items()
    ]
    schema = {name: rows.schema[name] for name in groups} | {"cvar": pl.Float64()}
    return pl.DataFrame(values, schema=schema)
