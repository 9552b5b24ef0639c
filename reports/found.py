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
against, mixed, given; paired, tried, beside), players, and for paired cells who
declines, when, and which rules differ ("" for none)."""
PAIRED = pl.col("kind").is_in(["paired", "tried", "beside"])
"""Cells that are there for a comparison, and are no lineups of the game as it is."""
_TEXT = {"square", "card", "strategy", "by", "devil"}

ONE_LINEUP = "one lineup"
"""Where no range over lineups can be told."""


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
        counts: list[int] = self._leading["players"].unique().sort().to_list()
        return counts

    @property
    def players(self) -> int:
        """The number of players that detailed tables are about: 4, or the nearest."""
        return min(self.counts, key=lambda n: (abs(n - 4), n))

    @property
    def who(self) -> str:
        """The leading lineup in words."""
        alone = (self._leading["kind"] == "self").all()
        return f"{self.lead} in every seat" if alone else f"lineup {self.lead}"

    @property
    def _leading(self) -> pl.DataFrame:
        return self.cells.filter((pl.col("lineup") == self.lead) & ~PAIRED)

    def of(
        self,
        measure: str,
        kind: Kind = "mean",
        by: tuple[str, ...] = (),
        *,
        only: pl.Expr | None = None,
    ) -> pl.DataFrame:
        """A measure of all cells: who, groups ``by``, estimate, low, high, se, n.

        Empty with the same columns where nothing of it was counted.
        """
        rows = self.raw(measure, by)
        rows = rows if only is None else rows.filter(only)
        found = estimates(rows, self.games, kind)
        columns = (*CELL, *by, "estimate", "low", "high", "se", "n")
        return found.select(columns).sort("cell", *by)

    def of_games(
        self, measure: str, by: tuple[str, ...], *, only: pl.Expr
    ) -> pl.DataFrame:
        """The share of all games of a cell that are of each group.

        For measures that count a game in one group at most.
        """
        rows = self.raw(measure, by).filter(only)
        y, played = pl.col("y"), pl.lit(float(self.games))
        rows = rows.with_columns(x=played, xx=played, xy=y, yy=y, games=played)
        found = estimates(rows, self.games, "rate")
        columns = (*CELL, *by, "estimate", "low", "high", "se", "n")
        return found.select(columns).sort("cell", *by)

    def raw(self, measure: str, by: tuple[str, ...] = ()) -> pl.DataFrame:
        """The sums of a measure, with who played."""
        rows = self.sums.filter(pl.col("measure") == measure)
        groups = [
            (pl.col(name) if name in rows.columns else pl.lit(None))
            .cast(pl.String if name in _TEXT else pl.Int64)
            .alias(name)
            for name in by
        ]
        rows = rows.select(pl.col("cell").cast(pl.Int32), *groups, *SUMS)
        return self.cells.join(rows, on="cell", how="inner")

    def leading(
        self,
        measure: str,
        kind: Kind = "mean",
        by: tuple[str, ...] = (),
        *,
        players: int | None = None,
    ) -> pl.DataFrame:
        """A measure of the leading lineup; of all numbers of players, or of one."""
        return self.of(measure, kind, by, only=self.leads(players))

    def leads(self, players: int | None = None) -> pl.Expr:
        """Whether a cell is of the leading lineup (with so many players)."""
        only = (pl.col("lineup") == self.lead) & ~PAIRED
        return only if players is None else only & (pl.col("players") == players)

    def together(
        self, rows: pl.DataFrame, groups: tuple[str, ...], kind: Kind = "mean"
    ) -> pl.DataFrame:
        """Sums of several cells added up by ``groups``, with their estimates.

        The cells must not share games (paired cells have a seed each).
        """
        added = rows.group_by(groups).agg(pl.col(SUMS).sum()).sort(groups)
        return estimates(added, self.games, kind)

    def spread(
        self, measure: str, kind: Kind, by: tuple[str, ...], *, percent: bool = False
    ) -> pl.DataFrame:
        """Least and greatest estimate over all lineups, by players and groups.

        A text ``lineups``, such as "0.12 to 0.31"; ``ONE_LINEUP`` where only one played
        with so many players.
        """
        rows = self.of(measure, kind, by, only=~PAIRED)
        ends = rows.drop_nulls("estimate").group_by("players", *by).agg(
            low=pl.col("estimate").min(), high=pl.col("estimate").max()
        )  # fmt: skip
        played = self.cells.filter(~PAIRED)["players"].to_list()
        texts = [
            ONE_LINEUP
            if played.count(players) == 1
            else f"{100 * low:.1f} to {100 * high:.1f} %"
            if percent
            else f"{low:.2f} to {high:.2f}"
            for players, low, high in ends.select("players", "low", "high").rows()
        ]
        told = pl.Series("lineups", texts, dtype=pl.String)
        return ends.select("players", *by, told)
