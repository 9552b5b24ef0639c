"""Runs of their own for three lines of the scorecard: positions, luck, and traps.

Who wins from where is told of the leading lineup with each number of players; luck of a
table of different strategies, as of ``luck``; traps of the leading strategy, one of
which may not use an option, as of ``knockout``: of decisions with few options, as
contracts and actions are (cards take long, and are seldom traps). All count no more
than how games end, so they take little of a report's time. A pilot says how many games
each has, where that pays (``pilot``).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

import polars as pl

from experiments.analysis import pilot
from experiments.analysis.knockout import knockout_of
from experiments.analysis.luck import PLAYS, luck_shares
from experiments.analysis.panel import Panel
from experiments.core.blocks import add_up
from experiments.core.cells import Cell
from experiments.core.measures import report_of
from experiments.execution.output import MANIFEST
from experiments.execution.results import Results
from experiments.execution.run import run
from experiments.execution.shape import manifest_at
from reports.game_report import ENDS
from reports.scorecard import options, rivals
from reports.scorecard.lines import Line
from reports.scorecard.measured import gap_of
from reports.scorecard.numbers import LATER, POSITION

Told = TypeVar("Told")
Play = Callable[[int, Cell, Path], Told]
"""Plays so many games of a cell in a folder."""
Numbers = Mapping[str, tuple[float, float, float]]
"""Of lines of the scorecard, by id: the number, and the ends of its interval."""
LEAST = 256
"""A report of fewer games of each lineup has none of them: they would tell nothing."""
_PILOT = 5_000  # the seed of a pilot lies so far from that of the games that count


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
        report = report_of(cell.game)
        more = bool(report.read_in(cell.measured))

        def play(games: int, cell: Cell, out: Path) -> Results:
            return run([cell], games, detailed=more, out=out)

        usual, out = self.games * report.ends, self.out / ENDS
        where = out / f"{cell.players}-players"
        found, games = self._raced(play, _gaps, usual, cell, where)
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
        plays = PLAYS * cell.players  # of each deal
        shares, games = self._raced(play, _luck, usual, cell, out, plays)
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
        rows, games = self._raced(play, _trap, usual, cell, out)
        return {"worth": rows.with_columns(games=pl.lit(games))}

    def _raced(
        self,
        play: Play[Told],
        numbers: Callable[[Told], Numbers],
        usual: int,
        cell: Cell,
        out: Path,
        cells: int = 1,
    ) -> tuple[Told, int]:
        """What as many games of a cell tell as verdicts take, and how many that are.

        ``numbers``: of each line that they tell; ``cells`` are played for it. A kept
        report has the games that it has, whatever is allowed by now.
        """
        try:
            games = int(manifest_at(out / MANIFEST)["games"])
        except FileNotFoundError:
            games = usual * pilot.MOST
            if look := pilot.look(usual, cells):
                first = out.with_name(f"{out.name}-pilot")
                told = numbers(
                    play(look, replace(cell, seed=cell.seed + _PILOT), first)
                )
                games = self._wanted(told, look, usual)
        return play(games, cell, out), games

    def _wanted(self, told: Numbers, look: int, usual: int) -> int:
        """The games that verdicts most likely take, where a pilot tells these."""
        limits = {line.id: line.tolerance for line in self.lines}
        wanted = (
            pilot.games_for(number, look, limits[line], usual)
            for line, number in told.items()
        )
        return max(wanted, default=usual)


def _gaps(found: Results) -> Numbers:
    """How far the best position is above the worst, of what there are positions of."""
    every = {"positions": POSITION, "later": LATER}
    there = {line: name for line, name in every.items() if name in found.names}
    rows = {line: found.estimates(name) for line, name in there.items()}
    known = {line: some.drop_nulls("estimate") for line, some in rows.items()}
    return {line: gap_of(some) for line, some in known.items() if some.height}


def _luck(shares: pl.DataFrame) -> Numbers:
    found = rivals.luck(shares)
    return {} if found is None else {"luck": found.interval}


def _trap(worth: pl.DataFrame) -> Numbers:
    found = options.trap(worth)
    return {} if found is None else {"trap": found.interval}


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
