"""The pages of a report: page one so far, and the whole page.

A page is made of cells; the sums number each cell by its place among them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import polars as pl

import sim.games
from experiments.analysis.panel import Panel
from experiments.analysis.panel_cells import PanelCell, Searching
from experiments.analysis.report_header import report_header
from experiments.analysis.report_progress import AwaitedCells, ReportProgress
from experiments.analysis.unread_rules import unread_rules
from experiments.core import measures
from experiments.execution import atomic_files
from reports import build_report, report_files
from reports.further_games import SearchSums
from reports.game_report import GameReport
from reports.report_document import Exhibit, FigureFailed, PageOne, ReportDocument
from reports.scorecard.score_line import ScoreLine

_SO_FAR = (
    "Page one, written first: for one number of players, and without what is tried "
    "on the same deals. The whole report will replace this page."
)
_STRONGER = " Stronger players still play: it is not known yet what holds for them."
_NO_MORE: Mapping[int, int] = {}


@dataclass(frozen=True)
class Pages:
    """Makes and writes pages of a finished report, or of what is played so far."""

    declared: GameReport
    panel: Panel
    games: int
    lineup: str | None
    lines: tuple[ScoreLine, ...]
    seconds: float
    png: bool
    out: Path

    def build(
        self,
        some: Sequence[PanelCell],
        sums: pl.DataFrame,
        searching: Sequence[Searching] = (),
        searched: Sequence[SearchSums] = (),
        ends: Mapping[int, int] = _NO_MORE,
        **more: Any,
    ) -> ReportDocument:
        """Make the page of cells, numbered by place in ``sums``; by ``build``."""
        about = self._about(some, searching, ends)
        how = {
            "lines": self.lines,
            "seconds": self.seconds,
            **more,
        }
        known = measures.measures_of(self.panel.game)
        cells = report_cells(some)
        return build_report.build(
            self.declared, known, sums, cells, about, searched, **how
        )

    def _about(
        self,
        some: Sequence[PanelCell],
        searching: Sequence[Searching] = (),
        ends: Mapping[int, int] = _NO_MORE,
    ) -> dict[str, Any]:
        games = self.games_of(some)
        fewer = {cell: count for cell, count in enumerate(games) if count < self.games}
        about = report_header(
            self.panel, some, self.games, self.lineup, searching, fewer, ends
        )
        return {**about, "unread": self._unread}

    @cached_property
    def _unread(self) -> str:
        """That the leading players do not read rules that differ, as a sentence."""
        cell: Any = self.panel.dynamics_cell()
        if self.lineup is not None:
            cell = next(iter(self.panel.lineup_cells(self.lineup))).cell
        base = sim.games.load(cell.game).rules()
        text = unread_rules(cell, replace(cell, rules=base)).sentence
        return f"{text[:1].upper()}{text[1:]}." if text else ""

    def games_of(self, some: Sequence[PanelCell]) -> list[int]:
        """Return the games of each cell: fewer of those that need fewer."""
        lead = next(iter(self.panel.specs()))
        return [panel_cell.games(lead, self.games) for panel_cell in some]

    def drawing(
        self, begin: Callable[[Mapping[str, Callable[[], Any]]], None]
    ) -> Callable[[Sequence[Exhibit]], None]:
        """Return what starts drawing exhibits: ``begin`` runs the calls in parallel."""
        return lambda exhibits: begin(report_files.exhibit_calls(exhibits, self.png))

    def write(self, made: ReportDocument, draw: Any = None) -> Path:
        """Write a page into the folder; return its path."""
        with atomic_files.write_errors(self.out):
            save = atomic_files.folder_writer(self.out)
            return report_files.write_report(
                made, self.out, save, png=self.png, draw=draw
            )

    def preview(
        self,
        some: Sequence[PanelCell],
        steps: ReportProgress,
        *,
        page: bool,
        searching: bool,
    ) -> tuple[AwaitedCells, ...]:
        """Return what is reported early, for ``ReportProgress.awaited``.

        After the first of these cells: what is shown to be wrong. After all: page
        one, if ``page``. ``searching``: stronger players will still play.
        """
        left_out = _SO_FAR + _STRONGER * searching
        known = measures.measures_of(self.panel.game)

        def tell(sums: pl.DataFrame) -> None:
            first = [some[0]]
            how: dict[str, Any] = {"lines": self.lines, "seconds": self.seconds}
            about, cells = self._about(first), report_cells(first)
            steps.tell(
                build_report.early(self.declared, known, sums, cells, about, **how)
            )

        def show(sums: pl.DataFrame) -> None:
            made = self.build(some, sums, left_out=left_out, brief=True)
            path: Path | FigureFailed
            try:
                path = self.write(made)
            except FigureFailed as failed:  # the whole page will report it again
                path = failed
            steps.tell(cast("PageOne", made.verdict).sentences, f"so far: {path}")

        cells = [panel_cell.cell for panel_cell in some]
        every = list(zip(cells, self.games_of(some), strict=True))
        begun = (AwaitedCells(every[:1], tell),) if steps.has_audience else ()
        return (*begun, AwaitedCells(every, show)) if page else begun


def report_cells(panel_cells: Sequence[PanelCell]) -> pl.DataFrame:
    """Return the table of cells as a report reads it."""
    rows = [
        {
            "cell": number,
            "lineup": panel_cell.cell.title(),
            "kind": panel_cell.kind,
            "players": panel_cell.cell.players,
            "strategy_declining": panel_cell.declining,
            "moment": panel_cell.moment,
            "changes": panel_cell.changes,
        }
        for number, panel_cell in enumerate(panel_cells)
    ]
    return pl.DataFrame(rows)
