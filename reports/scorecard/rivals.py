"""Lines of who wins among whom: whether skill pays, a simple plan, luck."""

import numpy as np
import polars as pl

from reports.scorecard.found import Found, Z, extremes_z, of_100
from reports.scorecard.numbers import (
    WEAK,
)


def skill(one: pl.DataFrame) -> Found | None:
    """What the weakest lacks of an even share; by chance, where somebody plays so.

    ``one``: a row a strategy alone at a table of the leading one
    (``reports.robust.ones``).
    """
    rows = one.filter(~pl.col("searches"))
    if rows.is_empty():
        return None
    chance = rows.filter(strategy=WEAK)
    row = (chance if chance.height else rows.sort("more")).row(0, named=True)
    even = row["estimate"] - row["more"]
    if even <= 0:
        return None
    value, se = -row["more"] / even, row["se"] / even
    name = str(row["strategy"])
    return Found(
        value,
        value - Z * se,
        min(value + Z * se, 1.0),  # who never wins lacks all of it
        (value,),
        (se,),
        n=row["n"],
        note=f"{name} among the others",
        words={
            "weakest": name,
            "weakest_of": of_100(row["estimate"]),
            "even": of_100(even),
        },
    )


def plan(one: pl.DataFrame, lead: str) -> Found | None:
    """What the best other heuristic wins above even: all are judged."""
    heuristic = ~pl.col("searches") & (pl.col("strategy") != "random")
    rows = one.filter(heuristic).sort("more", descending=True)
    if rows.is_empty():
        return None
    row = rows.row(0, named=True)
    wide = extremes_z(rows.height) * row["se"]
    return Found(
        row["more"],
        row["more"] - wide,
        row["more"] + wide,
        tuple(rows["more"]),
        tuple(rows["se"]),
        sign=str(row["strategy"]),
        n=row["n"],
        note=str(row["strategy"]),
        words={
            "plan": str(row["strategy"]),
            "plan_of": of_100(row["estimate"]),
            "even": of_100(row["estimate"] - row["more"]),
            "lead": lead,
        },
    )


def luck(shares: pl.DataFrame) -> Found | None:
    """What is due to the deal and to chance, of a run's shares of variance."""
    rows = shares.filter(pl.col("source").is_in(["deal", "play"])).drop_nulls("share")
    if rows.is_empty():
        return None
    value = min(float(rows["share"].sum()), 1.0)
    errors = ((rows["high"] - rows["low"]) / 2 / Z).to_numpy()
    se = float(np.abs(errors).sum())  # they need not be independent
    low, high = max(value - Z * se, 0.0), min(value + Z * se, 1.0)
    words = {"at_least": f"{100 * low:.0f}"}
    return Found(value, low, high, (value,), (se,), words=words)
