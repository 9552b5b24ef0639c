"""Three-way verdicts on a family of differences, given a designer's tolerance."""

import numpy as np
import polars as pl

from reports.statistics import intervals, multiple_comparisons, paired_estimates
from reports.statistics.intervals import Array
from reports.statistics.multiple_comparisons import Method


def difference_verdicts(
    rows: pl.DataFrame,
    family: str,
    tolerance: float | None = None,
    method: Method = "holm",
    level: float = 0.95,
    *,
    share: bool = False,
    among: int = 1,
) -> pl.DataFrame:
    """Judge a table of ``paired_estimates.differences`` as one family, ``family``.

    share: the differences are of shares. among: families that share the chance of a
    false alarm. Rows that are too rare (``enough``) are in no family: they have no
    adjusted p-value and are never called different. Adds the columns
    family, method    what was compared together, and how it was controlled
    p_adjusted        for the family (``multiple_comparisons.adjust``)
    low_adjusted, high_adjusted    an interval that holds within the family
    different         whether it is called different, in the family
    tolerance         as given; null if there is none, and then the next are null, too
    verdict           "within" -tolerance to +tolerance (two one-sided tests at 5 %),
                      "outside" it (in the family), "undecided", or "too rare"
    needed            games of each side that would probably decide; null if decided
    """
    if tolerance is not None and not tolerance > 0:
        raise ValueError(f"tolerance: above 0, not {tolerance}.")
    enough = rows["enough"].to_numpy()
    p = np.where(enough, _column(rows, "p"), np.nan)
    wide = multiple_comparisons.levels(p, method, level, among)
    low, high = paired_estimates.limits(rows, wide, share=share)
    values = rows.with_columns(
        pl.lit(family).alias("family"),
        pl.lit(method).alias("method"),
        pl.Series(
            "p_adjusted",
            multiple_comparisons.adjust(p, method, among),
            nan_to_null=True,
        ),
        pl.Series("low_adjusted", low, nan_to_null=True),
        pl.Series("high_adjusted", high, nan_to_null=True),
        pl.Series("different", multiple_comparisons.different(p, method, level, among)),
        pl.lit(tolerance, dtype=pl.Float64).alias("tolerance"),
    )
    if tolerance is None:
        none = (pl.lit(None, pl.String), pl.lit(None, pl.Float64))
        return values.with_columns(verdict=none[0], needed=none[1])
    verdict = _verdict(rows, tolerance, method, level, share, among)
    needed = _needed(rows, tolerance, verdict)
    return values.with_columns(
        pl.Series("verdict", verdict, dtype=pl.String),
        pl.Series("needed", needed, dtype=pl.Float64, nan_to_null=True),
    )


def _verdict(
    rows: pl.DataFrame,
    tolerance: float,
    method: Method,
    level: float,
    share: bool,
    among: int,
) -> list[str]:
    """Return verdicts: within by a number's own test, outside by the family's."""
    low, high = paired_estimates.limits(rows, 2 * level - 1, share=share)
    enough = rows["enough"].to_numpy()
    p = np.where(enough, _p_beyond(rows, tolerance), np.nan)
    beyond = multiple_comparisons.different(p, method, level, among)
    within = (low >= -tolerance) & (high <= tolerance)
    words = np.where(beyond, "outside", np.where(within, "within", "undecided"))
    verdicts: list[str] = np.where(enough, words, "too rare").tolist()
    return verdicts


def _p_beyond(rows: pl.DataFrame, tolerance: float) -> Array:
    """Return two-sided p-values of the nearer end of the tolerance."""
    from scipy.special import stdtr  # slow to import

    size = abs(_column(rows, "difference")) - tolerance
    se, freedom = _column(rows, "se"), _column(rows, "freedom")
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(size > 0, size / se, 0.0)
    p = np.where(size > 0, 2 * stdtr(freedom, -t), 1.0)
    return np.where(np.isnan(size + se + freedom), np.nan, p)


def _needed(rows: pl.DataFrame, tolerance: float, verdict: list[str]) -> Array:
    """Return the games of each side that would decide, if the difference is true."""
    needed = intervals.games_needed(
        _column(rows, "difference"),
        _column(rows, "se"),
        _column(rows, "played"),
        (-tolerance, tolerance),
    )
    return np.where(np.array(verdict) == "undecided", needed, np.nan)


def _column(rows: pl.DataFrame, name: str) -> Array:
    return rows[name].cast(pl.Float64).to_numpy()
