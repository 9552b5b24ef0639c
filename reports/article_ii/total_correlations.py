"""Correlation of the totals of both elections over seats.

Its interval leaves out one batch of games at a time (jackknife), as the seats of a game
are not independent.
"""

from collections.abc import Iterator

import numpy as np
import polars as pl

from reports.article_ii.game_arrays import ArticleIIArrays
from reports.counts import Counts, grid
from reports.measures import MeasuresOf
from reports.report_data import CELL, ReportData
from reports.statistics.intervals import jackknifed_correlation

BATCHES = 32
"""The number of batches; a game's batch is its number modulo this."""
PAIRS = {
    "as the Primary ends": "both totals of the cards on the player then",
    "each at its end": "Primary total at its end, General total at the game's end",
}
"""The pairs of totals that are compared."""
_SUMS = ("x", "y", "xx", "yy", "xy")
_CELL = ("cell", "lineup", "kind", "players", "changes")
_ESTIMATE = ("estimate", "low", "high", "se")

_BATCH = MeasuresOf(by="batch")
MEASURES = tuple(
    _BATCH.mean(f"{name} {part}", f"{doc}: sum of {part}")
    for name, doc in PAIRS.items()
    for part in ("n", *_SUMS)
)


def counts(played: ArticleIIArrays) -> Iterator[Counts]:
    """Count both totals and their products over seats, by batch of games."""
    here = played.game % BATCHES == np.arange(BATCHES)[:, None]
    for at_end, name in enumerate(PAIRS):
        counted = played.over[at_end]
        x, y = (
            total.astype(np.float64) * counted
            for total in (played.primary[0], played.general[at_end])
        )
        parts = {"n": np.ones_like(x) * counted, "x": x, "y": y}
        parts |= {"xx": x * x, "yy": y * y, "xy": x * y}
        for part, values in parts.items():
            total = values.sum(axis=0) * here
            yield grid(f"{name} {part}", total, here * counted, batch=range(BATCHES))


def correlations(data: ReportData, name: str, only: pl.Expr) -> pl.DataFrame:
    """Return the correlation of a pair of totals in each of these cells."""
    rows = data.raw(f"{name} n").filter(only)
    rows = rows.select(*_CELL, "batch", n="y")
    for part in _SUMS:
        more = data.raw(f"{name} {part}")
        more = more.select("cell", "batch", pl.col("y").alias(part))
        rows = rows.join(more, on=["cell", "batch"], maintain_order="left")
    values = []
    for cell in rows.partition_by("cell", maintain_order=True):
        parts = [cell[key].to_numpy() for key in ("n", *_SUMS)]
        numbers = map(float, jackknifed_correlation(np.stack(parts)))
        ends = dict(zip(_ESTIMATE, numbers, strict=True))
        values.append(
            {**cell.select(_CELL).row(0, named=True), **ends, "n": parts[0].sum()}
        )
    kinds = {name: CELL[name] for name in _CELL}
    schema = kinds | dict.fromkeys((*_ESTIMATE, "n"), pl.Float64)
    return pl.DataFrame(values, schema=schema).with_columns(
        pl.col(_ESTIMATE).fill_nan(None)
    )
