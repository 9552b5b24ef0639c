"""Play a lineup many times, play studies, and narrate single games."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments.coercion import (
    GAMES,
    Given,
    Lineup,
    RulesLike,
    absolute_path,
    coerce_cell,
    coerce_lessons,
    refuse_search_of_faulty,
)
from experiments.core.cells import Cell, require_unpaired
from experiments.execution.results import Results
from experiments.execution.run import Progress, StoppingRule
from experiments.rule_set import RuleSet

if TYPE_CHECKING:
    from experiments.analysis.trace import TracedGames
    from experiments.counterfactual.game_turning_points import GameTurningPoints
    from experiments.studies.plans import Plan
    from experiments.studies.run_study import StudyResult


def play(
    rules: RulesLike,
    *,
    lineup: Lineup = "random",
    players: int | None = None,
    games: int = GAMES,
    rotate: bool = True,
    seed: int | None = None,
    jobs: int = -1,
    backend: str = "loky",
    scheduler: str | None = None,
    out: str | Path | None = None,
    tables: Sequence[str] = (),
    control_variates: bool = False,
    detailed: bool = False,
    progress: Progress | None = None,
    stop: StoppingRule | None = None,
    given: Given = (),
) -> Results:
    """Play one lineup and count who wins.

    Args:
        rules: a rule set, a game, or its id (its base rules).
        lineup: a strategy for each seat; see ``Lineup``.
        players: number of players; by default 4, or the first number that can play.
        games: number of games.
        rotate: move the lineup on by one seat from game to game.
        seed: random seed, 0 to 2**64 - 1; drawn by default.
        jobs: processes; -1 for all cores. Results are the same for any number.
        backend: "loky" plays on this machine, "dask" on a cluster.
        scheduler: address of the cluster, e.g. "tcp://host:8786".
        out: directory for the results; by default nothing is kept.
        tables: names of raw tables to save there.
        control_variates: keep what ``Results.control_variates`` needs: win shares by
            position without the luck of the role dealt. Needs ``out``.
        detailed: take all measures of the report, not only how games end.
        progress: called with games done and games in all.
        stop: ends the run before ``games`` once the first games are enough.
        given: conditions that all deals fit, such as "last: hand has 2 P".

    Raises ``UnknownGame``, ``UnknownStrategy``, ``RuleError`` or ``UsageError`` before
    anything is played, and ``StrategyFailed`` when a strategy fails.

    >>> play("kunitame", lineup="greedy", games=500, seed=1, jobs=1).played
    (500,)
    """
    from experiments.core.control_variates import with_table
    from experiments.studies import plans

    cell = coerce_cell(rules, lineup, players, rotate, seed, given)
    raw = with_table(cell.game, tables) if control_variates else tables
    return study(
        plans.plan_of_cells([cell], games, detailed=detailed, tables=tuple(raw)),
        jobs=jobs,
        backend=backend,
        scheduler=scheduler,
        out=out,
        progress=progress,
        stop=stop,
        fail_fast=True,
    ).results


def study(
    what: "str | Path | Plan",
    *,
    games: int | None = None,
    seed: int | None = None,
    jobs: int = -1,
    backend: str = "loky",
    scheduler: str | None = None,
    out: str | Path | None = None,
    fail_fast: bool = False,
    progress: Progress | None = None,
    stop: Any = None,
    block: int | None = None,
) -> "StudyResult":
    """Play a study: variants, lineups and designs of a file, on the same deals.

    If it says so (``adapt``), players learn each variant before; with ``out``,
    ``results`` keeps what they learned.

    Args:
        what: a study file, or its plan from ``experiments.studies.plans``.
        games: in each cell; overrides the file.
        seed: random seed; overrides the file.
        jobs, backend, scheduler, out, progress: as in ``play``.
        fail_fast: stop everything when one cell fails; by default, ``failures`` of the
            results name such cells.
        stop: ends cells; overrides the precision in the file.
        block: games between two looks of ``stop``.

    Raises what ``play`` raises, before anything is played; ``RunFailed`` during it.

    >>> done = study("lives.toml", seed=1)  # doctest: +SKIP
    >>> done.results["won by position"]  # doctest: +SKIP
    """
    from experiments.learning.adapted_study import adapted_plan
    from experiments.studies import run_study
    from experiments.studies.overrides import plan_of_file

    planned = (
        plan_of_file(Path(what), games=games, seed=seed)
        if isinstance(what, str | Path)
        else what
    )
    for cell in planned.cells:
        refuse_search_of_faulty(cell)
    lessons = coerce_lessons(planned.adapt, jobs, out, progress)
    return run_study.run_study(
        adapted_plan(planned, lessons),
        jobs=jobs,
        backend=backend,
        scheduler=scheduler,
        out=absolute_path(out),
        progress=progress,
        fail_fast=fail_fast,
        stop=stop,
        block=block,
    )


@dataclass(frozen=True)
class Trace:
    """Single games: the ``events`` of their transcripts, and stories.

    ``reason`` says why a game was chosen, after ``find``.
    """

    traced: "TracedGames"

    @cached_property
    def events(self) -> list[dict[str, Any]]:
        """What happened: the events of the transcript."""
        from experiments.analysis import trace

        return [dict(event) for event in trace.events(*self._games)]

    @cached_property
    def told(self) -> str:
        """The games as stories."""
        return "\n".join(str(line) for line in self.traced.texts)

    @property
    def turning_points(self) -> "GameTurningPoints | None":
        """The decisions that mattered most, and the chances, if they were asked for."""
        return self.traced.turns

    @property
    def reason(self) -> str:
        """Why this game was chosen; empty without ``find``."""
        return self.traced.notable.reason if self.traced.notable else ""

    def lines(self) -> Iterator[str]:
        """Yield the events, one JSON object per line."""
        from experiments.analysis import trace

        return trace.lines(*self._games)

    @property
    def _games(self) -> "tuple[Cell, range]":
        return self.traced.cell, self.traced.numbers

    def __repr__(self) -> str:
        """The games as stories."""
        return "\n\n".join(filter(None, (self.reason, self.told)))


def trace(
    rules: RulesLike | Results | Cell,
    *,
    number: int = 0,
    games: int = 1,
    find: str | None = None,
    among: int = 1_024,
    beside: RuleSet | str | None = None,
    variant: Path | None = None,
    settings: Sequence[str] | None = None,
    verbose: bool = False,
    log: bool = False,
    turning_points: bool = False,
    seed: int | None = None,
    lineup: Lineup = "random",
    players: int | None = None,
    rotate: bool = True,
    given: Given = (),
) -> Trace:
    """Narrate single games, as stories or event by event.

    Args:
        rules: as in ``play``; or results, for games of their first lineup, or one of
            their cells.
        number: number of the game; from 0.
        games: how many games to narrate, from ``number`` on.
        find: find a game worth watching: "closest", "lopsided", "comeback", "typical",
            "longest" or "upset".
        among: number of games that ``find`` looks through.
        beside: narrate the same deal beside it under another rule set, or for another
            side as in ``fairdeal compare``.
        variant, settings: the base rules of that side; by default those of the game.
        verbose: show every choice with its options and the hand.
        log: list one event per line instead of a story.
        turning_points: mark the decisions that mattered most, with what would have been
            better (``turning_points`` of the result); of a single game.
        seed, lineup, players, rotate, given: as in ``play``, for the same games.

    >>> trace("kunitame", number=7, seed=1).events[0]["type"]
    'setup'
    >>> "margin of 0" in trace("kunitame", find="closest", among=32, seed=1).reason
    True
    """
    from experiments.analysis.trace import trace_games
    from experiments.core import traces

    if isinstance(rules, Results):
        cell = require_unpaired(rules.cells, "trace")[0]
    elif isinstance(rules, Cell):
        cell = rules
    else:
        cell = coerce_cell(rules, lineup, players, rotate, seed, given)
    return Trace(
        trace_games(
            cell,
            traces.numbers(number, games),
            kind=find,
            among=among,
            against=replace(cell, rules=beside.values)
            if isinstance(beside, RuleSet)
            else beside,
            variant=variant,
            settings=settings,
            verbose=verbose,
            log=log,
            turning_points=turning_points,
        )
    )
