"""The report of a game: play the panel, and write what was found.

A game's report may limit the games of a cell (``games``), and the numbers of players
with which strategies other than the leading one play (``players``); both save time.
Lineups other than the leading one need fewer games (``PanelCell.games``). The cells of
page one are played first; their page is written early, and replaced by the whole one.
Lineups with search players are a run in a folder of its own, with fewer games, and so
are the what-ifs of each section that is made (``report_sections``).
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import sim.games
from experiments.analysis import cures, lever_report, tolerance_file, trained_options
from experiments.analysis.auxiliary_runs import (
    LEAST,
    AuxiliaryRuns,
    replace_end_sums,
)
from experiments.analysis.further_rounds import (
    SECONDS,
    STEP,
    FurtherRounds,
    leading_tables,
)
from experiments.analysis.game_dynamics import (
    ENOUGH,
    Calls,
    course_calls,
    economy_calls,
    replayed_games,
    search_dynamics_calls,
)
from experiments.analysis.kept_leader import kept_players
from experiments.analysis.kept_tables import kept_tables
from experiments.analysis.leader import (
    NO_LEVELS,
    FindLeader,
    Leader,
    strong_leader,
)
from experiments.analysis.panel import Panel
from experiments.analysis.panel_cells import PanelCell, Searching, detailed_of
from experiments.analysis.player_trust import Learner, trust_call
from experiments.analysis.report_notable_games import notable_games_section
from experiments.analysis.report_pages import Pages
from experiments.analysis.report_progress import ReportProgress
from experiments.analysis.report_runs import panel_runs, play_runs, search_runs
from experiments.analysis.report_sections import (
    ALL,
    PAGE,
    links_left,
    sections_to_make,
)
from experiments.core.cells import Cell, UsageError
from experiments.core.measures import report_of
from experiments.execution import worker_pool
from experiments.execution.background_pool import BackgroundPool
from experiments.execution.failures import RunFailed
from experiments.execution.run import Progress
from reports import notable_games
from reports.formatting import join_words
from reports.game_report import GameReport
from reports.report_data import BEGINNER, ONE_BEGINNER
from reports.report_document import (
    Finding,
    PageOne,
    ReportDocument,
    Section,
    SectionLink,
)
from sim import places
from sim.errors import error_text
from sim.parameters import Rules

DYNAMICS = "dynamics"
"""The folder of tables of whole games."""
QUICK = 1_024
"""Games of each lineup in a quick report, or half of the usual ones."""
_BESIDE = "who wins, and why"
"""The step of all that is not a run of the report's cells."""
_ALONE = ("self", "noisy", BEGINNER, ONE_BEGINNER, "one", "given")
"""Kinds of cells for page one."""
_QUICK_ALONE = (
    "quick: such a report has page one only. Leave out quick, in a new directory, or "
    "full and sections."
)
_QUICK = (
    "Quick report: few games, one number of players, page one only. "
    "No player searches, so it is not known what holds for stronger play."
)


@dataclass(frozen=True)
class ReportDone:
    """A finished report: its page, findings, verdict, and the sections not made."""

    page: Path
    found: tuple[Finding, ...]
    verdict: PageOne
    left: tuple[SectionLink, ...] = ()

    @property
    def findings(self) -> list[str]:
        """The texts of the findings."""
        return [finding.text for finding in self.found]


