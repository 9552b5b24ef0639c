"""What every run tells: wins, final scores and how games end, of any game.

Made of the ``result`` note alone, which every game writes.
"""

import polars as pl

from reports.measures import Measure

RAW = ("result",)
_NOT_MEASURED = {"game", "seat", "winner", "by", "strategy"}


def seats(result: pl.DataFrame) -> pl.DataFrame:
    """A row a seat of a game: ``won``, and its numbers at the end."""
    return result.with_columns(
        won=pl.col("winner") == pl.col("seat").cast(pl.Int8),
        strategy=pl.col("strategy").cast(pl.String),
    )


def measures(result: pl.DataFrame) -> list[Measure]:
    """Win share and means by seat and by strategy, and how games were decided."""
    numbers = [name for name in result.columns if name not in _NOT_MEASURED]
    found = [
        Measure(
            "decided", "seats", pl.lit(1), by=("by",), where=pl.col("seat") == 0
        )
    ]
    for by in ("seat", "strategy"):
        found.append(Measure(f"won by {by}", "seats", pl.col("won"), by=(by,)))
        found += [
            Measure(f"{name} by {by}", "seats", pl.col(name), by=(by,))
            for name in numbers
        ]
    return found
