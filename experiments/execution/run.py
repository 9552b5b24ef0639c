"""Run cells: distribute blocks over the cores, report progress, keep results.

A run that is repeated in its directory skips the blocks that are there
(``experiments.execution.run_directory``). Results do not depend on the backend
(``experiments.execution.backends``), nor on the order in which blocks finish
(``experiments.execution.counted_blocks``).
"""

import time
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, TypedDict, Unpack

import polars as pl

import sim.games
from experiments.core import blocks
from experiments.core.block_records import Block
from experiments.core.blocks import MOST_GAMES, block_size, most_of_block, play_block
from experiments.core.cells import Cell, Pair, UsageError
from experiments.execution import backends, manifests, run_directory
from experiments.execution.backends import Backend
from experiments.execution.batching_policy import (
    UNBATCHED,
    BatchingPolicy,
    batching_policy,
)
from experiments.execution.block_tasks import BlockResult, PlayBlock, Task
from experiments.execution.counted_blocks import (
    CellPrefix,
    StoppingRule,
    interleave_blocks,
)
from experiments.execution.failures import BlockFailure, RunFailed
from experiments.execution.results import Results, no_sums
from experiments.execution.run_directory import RunDirectory
from experiments.execution.strategy_sources import has_user_strategy
from reports.measures import concat_disjoint
from sim.parameters import no_such

__all__ = [
    "OpenRun",
    "Progress",
    "RunFailed",
    "RunOptions",
    "StoppingRule",
    "open_run",
    "run",
]

Progress = Callable[[int, int], None]
"""Called with games done and games in all: at the start, then after each block.

An optional attribute ``found`` is called with a cell, the sums of its games so far and
their number.
"""


class RunOptions(TypedDict, total=False):
    """The options of a run, except for its backend."""

    detailed: bool
    """Whether the report's measures are taken."""
    tables: Sequence[str]
    """Raw tables to keep in ``out`` as parquet."""
    out: Path | None
    """The directory for results."""
    progress: Progress | None
    stop: StoppingRule | None
    """Ends a cell before ``games`` when its first games suffice."""
    fail_fast: bool | Container[int]
    """Whether failing cells end the run (default), or the numbers of those that do."""
    play: PlayBlock | None
    """Plays a block in place of ``play_block``."""
    block: int | None
    """The number of games in a block."""
    first: Sequence[int]
    """The numbers of the cells that are played first."""
    sides: int
    """The number of cells in a row that stop at the same game (default: 1)."""


def run(
    cells: Sequence[Cell | Pair],
    games: int | Sequence[int],
    *,
    jobs: int = 1,
    backend: Backend = "loky",
    scheduler: str | None = None,
    **how: Unpack[RunOptions],
) -> Results:
    """Play ``games`` games of each cell on ``jobs`` processes (-1: all cores).

    ``games`` is one number for all cells, or one for each. ``backend`` "dask" plays on
    the cluster of a ``scheduler`` ("tcp://host:8786"); a function plays the tasks that
    it is given. ``how`` are ``RunOptions``.

    Results are the same for any number of jobs, any backend and any interruption.
    Raises ``UsageError`` before the run, and a strategy's error or ``RunFailed`` during
    it; without ``fail_fast`` a cell that fails is in ``Results.failures`` instead.
    """
    by: Any = {"jobs": jobs, "backend": backend, "scheduler": scheduler}
    with open_run(cells, games, **by, **how) as opened:
        opened.tell(None)
        tasks, apart = opened.tasks, opened.runs_user_code
        with closing(
            backends.run_tasks(tasks, *by.values(), user_code=apart)
        ) as results:
            for result in results:
                opened.record(result)
        return opened.results()


