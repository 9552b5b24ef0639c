"""Codes of rows as flags, and lengths as ladders."""

from dataclasses import replace

import numpy as np
import polars as pl

from reports.counts import Array, Counts, grid_of_rows
from reports.measures import SUMS


def flags(codes: Array, number: int) -> Array:
    """(number, rows) whether the code of a row is 0, 1, ..."""
    return codes == np.arange(number)[:, None]


LADDER = np.array(
    [*range(200), *range(200, 500, 5), *range(500, 2000, 20), *range(2000, 60001, 500)]
)
"""Lengths that shares of longer rounds are counted for: every one up to 200 turns."""


def ladder(measure: str, game: Array, length: Array) -> Counts:
    """How many rows are longer than each length of ``LADDER`` (column ``beyond``).

    Counted are games in which one is: lengths that none exceeds are left out, so that
    tables stay small, and what is left out must not hang on the other games.
    """
    steps = LADDER[: np.searchsorted(LADDER, length.max(initial=0)) or 1]
    longer, every = length > steps[:, None], np.ones(len(game))
    found = grid_of_rows(measure, game, longer, every, beyond=steps.tolist())
    return replace(found, x=np.where(found.y != 0, found.x, 0))


def climbed(rows: pl.DataFrame) -> pl.DataFrame:
    """The sums of a ladder of which x is that of every game: of the first step."""
    first = rows.filter(beyond=0).select("cell", x="x", xx="xx", games="games")
    kept = rows.drop("x", "xx", "games").join(first, on="cell", how="inner")
    return kept.select(*(n for n in rows.columns if n not in SUMS), *SUMS)
