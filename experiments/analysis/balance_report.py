"""The report of a game: the panel is played, and what was found is written.

A game's report may say how many games a cell has (``games``), and that only the leading
strategy is played with every number of players, the others with some (``players``):
both keep it quick. What is told of other lineups than the leading one needs fewer games
(``PanelCell.part``). Tables at which somebody searches are a run of their
own, in a folder of the report, with fewer games.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import polars as pl

from experiments.analysis import own_runs, scoring
from experiments.analysis.panel import Panel, PanelCell, Searching, detailed_of
from experiments.analysis.report_front import front
from experiments.analysis.report_steps import Steps
from experiments.analysis.story import ENOUGH, followed, story_of, story_of_searchers
from experiments.analysis.watched import watching
from experiments.core import measures as core_measures
from experiments.core.cells import Cell, Pair
from experiments.core.measures import report_of
from experiments.execution import disk
from experiments.execution.run import Progress, run
from experiments.execution.side_by_side import side_by_side
from reports import building
from reports.game_report import GameReport
from reports.page import Finding, Section, Verdict
from sim import games as registry
from sim.parameters import Rules

SEARCH, FULL = "search", "search-full"
"""The folder of a report in which the games with searchers are; of a full report."""
_BLOCK = 2_560  # games with searchers played together: small batches cost most
QUICKER = 8
"""A quick report has so many times fewer games."""
_ALONE = ("self", "noisy", "one", "given")
"""Kinds of cells that page one is made of."""
_QUICK = (
    "an eighth of the games, one number of players, page one only. Nobody searches, so "
    "it is not known what holds for stronger players."
)
_LEAST = 2_048
"""Games that no lineup has fewer than, where the others have as many."""


@dataclass(frozen=True)
class ReportDone:
    """Where the report is, and what it found, in words too."""

    page: Path
    found: tuple[Finding, ...]
    verdict: Verdict

    @property
    def findings(self) -> list[str]:
        """The findings in words."""
        return [finding.text for finding in self.found]


def report(  # noqa: PLR0913 - all that the command line knows
    game: str,
    *,
    games: int | None = None,
    search_games: int | None = None,
    players: Sequence[int] | None = None,
    seed: int = 0,
    rules: Rules | None = None,
    lineup: str | None = None,
    strategies: Sequence[str] = (),
    png: bool = False,
    targets: Path | None = None,
    quick: bool = False,
    full: bool = False,
    jobs: int = 1,
    out: Path,
    progress: Progress | None = None,
) -> ReportDone:
    """Play the panel (or one lineup, rotated) and write its report to ``out``.

    ``games`` of each cell are by default those of the game's report (a half or a
    quarter of lineups that are there to be compared with the leading one,
    ``PanelCell.part``), and so are ``search_games``, but never more than ``games``; 0:
    nobody searches.
    ``strategies`` are specs of one's own, which join the panel. ``png``: figures are
    drawn as PNG too. ``targets`` is a file with tolerances for the scorecard.
    ``quick``: page one only, of one number of players and fewer games. ``full``:
    nothing is folded away, and what takes longest is done by searchers too, in games
    enough for that.
    """
    lines, seconds = scoring.read_targets(targets)
    known = registry.load(game)
    rules = known.rules.of() if rules is None else rules
    declared = report_of(game)
    counts = tuple(players or known.players)
    if quick:
        counts = tuple(players or (detailed_of(counts),))
        games = max(declared.games // QUICKER, 1) if games is None else games
        search_games = search_games or 0
    games = declared.games if games is None else games
    wanted, plain = declared.what_ifs, rules.plain()
    panel = Panel(
        game,
        rules,
        counts,
        _of_all(counts, declared.players),
        seed,
        tuple(strategies),
        wanted.decline(plain),
        wanted.trials(plain),
        wanted.beside(plain),
        () if quick else wanted.otherwise(plain),
        () if quick else wanted.knocked(plain),
        full,
    )
    panel_cells = list(panel.cells() if lineup is None else panel.given(lineup))
    if quick:
        panel_cells = [one for one in panel_cells if one.kind in _ALONE]
    play = scoring.play_scored if quick else None
    slow = _slow(declared, games, full) if search_games is None else search_games
    searching = panel.searching(declared.search, slow) if slow and not lineup else []
    less = _fewer(panel, panel_cells, games)
    about = front(panel, panel_cells, games, lineup, searching, less)
    measures, cells = core_measures.known(game), _cells(panel_cells)
    counted = {} if lineup or quick else own_runs.OWN

    def early(sums: pl.DataFrame, whole: bool) -> dict[str, str]:
        some = cells if whole else cells.filter(cell=_lead(panel_cells, panel))
        return building.early(
            declared, measures, sums, some, about, lines=lines, seconds=seconds
        )

    lead = panel_cells[_lead(panel_cells, panel)].cell
    tables = ["those who search"] if searching else []
    names = ["the panel", *tables, *counted, "the page"]
    steps = Steps(progress, names, (lead, games), early)
    how: dict[str, Any] = {"jobs": jobs, "detailed": True, "play": play}
    of_each = [less.get(number, games) for number in range(len(panel_cells))]
    every = [one.cell for one in panel_cells]
    found = run(every, of_each, out=out, progress=steps.next(), **how)
    if not quick:  # else the page comes at once
        steps.look(found.sums)
    how |= {"out": out / (SEARCH if panel.plays_on is None else FULL), "block": _BLOCK}
    searched = _searched(searching, steps, **how) if searching else []
    own: dict[str, pl.DataFrame | None] = {}
    for name, count in counted.items():
        own[name] = count(panel, games, out / name, jobs=jobs, progress=steps.next())
    steps.next()
    follow = [] if lineup else _follow(panel, games, searching)
    story, watch = ({}, None) if quick else _whole_games(follow, every, games, jobs)
    made = building.build(
        declared,
        measures,
        found.sums,
        cells,
        about,
        searched,
        lines=lines,
        seconds=seconds,
        quick=_QUICK if quick else "",
        story=story,
        own=own,
    )
    made = replace(made, full=full)
    if watch is not None:
        made = replace(made, sections=(*made.sections, watch))
    with disk.write_errors(out):
        draw = partial(side_by_side, jobs=jobs)
        write = import_module("reports.writing").write
        page = write(made, out, disk.write, png=png, draw=draw)
    return ReportDone(page, made.findings, cast("Verdict", made.verdict))


def _slow(declared: GameReport, games: int, full: bool) -> int:
    """The games of each table at which somebody searches."""
    return min(games, max(declared.search_games, ENOUGH * full))


def _fewer(
    panel: Panel, panel_cells: Sequence[PanelCell], games: int
) -> dict[int, int]:
    """The games of cells that need fewer, by number."""
    lead, least = next(iter(panel.specs())), min(games, _LEAST)
    every = [max(games // one.part(lead), least) for one in panel_cells]
    return {number: few for number, few in enumerate(every) if few < games}


def _whole_games(
    follow: Sequence[Callable[[], Any]],
    cells: Sequence[Cell | Pair],
    games: int,
    jobs: int,
) -> tuple[dict[str, pl.DataFrame], Section | None]:
    """The tables of the story of whole games, and the section of those to watch."""
    calls: list[Callable[[], Any]] = [*follow, partial(watching, cells, games)]
    *told, watch = side_by_side(calls, jobs)
    return {name: table for tables in told for name, table in tables.items()}, watch


def _searched(
    searching: Sequence[Searching], steps: Steps, **how: Any
) -> list[building.Searched]:
    """What was found of the tables at which somebody searches, by number of players.

    The longest are played first, so that no core waits for them at the end.
    """
    places = [
        (number, one.cell.players, table, at)
        for table, (some, number) in enumerate(searching)
        for at, one in enumerate(some)
    ]
    places.sort(key=lambda place: (-place[0], -place[1], place[3]))
    cells = [searching[table][0][at].cell for _, _, table, at in places]
    games = [number for number, *_ in places]
    sums = run(cells, games, progress=steps.next(), **how).sums
    found = []
    for number, (some, count) in enumerate(searching):
        to = {n: at for n, (_, _, table, at) in enumerate(places) if table == number}
        its = sums.filter(pl.col("cell").is_in(list(to)))
        its = its.with_columns(pl.col("cell").replace_strict(to, return_dtype=pl.Int32))
        found.append(building.Searched(its, _cells(some), count))
    return found


def _follow(
    panel: Panel, games: int, searching: Sequence[Searching]
) -> list[Callable[[], Any]]:
    """What makes the tables of the story."""
    search, searched = _all(searching)
    some = followed(searched, full=panel.full)
    found = story_of(panel.story(), games, search, some)
    more = story_of_searchers(*_of_most(searching)) if panel.full else []
    return [*found, *more]


def _all(searching: Sequence[Searching]) -> tuple[Cell | None, int]:
    """The cell in which everybody searches of which most games are played, how many."""
    cells, games = max(searching, key=lambda one: one[1], default=([], 0))
    everybody = (one.cell for one in cells if one.kind == "search")
    cell = next((one for one in everybody if isinstance(one, Cell)), None)
    return (None if cell is None else replace(cell, seed=cell.seed + 1)), games


def _of_most(searching: Sequence[Searching]) -> tuple[Cell | None, Cell | None, int]:
    """Where one searches, where all do, and the games, of the table with most games."""
    cells, games = max(searching, key=lambda one: one[1], default=([], 0))
    by = {one.kind: one.cell for one in cells if isinstance(one.cell, Cell)}
    one, everybody = (
        None if kind not in by else replace(by[kind], seed=by[kind].seed + 2)
        for kind in ("one", "search")
    )
    return one, everybody, games


def _of_all(counts: Sequence[int], some: Sequence[int]) -> tuple[int, ...]:
    """The numbers of players that are among ``some``; all, where none is."""
    return tuple(n for n in counts if n in some) or tuple(counts)


def _lead(panel_cells: Sequence[PanelCell], panel: Panel) -> int:
    """The number of the first cell that details are about."""
    players = detailed_of(panel.counts)
    there = (at for at, one in enumerate(panel_cells) if one.cell.players == players)
    return next(there, 0)


def _cells(panel_cells: Sequence[PanelCell]) -> pl.DataFrame:
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
