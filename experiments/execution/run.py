"""Running cells: blocks over the cores, progress, results on disk.

The same run started again in the same directory skips the blocks that are there
(``experiments.execution.files``). Results do not depend on who played the blocks
(``experiments.execution.backends``), nor on the order in which they were finished
(``experiments.execution.prefix``).
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

from experiments.core import blocks
from experiments.core.blocks import MOST_GAMES, play_block, size_of
from experiments.core.cells import Cell, Pair, UsageError
from experiments.core.recording import Block
from experiments.core.together import play_together
from experiments.execution import backends, files, manifests
from experiments.execution.backends import Backend
from experiments.execution.failures import BlockFailure, RunFailed
from experiments.execution.files import Directory
from experiments.execution.prefix import Prefix, Stop, in_turn
from experiments.execution.results import Results, nothing
from experiments.execution.sharing import ALONE, Sharing, sharing
from experiments.execution.shipping import has_own
from experiments.execution.tasks import BlockResult, PlayBlock, PlayBlocks, Task
from reports.measures import in_order
from sim import games as registry
from sim.parameters import no_such

__all__ = ["Begun", "Options", "Progress", "RunFailed", "Stop", "begun", "run"]

Progress = Callable[[int, int], None]
"""Called with games done and games in all: at the start, then block by block.

Where it has an attribute ``found``, that is called with a cell, the sums of its games
so far and their number.
"""


class Options(TypedDict, total=False):
    """What may be said of a run, beside who plays it."""

    detailed: bool
    """Whether the report's measures are taken."""
    tables: Sequence[str]
    """Raw tables to keep in ``out`` as parquet."""
    out: Path | None
    """Where the results are kept."""
    progress: Progress | None
    stop: Stop | None
    """Ends a cell before ``games`` when its first games say enough."""
    fail_fast: bool | Container[int]
    """Whether a cell that fails ends the run: so it is, if nothing is said; or the
    numbers of the cells that do."""
    play: PlayBlock | None
    """Does the work of a block in place of ``play_block``."""
    together: PlayBlocks | None
    """The same of blocks at one table, of cells with the same ``table_of``."""
    block: int | None
    """The number of games in a block."""
    first: Sequence[int]
    """The numbers of the cells that are played first."""


def run(
    cells: Sequence[Cell | Pair],
    games: int | Sequence[int],
    *,
    jobs: int = 1,
    backend: Backend = "loky",
    scheduler: str | None = None,
    **how: Unpack[Options],
) -> Results:
    """Play ``games`` games of each cell on ``jobs`` processes (-1: all cores).

    ``games`` is one number for all cells, or one for each.
    ``backend`` "dask" plays on the cluster of a ``scheduler`` ("tcp://host:8786"); a
    function plays the tasks that it is given. ``how`` are ``Options``.

    Results are the same for any number of jobs, backend and interruption. Raises
    ``UsageError`` before, and a strategy's error or ``RunFailed`` during the run;
    without ``fail_fast`` a cell that fails is in ``Results.failures`` instead.
    """
    by: Any = {"jobs": jobs, "backend": backend, "scheduler": scheduler}
    with begun(cells, games, **by, **how) as one:
        one.tell(None)
        apart = one.apart
        with closing(backends.finished(one.tasks, *by.values(), apart=apart)) as found:
            for done in found:
                one.take(done)
        return one.results()


