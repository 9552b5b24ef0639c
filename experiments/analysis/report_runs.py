"""The runs of a report: the panel, search players, and the what-ifs of sections.

They are played in parallel on the same cores, each in its own folder of the report,
together with calls that need whole games. The cells of page one are played first. The
panel and search players are played without interventions, so that a section made later
adds its what-ifs to what is there; only full reports, which make all sections, try
decisions of search players in the same games, as these are slow.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
from experiments.execution.run import OpenRun, open_run
from experiments.execution.run_many import run_many
from reports.further_games import SearchSums
from reports.measures import concat_disjoint

WHAT_IFS = "what-ifs"
"""The folder of a report for games that single sections need."""
SEARCH, FULL = "search", "search-full"
"""The folders of games with search players, in a report and in a full one."""
_PANEL, _SEARCH = "the panel", "stronger players"
_TRIED_BLOCK = 8_192  # games with tried options: few, because they take long
_SEARCH_BLOCK = 2_560  # games with search players: small batches cost most

Places = Sequence[tuple[int, int]]
Entry = tuple[PanelCell, int, tuple[int, int]]
"""A cell, its number of games, and its place in the report."""


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
    """Return the run of the panel, then those of each section's what-ifs.

    The cells of ``page_one``, by number, play first.
    """
    numbers = [n for n, panel_cell in enumerate(cells) if not panel_cell.is_what_if]
    own = [page_one.get(n, cells[n].without_interventions) for n in numbers]
    first = [place for place, number in enumerate(numbers) if number in page_one]
    how = {"first": _with_tables(own, first)}
    panel = ReportRun(_PANEL, _in_panel(numbers), own, games_of(own), out, how)
    entries = zip(cells, games_of(cells), _in_panel(range(len(cells))), strict=True)
    return [panel, *_what_if_runs([*entries], out, "", _TRIED_BLOCK)]


def _what_if_runs(
    entries: Sequence[Entry], out: Path, of: str, block: int
) -> Iterator[ReportRun]:
    """Yield a run of the cells of each section that has what-ifs.

    ``of`` ends the names of their folders.
    """
    for section in dict.fromkeys(panel_cell.of for panel_cell, *_ in entries):
        if section:
            own = [entry for entry in entries if entry[0].of == section]
            cells, games, places = zip(*own, strict=True)
            name = f"what-ifs: {section}{of}"
            where = out / WHAT_IFS / f"{section}{of}"
            yield ReportRun(name, places, cells, games, where, {"block": block})


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


def search_runs(
    searching: Sequence[Searching], out: Path, *, full: bool
) -> list[ReportRun]:
    """Return the runs of the cells with search players, if any.

    The longest are played first, so that no core waits for them at the end. In full
    reports all is one run.
    """
    if not searching:
        return []
    entries: list[Entry] = [
        (panel_cell, games, (table, number))
        for table, (cells_of_table, games) in enumerate(searching, start=1)
        for number, panel_cell in enumerate(cells_of_table)
    ]
    entries.sort(key=lambda entry: (-entry[1], -entry[0].cell.players, entry[2][1]))
    cells, games, places = zip(*entries, strict=True)
    how = {"block": _SEARCH_BLOCK}
    if full:
        return [ReportRun(_SEARCH, places, cells, games, out / FULL, how)]
    plain = [panel_cell.without_interventions for panel_cell in cells]
    run = ReportRun(_SEARCH, places, plain, games, out / SEARCH, how)
    return [run, *_what_if_runs(entries, out, f"-{SEARCH}", _SEARCH_BLOCK)]


def _in_panel(numbers: Iterable[int]) -> Places:
    return [(0, number) for number in numbers]


class ReportResults(NamedTuple):
    """The results: sums of the panel, of search players by table, and of calls."""

    panel: pl.DataFrame
    searched: list[SearchSums]
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
    sums_of_runs, results = _sums_of(runs, [*chain(*calls.values())], steps, jobs)
    returned = iter(results)
    played = [*zip(runs, sums_of_runs, strict=True)]
    searched = [
        SearchSums(_added_up(played, table), report_cells(cells), games)
        for table, (cells, games) in enumerate(searching, start=1)
    ]
    by_call = {name: [*islice(returned, len(group))] for name, group in calls.items()}
    return ReportResults(_added_up(played, 0), searched, by_call)


def play_round(runs: Sequence[ReportRun], jobs: int) -> list[pl.DataFrame]:
    """Play runs together, for nobody to watch; return the sums of each."""
    sums, _ = _sums_of(runs, [], None, jobs)
    return sums


def _sums_of(
    runs: Sequence[ReportRun],
    calls: Sequence[Callable[[], Any]],
    steps: ReportProgress | None,
    jobs: int,
) -> tuple[list[pl.DataFrame], list[Any]]:
    """Return the sums of runs, and what calls return."""
    with ExitStack() as opened:
        started = [opened.enter_context(_begun(run, steps, jobs)) for run in runs]
        works: list[OpenRun | Callable[[], Any]] = [*started, *calls]
        returned = run_many(works, jobs)
        return [each.results().sums for each in started], returned


def _added_up(
    played: Sequence[tuple[ReportRun, pl.DataFrame]], table: int
) -> pl.DataFrame:
    """Return the sums of a table in the report.

    A cell that is played with interventions, too, adds what only these measure.
    """
    parts: list[pl.DataFrame] = []
    for run, sums in played:
        if any(home == table for home, _ in run.places):
            rows = _placed(run, sums, table)
            for part in parts:
                rows = rows.join(part, on=["cell", "measure"], how="anti")
            parts.append(rows)
    return concat_disjoint(parts)


def _begun(
    run: ReportRun, steps: ReportProgress | None, jobs: int
) -> AbstractContextManager[OpenRun]:
    cells = [panel_cell.cell for panel_cell in run.cells]
    how = {"detailed": True, **run.how}
    progress = None if steps is None else steps.of(run.name)
    return open_run(cells, run.games, jobs=jobs, out=run.out, progress=progress, **how)


def _placed(run: ReportRun, sums: pl.DataFrame, table: int) -> pl.DataFrame:
    """Return the sums of a table, by the numbers of the cells in it."""
    places = enumerate(run.places)
    to = {cell: number for cell, (home, number) in places if home == table}
    cell = pl.col("cell").replace_strict(to, return_dtype=sums.schema["cell"])
    return sums.filter(pl.col("cell").is_in([*to])).with_columns(cell)
