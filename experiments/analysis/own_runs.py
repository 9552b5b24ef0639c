"""Runs of their own for three lines of the scorecard: positions, luck, and traps.

Who wins from where is told of the leading lineup with each number of players; luck of a
table of different strategies, as of ``luck``; traps of the leading strategy, one of
which may not use an option, as of ``knockout``: of decisions with few options, as
contracts and actions are (cards take long, and are seldom traps). All count no more
than how games end, so they take little of a report's time. A pilot says how many games
each has (``pilot``).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

import polars as pl

from experiments.analysis import pilot
from experiments.analysis.knockout import knockout_of
from experiments.analysis.luck import luck_shares
from experiments.analysis.panel import Panel
from experiments.analysis.pilot import Estimate
from experiments.core.blocks import add_up
from experiments.core.cells import Cell
from experiments.core.measures import report_of
from experiments.execution.files import MANIFEST
from experiments.execution.results import Results
from experiments.execution.run import run
from experiments.execution.shape import manifest_at
from reports.scorecard import options, rivals
from reports.scorecard.lines import Line
from reports.scorecard.numbers import POSITION

Told = TypeVar("Told")
LEAST = 256
"""A report of fewer games of each lineup has none of them: they would tell nothing."""
_PILOT = 5_000  # the seed of a pilot lies so far from that of the games that count
_ENDS = "ends"


class Ends(NamedTuple):
    """How games of a cell end: its number in the panel, their sums, and how many."""

    at: int
    sums: pl.DataFrame
    games: int


@dataclass(frozen=True)
class OwnRuns:
    """These runs of a report, in folders of it; ``games`` are those of each lineup."""

    panel: Panel
    games: int
    lines: tuple[Line, ...]
    out: Path

    def ends(self, cells: Mapping[int, Cell]) -> list[Callable[[], Ends]]:
        """What tells how games of some cells end, by their numbers in the panel."""
        if self.games < LEAST:
            return []
        return [partial(self._end, at, cell) for at, cell in cells.items()]

    def _end(self, at: int, cell: Cell) -> Ends:
        def play(games: int, cell: Cell, out: Path) -> Results:
            return run([cell], games, out=out)

        usual = self.games * report_of(cell.game).ends
        out = self.out / _ENDS / f"{cell.players}-players"
        found, games = self._raced("positions", play, _gap, usual, cell, out)
        return Ends(at, found.sums, games)

    def luck(self) -> dict[str, pl.DataFrame | None]:
        """Shares of the variance of winning, and of how many deals, as a table by name.

        None where all strategies are one.
        """

        def play(deals: int, cell: Cell, out: Path) -> pl.DataFrame:
            return luck_shares(cell, deals, out=out).components()

        cell, deals = self.panel.different(), report_of(self.panel.game).luck_deals
        if cell is None or not deals or self.games < LEAST:
            return {"luck": None}
        usual, out = min(deals, self.games), self.out / "luck"
        shares, games = self._raced("luck", play, _luck, usual, cell, out)
        return {"luck": shares.with_columns(games=pl.lit(games))}

    def worth(self) -> dict[str, pl.DataFrame | None]:
        """The rows of a knock-out of the leading strategy, and of how many games.

        None where there is none.
        """

        def play(games: int, cell: Cell, out: Path) -> pl.DataFrame:
            return knockout_of(cell, games, few=True, out=out).rows

        cell, most = self.panel.restricted(), report_of(self.panel.game).knocked_games
        if not most or self.games < LEAST:
            return {"worth": None}
        usual, out = min(most, self.games), self.out / "worth"
        rows, games = self._raced("trap", play, _trap, usual, cell, out)
        return {"worth": rows.with_columns(games=pl.lit(games))}

    def _raced(
        self,
        line: str,
        play: Callable[[int, Cell, Path], Told],
        number: Callable[[Told], Estimate | None],
        usual: int,
        cell: Cell,
        out: Path,
    ) -> tuple[Told, int]:
        """What as many games of a cell tell as the verdict of a line takes.

        A kept report has the games that it has, whatever is allowed by now.
        """
        try:
            games = int(manifest_at(out / MANIFEST)["games"])
        except FileNotFoundError:
            [limits] = [one.tolerance for one in self.lines if one.id == line]
            look, other = pilot.look(usual), replace(cell, seed=cell.seed + _PILOT)
            first = play(look, other, out.with_name(f"{out.name}-pilot"))
            games = pilot.games_for(number(first), look, limits, usual)
        return play(games, cell, out), games


def _gap(found: Results) -> Estimate | None:
    """How far the best position is above the worst; None where nobody won."""
    return found.gap() if POSITION in found.names else None


def _luck(shares: pl.DataFrame) -> Estimate | None:
    found = rivals.luck(shares)
    return None if found is None else found.interval


def _trap(worth: pl.DataFrame) -> Estimate | None:
    found = options.trap(worth)
    return None if found is None else found.interval


def with_ends(sums: pl.DataFrame, ends: Sequence[Ends]) -> pl.DataFrame:
    """The sums of the panel, where how games of some cells end is told by these."""
    if not ends:
        return sums
    kind = sums.schema["cell"]
    found = pl.concat(
        [one.sums.with_columns(cell=pl.lit(one.at, dtype=kind)) for one in ends],
        how="diagonal",
    )
    rest = sums.join(found, on=["cell", "measure"], how="anti")
    return add_up([rest, found])
