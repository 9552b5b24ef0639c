"""The runs of a report: of its panel, of what is tried in it, and of searchers.

They are played on the same cores at once, each in its folder of the report, and calls
that need whole games beside them. What page one is made of is played first, without
what is tried in it: that takes long.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from experiments.analysis.panel_cells import PanelCell, Searching
from experiments.analysis.report_pages import cells_of
from experiments.analysis.report_steps import Steps
from experiments.core.blocks import add_up
from experiments.core.together import dear, table_of
from experiments.execution.at_once import play_at_once
from experiments.execution.run import Begun, begun
from reports import building

TRIED = "tried"
"""The folder of a report with the games in which something is tried."""
_PANEL, _TRIED, _SEARCH = "the panel", "what is tried", "those who search"
_SOME = 8_192  # games in which something is tried, played together: it takes long
_BLOCK = 2_560  # games with searchers played together: small batches cost most

Places = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class ReportRun:
    """Cells that are a run of their own, and where they are in the report.

    ``places``: of each cell the table and the number there: 0 is the panel's, and those
    from 1 on are the tables of searchers.
    """

    name: str
    places: Places
    cells: Sequence[PanelCell]
    games: Sequence[int]
    out: Path
    how: Mapping[str, Any]  # as for ``run``


def of_panel(
    cells: Sequence[PanelCell],
    page_one: Mapping[int, PanelCell],
    games_of: Callable[[Sequence[PanelCell]], list[int]],
    out: Path,
) -> list[ReportRun]:
    """The runs of the panel: the cells of ``page_one``, by their numbers, play first.

    Nothing is tried in these; what is tried in the panel is a run of its own.
    """
    tried = [at for at, one in enumerate(cells) if one != one.untried]
    places = [at for at in range(len(cells)) if at in page_one or at not in tried]
    own = [page_one.get(at, cells[at]) for at in places]
    first = [number for number, at in enumerate(places) if at in page_one]
    how = {"first": _with_tables(own, first)}
    runs = [ReportRun(_PANEL, _at(places), own, games_of(own), out, how)]
    if tried:
        some, folder, block = [cells[at] for at in tried], out / TRIED, {"block": _SOME}
        runs.append(ReportRun(_TRIED, _at(tried), some, games_of(some), folder, block))
    return runs


def _with_tables(cells: Sequence[PanelCell], first: Sequence[int]) -> Sequence[int]:
    """Those that are played first; where moments are dear also who may sit there."""
    if not dear(cells[0].cell.game):
        return first
    tables = {table_of(cells[number].cell) for number in first} - {None}
    return [
        number
        for number, one in enumerate(cells)
        if number in first or table_of(one.cell) in tables
    ]


def of_searchers(searching: Sequence[Searching], out: Path) -> list[ReportRun]:
    """The run of the tables at which somebody searches, if any.

    The longest are played first, so that no core waits for them at the end.
    """
    if not searching:
        return []
    every = [
        (one, games, (table, at))
        for table, (some, games) in enumerate(searching, start=1)
        for at, one in enumerate(some)
    ]
    every.sort(key=lambda its: (-its[1], -its[0].cell.players, its[2][1]))
    cells, games, places = zip(*every, strict=True)
    return [ReportRun(_SEARCH, places, cells, games, out, {"block": _BLOCK})]


def _at(places: Sequence[int]) -> Places:
    return [(0, at) for at in places]


class Played(NamedTuple):
    """What was found: sums of the panel, of searchers by table, and what calls told."""

    panel: pl.DataFrame
    searched: list[building.Searched]
    told: dict[str, list[Any]]


def play_runs(
    runs: Sequence[ReportRun],
    searching: Sequence[Searching],
    calls: Mapping[str, Sequence[Callable[[], Any]]],
    steps: Steps,
    jobs: int,
) -> Played:
    """Play them, and make the calls.

    Short blocks come last, so that no core waits long for another's end.
    """
    with ExitStack() as opened:
        started = [opened.enter_context(_begun(run, steps, jobs)) for run in runs]
        works: list[Begun | Callable[[], Any]] = [
            *started,
            *chain(*calls.values()),
        ]
        told = iter(play_at_once(works, jobs))
        found = [one.results().sums for one in started]
    sums = {run.name: (run, its) for run, its in zip(runs, found, strict=True)}
    panel = _placed(*sums[_PANEL])
    if _TRIED in sums:
        tried = _placed(*sums[_TRIED])
        again = tried["cell"].unique().to_list()
        panel = add_up([panel.filter(~pl.col("cell").is_in(again)), tried])
    searched = [
        building.Searched(_placed(*sums[_SEARCH], table), cells_of(some), games)
        for table, (some, games) in enumerate(searching, start=1)
    ]
    return Played(
        panel, searched, {name: [*islice(told, len(of))] for name, of in calls.items()}
    )


def _begun(run: ReportRun, steps: Steps, jobs: int) -> AbstractContextManager[Begun]:
    cells, how = [one.cell for one in run.cells], {"detailed": True, **run.how}
    progress = steps.of(run.name)
    return begun(cells, run.games, jobs=jobs, out=run.out, progress=progress, **how)


def _placed(run: ReportRun, sums: pl.DataFrame, table: int = 0) -> pl.DataFrame:
    """The sums of a table, by the numbers of the cells there."""
    to = {number: at for number, (its, at) in enumerate(run.places) if its == table}
    its = sums.filter(pl.col("cell").is_in([*to]))
    kind = sums.schema["cell"]
    return its.with_columns(pl.col("cell").replace_strict(to, return_dtype=kind))
