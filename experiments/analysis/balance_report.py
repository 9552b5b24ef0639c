"""The report of a game: the panel is played, and what was found is written.

A game's report may say how many games a cell has (``games``), and that only the leading
strategy is played with every number of players, the others with some (``players``):
both keep it quick. What is told of other lineups than the leading one needs fewer games
(``PanelCell.part``). What most of the page is made of is played first, and a page is
written of it, which the whole one replaces. Tables at which somebody searches are a run
of their own, in a folder of the report, with fewer games.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, cast

import polars as pl

from experiments.analysis import own_runs, scoring
from experiments.analysis.panel import Panel, PanelCell, Searching, detailed_of
from experiments.analysis.report_pages import Pages, cells_of
from experiments.analysis.report_steps import Steps
from experiments.analysis.story import ENOUGH, followed, story_of, story_of_searchers
from experiments.analysis.watched import watching
from experiments.core.blocks import add_up
from experiments.core.cells import Cell, Pair
from experiments.core.measures import report_of
from experiments.execution.run import Progress, run
from experiments.execution.side_by_side import side_by_side
from reports import building
from reports.game_report import GameReport
from reports.page import Finding, Section, Verdict
from sim import games as registry
from sim.parameters import Rules

TRIED, SEARCH, FULL = "tried", "search", "search-full"
"""The folders of a report: the games in which something is tried; those with searchers;
those of a full report."""
_SOME = 8_192  # games in which something is tried, played together: it takes long
_BLOCK = 2_560  # games with searchers played together: small batches cost most
QUICKER = 8
"""A quick report has so many times fewer games."""
_ALONE = ("self", "noisy", "one", "given")
"""Kinds of cells that page one is made of."""
_QUICK = (
    "Made quickly: an eighth of the games, one number of players, page one only. "
    "Nobody searches, so it is not known what holds for stronger players."
)


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
        panel_cells = [_scored(one) for one in panel_cells if one.kind in _ALONE]
    slow = _slow(declared, games, full) if search_games is None else search_games
    searching = panel.searching(declared.search, slow) if slow and not lineup else []
    counted = [] if lineup or quick else own_runs.calls(panel, games, out)
    tried = [at for at, one in enumerate(panel_cells) if one != _plain(one)]
    parts = {
        "the panel": True,
        "what is tried": tried,
        "those who search": searching,
        "whole games": not quick,
        "the page": True,
    }
    steps = Steps(progress, [name for name, asked in parts.items() if asked])
    pages = Pages(declared, panel, games, lineup, lines, seconds, png, out)
    own = {at: _plain(one) for at, one in enumerate(panel_cells) if one.kind in _ALONE}
    so_far = {"page": not (quick or lineup), "searching": bool(searching)}
    steps.awaited = pages.so_far([*own.values()], steps, **so_far)
    how: dict[str, Any] = {"jobs": jobs, "detailed": True}
    sums = _panel(panel_cells, own, tried, pages.games_of, steps, out, **how)
    how |= {"block": _BLOCK, "out": out / (SEARCH if panel.plays_on is None else FULL)}
    searched = _searched(searching, steps, **how) if searching else []
    whole = _Whole({}, {}, None)
    if not quick:
        steps.next()
        follow = [] if lineup else _follow(panel, games, searching)
        cells = [one.cell for one in panel_cells]
        whole = _whole_games(follow, counted, partial(watching, cells, games), jobs)
    steps.next()
    made = pages.made(
        panel_cells,
        sums,
        searching,
        searched,
        left_out=_QUICK if quick else "",
        brief=quick,
        story=whole.story,
        own=whole.own,
    )
    made = replace(made, full=full)
    if whole.watch is not None:
        made = replace(made, sections=(*made.sections, whole.watch))
    page = pages.write(made, partial(side_by_side, jobs=jobs))
    return ReportDone(page, made.findings, cast("Verdict", made.verdict))


def _scored(one: PanelCell) -> PanelCell:
    """A cell of which only the scorecard is told."""
    if isinstance(one.cell, Pair):
        return one
    return replace(one, cell=replace(one.cell, measured="scored"))


def _plain(one: PanelCell) -> PanelCell:
    """A cell with nothing tried in it."""
    if isinstance(one.cell, Pair):
        return one
    return replace(one, cell=replace(one.cell, branching=None, knocked=None))


def _panel(
    panel_cells: Sequence[PanelCell],
    own: Mapping[int, PanelCell],
    tried: Sequence[int],
    games_of: Callable[[Sequence[PanelCell]], list[int]],
    steps: Steps,
    out: Path,
    **how: Any,
) -> pl.DataFrame:
    """The sums of the panel: ``own`` play first, and what is ``tried`` by itself, last.

    Both are by the cells' places in the panel; nothing is tried in own play.
    """

    def played(places: list[int], cells: list[PanelCell], **more: Any) -> pl.DataFrame:
        every = [one.cell for one in cells]
        sums = run(every, games_of(cells), progress=steps.next(), **how, **more).sums
        to = pl.col("cell").replace_strict(range(len(places)), places)
        return sums.with_columns(to.cast(sums.schema["cell"]))

    places = [at for at in range(len(panel_cells)) if at in own or at not in tried]
    cells = [own.get(at, panel_cells[at]) for at in places]
    first = [number for number, at in enumerate(places) if at in own]
    sums = played(places, cells, first=first, out=out)
    if not tried:
        return sums
    cells = [panel_cells[at] for at in tried]
    more = played([*tried], cells, out=out / TRIED, block=_SOME)
    return add_up([sums.filter(~pl.col("cell").is_in([*tried])), more])


def _slow(declared: GameReport, games: int, full: bool) -> int:
    """The games of each table at which somebody searches."""
    return min(games, max(declared.search_games, ENOUGH * full))


class _Whole(NamedTuple):
    """What is told of whole games: tables of their story, of luck and traps; to watch.

    Those of luck and traps are None where there is nothing to tell.
    """

    story: Mapping[str, pl.DataFrame]
    own: Mapping[str, pl.DataFrame | None]
    watch: Section | None


def _whole_games(
    follow: Sequence[Callable[[], Mapping[str, Any]]],
    counted: Sequence[Callable[[], Mapping[str, Any]]],
    watched: Callable[[], Section | None],
    jobs: int,
) -> _Whole:
    """All of that, side by side."""
    calls: list[Callable[[], Any]] = [*follow, *counted, watched]
    *told, watch = side_by_side(calls, jobs)
    story, own = (
        {name: table for tables in some for name, table in tables.items()}
        for some in (told[: len(follow)], told[len(follow) :])
    )
    return _Whole(story, own, watch)


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
        found.append(building.Searched(its, cells_of(some), count))
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
