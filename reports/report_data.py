"""The data of a run, as the sections of a report ask for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from typing import Any, NamedTuple

import polars as pl

from reports.column_format import Column
from reports.measures import ESTIMATES, SUM_TYPES, SUMS, Measure, Statistic
from reports.option_follow_ups import TAKEN, FollowUps, unused_by
from reports.position_names import UNNAMED, position_name
from reports.statistics.estimates import estimates

CELL = {
    "cell": pl.Int32,
    "lineup": pl.String,
    "kind": pl.String,
    "players": pl.Int64,
    "strategy_declining": pl.String,
    "moment": pl.Int64,
    "changes": pl.String,
}
"""Columns of ``ReportData.cells``: number, lineup in words, kind (self, against, mixed,
given; paired, tried, beside; noisy, one, search), players, and for paired cells who
declines, when, and which rules differ ("" for none)."""
BEGINNER = "beginner"
"""Kind of cells in which all are beginners, and the name of that strength."""
ONE_BEGINNER = "one beginner"
"""Kind of cells in which one beginner sits among the leading strategy."""
PAIRED = pl.col("kind").is_in(
    ["paired", "tried", "beside", "noisy", BEGINNER, ONE_BEGINNER, "one", "search"]
)
"""Cells that serve comparisons only, and are not reported as lineups."""
SINGLE = ("self", "given")
"""Kinds of cells in which every seat has the same strategy, or the given lineup."""

ONE_LINEUP = "one lineup"
"""Printed instead of a range over lineups."""


class Looks(NamedTuple):
    """What looks at a number added: games, and how many times wider intervals are."""

    games: int = 0
    wider: float = 1.0


_ONE_LOOK = Looks()


@dataclass(frozen=True)
class ReportData:
    """The sums of all cells of a run, and which of them lead the report."""

    sums: pl.DataFrame
    cells: pl.DataFrame
    games: int  # of each cell that is not in ``cell_games``
    rules: Mapping[str, Any]
    lead: str  # the lineup that findings are about
    measures: Mapping[str, Measure] = field(default_factory=dict)
    columns: Mapping[str, Column] = field(default_factory=dict)  # of groups
    story: Mapping[str, pl.DataFrame] = field(default_factory=dict)  # of whole games
    search_data: Sequence["ReportData"] = ()  # tables with search players
    base_rules: Mapping[str, Any] = field(default_factory=dict)  # of the base game
    # games by cell: exceptions to ``games``, and more games that count who wins
    cell_games: Mapping[int, int] = field(default_factory=dict)
    outcome_games: Mapping[int, int] = field(default_factory=dict)
    continuation: str | None = None  # who plays on after a search player; "": the same
    follow_ups: FollowUps = field(default_factory=dict)
    levels: Mapping[str, str] = field(default_factory=dict)  # lineups by strength
    lead_called: str = ""  # what the leading players are called if no heuristic leads
    # by cell and measure, where further games were played while something was open
    looks: Mapping[tuple[int, str], Looks] = field(default_factory=dict)
    game_seconds: float = 0.0  # of one core, about
    begins: str = UNNAMED  # the first position, in the rulebook's words

    @cached_property
    def counts(self) -> list[int]:
        """The numbers of players that the leading lineup was played with."""
        counts: list[int] = self._leading["players"].unique().sort().to_list()
        return counts

    @cached_property
    def players(self) -> int:
        """The number of players that detailed tables are about: 4, or the nearest."""
        return min(self.counts, key=lambda n: (abs(n - 4), n))

    @property
    def who(self) -> str:
        """The leading lineup in words."""
        alone = (self._leading["kind"] == "self").all()
        return f"{self.lead} in every seat" if alone else f"lineup {self.lead}"

    def in_words(self, text: str) -> str:
        """Return a declared text with {who}, {players} and {lead} filled in."""
        words = {"who": self.who, "players": str(self.players), "lead": self.lead}
        for name, value in words.items():
            text = text.replace(f"{{{name}}}", value)
        return text

    def position_name(self, position: int, players: int) -> str:
        """Return what the player in a position, from 1, is called in a sentence."""
        return position_name(self.begins, position, players)

    @property
    def continuation_words(self) -> str:
        """Who plays on after a search player's choice, in words."""
        if self.continuation is None:
            return "play goes on without search"
        by = f"{self.continuation} plays on in that seat"
        return by if self.continuation else "the search player plays on"

    @cached_property
    def _leading(self) -> pl.DataFrame:
        return self.cells.filter((pl.col("lineup") == self.lead) & ~PAIRED)

    @property
    def uniform(self) -> pl.Expr:
        """Tables at which everyone plays the same strategy, or the given lineup.

        They have the number of players that details are about.
        """
        kinds = pl.col("kind").is_in(SINGLE)
        return kinds & (pl.col("players") == self.players)

    def leads(self, players: int | None = None) -> pl.Expr:
        """Return an expression: whether a cell is of the leading lineup."""
        only = (pl.col("lineup") == self.lead) & ~PAIRED
        return only if players is None else only & (pl.col("players") == players)

    @cached_property
    def unused_options(self) -> list[tuple[str, str]]:
        """The (decision, option) pairs that the leading lineup cannot make use of.

        Search players with its rollouts do not, either. Empty if nothing is known.
        """
        if not self.follow_ups or TAKEN not in self.measures:
            return []
        rows = self.leading(TAKEN, players=self.players).drop_nulls("estimate")
        return unused_by(rows, self.follow_ups) if rows.height else []

    def measure(self, name: str) -> Measure:
        """Return the measure of this name; raises KeyError with the nearest one."""
        if name not in self.measures:
            near = get_close_matches(name, self.measures, 1, 0.0)
            raise KeyError(f"no measure {name!r}; nearest is {near}")
        return self.measures[name]

    def of(self, measure: str, *, only: pl.Expr | None = None) -> pl.DataFrame:
        """Return the estimates of a measure: cell, groups, estimate, low, high, se, n.

        They are of all cells, or of ``only`` some. Empty, with the same columns, if
        nothing was counted.
        """
        if measure not in self._estimated:
            self._estimated[measure] = self._estimate(measure)
        rows = self._estimated[measure]
        return rows if only is None else rows.filter(only)

    @cached_property
    def _estimated(self) -> dict[str, pl.DataFrame]:
        """Cache of estimates, as several sections ask for the same ones."""
        return {}

    def _estimate(self, measure: str) -> pl.DataFrame:
        what, cell = self.measure(measure), pl.col("cell")
        cells = self.cells["cell"].to_list()
        games = {each: self.games_of(each, measure) for each in cells}
        wider = {each: self.wider(each, measure) for each in cells}
        parts = [
            estimates(
                sums,
                what.kind,
                sums["cell"].replace_strict(games, return_dtype=pl.Int64).to_numpy(),
                wider=times,
            )
            for times in dict.fromkeys([1.0, *wider.values()])
            for alike in [[each for each in cells if wider[each] == times]]
            for sums in [self.raw(measure).filter(cell.is_in(alike))]
        ]
        rows = _bounded(pl.concat(parts), what.unit)
        return rows.select(*CELL, *what.by, *ESTIMATES).sort("cell", *what.by)

    def games_of(self, cell: int, measure: str) -> int:
        """Return the number of games of a cell in which a measure was counted."""
        games = self.cell_games.get(cell, self.games)
        if self.measure(measure).family == "end":
            games = self.outcome_games.get(cell, games)
        return games + self.looks.get((cell, measure), _ONE_LOOK).games

    def wider(self, cell: int, measure: str) -> float:
        """Return how many times wider intervals are, as there were several looks."""
        return self.looks.get((cell, measure), _ONE_LOOK).wider

    def leading(self, measure: str, *, players: int | None = None) -> pl.DataFrame:
        """Return a measure of the leading lineup, for all numbers of players or one."""
        return self.of(measure, only=self.leads(players))

    def raw(self, measure: str) -> pl.DataFrame:
        """Return the sums of a measure, with the columns of ``cells``."""
        if measure not in self._joined:
            self._joined[measure] = self._with_cells(measure, SUMS)
        return self._joined[measure]

    def in_batches(self, measure: str) -> pl.DataFrame:
        """Return ``raw`` with the sums in each batch of games, too."""
        return self._with_cells(measure, [*SUM_TYPES])

    def _with_cells(self, measure: str, sums: Sequence[str]) -> pl.DataFrame:
        rows = self._by_measure.get((measure,), self.sums.clear())
        groups = [self._group(rows, name) for name in self.measure(measure).by]
        rows = rows.select(pl.col("cell").cast(pl.Int32), *groups, *sums)
        return self.cells.join(rows, on="cell", how="inner")

    @cached_property
    def _joined(self) -> dict[str, pl.DataFrame]:
        """Cache of ``raw``, by measure."""
        return {}

    @cached_property
    def _by_measure(self) -> dict[tuple[Any, ...], pl.DataFrame]:
        return self.sums.partition_by("measure", as_dict=True)

    def raw_with_search(self, measure: str) -> pl.DataFrame:
        """Return ``raw`` for tables without and with search players, of ``players``."""
        parts = [data.raw(measure) for data in (self, *self.search_data)]
        return pl.concat(parts, how="vertical_relaxed").filter(players=self.players)

    def pooled(
        self, measure: str, groups: tuple[str, ...], *, only: pl.Expr | None = None
    ) -> pl.DataFrame:
        """Return a measure of several cells, added up by groups (or columns of cells).

        The cells must not share games (those of what-ifs have a seed each).
        """
        rows = self.raw(measure)
        rows = rows if only is None else rows.filter(only)
        what = self.measure(measure)
        return self.pool_rows(rows, groups, what.kind, what.unit)

    def pool_rows(
        self,
        rows: pl.DataFrame,
        groups: tuple[str, ...],
        kind: Statistic,
        unit: str = "",
    ) -> pl.DataFrame:
        """Add up the sums of several cells by ``groups``; return the estimates."""
        added = rows.group_by(groups).agg(pl.col(SUMS).sum()).sort(groups)
        return _bounded(estimates(added, kind, self.games), unit)

    def _group(self, rows: pl.DataFrame, name: str) -> pl.Expr:
        """Return the labels of a group, of the right type even if there are none."""
        if name in rows.columns and not rows.is_empty():
            return pl.col(name)
        column = self.columns.get(name)
        text = column is not None and column.style == "text"
        return pl.lit(None, pl.String if text else pl.Int64).alias(name)

    def spread(self, measure: str, *, percent: bool = False) -> pl.DataFrame:
        """Return the least and greatest estimate over lineups, by players and groups.

        The column ``lineups`` is a text such as "0.12 to 0.31", or ``ONE_LINEUP`` if
        only one lineup has that number of players.
        """
        by = self.measure(measure).by
        rows = self.of(measure, only=~PAIRED)
        ends = (
            rows.drop_nulls("estimate")
            .group_by("players", *by)
            .agg(low=pl.col("estimate").min(), high=pl.col("estimate").max())
        )
        played = self.cells.filter(~PAIRED)["players"].to_list()
        texts = [
            ONE_LINEUP
            if played.count(players) == 1
            else f"{100 * low:.1f} to {100 * high:.1f} %"
            if percent
            else f"{low:.2f} to {high:.2f}"
            for players, low, high in ends.select("players", "low", "high").rows()
        ]
        values = pl.Series("lineups", texts, dtype=pl.String)
        return ends.select("players", *by, values)


def _bounded(rows: pl.DataFrame, unit: str) -> pl.DataFrame:
    """Clip intervals of differences of shares ("pp") to what is possible, -1 to 1."""
    return (
        rows.with_columns(pl.col("low", "high").clip(-1, 1)) if unit == "pp" else rows
    )
