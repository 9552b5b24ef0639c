"""The pages of a report: of what is played so far, and of all.

What a page is of is told by its cells: what was played of each is in its sums, by the
cell's place among them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import polars as pl

from experiments.analysis.panel import Panel
from experiments.analysis.panel_cells import PanelCell, Searching
from experiments.analysis.report_front import front
from experiments.analysis.report_steps import Awaited, Steps
from experiments.core import measures as core_measures
from experiments.execution import disk
from reports import building
from reports.game_report import GameReport
from reports.page import Exhibit, FigureFailed, Report, Verdict
from reports.scorecard.lines import Line

_SO_FAR = (
    "Page one, written first: of one number of players, and without what is tried in "
    "the same deals. The whole report takes the place of this page."
)
_STRONGER = (
    " Searchers still play: it is not known yet what holds for stronger players."
)
_NO_MORE: Mapping[int, int] = {}


@dataclass(frozen=True)
class Pages:
    """Makes and writes pages: of all that is played, or of what is played so far."""

    declared: GameReport
    panel: Panel
    games: int
    lineup: str | None
    lines: tuple[Line, ...]
    seconds: float
    png: bool
    out: Path

    def made(
        self,
        some: Sequence[PanelCell],
        sums: pl.DataFrame,
        searching: Sequence[Searching] = (),
        searched: Sequence[building.Searched] = (),
        ends: Mapping[int, int] = _NO_MORE,
        **more: Any,
    ) -> Report:
        """The page of some cells, whose sums are by their places; as ``build``."""
        about = self._about(some, searching, ends)
        how = {"lines": self.lines, "seconds": self.seconds, **more}
        known = core_measures.known(self.panel.game)
        cells = cells_of(some)
        return building.build(self.declared, known, sums, cells, about, searched, **how)

    def _about(
        self,
        some: Sequence[PanelCell],
        searching: Sequence[Searching] = (),
        ends: Mapping[int, int] = _NO_MORE,
    ) -> dict[str, Any]:
        games = self.games_of(some)
        fewer = {at: few for at, few in enumerate(games) if few < self.games}
        return front(self.panel, some, self.games, self.lineup, searching, fewer, ends)

    def games_of(self, some: Sequence[PanelCell]) -> list[int]:
        """The games of each cell: fewer of those that need fewer."""
        lead = next(iter(self.panel.specs()))
        return [one.games(lead, self.games) for one in some]

    def drawing(
        self, begin: Callable[[Mapping[str, Callable[[], Any]]], None]
    ) -> Callable[[Sequence[Exhibit]], None]:
        """Has exhibits made ready to be written: ``begin`` has calls made meanwhile."""
        parts = import_module("reports.writing").parts
        return lambda exhibits: begin(parts(exhibits, self.png))

    def write(self, made: Report, draw: Any = None) -> Path:
        """Write a page into the folder."""
        with disk.write_errors(self.out):
            written = import_module("reports.writing").write
            save = disk.saving(self.out)
            page: Path = written(made, self.out, save, png=self.png, draw=draw)
        return page

    def so_far(
        self, some: Sequence[PanelCell], steps: Steps, *, page: bool, searching: bool
    ) -> tuple[Awaited, ...]:
        """What is told, and written, before all is played.

        What is surely wrong, once the first of these cells is there; and page one
        (``page``), once they all are. ``searching``: somebody will search.
        """
        left_out = _SO_FAR + _STRONGER * searching
        known = core_measures.known(self.panel.game)

        def tell(sums: pl.DataFrame) -> None:
            first = [some[0]]
            how: dict[str, Any] = {"lines": self.lines, "seconds": self.seconds}
            about, cells = self._about(first), cells_of(first)
            steps.tell(building.early(self.declared, known, sums, cells, about, **how))

        def show(sums: pl.DataFrame) -> None:
            made = self.made(some, sums, left_out=left_out, brief=True)
            where: Path | FigureFailed
            try:
                where = self.write(made)
            except FigureFailed as failed:  # told of the whole page again
                where = failed
            steps.tell(cast("Verdict", made.verdict).sentences, f"so far: {where}")

        cells = [one.cell for one in some]
        every = list(zip(cells, self.games_of(some), strict=True))
        begun = (Awaited(every[:1], tell),) if steps.heard else ()
        return (*begun, Awaited(every, show)) if page else begun


def cells_of(panel_cells: Sequence[PanelCell]) -> pl.DataFrame:
    """The cells as a report reads them."""
    rows = [
        {
            "cell": number,
            "lineup": one.cell.title(),
            "kind": one.kind,
            "players": one.cell.players,
            "strategy_declining": one.declining,
            "moment": one.moment,
            "changes": one.changes,
        }
        for number, one in enumerate(panel_cells)
    ]
    return pl.DataFrame(rows)
