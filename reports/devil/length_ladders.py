"""Counts of arrays: codes of rows as flags, lengths as ladders."""

from dataclasses import replace

import numpy as np
import polars as pl

from reports.counts import Array, Counts, grid_of_rows
from reports.measures import SUMS


def flags(codes: Array, number: int) -> Array:
    """Return whether the code of a row is 0, 1, ..., (number, rows)."""
    return codes == np.arange(number)[:, None]


LADDER = np.array(
    [*range(200), *range(200, 500, 5), *range(500, 2000, 20), *range(2000, 60001, 500)]
)
"""Lengths for which longer rounds are counted: every one up to 200 turns."""


def ladder(measure: str, game: Array, length: Array) -> Counts:
    """Count the rows longer than each length of ``LADDER`` (column ``beyond``).

    Lengths that no row exceeds are left out, so that tables stay small. So ``x`` counts
    only games with a longer row: it must not depend on the other games of a block.
    """
    steps = LADDER[: np.searchsorted(LADDER, length.max(initial=0)) or 1]
    longer, every = length > steps[:, None], np.ones(len(game))
    counts = grid_of_rows(measure, game, longer, every, beyond=steps.tolist())
    return replace(counts, x=np.where(counts.y != 0, counts.x, 0))


def ladder_sums(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the sums of a ladder with the x of its first step: that of all games."""
    first = rows.filter(beyond=0).select("cell", x="x", xx="xx", games="games")
    kept = rows.drop("x", "xx", "games").join(first, on="cell", how="inner")
    return kept.select(*(n for n in rows.columns if n not in SUMS), *SUMS)
