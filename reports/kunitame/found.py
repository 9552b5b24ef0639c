"""What a run found, as the sections of a report ask for it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from reports.measures import SUMS, Kind, estimates

CELL = {
    "cell": pl.Int32,
    "lineup": pl.String,
    "kind": pl.String,
    "players": pl.Int64,
    "strategy_declining": pl.String,
    "moment": pl.Int64,
    "changes": pl.String,
}
"""Columns of ``Found.cells``: its number, its lineup in words, what kind of cell (self,
against, mixed, given, paired), players, and for paired cells who declines, when, and
which rules differ ("" for none)."""
_TEXT = {"square", "card", "strategy", "by", "devil"}


@dataclass(frozen=True)
class Found:
    """The sums of all cells of a run, and which of them lead the report."""

    sums: pl.DataFrame
    cells: pl.DataFrame
    games: int  # of each cell
    rules: Mapping[str, Any]
    lead: str  # the lineup that findings are about

    @property
    def counts(self) -> list[int]:
        """The numbers of players that the leading lineup was played with."""
        return self._leading["players"].unique().sort().to_list()

    @property
    def players(self) -> int:
        """The number of players that detailed tables are about: 4, or the nearest."""
        return min(self.counts, key=lambda n: (abs(n - 4), n))

    @property
    def _leading(self) -> pl.DataFrame:
        return self.cells.filter(
            (pl.col("lineup") == self.lead) & (pl.col("kind") != "paired")
        )

    def of(
        self,
        measure: str,
        kind: Kind = "mean",
        by: tuple[str, ...] = (),
        *,
        level: float = 0.95,
        only: pl.Expr | None = None,
    ) -> pl.DataFrame:
        """A measure of all cells: who, groups ``by``, estimate, low, high, se, n.

        Empty with the same columns where nothing of it was counted.
        """
        rows = self.raw(measure, by)
        found = estimates(rows, self.games, kind, level)
        found = found.select(
            *CELL, *by, "estimate", "low", "high", "se", "n", "games"
        ).sort("cell", *by)
        return found if only is None else found.filter(only)

    def raw(self, measure: str, by: tuple[str, ...] = ()) -> pl.DataFrame:
        """The sums of a measure with its cells."""
        columns = [
            (pl.col(name) if name in self.sums.columns else pl.lit(None)).cast(
                pl.String if name in _TEXT else pl.Int64
            )
            for name in by
        ]
        rows = self.sums.filter(pl.col("measure") == measure)
        rows = rows.select("cell", *(c.alias(n) for c, n in zip(columns, by, strict=True)), *SUMS)
        return self.cells.join(rows, on="cell", how="inner")

    def together(
        self, rows: pl.DataFrame, groups: tuple[str, ...], kind: Kind = "mean"
    ) -> pl.DataFrame:
        """Sums of several cells added up by ``groups``, with their estimates.

        The cells must not share games (paired cells have a seed each).
        """
        added = rows.group_by(groups).agg(pl.col(SUMS).sum()).sort(groups)
        return estimates(added, self.games, kind)

    def leading(
        self,
        measure: str,
        kind: Kind = "mean",
        by: tuple[str, ...] = (),
        *,
        players: int | None = None,
        level: float = 0.95,
    ) -> pl.DataFrame:
        """A measure of the leading lineup; of all numbers of players, or of one."""
        only = (pl.col("lineup") == self.lead) & (pl.col("kind") != "paired")
        if players is not None:
            only &= pl.col("players") == players
        return self.of(measure, kind, by, level=level, only=only)

    def spread(
        self, measure: str, kind: Kind, by: tuple[str, ...], scale: float = 1.0
    ) -> pl.DataFrame:
        """Least and greatest estimate over all lineups, by players and groups.

        A text ``lineups``, such as "0.12 to 0.31".
        """
        rows = self.of(measure, kind, by, only=pl.col("kind") != "paired")
        rows = rows.filter(pl.col("estimate").is_not_null())
        ends = rows.group_by("players", *by).agg(
            low=pl.col("estimate").min(), high=pl.col("estimate").max()
        )
        texts = [
            f"{scale * low:.2f} to {scale * high:.2f}"
            if scale == 1
            else f"{scale * low:.1f} to {scale * high:.1f} %"
            for low, high in zip(ends["low"], ends["high"], strict=True)
        ]
        return ends.select(
            "players", *by, pl.Series("lineups", texts, dtype=pl.String)
        )
