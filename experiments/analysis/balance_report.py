"""The report of a game: the panel is played, and what was found is written.

A game's report may say how many games a cell has (``games``), and that only the leading
strategy is played with every number of players, the others with some (``players``):
both keep it quick. What is told of other lineups than the leading one needs fewer games
(``PanelCell.games``). What most of the page is made of is played first, and a page is
written of it, which the whole one replaces. Tables at which somebody searches are a run
of their own, in a folder of the report, with fewer games.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, cast

from experiments.analysis import scoring
from experiments.analysis.own_runs import OwnRuns, with_ends
from experiments.analysis.panel import Panel, detailed_of
from experiments.analysis.panel_cells import PanelCell, Searching
from experiments.analysis.report_pages import Pages
from experiments.analysis.report_runs import of_panel, of_searchers, play_runs
from experiments.analysis.report_steps import Steps
from experiments.analysis.story import ENOUGH, followed, story_of, story_of_searchers
from experiments.analysis.watched import watching
from experiments.core.cells import Cell, Pair
from experiments.core.measures import report_of
from experiments.execution import workers
from experiments.execution.failures import RunFailed
from experiments.execution.run import Progress
from experiments.execution.side_by_side import SideBySide
from reports.formatting import listed
from reports.game_report import GameReport
from reports.page import Finding, Report, Verdict
from sim import games as registry
from sim.errors import error_text
from sim.parameters import Rules
from strategies import places

SEARCH, FULL = "search", "search-full"
"""The folders of a report: the games with searchers, and those of a full report."""
QUICKER = 8
"""A quick report has so many times fewer games."""
_BESIDE = "who wins, and why"
"""The step of what is no run of the report's cells."""
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

    ``games`` of each cell are by default those of the game's report (fewer of lineups
    that are there to be compared with the leading one, ``PanelCell.games``), and so are
    ``search_games``, but never more than ``games``; 0: nobody searches.
    ``strategies`` are specs of one's own, which join the panel. ``png``: figures are
    drawn as PNG too. ``targets`` is a file with tolerances for the scorecard.
    ``quick``: page one only, of one number of players and fewer games. ``full``:
    nothing is folded away, and what takes longest is done by searchers too, in games
    enough for that. Raises ``RunFailed`` where a section failed, when all else is
    written: it says which, and where.
    """
    lines, seconds = scoring.read_targets(targets and places.named(targets))
    known = registry.load(game)
    rules = known.rules.of() if rules is None else rules
    declared = report_of(game)
    counts = tuple(players or known.players)
    if quick:
        counts = tuple(players or (detailed_of(counts),))
        games = max(declared.games // QUICKER, 1) if games is None else games
        search_games = search_games or 0
    games = declared.games if games is None else games
    panel = _panel(game, rules, counts, seed, strategies, quick=quick, full=full)
    panel_cells = list(panel.cells() if lineup is None else panel.given(lineup))
    if quick:
        panel_cells = [_scored(one) for one in panel_cells if one.kind in _ALONE]
    slow = _slow(declared, games, full) if search_games is None else search_games
    searching = panel.searching(declared.search, slow) if slow and not lineup else []
    pages = Pages(declared, panel, games, lineup, lines, seconds, png, out)
    page_one, own = _page_one(panel_cells), OwnRuns(panel, games, lines, out)
    folder = out / (SEARCH if panel.plays_on is None else FULL)
    first, *more = of_panel(panel_cells, page_one, pages.games_of, out)
    # What takes longest is begun early, so that no core waits for it at the end.
    runs = [first, *of_searchers(searching, folder), *more]
    calls: dict[str, Sequence[Callable[[], Any]]] = {
        "ends": own.ends(panel.ending(panel_cells, lineup))
    }
    if not (quick or lineup):
        calls["own"] = [own.luck, own.worth]
        calls["story"] = _follow(panel, games, searching)
    if not quick:
        cells = [one.cell for one in panel_cells]
        calls["watched"] = [partial(watching, cells, games)]
    beside = [_BESIDE] if any(calls.values()) else []
    steps = Steps(progress, [*(run.name for run in runs), *beside])
    so_far = {"page": not (quick or lineup), "searching": bool(searching)}
    steps.awaited = pages.so_far([*page_one.values()], steps, **so_far)
    played = play_runs(runs, searching, calls, steps, jobs)
    for name in beside:
        steps.done(name)
    draw: SideBySide[Any] = SideBySide(jobs)
    if not quick:
        workers.begin(workers.beside(jobs, busy=True), "reports.figures")
    made = pages.made(
        panel_cells,
        with_ends(played.panel, ends := played.told["ends"]),
        searching,
        played.searched,
        {one.at: one.games for one in ends},
        left_out=_QUICK if quick else "",
        brief=quick,
        story=_joined(played.told.get("story", ())),
        own=_joined(played.told.get("own", ())),
        begun=pages.drawing(draw.begin),
    )
    watched = filter(None, played.told.get("watched", ()))
    made = replace(made, full=full, sections=(*made.sections, *watched))
    page = pages.write(made, draw.all)
    if made.failed:
        raise _not_whole(made, page) from made.failed[0].failed
    return ReportDone(page, made.findings, cast("Verdict", made.verdict))


def _not_whole(made: Report, page: Path) -> RunFailed:
    """Why a report that is written is not whole."""
    names = listed([f"{one.title!r}" for one in made.failed])
    why = error_text(cast("Exception", made.failed[0].failed))
    return RunFailed(
        f"{page} is written, but not whole: an error of fairdeal in {names} ({why}). "
        "All else is there, and what was played is kept. Please report it, with the "
        f"command and its rules; fairdeal --debug report {page.parent} shows where it "
        "happened, without playing again."
    )


def _panel(
    game: str,
    rules: Rules,
    counts: tuple[int, ...],
    seed: int,
    strategies: Sequence[str],
    *,
    quick: bool,
    full: bool,
) -> Panel:
    """What the game's report asks for, by these rules; quick: nothing is tried."""
    declared, plain = report_of(game), rules.plain()
    wanted = declared.what_ifs
    return Panel(
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


def _page_one(cells: Sequence[PanelCell]) -> dict[int, PanelCell]:
    """What page one is made of, by number: of the players that details are about."""
    alone = {at: one.untried for at, one in enumerate(cells) if one.kind in _ALONE}
    players = detailed_of([one.cell.players for one in alone.values()])
    return {at: one for at, one in alone.items() if one.cell.players == players}


def _joined(tables: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    return {name: table for some in tables for name, table in some.items()}


def _scored(one: PanelCell) -> PanelCell:
    """A cell of which only the scorecard is told."""
    if isinstance(one.cell, Pair):
        return one
    return replace(one, cell=replace(one.cell, measured="scored"))


def _slow(declared: GameReport, games: int, full: bool) -> int:
    """The games of each table at which somebody searches."""
    return min(games, max(declared.search_games, ENOUGH * full))


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