@contextmanager
def begun(
    cells: Sequence[Cell | Pair],
    games: int | Sequence[int],
    *,
    jobs: int = 1,
    backend: Backend = "loky",
    scheduler: str | None = None,
    **how: Unpack[Options],
) -> Iterator["Begun"]:
    """A run that is open, as of ``run``: somebody has its tasks played, and ends it.

    Who will play is told, since some blocks are only played together on this machine.
    """
    wanted = [*games] if isinstance(games, Sequence) else [games] * len(cells)
    tables, out, block = how.get("tables", ()), how.get("out"), how.get("block")
    detailed, play, stop = how.get("detailed", False), how.get("play"), how.get("stop")
    _check(cells, wanted, tables, out, block)
    backends.check(backend, scheduler, jobs)
    size = block or size_of(
        cells, max(wanted), detailed or bool(tables), stop is not None
    )
    manifest = manifests.describe(cells, wanted, size, detailed, tables, play, stop)
    who = {"jobs": jobs, "backend": backend if isinstance(backend, str) else "own"}
    prefixes = [
        Prefix(number, wanted[number], size, _of_cell(stop, number, cell))
        for number, cell in enumerate(cells)
    ]
    first, work = how.get("first", ()), play or play_block
    fatal = how.get("fail_fast", True)
    if isinstance(fatal, bool):
        fatal = range(len(cells)) if fatal else ()
    order = sorted(prefixes, key=lambda prefix: prefix.cell not in first)
    turns = [order[: len(first)], order[len(first) :]]
    share, here = ALONE, backend == "loky"
    plain = work is blocks.play_block
    together = play_together if plain else how.get("together")
    if together is not None and here and stop is None:
        numbers = [[prefix.cell for prefix in turn] for turn in turns]
        share = sharing(cells, wanted, numbers, size, jobs)
    start = time.perf_counter()
    with files.opened(out, manifest) if out else nullcontext() as directory:
        tell = _ProgressReporter(cells, prefixes, how.get("progress"))
        by = work, together or play_together
        tasks = _tasks(cells, turns, directory, manifest, by, share, here)
        yield Begun(
            cells,
            tasks,
            prefixes,
            directory,
            manifest,
            _skip(prefixes, directory),
            tell,
            fatal,
            who,
            start,
        )


@dataclass(frozen=True)
class Begun:
    """A run that is open: what is to be played, and what became of it so far."""

    cells: Sequence[Cell | Pair]
    tasks: Iterator[Task]  # made as they are asked for
    prefixes: Sequence[Prefix]
    directory: Directory | None
    manifest: dict[str, Any]
    made: dict[Block, int]  # decisions
    tell: "_ProgressReporter"
    fatal: Container[int]  # numbers of the cells that end the run when they fail
    who: Mapping[str, Any]  # played it
    start: float

    @property
    def apart(self) -> bool:
        """Whether somebody's own code plays, which might end the process it is in."""
        return any(has_own(cell.strategies()) for cell in self.cells)

    def take(self, done: BlockResult | BlockFailure) -> None:
        """What became of a block is kept, and told."""
        prefix = self.prefixes[done.block.cell]
        if isinstance(done, BlockFailure):
            _fail(done, prefix, self.fatal)
        else:
            self.made[done.block] = done.decisions
            _keep(done, prefix, self.directory, self.fatal)
        self.tell(prefix)

    def results(self) -> Results:
        """What was found, when all is played."""
        prefixes = self.prefixes
        if not all(prefix.over for prefix in prefixes):
            raise RunFailed("blocks were lost on the way. Repeat the command.")
        games = max(prefix.most for prefix in prefixes)
        decisions = sum(
            decisions
            for block, decisions in self.made.items()
            if block.first < prefixes[block.cell].games
        )
        seconds = time.perf_counter() - self.start
        told = {"seconds": seconds, "decisions": decisions, **self.who}
        manifest = self.manifest | told
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
            f"{len(wanted)} of them."
        )
    for games in wanted:
        if not 1 <= games <= MOST_GAMES:
            raise UsageError(f"games: at least 1, at most {MOST_GAMES:,}, not {games}.")
    if block is not None and block < 1:
        raise UsageError(f"block: at least 1 game, not {block}.")
    if tables and out is None:
        raise UsageError("tables: raw tables are kept on disk; give a directory (out).")
    for cell in cells:
        game = registry.load(cell.game)
        known = [
            *game.events,
            *(kind for kind in game.kinds if kind not in game.events),
        ]
        for table in tables:
            if table not in known:
                raise UsageError(
                    "tables: "
                    + no_such("table", table, known, f"Tables of {cell.game}")
                )


def _skip(prefixes: Sequence[Prefix], directory: Directory | None) -> dict[Block, int]:
    """Count the blocks of an earlier start; the decisions that were made in each."""
    found: dict[Block, int] = {}
    if directory is None:
        return found
    for prefix in prefixes:
        for block in prefix.blocks():
            decisions = directory.decisions(block)
            if decisions is not None:
                found[block] = decisions
                prefix.add(block, partial(directory.load, block))
    directory.tell_unfit()
    return found


