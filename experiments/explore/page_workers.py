"""Worker processes that play blocks for a page, and a cache of blocks.

Processes stay from one question to the next, so that an answer need not wait for them
to start, and played blocks are kept. Work that is no longer wanted is dropped within a
block. A lost process is replaced (``execution.worker_pool``).
"""

import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import replace

import polars as pl

from experiments.execution.block_tasks import BlockResult, TableCall, Task
from experiments.execution.failures import BlockFailure
from experiments.execution.worker_pool import WorkerPool, WorkersEnded, process_count

_CHECK_EVERY = 0.05  # seconds between checks that an answer is still wanted
_KEPT = 256  # blocks in the cache


class NoLongerWanted(Exception):
    """The answer is no longer wanted."""


class PageWorkers:
    """A pool of processes (-1: all cores), started when they are first needed."""

    def __init__(self, jobs: int) -> None:
        self._jobs = process_count(jobs)
        self._lock = threading.Lock()
        self._pool: WorkerPool | None = None
        self._closed = False
        self._kept: OrderedDict[str, BlockResult] = OrderedDict()

    def play(
        self, tasks: Iterable[Task], wanted: Callable[[], bool]
    ) -> Generator[BlockResult | BlockFailure, None, None]:
        """Yield the results of tasks in any order, as a backend of ``run``.

        Raises ``NoLongerWanted`` when they are no longer ``wanted``.
        """
        waiting = deque(tasks)
        flying: dict[Future[list[BlockResult | BlockFailure]], Task] = {}
        while waiting or flying:
            if not wanted():
                raise NoLongerWanted
            while waiting and (known := self._known(waiting[0])):
                waiting.popleft()
                yield known
            try:
                while waiting and len(flying) < self._jobs:
                    task = waiting.popleft()
                    flying[self._started_pool().submit(TableCall([task]))] = task
                for future in wait(flying, _CHECK_EVERY, FIRST_COMPLETED).done:
                    [done] = future.result()
                    self._keep(flying.pop(future), done)
                    yield done
            except WorkersEnded:
                raise NoLongerWanted from None

    def close(self) -> None:
        """End the processes, whatever they do."""
        with self._lock:
            self._closed = True
        if self._pool is not None:
            self._pool.end()

    def _known(self, task: Task) -> BlockResult | None:
        """Return the block if it was played before, for any cell number."""
        kept = self._kept.get(_key(task))
        if kept is None:
            return None
        cell = pl.lit(task.block.cell, dtype=pl.Int32)
        return replace(kept, block=task.block, sums=kept.sums.with_columns(cell=cell))

    def _keep(self, task: Task, done: BlockResult | BlockFailure) -> None:
        with self._lock:
            if isinstance(done, BlockResult):
                self._kept[_key(task)] = done
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)

    def _started_pool(self) -> WorkerPool:
        with self._lock:
            if self._closed:
                raise NoLongerWanted
            if self._pool is None:
                self._pool = WorkerPool(self._jobs)
            return self._pool


def _key(task: Task) -> str:
    return f"{task.play} {task.block.first} {task.block.count} {task.cell!r}"
