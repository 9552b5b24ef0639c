"""Estimates from decisions tried with every option: worth, risk, regret."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from reports.counterfactuals.measures import Counterfactual
from reports.formatting import join, renamed, subtract
from reports.report_data import ReportData
from reports.statistics import intervals
from reports.verdicts import with_verdict

TOLERANCE = 0.01
"""A change of the win share smaller than 1 point counts as none."""
ENOUGH = 100
"""Options that were tried less often are neither judged nor drawn."""
BANDS, OF_BAND = 10, 400
"""The most bands that hands are split into, and the fewest decisions of a band."""
SIDES = {"above": "pays", "below": "costs"}
"""Verdicts on options whose worth is shown to exceed ``TOLERANCE``."""
_MIN_GAP = 3.0  # standard errors of K above B that a break-even rate needs
_ENDS = ("_se", "_low", "_high", "_n")
_SPREAD = ("sd", "sd_low", "sd_high", "cvar")


@dataclass(frozen=True)
class CounterfactualEstimates:
    """Estimates about a decision that was tried, as tables."""

    tried: Counterfactual
    data: ReportData

    def of(self, name: str, *by: str) -> pl.DataFrame:
        """Return a measure of all players, with search, by its groups or some.

        ``by`` may have "band", the band of the hand.
        """
        measure = self.data.measure(self.tried.measure_name(name))
        return self.data.pool_rows(
            self._raw(name, by), by or measure.by, measure.kind, measure.unit
        )

    def table(self, *names: str, by: Sequence[str]) -> pl.DataFrame:
        """Return measures side by side, each named by the first word of its name."""
        rows = renamed(self.of(names[0], *by), by, names[0].split()[0])
        for name in names[1:]:
            rows = join(rows, renamed(self.of(name, *by), by, name.split()[0]), by)
        return rows

    def risk(self) -> pl.DataFrame:
        """Return a row for each strategy and option: how often, made, worth, risk."""
        by = ("strategy", "option")
        rows = self.each(by).filter(
            pl.col("worth_n") >= ENOUGH, pl.col("option") != self.tried.none
        )
        rows = join(rows, self.table("kept", "gained", by=by), by)
        rows = join(rows, _best(self.by_band), by)
        return with_verdict(rows, TOLERANCE, SIDES, "worth")

    def when(self) -> pl.DataFrame:
        """Return the numbers of ``each`` by time, without taking none."""
        return self.each(("strategy", self.tried.time, "option"), " by time").filter(
            pl.col("worth_n") >= ENOUGH, pl.col("option") != self.tried.none
        )

    @cached_property
    def by_band(self) -> pl.DataFrame:
        """The numbers of ``each`` by strategy, band of hands and option (or none)."""
        rows = self.each(("strategy", "band", "option"), " by hand")
        words = self.bands.select("strategy", "band", "words").unique()
        return join(rows, words, ("strategy", "band"))

    def each(self, by: tuple[str, ...], more: str = "") -> pl.DataFrame:
        """Return taken, made, worth, points, out, spread, tail and needed made rates.

        ``more`` ends the names of the measures with these groups.
        """
        names = ["worth", "taken", "made", "points"]
        names += ["out"] if self.tried.eliminates else []
        rows = self.table(*(f"{name}{more}" for name in names), by=by).sort(by)
        rows = join(rows, self._spread(by, more), by)
        for name, column in (("worth", "even"), ("points", "even_points")):
            if_made = self.of(f"{name} if{more}", *by, "made")
            rows = join(rows, break_even(if_made, by, "made", column), by)
        return rows

    def _spread(self, by: tuple[str, ...], more: str) -> pl.DataFrame:
        """Return the standard deviation and CVaR of the change in points.

        They come from its histogram.
        """
        keys = (*by, "points_more")
        raw = self._raw(f"outcomes{more}", by)
        rows = raw.group_by(keys).agg(pl.col("y").sum()).sort(keys)
        parts = rows.partition_by(by, as_dict=True)
        spreads = [
            dict(zip(by, key, strict=True)) | spread(part)
            for key, part in parts.items()
        ]
        schema = {name: rows.schema[name] for name in by}
        return pl.DataFrame(spreads, {**schema, **dict.fromkeys(_SPREAD, pl.Float64)})

    def _raw(self, name: str, by: Sequence[str] = ()) -> pl.DataFrame:
        """Return the sums of a measure, for tables without and with search players."""
        rows = self.data.raw_with_search(self.tried.measure_name(name))
        if "band" not in by:
            return rows
        return rows.join(self.bands, on=("strategy", "hand"), maintain_order="left")

    @cached_property
    def bands(self) -> pl.DataFrame:
        """The band of each strategy and hand, from 1, and the band in words."""
        hands = self.of("came by hand").sort("strategy", "hand")
        parts = []
        for part in hands.partition_by("strategy", maintain_order=True):
            counts = part["n"].to_numpy()
            bands = int(np.clip(counts.sum() // OF_BAND, 1, BANDS))
            middle = (np.cumsum(counts) - counts / 2) / max(counts.sum(), 1)
            band = np.minimum((middle * bands).astype(int), bands - 1)
            band = np.unique(band, return_inverse=True)[1] + 1
            parts.append(part.with_columns(band=pl.Series(band, dtype=pl.Int64)))
        if not parts:
            return hands.with_columns(
                band=pl.lit(1, pl.Int64), words=pl.lit("")
            ).select("strategy", "hand", "band", "words")
        rows, each = pl.concat(parts), self.tried.per_hand
        least, most = (
            (end.over("strategy", "band") / each).round(2).cast(pl.String)
            for end in (pl.col("hand").min(), pl.col("hand").max())
        )
        words = pl.when(least == most).then(least).otherwise(least + " to " + most)
        return rows.select("strategy", "hand", "band", words=words)

    def regret(self) -> pl.DataFrame:
        """Return a row for each strategy and band: the best rule, what is given up.

        Band 0 is all hands together.
        """
        keys, of_each = ("strategy", "band", "half"), ("strategy", "band")
        worth = self.table("worth by hand", by=(*keys, "option"))
        words = self.bands.select(*of_each, "words").unique()
        worth = join(worth, words, of_each)
        chosen = self.table("chosen by hand", by=keys)
        worth = compared_options(worth, *keys)
        best = worth.sort("worth", descending=True, maintain_order=True)
        best = best.unique(keys, keep="first", maintain_order=True)
        best = best.select("strategy", "band", "option", half=1 - pl.col("half"))
        judged = best.join(worth, on=(*keys, "option")).join(chosen, on=keys)
        without = (pl.col("option") == self.tried.none) & pl.col("worth_se").is_null()
        nothing = pl.when(without).then(0.0).otherwise("worth_se").alias("worth_se")
        judged = judged.with_columns(nothing)  # going without is worth exactly 0
        judged = subtract(judged, "worth", "chosen", "lost")
        rules, by = [], ("strategy", "band", "words")
        parts = _with_all(judged).partition_by(by, as_dict=True, maintain_order=True)
        for group, part in parts.items():
            row = dict(zip(by, group, strict=True)) | {"option": _names(part)}
            row |= _mean(part, "worth") | _mean(part, "chosen") | _mean(part, "lost")
            rules.append(row)
        numbers = [f"{n}{e}" for n in ("worth", "chosen", "lost") for e in ("", *_ENDS)]
        schema = {"strategy": pl.String, "band": pl.Int64, "option": pl.String}
        schema |= {"words": pl.String, **dict.fromkeys(numbers, pl.Float64)}
        return pl.DataFrame(rules, schema).sort("strategy", "band")


def spread(rows: pl.DataFrame) -> dict[str, float]:
    """Return the standard deviation, its interval, and the CVaR of ``points_more``.

    The variance of a variance is (m4 - m2**2) / n (Cramer 1946, Mathematical Methods of
    Statistics, 27.4).
    """
    values, counts = (
        rows[name].cast(pl.Float64).to_numpy() for name in ("points_more", "y")
    )
    n = counts.sum()
    away = values - (values * counts).sum() / n
    second, fourth = ((away**k * counts).sum() / n for k in (2, 4))
    sd = float(np.sqrt(second))
    half = (
        1.96 * float(np.sqrt(max(fourth - second**2, 0) / n)) / (2 * sd) if sd else 0.0
    )
    cvar = float(intervals.cvar(values, counts))
    return dict(zip(_SPREAD, (sd, max(sd - half, 0.0), sd + half, cvar), strict=True))


def break_even(
    rows: pl.DataFrame, groups: Sequence[str], made: str, name: str = "even"
) -> pl.DataFrame:
    """Return the made rate ``name`` at which something is worth nothing.

    rows: worth by ``groups``, and by ``made`` (1 or 0). If K and B are the worth if it
    came true or not, a made rate m is worth m K + (1 - m) B. K and B are from different
    games, so they are independent. A rate shown to be below 0 (it pays even if broken)
    or above 1 is returned as 0 or 1, without an interval.
    """
    true = pl.col(made).cast(pl.Boolean)
    kept, broken = (
        rows.filter(true if flag else ~true).select(*groups, mean="estimate", se="se")
        for flag in (1, 0)
    )
    both = kept.join(broken, on=list(groups), how="inner", suffix="_b")
    k, k_se, b, b_se = (
        both[name].cast(pl.Float64).to_numpy()
        for name in ("mean", "se", "mean_b", "se_b")
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        gap_se = np.hypot(k_se, b_se)
        low, high = intervals.fieller(-b, k - b, b_se, gap_se, b_se**2)
        clear = k - b > _MIN_GAP * gap_se
        ends = {name: -b / (k - b), f"{name}_low": low, f"{name}_high": high}
        inside = (high > 0) & (low < 1)
    columns = [
        pl.Series(
            end,
            np.where(clear & (inside | (end == name)), np.clip(rate, 0, 1), np.nan),
            nan_to_null=True,
        )
        for end, rate in ends.items()
    ]
    return both.select(groups).with_columns(columns)


def _best(bands: pl.DataFrame) -> pl.DataFrame:
    """Return ``best``: the share of hands that each option is best for."""
    rows = []
    for strategy in bands["strategy"].unique(maintain_order=True):
        part = bands.filter(strategy=strategy).filter(pl.col("worth_n") >= ENOUGH / 4)
        best = best_of(part)
        rows += [
            (strategy, name, best.get(name, 0.0))
            for name in part["option"].unique(maintain_order=True)
        ]
    schema = {"strategy": pl.String, "option": pl.String, "best": pl.Float64}
    return pl.DataFrame(rows, schema, orient="row")


def compared_options(rows: pl.DataFrame, *by: str) -> pl.DataFrame:
    """Keep the options that at least half of the decisions have, if they are enough."""
    n = pl.col("worth_n")
    return rows.filter(n >= ENOUGH / 4, n >= n.max().over(by) / 2)


def best_of(part: pl.DataFrame) -> dict[str, float]:
    """Return for each option the share of the hands for which it is worth most."""
    rows = compared_options(part, "strategy", "band")
    top = rows.sort("worth", descending=True, nulls_last=True)
    top = top.unique(["strategy", "band"], keep="first", maintain_order=True)
    shares = top.group_by("option", maintain_order=True).agg(pl.col("worth_n").sum())
    total = shares["worth_n"].sum() or 1.0
    return {name: n / total for name, n in shares.rows()}


def _with_all(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the rows, and all of them once more as band 0."""
    whole = rows.with_columns(band=pl.lit(0, pl.Int64), words=pl.lit(""))
    return pl.concat([whole, rows])


def _mean(rows: pl.DataFrame, name: str) -> dict[str, float]:
    """Return the mean of parts from different games, weighted by decisions."""
    counts = rows["chosen_n"].cast(pl.Float64).to_numpy()
    value, se = (rows[n].cast(pl.Float64).to_numpy() for n in (name, f"{name}_se"))
    share = counts / max(counts.sum(), 1)
    middle, error = float(value @ share), float(np.hypot.reduce(se * share))
    ends = {"": middle, "_se": error, "_low": middle - 1.96 * error}
    ends |= {"_high": middle + 1.96 * error, "_n": float(counts.sum())}
    return {f"{name}{end}": number for end, number in ends.items()}


def _names(rows: pl.DataFrame) -> str:
    return " or ".join(rows["option"].unique(maintain_order=True).to_list()[:3])