@contextmanager
def open_run(
    cells: Sequence[Cell | Pair],
    games: int | Sequence[int],
    *,
    jobs: int = 1,
    backend: Backend = "loky",
    scheduler: str | None = None,
    **how: Unpack[RunOptions],
) -> Iterator["OpenRun"]:
    """Open a run with the arguments of ``run``; the caller has its tasks played.

    The backend matters here, as only this machine plays blocks together.
    """
    wanted = [*games] if isinstance(games, Sequence) else [games] * len(cells)
    tables, out, block = how.get("tables", ()), how.get("out"), how.get("block")
    detailed, play, stop = how.get("detailed", False), how.get("play"), how.get("stop")
    _check(cells, wanted, tables, out, block)
    backends.check_backend(backend, scheduler, jobs)
    size = block or block_size(
        cells, max(wanted), detailed or bool(tables), stop is not None
    )
    size = min(size, most_of_block(cells))
    manifest = manifests.describe_run(cells, wanted, size, detailed, tables, play, stop)
    who = {"jobs": jobs, "backend": backend if isinstance(backend, str) else "own"}
    sides = how.get("sides", 1)
    joint = [
        CellPrefix(range(n, n + sides), wanted[n], size, _of_cell(stop, n, cells[n]))
        for n in range(0, len(cells), sides)
    ]
    prefixes = [prefix for prefix in joint for _ in prefix.cells]
    first, work = how.get("first", ()), play or play_block
    fatal = how.get("fail_fast", True)
    if isinstance(fatal, bool):
        fatal = range(len(cells)) if fatal else ()
    turns = [
        [prefix for prefix in joint if (prefix.cells[0] in first) == early]
        for early in (True, False)
    ]
    share, here = UNBATCHED, backend == "loky"
    if work is blocks.play_block and here and stop is None:
        numbers = [[n for prefix in turn for n in prefix.cells] for turn in turns]
        share = batching_policy(cells, wanted, numbers, size, jobs)
    start = time.perf_counter()
    with (
        run_directory.open_directory(out, manifest)
        if out
        else nullcontext() as directory
    ):
        tell = _ProgressReporter(cells, joint, how.get("progress"))
        tasks = _tasks(cells, turns, directory, manifest, work, share, here)
        yield OpenRun(
            cells,
            tasks,
            prefixes,
            directory,
            manifest,
            _skip(joint, directory),
            tell,
            fatal,
            who,
            start,
        )


@dataclass(frozen=True)
class OpenRun:
    """An open run: the tasks to play, and the results so far."""

    cells: Sequence[Cell | Pair]
    tasks: Iterator[Task]  # made as they are asked for
    prefixes: Sequence[CellPrefix]  # of each cell; those that stop together share one
    directory: RunDirectory | None
    manifest: dict[str, Any]
    replayed: dict[Block, int]  # decisions of each block
    tell: "_ProgressReporter"
    fatal: Container[int]  # numbers of the cells that end the run when they fail
    who: Mapping[str, Any]  # jobs and backend, for the manifest
    start: float

    @property
    def runs_user_code(self) -> bool:
        """Whether a user's own code plays, which might crash the process it is in."""
        return any(
            has_user_strategy(cell.strategies()) or sim.games.load(cell.game).files
            for cell in self.cells
        )

    def record(self, done: BlockResult | BlockFailure) -> None:
        """Keep the result of a block, and report progress."""
        prefix = self.prefixes[done.block.cell]
        if isinstance(done, BlockFailure):
            _fail(done, prefix, self.fatal)
        else:
            self.replayed[done.block] = done.decisions
            _keep(done, prefix, self.directory, self.fatal)
        self.tell(prefix)

    def results(self) -> Results:
        """Return the results, when all is played; raises ``RunFailed``."""
        prefixes = self.prefixes
        if not all(prefix.over for prefix in prefixes):
            raise RunFailed("some blocks were lost. Repeat the command.")
        games = max(prefix.most for prefix in prefixes)
        decisions = sum(
            decisions
            for block, decisions in self.replayed.items()
            if block.first < prefixes[block.cell].games
        )
        seconds = time.perf_counter() - self.start
        outcome = {"seconds": seconds, "decisions": decisions, **self.who}
        manifest = self.manifest | outcome
        return _results(self.cells, games, prefixes, manifest, self.directory)


def _check(
    cells: Sequence[Cell | Pair],
    wanted: Sequence[int],
    tables: Sequence[str],
    out: Path | None,
    block: int | None,
) -> None:
    if not cells:
        raise UsageError("cells: at least one.")
    if len(wanted) != len(cells):
        raise UsageError(
            f"games: one number, or one for each of {len(cells)} cells, not "
            f"{len(wanted)} numbers."
        )
    for games in wanted:
        check_games(games)
    if block is not None and block < 1:
        raise UsageError(f"block: at least 1 game, not {block}.")
    if tables and out is None:
        raise UsageError("tables: raw tables are kept on disk; name a directory (out).")
    for cell in cells:
        game = sim.games.load(cell.game)
        known = list(dict.fromkeys((*game.events, *game.kinds)))
        for table in tables:
            if table not in known:
                raise UsageError(
                    "tables: "
                    + no_such("table", table, known, f"Tables of {cell.game}")
                )


def check_games(games: int) -> None:
    """Raise ``UsageError`` unless so many games can be played."""
    if not 1 <= games <= MOST_GAMES:
        raise UsageError(f"games: at least 1, at most {MOST_GAMES:,}, not {games}.")


