"""Further games of strong players while a leading finding is open.

All play some games first. Then those play on in whose games a leading finding neither
holds nor fails, in rounds: each has about three times as many new games as all before,
and after each the findings are tested again, with a part of the error
(``reports.statistics.repeated_looks``). The leading players come first, as nothing is
settled without them: they play on while their own games leave a line of page one open.
Then come other players who learned, and those who search. Rounds
that are expected to settle something in the least time come first. They end when
nothing is open, or only what is on the line, or the time is used up. Time is reckoned
from what a game costs by declaration (``GameReport.strong_seconds``,
``search_seconds``), not taken from a clock, so the same seed plays the same games on
every machine.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import polars as pl

from experiments.analysis.panel_cells import PanelCell, Searching, detailed_of
from experiments.analysis.report_pages import report_cells
from experiments.analysis.report_runs import ReportRun, play_round
from experiments.core.cells import Cell
from reports.finding_robustness import SKILLED
from reports.further_games import LEADING, LeadingSums, Needed, SearchSums
from reports.game_report import GameReport
from reports.measures import merge
from reports.robustness_text import ABSURD
from reports.statistics import repeated_looks

SECONDS = 12.0
"""The time of one core for all rounds of a report."""
ROUNDS = "rounds"
"""The folder of the rounds, each in one of its own."""
_JUDGES = (LEADING, *SKILLED)
STEP = "findings that are open"
"""The name of what is played here."""
_START = 512  # games whose time it takes to begin a round: small ones cost most
_DOUBTFUL = 8_192  # games: a number from fewer may lie elsewhere
_APART = 1 << 33  # added to the seed for each round


@dataclass
class FurtherRounds:
    """Plays rounds of the tables of strong players, for so many seconds.

    tables: their cells, and the games of each at first. left: the seconds that no round
    has used yet.
    """

    tables: Sequence[Searching]
    declared: GameReport
    seconds: float
    jobs: int
    out: Path
    left: float = field(init=False)

    def __post_init__(self) -> None:
        """Begin with all seconds left."""
        self.left = self.seconds

    def of(self, first: Sequence[SearchSums], needed: Needed) -> list[SearchSums]:
        """Play while something is open; return the sums with all games."""
        played = [*first]
        while True:
            played = [self._judged(*each) for each in enumerate(played)]
            chosen = []
            for place in self._open(played, needed):
                cost = self._time(place, self._next(place, played[place].games))
                if cost <= self.left:
                    self.left -= cost
                    chosen.append(place)
            if not chosen:
                return played
            runs = [self._run(place, played[place].games) for place in chosen]
            for place, new, run in zip(
                chosen, play_round(runs, self.jobs), runs, strict=True
            ):
                old = played[place]
                sums, games = merge([old.sums, new]), old.games + run.games[0]
                played[place] = replace(old, sums=sums, games=games)

    def _open(self, played: Sequence[SearchSums], needed: Needed) -> list[int]:
        """The places of tables that may settle something, the quickest first."""
        beyond = {
            place: games - played[place].games
            for place, games in needed(played).items()
            if (new := self._next(place, played[place].games))
            if games <= ABSURD or played[place].games + new <= _DOUBTFUL
        }
        return sorted(beyond, key=lambda place: self._time(place, beyond[place]))

    def _judged(self, place: int, table: SearchSums) -> SearchSums:
        """The sums of a table, and how many times wider its intervals are."""
        wider, (cells, _) = 1.0, self.tables[place]
        if self.seconds and cells[0].kind in _JUDGES:
            look = self._looks[place].index(table.games)
            planned = cells[0].kind == LEADING
            part = repeated_looks.PLANNED if planned else repeated_looks.USUAL
            wider = repeated_looks.widening(look, part)
        return replace(table, wider=wider, game_seconds=self._game_seconds(place))

    @cached_property
    def _looks(self) -> list[tuple[int, ...]]:
        """The games of each table at its looks, if no other one plays on.

        More time adds looks after these, so whoever plays on later goes on with the
        error that is left. Of tables with one strong player, which no finding is about,
        there is one look.
        """
        return [
            repeated_looks.looks(games, games + self._games_in_time(place))
            if cells[0].kind in _JUDGES
            else (games,)
            for place, (cells, games) in enumerate(self.tables)
        ]

    def _games_in_time(self, place: int) -> float:
        return max(self.seconds / self._game_seconds(place) - _START, 0)

    def _next(self, place: int, games: int) -> int:
        """The games that a table plays after so many; 0 if these are the most."""
        return (
            next((size for size in self._looks[place] if size > games), games) - games
        )

    def _time(self, place: int, games: float) -> float:
        return (games + _START) * self._game_seconds(place)

    def _game_seconds(self, place: int) -> float:
        """What a game of a table takes one core: in proportion to the players."""
        cells = [own.cell for some, _ in self.tables for own in some]
        usual = detailed_of([cell.players for cell in cells])
        own, *_ = self.tables[place][0]
        search, strong = self.declared.search_seconds, self.declared.strong_seconds
        seconds = search if own.kind == "search" else strong
        return seconds * own.cell.players / usual

    def _run(self, place: int, before: int) -> ReportRun:
        """The run of a round after so many games; it plays others than these."""
        own, *_ = self.tables[place][0]
        apart = _APART * (1 + self._looks[place].index(before))
        games, cell = self._next(place, before), own.without_interventions.cell
        if isinstance(cell, Cell):
            cell = replace(cell, seed=(cell.seed + apart) % (1 << 64))
        out = self.out / ROUNDS / f"{own.kind}-{cell.players}-players-{games}"
        own = replace(own, cell=cell)
        return ReportRun(STEP, [(0, 0)], [own], [games], out, {})


def leading_tables(
    cells: Sequence[PanelCell], lead: str, ends: Mapping[int, int], games: int
) -> tuple[list[Searching], list[LeadingSums]]:
    """Return the leading lineup's tables, and that they have no further games yet.

    One for each number of players. They had ``games`` in the panel, or so many, by
    number in it, of which the end was counted: ``ends``.
    """
    tables, none = [], []
    for at, cell in enumerate(cells):
        if (cell.kind, cell.cell.title()) == (LEADING, lead):
            own, first = [cell.without_interventions], ends.get(at, games)
            tables.append((own, first))
            named = report_cells(own).with_columns(cell=pl.lit(at))
            none.append(LeadingSums(pl.DataFrame(), named, first, first=first))
    return tables, none