def report(  # noqa: PLR0913 - all that the command line knows
    game: str,
    *,
    games: int | None = None,
    search_games: int | None = None,
    settle: float = SECONDS,
    players: Sequence[int] | None = None,
    seed: int = 0,
    rules: Rules | None = None,
    lineup: str | None = None,
    given: Sequence[str] = (),
    lead: Leader | FindLeader = strong_leader,
    strategies: Sequence[str] = (),
    png: bool = False,
    targets: Path | None = None,
    quick: bool = False,
    full: bool = False,
    sections: Sequence[str] = (),
    learner: Learner | None = None,
    cured: int | None = None,
    adapt: cures.Adapt | None = None,
    train: trained_options.Train | None = None,
    jobs: int = 1,
    out: Path,
    progress: Progress | None = None,
) -> ReportDone:
    """Play the panel (or one lineup, rotated) and write its report to ``out``.

    ``games`` of each cell are by default those of the game's report (fewer for lineups
    that are only compared with the leading one, ``PanelCell.games``); so are
    ``search_games``, but never more than ``games``, and 0 means no search players.
    ``settle``: for so many seconds of one core strong players play on while leading
    findings are open (``further_rounds``).
    ``given`` are conditions that all deals fit (``experiments.core.given_deals``).
    ``lead`` says whom findings are about, or finds them: by default a strong player by
    these rules. In reports of fewer than ``LEAST`` games nobody is looked for, and the
    leading heuristic leads.
    ``strategies`` are specs of further strategies for the panel. ``png``: also draw
    figures as PNG. ``targets`` is a file with tolerances for the scorecard. ``quick``:
    page one only, with one number of players and fewer games. ``sections``: ids of
    sections to make beyond those behind page one, or ``ALL``; those that ``out``
    has stay. ``learner``: learns against the leading table, for the section on how much
    its players are to be trusted. ``cured``: fresh deals that test a cure, which
    players ``adapt`` to. ``train``: trains a player to use options that nobody else
    does, who then judges these. ``full``: all sections, nothing is folded away, and
    search players do everything that takes long, too, in enough games for it. Raises
    ``UsageError`` for an unknown section, or any in a quick report; and ``RunFailed``
    if one failed, after
    everything else is written: it says which and where.
    """
    lines, seconds = tolerance_file.read_targets(targets and places.named(targets))
    known = sim.games.load(game)
    rules = known.rules.of() if rules is None else rules
    declared = report_of(game)
    counts = tuple(players or known.players)
    if quick:
        if sections or full:
            raise UsageError(_QUICK_ALONE)
        counts = tuple(players or (detailed_of(counts),))
        games = min(QUICK, declared.games // 2) if games is None else games
        search_games = search_games or 0
    games = declared.games if games is None else games
    made_ids = (
        ()
        if quick
        else sections_to_make(declared, lines, (*sections, *[ALL] * full), out)
    )
    _check_deals(game, rules, counts, given)
    leader, levels, keep = kept_players(
        lead, game, rules, counts, out, found=lineup is None and games >= LEAST
    )
    panel = replace(
        panel_of(
            game,
            rules,
            counts,
            seed,
            lead=leader,
            levels=levels,
            strategies=strategies,
            made=made_ids,
            full=full,
        ),
        given=(*given,),
    )
    panel_cells = list(panel.cells() if lineup is None else panel.lineup_cells(lineup))
    if quick:
        panel_cells = [own for own in panel_cells if own.kind in _ALONE]
    searching, stronger = _stronger(
        panel,
        _slow_games(declared, games, full) if search_games is None else search_games,
        0 if quick or games < LEAST else min(games, declared.strong_games),
        given=lineup is not None,
    )
    pages = Pages(declared, panel, games, lineup, lines, seconds, png, out)
    page_one, own = _page_one(panel_cells), AuxiliaryRuns(panel, games, lines, out)
    runs = panel_runs(panel_cells, page_one, pages.games_of, out)
    # What takes longest is started early, so that no core waits for it at the end.
    runs[1:1] = search_runs(stronger, out, full=full)
    calls: dict[str, Sequence[Callable[[], Any]]] = {
        "ends": own.ends(panel.end_cells(panel_cells, lineup))
    }
    if not (quick or lineup):
        calls["own"] = [
            own.luck,
            own.options,
            trust_call(panel, panel_cells, games, stronger, learner, out),
        ]
        calls["story"] = [
            partial(kept_tables, call, out / f"{DYNAMICS}{'-full' * full}" / name)
            for name, call in dynamics_calls(panel, declared, games, searching).items()
        ]
    calls["asked for"] = _sections_asked_for(made_ids, panel_cells, games, out)
    beside = [_BESIDE] if any(calls.values()) else []
    settling = settle * (games >= LEAST and not (quick or lineup))
    rounds = [STEP] if settling else []
    steps = ReportProgress(progress, [*(run.name for run in runs), *beside, *rounds])
    early = not (quick or lineup or (out / PAGE).exists())
    steps.awaited = pages.preview(
        [*page_one.values()], steps, page=early, searching=bool(stronger)
    )
    played = play_runs(runs, stronger, calls, steps, jobs)
    keep()
    steps.all_done(beside)
    draw = _ready_to_draw(jobs, several=not quick)
    ended = {end.at: end.games for end in played.call_results["ends"]}
    lead_tables, leading = leading_tables(
        panel_cells if settling else (), next(iter(panel.specs())), ended, games
    )
    made = pages.build(
        panel_cells,
        replace_end_sums(played.panel, played.call_results["ends"]),
        stronger,
        played.searched,
        ended,
        leading=leading,
        settle=FurtherRounds([*lead_tables, *stronger], declared, settling, jobs, out),
        left_out=_QUICK if quick else "",
        made=made_ids,
        brief=quick,
        story=_merged(played.call_results.get("story", ())),
        own=_merged(played.call_results.get("own", ())),
        begun=pages.drawing(draw.begin),
    )
    steps.all_done(rounds)
    watched = filter(None, played.call_results.get("asked for", ()))
    made = replace(
        made,
        full=full,
        sections=(*made.sections, *watched),
        left=(*made.left, *(() if quick else links_left(made_ids))),
    )
    made = cures.cured(
        trained_options.judged(
            made,
            panel.knockout_cell(),
            None if quick or lineup or games < LEAST else train,
            out,
            jobs,
        ),
        lines,
        cures.CureRun(panel.knockout_cell(), out / cures.FOLDER, jobs, adapt),
        0 if quick or lineup else games,
        cured,
    )
    page = pages.write(made, draw.all)
    if made.failed:
        raise _incomplete(made, page) from made.failed[0].failed
    return ReportDone(page, made.findings, cast("PageOne", made.verdict), made.left)


def _ready_to_draw(jobs: int, *, several: bool) -> BackgroundPool[Any]:
    """Return what draws in parallel; with workers at once if there are ``several``."""
    if several:
        extra = worker_pool.extra_workers(jobs, busy=True)
        worker_pool.start_workers(extra, "reports.figures")
    return BackgroundPool(jobs)


def _check_deals(
    game: str, rules: Rules, counts: Sequence[int], given: Sequence[str]
) -> None:
    """Raise ``RuleError`` if deals hardly ever fit what is given."""
    for number in counts:
        Cell(game, rules, number, ("random",), given=(*given,)).given_chance()


def _sections_asked_for(
    made: Collection[str], panel_cells: Sequence[PanelCell], games: int, out: Path
) -> list[Callable[[], Section | None]]:
    """Return the calls that make the sections which every game has, if asked for."""
    cells = [panel_cell.cell for panel_cell in panel_cells]
    calls = {
        notable_games.LINK.id: partial(notable_games_section, cells, games),
        lever_report.LINK.id: partial(lever_report.lever_section, cells, games, out),
    }
    return [call for name, call in calls.items() if name in made]


def _incomplete(made: ReportDocument, page: Path) -> RunFailed:
    """Return the error of a report that is written without some sections."""
    names = join_words([f"{section.title!r}" for section in made.failed])
    why = error_text(cast("Exception", made.failed[0].failed))
    return RunFailed(
        f"{page} is written, but incomplete: an error of fairdeal in {names} ({why}). "
        "Everything else is there, and the games are kept. Please report it, with the "
        f"command and its rules; fairdeal --debug report {page.parent} shows where it "
        "happened, without playing again."
    )


def panel_of(
    game: str,
    rules: Rules,
    counts: tuple[int, ...],
    seed: int,
    *,
    lead: Leader,
    levels: Mapping[str, str] = NO_LEVELS,
    strategies: Sequence[str],
    made: Collection[str],
    full: bool,
) -> Panel:
    """Return the panel of the game's report by these rules, for the sections made."""
    declared, plain = report_of(game), rules.plain()
    wants: dict[str, Any] = {
        kind: declared.wanted(kind, plain)
        for kind in ("decline", "trials", "counterfactuals", "forbidden")
    }
    return Panel(
        game,
        rules,
        counts,
        _known_counts(counts, declared.players),
        seed,
        tuple(strategies),
        alternative_rules=declared.wanted("other_rules", plain),
        full=full,
        made=made,
        lead=lead,
        levels=levels,
        **wants,
    )


def _page_one(cells: Sequence[PanelCell]) -> dict[int, PanelCell]:
    """Return the cells of page one by number: those of the detailed player count."""
    alone = {
        n: cell.without_interventions
        for n, cell in enumerate(cells)
        if cell.kind in _ALONE
    }
    players = detailed_of([own.cell.players for own in alone.values()])
    return {n: own for n, own in alone.items() if own.cell.players == players}


def _merged(tables: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    return {name: table for group in tables for name, table in group.items()}


def _stronger(
    panel: Panel, slow: int, strong: int, *, given: bool
) -> tuple[list[Searching], list[Searching]]:
    """Return the cells with search players, and these with those of strong ones.

    slow, strong: their games. given: whether one lineup is asked for, which has none.
    """
    search = report_of(panel.game).search
    searching = panel.search_cells(search, slow) if slow and not given else []
    learned = panel.strong_cells(strong) if strong and not given else []
    return searching, [*learned, *searching]


def _slow_games(declared: GameReport, games: int, full: bool) -> int:
    """Return the games of each lineup with search players."""
    return min(games, max(declared.search_games, ENOUGH * full))


def dynamics_calls(
    panel: Panel, declared: GameReport, games: int, searching: Sequence[Searching]
) -> Calls:
    """Return the calls that make the tables of whole games that sections show."""
    cell, calls = panel.dynamics_cell(), Calls()
    own = [part for part in declared.sections if part.id in (panel.made or ())]
    if any(part.standing is not None for part in own):
        search, searched = _all_searching(searching)
        count = replayed_games(searched, full=panel.full)
        calls |= course_calls(cell, games, search, count)
    if any(part.ledgers for part in own):
        calls |= economy_calls(cell, games)
    if panel.full:
        calls |= search_dynamics_calls(*_most_games(searching))
    return calls


def _all_searching(searching: Sequence[Searching]) -> tuple[Cell | None, int]:
    """Return the cell with most games in which all search, and its games."""
    cells, games = max(searching, key=lambda entry: entry[1], default=([], 0))
    all_search = (each.cell for each in cells if each.kind == "search")
    cell = next((cell for cell in all_search if isinstance(cell, Cell)), None)
    return (None if cell is None else replace(cell, seed=cell.seed + 1)), games


def _most_games(searching: Sequence[Searching]) -> tuple[Cell | None, Cell | None, int]:
    """Return the cells in which one, and in which all search, and their games."""
    by: dict[str, Cell] = {}
    for cells, _ in sorted(searching, key=lambda entry: entry[1]):
        by |= {each.kind: each.cell for each in cells if isinstance(each.cell, Cell)}
    lone, all_search = (
        None if kind not in by else replace(by[kind], seed=by[kind].seed + 2)
        for kind in ("one", "search")
    )
    return lone, all_search, max((games for _, games in searching), default=0)


def _known_counts(counts: Sequence[int], some: Sequence[int]) -> tuple[int, ...]:
    """Return the numbers of players that are among ``some``, or all if none is."""
    return tuple(n for n in counts if n in some) or tuple(counts)
