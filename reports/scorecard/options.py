"""Lines of options that are dead, are no choice, or are traps."""

from collections.abc import Sequence

import polars as pl

from reports.scorecard.found import HEURISTICS, Found, Z, extremes_z, named
from reports.scorecard.measured import Where
from reports.scorecard.numbers import (
    OFFERED,
    TAKEN,
)


def uses(here: Sequence[Where], searches: Sequence[bool]) -> pl.DataFrame:
    """How often each option is taken, a row a way to play and option.

    Columns way (its number), searches, decision, option, estimate, se, n. Left out is
    what is seldom offered, and what only one heuristic is offered, whose habit is no
    fact about the game.
    """
    names = ("decision", "option", "estimate", "se", "n")
    parts = [
        rows.select(
            pl.lit(way).alias("way"), pl.lit(searches[way]).alias("searches"), *names
        )
        for way, one in enumerate(here)
        if not (rows := one.of(TAKEN)).is_empty()
    ]
    if not parts:
        return pl.DataFrame()
    rows = pl.concat(parts).filter(pl.col("n") >= OFFERED)
    several = (pl.len() > 1) | pl.col("searches").any()
    return rows.filter(several.over("decision", "option"))


def dead(taken: pl.DataFrame) -> Found | None:
    """Of each option, who takes it most; the least of them."""
    rows = _options(taken, most=True)
    return None if rows is None else _extreme(rows, at=0)


def dominant(taken: pl.DataFrame) -> Found | None:
    """Of each option, who takes it least; the most of them."""
    rows = _options(taken, most=False)
    return None if rows is None else _extreme(rows, at=-1)


def _options(taken: pl.DataFrame, *, most: bool) -> pl.DataFrame | None:
    """A row an option, of the way to play that may take it most, or least."""
    if taken.is_empty():
        return None
    side = pl.col("se") * (Z if most else -Z)
    ends = taken.with_columns(end=pl.col("estimate") + side)
    rows = (
        ends.sort("end", descending=most, maintain_order=True)
        .group_by("decision", "option", maintain_order=True)
        .first()
    )
    return rows.sort("estimate", "decision", "option")


def _extreme(rows: pl.DataFrame, at: int) -> Found:
    row = rows.row(at, named=True)
    half = extremes_z(rows.height) * row["se"]
    low, high = max(row["estimate"] - half, 0.0), min(row["estimate"] + half, 1.0)
    label = named(row["decision"], row["option"])
    return Found(
        row["estimate"],
        low,
        high,
        tuple(rows["estimate"]),
        tuple(rows["se"]),
        share=True,
        sign=label,
        n=row["n"],
        note=f"{label}; {rows.height} options",
        words={
            "labels": "\n".join(map(named, rows["decision"], rows["option"])),
            "they": "players who search" if row["searches"] else HEURISTICS,
        },
    )


def trap(worth: pl.DataFrame) -> Found | None:
    """The option that it is best to be kept from, of a knock-out's rows."""
    rows = worth.filter(pl.col("option") != "").sort("lost")
    if rows.is_empty():
        return None
    gains = (-rows["lost"]).to_list()
    half = (rows["high"] - rows["low"]) / 2
    row = rows.row(0, named=True)
    label = named(row["decision"], row["option"])
    errors = (half / extremes_z(rows.height)).to_list()
    return Found(
        gains[0],
        -row["high"],
        -row["low"],
        tuple(gains),
        tuple(errors),
        sign=label,
        note=f"{label}; {rows.height} options",
        words={
            "labels": "\n".join(map(named, rows["decision"], rows["option"])),
            "they": HEURISTICS,
        },
    )
