"""One section of a report, made by itself: the games it needs, then its HTML.

It shows what the section of a whole report shows, without search players, for one
number of players. All is played in memory.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from experiments.analysis.balance_report import dynamics_calls, panel_of
from experiments.analysis.leader import Leader
from experiments.analysis.report_pages import Pages
from experiments.core.cells import Cell
from experiments.core.measures import report_of
from experiments.execution.backends import Backend
from experiments.execution.run import Progress, run
from experiments.studies.lineups import base_players, default_lineup
from reports import report_files
from reports.report_document import FigureFailed, Section
from reports.scorecard.lines import LINES, SECONDS

Make = Callable[[Iterable[tuple[str, Callable[[], Any]]]], Iterator[tuple[str, Any]]]
"""Makes calls, in any order, and yields the key of each with what it returns."""


def lone_section(
    id_: str,
    cell: Cell,
    games: int,
    *,
    backend: Backend,
    make: Make,
    block: int,
    progress: Progress | None = None,
) -> str:
    """Return a section of the report as HTML, for the rules and seats of a cell.

    If the learned policy or the leading heuristic has all seats, the section is about
    the whole panel of a report, with the cell's number of players; otherwise about this
    lineup, as a report of a lineup. ``games`` are those of the leading lineup.
    ``backend`` plays blocks of ``block`` games, and ``make`` makes calls that follow
    single games, and draws figures. Raises ``UsageError``, what ``run`` raises, and
    ``FigureFailed`` if a figure could not be drawn.
    """
    declared = report_of(cell.game)
    lead, *others = dict.fromkeys(cell.lineup)
    who = default_lineup(cell.game), base_players(cell.game)
    whole = not others and lead in who
    panel = panel_of(
        cell.game,
        cell.rules,
        (cell.players,),
        cell.seed,
        lead=Leader(str(lead) if whole else ""),
        strategies=(),
        made=(id_,),
        full=False,
    )
    lineup = None if whole else ",".join(map(str, cell.lineup))
    cells = list(panel.cells() if lineup is None else panel.lineup_cells(lineup))
    pages = Pages(declared, panel, games, lineup, LINES, SECONDS, False, Path())
    played = run(
        [each.cell for each in cells],
        pages.games_of(cells),
        backend=backend,
        block=block,
        detailed=True,
        progress=progress,
    )
    calls = dynamics_calls(panel, declared, games, []) if lineup is None else {}
    story = {name: t for _, tables in make(calls.items()) for name, t in tables.items()}
    made = pages.build(cells, played.sums, made=(id_,), story=story)
    [section] = [each for each in made.sections if each.id == id_]
    return report_files.section_html(section, _drawings(section, make))


def _drawings(section: Section, make: Make) -> dict[str, str]:
    """Return the figures of a section by exhibit; raises ``FigureFailed``."""
    parts = dict(make(report_files.exhibit_calls(section.exhibits).items()))
    failed = [f"{name} ({part.error})" for name, part in parts.items() if part.error]
    if failed:
        raise FigureFailed(f"figures could not be drawn: {', '.join(sorted(failed))}.")
    return {name: part.inline for name, part in parts.items() if part.inline}
