"""Results of a run: sums on disk or in memory, and the tables made of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import polars as pl

from experiments.cells import Cell
from reports.measures import SUMS, estimates
from sim.knobs import nearest, one_of

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Results:
    """What a run found.

    ``sums`` holds one row a cell, measure and group; ``games`` is the number of
    games of each cell; ``manifest`` says what was run, where and how fast.
    """

    cells: Sequence[Cell]
    games: int
    sums: pl.DataFrame
    played: tuple[int, ...]
    manifest: Mapping[str, Any] = field(default_factory=dict)
    directory: Path | None = None
    failures: Mapping[int, str] = field(default_factory=dict)

    @property
    def measures(self) -> list[str]:
        """The names of what was measured."""
        return sorted(self.sums["measure"].unique())

    def estimates(
        self,
        measure: str,
        kind: Literal["mean", "rate", "per_game"] = "mean",
        level: float = 0.95,
    ) -> pl.DataFrame:
        """A measure with intervals: a row a cell and group.

        Columns: cell, lineup, players, the groups, the sums, estimate, low, high,
        se, n. Raises KeyError with the nearest name.
        """
        if measure not in self.measures:
            raise KeyError(
                f"no measure {measure!r}{nearest(measure, self.measures)} "
                f"Measures: {one_of(self.measures)}."
            )
        part = self.sums.filter(pl.col("measure") == measure).drop("measure")
        part = part.select(
            name for name in part.columns if part[name].null_count() < part.height
        )
        found = estimates(part, self.games, kind, level)
        names = pl.DataFrame(
            {
                "cell": pl.Series(range(len(self.cells)), dtype=pl.Int32),
                "lineup": [cell.title() for cell in self.cells],
                "players": [cell.players for cell in self.cells],
            }
        )
        groups = [n for n in part.columns if n not in {*SUMS, "cell"}]
        joined = names.join(found, on="cell", how="right")
        return joined.select(
            "cell", "lineup", "players", *groups, *SUMS,
            "estimate", "low", "high", "se", "n",
        ).sort("cell", *groups)  # fmt: skip

    def to_polars(self, by: Literal["strategy", "seat"] = "strategy") -> pl.DataFrame:
        """Win share, and the mean of each final number, by strategy or by seat."""
        table = self._named(f"won by {by}", "rate", "won")
        for name in self.measures:
            number, _, group = name.partition(" by ")
            if group == by and number != "won":
                part = self._named(name, "mean", number)
                table = table.join(part, on=["cell", "lineup", "players", by])
        return table

    def _named(
        self, measure: str, kind: Literal["mean", "rate", "per_game"], name: str
    ) -> pl.DataFrame:
        found = self.estimates(measure, kind)
        groups = [n for n in found.columns if n not in {*SUMS, "se", "n"}]
        return found.select(groups).rename(
            {"estimate": name, "low": f"{name}_low", "high": f"{name}_high"}
        )

    def to_pandas(self, by: Literal["strategy", "seat"] = "strategy") -> "pd.DataFrame":
        """The same as a pandas frame."""
        return self.to_polars(by).to_pandas()

    def raw(self, table: str) -> pl.DataFrame:
        """A raw table that was kept; raises KeyError where it was not."""
        folder = None if self.directory is None else self.directory / "tables" / table
        if folder is None or not folder.is_dir():
            raise KeyError(f"table {table!r} was not kept; run with tables=[{table!r}]")
        return pl.read_parquet(sorted(folder.glob("*.parquet")))

    def _repr_html_(self) -> str:
        return str(self.to_polars()._repr_html_())
