"""Further games in a report's data: those of the leading lineup, and of strong players.

Who plays how many is decided while a line of page one, or a claim of a section, is open
(``Settle``); here is what says what is open, and adds up what was played.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import polars as pl

from reports.claims import Claim
from reports.finding_robustness import Robustness
from reports.measures import merge
from reports.report_data import Looks, ReportData
from reports.scorecard.cell_lines import MEASURES
from reports.scorecard.open_lines import more_games
from reports.scorecard.score import ScorecardRun

LEADING = "self"
"""The kind of cells in which all play alike, as the leading players do."""


@dataclass(frozen=True)
class SearchSums:
    """The sums of tables with strong players, their cells, and the games of each.

    wider: how many times wider intervals are of what was looked at, as there were looks
    at fewer games before; game_seconds: about what a game takes one core.
    """

    sums: pl.DataFrame
    cells: pl.DataFrame
    games: int
    wider: float = 1.0
    game_seconds: float = 0.0

    @property
    def played(self) -> int:
        """The games of all its cells."""
        return self.cells.height * self.games


@dataclass(frozen=True)
class LeadingSums(SearchSums):
    """A table of the leading lineup: the sums of its further games alone.

    Its cell is numbered as in the panel. first: its games before, in which was counted
    who won.
    """

    first: int = 0

    @property
    def at(self) -> int:
        """The number of its cell in the panel."""
        return int(self.cells["cell"][0])

    @property
    def players(self) -> int:
        """The number of players."""
        return int(self.cells["players"][0])

    @property
    def played(self) -> int:
        """The games beyond its first."""
        return self.games - self.first


Needed = Callable[[Sequence[SearchSums]], Mapping[int, float]]
"""Returns the games in all that would settle something, by place of the table."""


class Settle(Protocol):
    """Plays more games for some seconds, while something is open."""

    seconds: float

    def of(self, first: Sequence[SearchSums], needed: Needed) -> list[SearchSums]:
        """Return the sums of all games."""


def with_further(data: ReportData, tables: Sequence[SearchSums]) -> ReportData:
    """Return the data of the leading lineup with its further games, all added up."""
    looks: dict[tuple[int, str], Looks] = {}
    sums = [data.sums]
    for table in tables:
        if isinstance(table, LeadingSums):
            at = table.at
            looks |= {(at, name): Looks(0, table.wider) for name in MEASURES}
            if table.played:
                cell = pl.lit(at, data.sums.schema["cell"])
                sums.append(table.sums.with_columns(cell=cell))
                for name in table.sums["measure"].unique():
                    wider = looks.get((at, name), Looks()).wider
                    looks[at, name] = Looks(table.played, wider)
    return replace(
        data,
        sums=merge(sums) if len(sums) > 1 else data.sums,
        looks=looks,
        game_seconds=max((table.game_seconds for table in tables[:1]), default=0.0),
    )


def with_looks(
    data: ReportData, table: SearchSums, claims: Sequence[Claim]
) -> ReportData:
    """Return the data of a table with strong players, as often as it was looked at."""
    asked = MEASURES | {claim.measure for claim in claims}
    look = Looks(0, table.wider)
    looks = {(at, name): look for at in table.cells["cell"] for name in asked}
    return replace(data, looks=looks, game_seconds=table.game_seconds)


def open_lines(
    data: ReportData, scorecard: Callable[[ReportData], ScorecardRun]
) -> Needed:
    """Return what says which lines of page one the leading lineup leaves open."""

    def needed(tables: Sequence[SearchSums]) -> Mapping[int, float]:
        more = more_games(scorecard(with_further(data, tables)))
        return {
            place: table.games + more[table.players]
            for place, table in enumerate(tables)
            if isinstance(table, LeadingSums) and table.players in more
        }

    return needed


def open_claims(
    data: ReportData,
    claims: Sequence[Claim],
    strong: Callable[[Sequence[SearchSums], Sequence[Claim]], Sequence[ReportData]],
    undecided: Sequence[str],
) -> Needed:
    """Return what says which claims other strong players leave open."""

    def needed(tables: Sequence[SearchSums]) -> Mapping[int, float]:
        ways = Robustness(data, strong(tables, claims), undecided)
        places = [
            place
            for place, table in enumerate(tables)
            if not isinstance(table, LeadingSums)
        ]
        return {places[at]: n for at, n in ways.open_tables(claims).items()}

    return needed
