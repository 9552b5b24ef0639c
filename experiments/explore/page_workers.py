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
from typing import TypeVar

import polars as pl

from experiments.execution.block_tasks import BlockResult, TableCall, Task
from experiments.execution.failures import BlockFailure
from experiments.execution.worker_pool import (
    Returned,
    WorkerPool,
    WorkersEnded,
    process_count,
)

Key = TypeVar("Key")
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
        new = []
        for task in tasks:
            if known := self._known(task):
                yield known
            else:
                new.append((task, TableCall([task])))
        for task, [done] in self.make(new, wanted):
            self._keep(task, done)
            yield done

    def make(
        self,
        calls: Iterable[tuple[Key, Callable[[], Returned]]],
        wanted: Callable[[], bool],
    ) -> Generator[tuple[Key, Returned], None, None]:
        """Yield what each call returns, with its key, as calls finish.

        Raises what a call raises, and ``NoLongerWanted`` as ``play``.
        """
        waiting = deque(calls)
        flying: dict[Future[Returned], Key] = {}
        while waiting or flying:
            if not wanted():
                raise NoLongerWanted
            try:
                while waiting and len(flying) < self._jobs:
                    key, call = waiting.popleft()
                    flying[self._started_pool().submit(call)] = key
                for future in wait(flying, _CHECK_EVERY, FIRST_COMPLETED).done:
                    yield flying.pop(future), future.result()
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
    block = f"{task.block.first} {task.block.count}"
    return f"{task.play} {task.detailed} {block} {task.cell!r}"
