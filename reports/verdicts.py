"""Numbers compared with a tolerance, and the tests of claims in words."""

from collections.abc import Mapping, Sequence

import polars as pl

from reports.formatting import se_of
from reports.statistics.equivalence import judge


def with_verdict(
    rows: pl.DataFrame,
    tolerance: float,
    words: Mapping[str, str],
    name: str = "estimate",
    family: Sequence[str] = (),
) -> pl.DataFrame:
    """Add ``verdict`` to rows: whether the number ``name`` differs from 0.

    ``words`` for "above" or "below" the tolerance, "within" it and "undecided", which
    are kept as they are by default. Rows with equal values in ``family`` are
    judged together, and are put together.
    """
    parts = rows.partition_by(family, maintain_order=True) if family else [rows]
    sides = [
        _side(verdict, value)
        for part in parts
        for verdict, value in zip(
            judge(part[name], part[se_of(name)], -tolerance, tolerance),
            part[name],
            strict=True,
        )
    ]
    rows = pl.concat(parts) if parts else rows
    verdicts = [words.get(side, side) for side in sides]
    return rows.with_columns(pl.Series("verdict", verdicts, dtype=pl.String))


def _side(verdict: str, value: float | None) -> str:
    if verdict != "outside":
        return verdict
    return "above" if (value or 0) > 0 else "below"


FDR = "Benjamini-Hochberg"
"""Method: of all claims made, at most 5 % are expected to be wrong."""
ALONE = "each by itself,"
"""Method of claims that are each tested without regard to the others: "likely"."""


def how_tested(
    bounds: str,
    family: str,
    many: int,
    n: float,
    of: str = "games",
    *,
    method: str = "Holm",
) -> str:
    """Return the test of a claim, its family and the count, in words.

    >>> how_tested("2 points from even", "positions", 4, 16_384)
    'tested: 2 points from even, 95 %; Holm over 4 positions; n = 16,384 games'
    """
    whole = f"{method} over {many} {family}" if many > 1 else f"one {family}"
    return f"tested: {bounds}, 95 %; {whole}; n = {n:,.0f} {of}"
