"""The runs of a report: the panel, what is tried in it, and search players.

They are played in parallel on the same cores, each in its own folder of the report,
together with calls that need whole games. The cells of page one are played first and
without tried options, which take long.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from experiments.analysis.panel_cells import PanelCell, Searching
from experiments.analysis.report_pages import report_cells
from experiments.analysis.report_progress import ReportProgress
from experiments.core.batched_cells import batching_key, step_cost_dominates
from experiments.core.blocks import add_up
from experiments.execution.run import OpenRun, open_run
from experiments.execution.run_many import run_many
from reports import build_report

COUNTERFACTUALS = "tried"
"""The folder of a report for the games in which options are tried."""
_PANEL, _TRIED, _SEARCH = "the panel", "what is tried", "those who search"
_TRIED_BLOCK = 8_192  # games with tried options: few, because they take long
_SEARCH_BLOCK = 2_560  # games with search players: small batches cost most

Places = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class ReportRun:
    """Cells played as one run, and their places in the report.

    ``places``: the table and the number in it of each cell; table 0 is the panel's, the
    others are those of search players.
    """

    name: str
    places: Places
    cells: Sequence[PanelCell]
    games: Sequence[int]
    out: Path
    how: Mapping[str, Any]  # for ``run``


def panel_runs(
    cells: Sequence[PanelCell],
    page_one: Mapping[int, PanelCell],
    games_of: Callable[[Sequence[PanelCell]], list[int]],
    out: Path,
) -> list[ReportRun]:
    """Return the runs of the panel: the cells of ``page_one``, by number, play first.

    Cells with tried options are a run of their own.
    """
    tried = [
        number
        for number, cell in enumerate(cells)
        if cell != cell.without_interventions
    ]
    numbers = [n for n in range(len(cells)) if n in page_one or n not in tried]
    own = [page_one.get(number, cells[number]) for number in numbers]
    first = [place for place, number in enumerate(numbers) if number in page_one]
    how = {"first": _with_tables(own, first)}
    runs = [ReportRun(_PANEL, _in_panel(numbers), own, games_of(own), out, how)]
    if tried:
        trying, block = [cells[number] for number in tried], {"block": _TRIED_BLOCK}
        places, games = _in_panel(tried), games_of(trying)
        runs.append(
            ReportRun(_TRIED, places, trying, games, out / COUNTERFACTUALS, block)
        )
    return runs


def _with_tables(cells: Sequence[PanelCell], first: Sequence[int]) -> Sequence[int]:
    """Return the cells to play first.

    If steps cost much, those that can share their batches play with them.
    """
    if not step_cost_dominates(cells[0].cell.game):
        return first
    tables = {batching_key(cells[number].cell) for number in first} - {None}
    return [
        number
        for number, panel_cell in enumerate(cells)
        if number in first or batching_key(panel_cell.cell) in tables
    ]


def search_runs(searching: Sequence[Searching], out: Path) -> list[ReportRun]:
    """Return the run of the cells with search players, if any.

    The longest are played first, so that no core waits for them at the end.
    """
    if not searching:
        return []
    entries = [
        (panel_cell, games, (table, number))
        for table, (cells_of_table, games) in enumerate(searching, start=1)
        for number, panel_cell in enumerate(cells_of_table)
    ]
    entries.sort(key=lambda entry: (-entry[1], -entry[0].cell.players, entry[2][1]))
    cells, games, places = zip(*entries, strict=True)
    return [ReportRun(_SEARCH, places, cells, games, out, {"block": _SEARCH_BLOCK})]


def _in_panel(numbers: Sequence[int]) -> Places:
    return [(0, number) for number in numbers]


class ReportResults(NamedTuple):
    """The results: sums of the panel, of search players by table, and of calls."""

    panel: pl.DataFrame
    searched: list[build_report.SearchSums]
    call_results: dict[str, list[Any]]


def play_runs(
    runs: Sequence[ReportRun],
    searching: Sequence[Searching],
    calls: Mapping[str, Sequence[Callable[[], Any]]],
    steps: ReportProgress,
    jobs: int,
) -> ReportResults:
    """Play the runs, and make the calls.

    Short blocks come last, so that no core waits long for another to finish.
    """
    with ExitStack() as opened:
        started = [opened.enter_context(_begun(run, steps, jobs)) for run in runs]
        works: list[OpenRun | Callable[[], Any]] = [*started, *chain(*calls.values())]
        returned = iter(run_many(works, jobs))
        sums_of_runs = [each.results().sums for each in started]
    sums = {run.name: (run, own) for run, own in zip(runs, sums_of_runs, strict=True)}
    panel = _placed(*sums[_PANEL])
    if _TRIED in sums:
        tried = _placed(*sums[_TRIED])
        replaced = tried["cell"].unique().to_list()
        panel = add_up([panel.filter(~pl.col("cell").is_in(replaced)), tried])
    searched = [
        build_report.SearchSums(
            _placed(*sums[_SEARCH], table), report_cells(cells), games
        )
        for table, (cells, games) in enumerate(searching, start=1)
    ]
    by_call = {name: [*islice(returned, len(group))] for name, group in calls.items()}
    return ReportResults(panel, searched, by_call)


def _begun(
    run: ReportRun, steps: ReportProgress, jobs: int
) -> AbstractContextManager[OpenRun]:
    cells = [panel_cell.cell for panel_cell in run.cells]
    how = {"detailed": True, **run.how}
    progress = steps.of(run.name)
    return open_run(cells, run.games, jobs=jobs, out=run.out, progress=progress, **how)


def _placed(run: ReportRun, sums: pl.DataFrame, table: int = 0) -> pl.DataFrame:
    """Return the sums of a table, by the numbers of the cells in it."""
    places = enumerate(run.places)
    to = {cell: number for cell, (home, number) in places if home == table}
    cell = pl.col("cell").replace_strict(to, return_dtype=sums.schema["cell"])
    return sums.filter(pl.col("cell").is_in([*to])).with_columns(cell)