def _tasks(
    cells: Sequence[Cell | Pair],
    turns: Sequence[list[Prefix]],
    directory: Directory | None,
    manifest: dict[str, Any],
    by: tuple[PlayBlock, PlayBlocks],
    share: Sharing,
    here: bool,
) -> Iterator[Task]:
    """The blocks that are still to be played, made as they are asked for."""
    whole = [cell.resolved() for cell in cells]
    keep = tuple(manifest["tables"])
    folder = directory.path.absolute() if directory and here else None
    for block in chain.from_iterable(map(in_turn, turns)):
        if directory is None or not directory.has(block):
            cell, detailed = whole[block.cell], manifest["detailed"]
            of, run = share.of(block), manifest["fingerprint"]
            play, together = by
            yield Task(cell, block, detailed, keep, play, folder, run, of, together)


def _of_cell(stop: Stop | None, number: int, cell: Cell | Pair) -> Stop | None:
    """The rule for stopping a cell."""
    of_cell: Callable[[int, Cell | Pair], Stop] | None
    of_cell = getattr(stop, "of_cell", None)
    return of_cell(number, cell) if of_cell else stop


def _fail(failed: BlockFailure, prefix: Prefix, fatal: Container[int]) -> None:
    """What is wrong with the machine stops the run, whatever else is wanted."""
    if isinstance(failed.error, RunFailed):
        raise failed.error
    prefix.fail(failed)
    _raise_first(prefix, fatal)


def _keep(
    done: BlockResult,
    prefix: Prefix,
    directory: Directory | None,
    fatal: Container[int],
) -> None:
    if directory is None:
        sums = done.sums
        prefix.add(done.block, lambda: sums)
    else:
        directory.save(done)
        prefix.add(done.block, partial(directory.load, done.block))
    _raise_first(prefix, fatal)


def _raise_first(prefix: Prefix, fatal: Container[int]) -> None:
    if prefix.failed is not None and prefix.cell in fatal:
        raise prefix.failed.raised()


def _results(
    cells: Sequence[Cell | Pair],
    games: int,
    prefixes: Sequence[Prefix],
    manifest: dict[str, Any],
    directory: Directory | None,
) -> Results:
    fine = [p.sums for p in prefixes if p.failed is None and p.sums is not None]
    failures = {p.cell: p.failed.message for p in prefixes if p.failed is not None}
    played = tuple(0 if p.failed else p.games for p in prefixes)
    sums = in_order(fine) if fine else nothing()
    manifest |= {
        "played": played,
        "failures": failures,
        "stopped": [prefix.stopped for prefix in prefixes],
        "finished": True,
    }
    if directory is not None:
        directory.settle([prefix.games for prefix in prefixes])
        manifest = directory.finish(sums, manifest)
    where = directory.path if directory else None
    return Results(tuple(cells), games, sums, played, manifest, where, failures)


class _ProgressReporter:
    """Tells the progress, and what was found so far."""

    def __init__(
        self,
        cells: Sequence[Cell | Pair],
        prefixes: Sequence[Prefix],
        progress: Progress | None,
    ) -> None:
        self._cells = cells
        self._prefixes = prefixes
        self._told = [(0, 0) for _ in prefixes]
        self._done = self._all = 0
        self._progress = progress
        self._found: Callable[[Cell | Pair, pl.DataFrame, int], None] | None = getattr(
            progress, "found", None
        )

    def __call__(self, prefix: Prefix | None) -> None:
        if self._progress is None:
            return
        if self._found and prefix is not None and prefix.sums is not None:
            self._found(self._cells[prefix.cell], prefix.sums, prefix.games)
        for one in self._prefixes if prefix is None else [prefix]:  # there may be many
            done, wanted = self._told[one.cell]
            self._told[one.cell] = one.done, one.wanted
            self._done += one.done - done
            self._all += one.wanted - wanted
        self._progress(self._done, self._all)
