"""Correlation of the totals of both elections over seats.

Its interval leaves out one batch of games at a time (``reports.batches``), as the seats
of a game are not independent.
"""

from collections.abc import Iterator

import numpy as np
import polars as pl

from reports.article_ii.game_arrays import ArticleIIArrays
from reports.counts import Counts, grid
from reports.measures import MeasuresOf
from reports.report_data import CELL, ReportData
from reports.statistics.intervals import jackknifed_correlation

PAIRS = {
    "as the Primary ends": "both totals of the cards on the player then",
    "each at its end": "Primary total at its end, General total at the game's end",
}
"""The pairs of totals that are compared."""
_SUMS = ("x", "y", "xx", "yy", "xy")
_CELL = ("cell", "lineup", "kind", "players", "changes")
_ESTIMATE = ("estimate", "low", "high", "se")

_TOTALS = MeasuresOf()
MEASURES = tuple(
    _TOTALS.mean(f"{name} {part}", f"{doc}: sum of {part}")
    for name, doc in PAIRS.items()
    for part in ("n", *_SUMS)
)


def counts(played: ArticleIIArrays) -> Iterator[Counts]:
    """Count both totals and their products over seats."""
    for at_end, name in enumerate(PAIRS):
        counted = played.over[at_end]
        x, y = (
            total.astype(np.float64) * counted
            for total in (played.primary[0], played.general[at_end])
        )
        parts = {"n": np.ones_like(x) * counted, "x": x, "y": y}
        parts |= {"xx": x * x, "yy": y * y, "xy": x * y}
        for part, values in parts.items():
            yield grid(f"{name} {part}", values.sum(axis=0), counted)


def correlations(data: ReportData, name: str, only: pl.Expr) -> pl.DataFrame:
    """Return the correlation of a pair of totals in each of these cells."""
    every = [
        data.in_batches(f"{name} {part}").filter(only).sort("cell")
        for part in ("n", *_SUMS)
    ]
    values = []
    for number, cell in enumerate(every[0].select(_CELL).to_dicts()):
        parts = np.stack([part["y_batches"][number].to_numpy() for part in every])
        numbers = map(float, jackknifed_correlation(parts))
        ends = dict(zip(_ESTIMATE, numbers, strict=True))
        values.append({**cell, **ends, "n": every[0]["y"][number]})
    kinds = {name: CELL[name] for name in _CELL}
    schema = kinds | dict.fromkeys((*_ESTIMATE, "n"), pl.Float64)
    return pl.DataFrame(values, schema=schema).with_columns(
        pl.col(_ESTIMATE).fill_nan(None)
    )