def _skip(
    prefixes: Sequence[CellPrefix], directory: RunDirectory | None
) -> dict[Block, int]:
    """Add the blocks of an earlier start; return the decisions of each."""
    finished: dict[Block, int] = {}
    if directory is None:
        return finished
    for prefix in prefixes:
        for block in prefix.blocks():
            decisions = directory.decisions(block)
            if decisions is not None:
                finished[block] = decisions
                prefix.add(block, partial(directory.load, block))
    directory.tell_unfit()
    return finished


def _tasks(
    cells: Sequence[Cell | Pair],
    turns: Sequence[list[CellPrefix]],
    directory: RunDirectory | None,
    manifest: dict[str, Any],
    play: PlayBlock,
    share: BatchingPolicy,
    here: bool,
) -> Iterator[Task]:
    """Yield a task for each block that is still to be played."""
    resolved = [cell.resolved() for cell in cells]
    keep = tuple(manifest["tables"])
    folder = directory.path.absolute() if directory and here else None
    for block in chain.from_iterable(map(interleave_blocks, turns)):
        if directory is None or not directory.has(block):
            cell, detailed = resolved[block.cell], manifest["detailed"]
            of, run = share.of(block), manifest["fingerprint"]
            yield Task(cell, block, detailed, keep, play, folder, run, of)


def _of_cell(
    stop: StoppingRule | None, number: int, cell: Cell | Pair
) -> StoppingRule | None:
    """Return the rule that stops a cell."""
    of_cell: Callable[[int, Cell | Pair], StoppingRule] | None
    of_cell = getattr(stop, "of_cell", None)
    return of_cell(number, cell) if of_cell else stop


def _fail(failed: BlockFailure, prefix: CellPrefix, fatal: Container[int]) -> None:
    """Record a failure; errors of the machine stop the run in any case."""
    if isinstance(failed.error, RunFailed):
        raise failed.error
    prefix.fail(failed)
    _raise_first(prefix, fatal)


def _keep(
    done: BlockResult,
    prefix: CellPrefix,
    directory: RunDirectory | None,
    fatal: Container[int],
) -> None:
    if directory is not None:
        directory.save(done)
    sums = done.sums
    prefix.add(done.block, lambda: sums)
    _raise_first(prefix, fatal)


def _raise_first(prefix: CellPrefix, fatal: Container[int]) -> None:
    if prefix.failed is not None and prefix.failed.block.cell in fatal:
        raise prefix.failed.raised()


def _results(
    cells: Sequence[Cell | Pair],
    games: int,
    prefixes: Sequence[CellPrefix],
    manifest: dict[str, Any],
    directory: RunDirectory | None,
) -> Results:
    joint = [p.sums for p in dict.fromkeys(prefixes) if p.failed is None]
    parts = [sums for sums in joint if sums is not None]
    failures = {n: p.failed.message for n, p in enumerate(prefixes) if p.failed}
    played = tuple(0 if p.failed else p.games for p in prefixes)
    sums = concat_disjoint(parts) if parts else no_sums()
    manifest |= {
        "played": played,
        "failures": failures,
        "stopped": [prefix.stopped for prefix in prefixes],
        "finished": True,
    }
    if directory is not None:
        directory.settle([prefix.games for prefix in prefixes])
        manifest = directory.finish(sums, manifest)
    path = directory.path if directory else None
    return Results(tuple(cells), games, sums, played, manifest, path, failures)


class _ProgressReporter:
    """Reports progress, and the sums so far."""

    def __init__(
        self,
        cells: Sequence[Cell | Pair],
        prefixes: Sequence[CellPrefix],
        progress: Progress | None,
    ) -> None:
        self._cells = cells
        self._prefixes = prefixes
        self._reported = dict.fromkeys(prefixes, (0, 0))
        self._done = self._all = 0
        self._progress = progress
        self._found: Callable[[Cell | Pair, pl.DataFrame, int], None] | None = getattr(
            progress, "found", None
        )

    def __call__(self, prefix: CellPrefix | None) -> None:
        if self._progress is None:
            return
        if self._found and prefix is not None and prefix.sums is not None:
            self._found(self._cells[prefix.cells[0]], prefix.sums, prefix.games)
        # Totals are updated by differences, as there may be thousands of prefixes
        for changed in self._prefixes if prefix is None else [prefix]:
            done, wanted = self._reported[changed]
            self._reported[changed] = changed.done, changed.wanted
            self._done += changed.done - done
            self._all += changed.wanted - wanted
        self._progress(self._done, self._all)
