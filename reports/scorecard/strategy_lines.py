"""Lines about who wins among whom: skill, a simple plan, luck."""

import numpy as np
import polars as pl

from reports.scorecard.line_estimate import LineEstimate, Z, extremes_z, per_hundred

UNEQUAL, GOOD = "unequal", "good"
"""Who sits at a table whose luck is measured."""
WHO = {
    UNEQUAL: "a strong player, good ones and beginners",
    GOOD: "players who all play well",
}
"""The same, in words."""


def skill(singles: pl.DataFrame) -> LineEstimate | None:
    """Return the part of an even share that a beginner misses, if one was asked.

    ``singles``: a row for each strategy alone at a table of the leading one
    (``Robustness.one_among_leaders``).
    """
    rows = singles.filter("beginner")
    if rows.is_empty():
        return None
    row = rows.row(0, named=True)
    even = row["estimate"] - row["more"]
    if even <= 0:
        return None
    value, se = -row["more"] / even, row["se"] / even
    return LineEstimate(
        value,
        value - Z * se,
        min(value + Z * se, 1.0),  # a beginner who never wins misses all of it
        (value,),
        (se,),
        n=row["n"],
        note=f"{row['strategy']} among the others",
        words={
            "beginner_of": per_hundred(row["estimate"]),
            "even": per_hundred(even),
        },
    )


def plan(singles: pl.DataFrame, lead: str) -> LineEstimate | None:
    """Return what the best other heuristic wins above even; all are judged."""
    rows = singles.filter("heuristic").sort("more", descending=True)
    if rows.is_empty():
        return None
    row = rows.row(0, named=True)
    half = extremes_z(rows.height) * row["se"]
    return LineEstimate(
        row["more"],
        row["more"] - half,
        row["more"] + half,
        tuple(rows["more"]),
        tuple(rows["se"]),
        sign=str(row["strategy"]),
        n=row["n"],
        note=str(row["strategy"]),
        words={
            "plan": str(row["strategy"]),
            "plan_of": per_hundred(row["estimate"]),
            "even": per_hundred(row["estimate"] - row["more"]),
            "lead": lead,
        },
    )


def luck(shares: pl.DataFrame) -> LineEstimate | None:
    """Return the share of variance that is due to the deal and to other chance.

    ``shares``: by ``who`` sits at the table; the line is about those named last.
    """
    who = shares["who"][-1]
    shares = shares.filter(who=who)
    rows = shares.filter(pl.col("source").is_in(["deal", "play"])).drop_nulls("share")
    if rows.is_empty():
        return None
    value = min(float(rows["share"].sum()), 1.0)
    errors = ((rows["high"] - rows["low"]) / 2 / Z).to_numpy()
    se = float(np.abs(errors).sum())  # an upper bound, as they may be dependent
    low, high = max(value - Z * se, 0.0), min(value + Z * se, 1.0)
    words = {"at_least": f"{100 * low:.0f}", "who": WHO[who]}
    note = f"among {words['who']}"
    return LineEstimate(value, low, high, (value,), (se,), note=note, words=words)
