"""Separate runs for lines of the scorecard: positions, luck, and options.

Positions: the leading lineup with each number of players. Luck: lineups of different
strategies (``luck``). Options: the leading strategy never takes one, or always if a
decision has few of them (``option_worth``), which means more in full reports. All runs
count only how games end, so they take little of a report's time. If it pays, a pilot
sets the number of games of the first two (``pilot_size``).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

import polars as pl

from experiments.analysis import pilot_size
from experiments.analysis.luck_shares import PLAYS, luck_shares
from experiments.analysis.option_worth import ALL, option_worth
from experiments.analysis.panel import Panel
from experiments.core.cells import Cell
from experiments.core.measures import report_of
from experiments.counterfactual.forbidden_options import FEW
from experiments.execution.manifest_schema import read_manifest
from experiments.execution.output_paths import MANIFEST
from experiments.execution.results import Results
from experiments.execution.run import run
from reports.measures import concat_disjoint
from reports.scorecard import strategy_lines
from reports.scorecard.cell_lines import gap_of
from reports.scorecard.line_statistics import LATER, POSITION
from reports.scorecard.score_line import ScoreLine

Result = TypeVar("Result")
Play = Callable[[int, Cell, Path], Result]
"""Plays a number of games of a cell in a folder."""
Numbers = Mapping[str, tuple[float, float, float]]
"""Scorecard lines by id: the number, and the ends of its interval."""
LEAST = 256
"""Reports with fewer games of each lineup have no such runs: they show nothing."""
_PILOT = 5_000  # added to the seed for the games of a pilot


class EndSums(NamedTuple):
    """How games of a cell end: its number in the panel, sums, and number of games."""

    at: int
    sums: pl.DataFrame
    games: int


@dataclass(frozen=True)
class AuxiliaryRuns:
    """The separate runs of a report; ``games`` are those of each lineup."""

    panel: Panel
    games: int
    lines: tuple[ScoreLine, ...]
    out: Path

    def ends(self, cells: Mapping[int, Cell]) -> list[Callable[[], EndSums]]:
        """Return calls that play cells and count how games end, by panel number."""
        if self.games < LEAST:
            return []
        return [partial(self._end, number, cell) for number, cell in cells.items()]

    def _end(self, number: int, cell: Cell) -> EndSums:
        def play(games: int, cell: Cell, out: Path) -> Results:
            return run([cell], games, out=out)

        usual = self.games * report_of(cell.game).outcome_factor
        folder = self.out / "ends" / f"{cell.players}-players"
        results, games = self._needed(play, _gaps, usual, cell, folder)
        return EndSums(number, results.sums, games)

    def luck(self) -> dict[str, pl.DataFrame | None]:
        """Return the shares of variance in winning, and the deals, as a named table.

        Column ``who``: the players, ``Panel.luck_cells``. The verdict is about those
        named last, who play as many deals as it needs. None if all strategies are the
        same.
        """
        cells, deals = self.panel.luck_cells(), report_of(self.panel.game).luck_deals
        if not cells or not deals or self.games < LEAST:
            return {"luck": None}
        usual, tables = min(deals, self.games), []
        *_, judged = cells
        for who, cell in cells.items():
            out, games, play = self.out / f"luck-{who}", usual, partial(_divided, who)
            if who == judged:
                plays = PLAYS * cell.players  # of each deal
                shares, games = self._needed(play, _luck, usual, cell, out, plays)
            else:
                shares = play(usual, cell, out)
            tables.append(shares.with_columns(games=pl.lit(games)))
        return {"luck": pl.concat(tables)}

    def options(self) -> dict[str, pl.DataFrame | None]:
        """Return what options are worth to the leading strategy, as a named table.

        None if the report asks for none.
        """
        report = report_of(self.panel.game)
        replays = report.option_replays
        if not replays or self.games < LEAST:
            return {"worth": None}
        most = ALL if self.panel.full else FEW
        cell, out = self.panel.knockout_cell(), self.out / "worth"
        if report.option_player:
            cell = replace(cell, lineup=(report.option_player,) * cell.players)
        return {"worth": option_worth(cell, replays, most, out)}

    def _needed(
        self,
        play: Play[Result],
        numbers: Callable[[Result], Numbers],
        usual: int,
        cell: Cell,
        out: Path,
        cells: int = 1,
    ) -> tuple[Result, int]:
        """Play as many games of a cell as its verdicts need; return result and games.

        ``numbers``: the numbers of its lines; ``cells``: how many cells it plays. A
        kept report keeps its number of games, even if tolerances changed.
        """
        try:
            games = int(read_manifest(out / MANIFEST)["games"])
        except FileNotFoundError:
            games = usual * pilot_size.MOST
            if look := pilot_size.pilot_games(usual, cells):
                folder = out.with_name(f"{out.name}-pilot")
                other = replace(cell, seed=cell.seed + _PILOT)
                games = self._wanted(numbers(play(look, other, folder)), look, usual)
        return play(games, cell, out), games

    def _wanted(self, numbers: Numbers, look: int, usual: int) -> int:
        """Return the games that verdicts probably need, given the pilot's numbers."""
        limits = {line.id: line.tolerance for line in self.lines}
        wanted = (
            pilot_size.games_for(number, look, limits[line], usual)
            for line, number in numbers.items()
        )
        return max(wanted, default=usual)


def _gaps(results: Results) -> Numbers:
    """Return how far the best position is above the worst, by line."""
    lines = {"positions": POSITION, "later": LATER}
    measured = {line: name for line, name in lines.items() if name in results.names}
    rows = {
        line: results.estimates(name).drop_nulls("estimate")
        for line, name in measured.items()
    }
    return {line: gap_of(known) for line, known in rows.items() if known.height}


def _divided(who: str, deals: int, cell: Cell, out: Path) -> pl.DataFrame:
    """Return the shares of variance in winning at a table of such players."""
    shares = luck_shares(cell, deals, out=out).components()
    return shares.with_columns(who=pl.lit(who), lineup=pl.lit(cell.title()))


def _luck(shares: pl.DataFrame) -> Numbers:
    share = strategy_lines.luck(shares)
    return {} if share is None else {"luck": share.interval}


def replace_end_sums(sums: pl.DataFrame, ends: Sequence[EndSums]) -> pl.DataFrame:
    """Return the panel's sums, with the end of games in some cells replaced."""
    if not ends:
        return sums
    kind = sums.schema["cell"]
    ended = pl.concat(
        [end.sums.with_columns(cell=pl.lit(end.at, dtype=kind)) for end in ends],
        how="diagonal",
    )
    rest = sums.join(ended, on=["cell", "measure"], how="anti")
    return concat_disjoint([rest, ended])
