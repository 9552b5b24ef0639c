"""Processes that play blocks for a page, for as long as somebody wants them.

They stay from one question to the next, so that an answer need not wait for them to
start, and blocks that were played are kept. What is no longer wanted is dropped within
a block. A process that is lost takes nothing with it (``execution.workers``).
"""

import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import replace

import polars as pl

from experiments.execution.failures import BlockFailure
from experiments.execution.tasks import BlockResult, TableCall, Task
from experiments.execution.workers import Ended, Pool, processes

_LOOK = 0.05  # seconds between two looks at whether an answer is still wanted
_KEPT = 256  # blocks


class Dropped(Exception):
    """Nobody wants the answer any more."""


class Workers:
    """So many processes (-1: all cores), started when they are first needed."""

    def __init__(self, jobs: int) -> None:
        self._jobs = processes(jobs)
        self._lock = threading.Lock()
        self._pool: Pool | None = None
        self._closed = False
        self._kept: OrderedDict[str, BlockResult] = OrderedDict()

    def play(
        self, tasks: Iterable[Task], wanted: Callable[[], bool]
    ) -> Generator[BlockResult | BlockFailure, None, None]:
        """What became of these tasks, in any order: a backend of ``run``.

        Raises ``Dropped`` once they are not ``wanted``.
        """
        waiting = deque(tasks)
        flying: dict[Future[list[BlockResult | BlockFailure]], Task] = {}
        while waiting or flying:
            if not wanted():
                raise Dropped
            while waiting and (known := self._known(waiting[0])):
                waiting.popleft()
                yield known
            try:
                while waiting and len(flying) < self._jobs:
                    task = waiting.popleft()
                    flying[self._there().submit(TableCall([task]))] = task
                for future in wait(flying, _LOOK, FIRST_COMPLETED).done:
                    [done] = future.result()
                    self._keep(flying.pop(future), done)
                    yield done
            except Ended:
                raise Dropped from None

    def close(self) -> None:
        """End the processes, whatever they do."""
        with self._lock:
            self._closed = True
        if self._pool is not None:
            self._pool.end()

    def _known(self, task: Task) -> BlockResult | None:
        """The same block, where it was played before: perhaps for another place."""
        found = self._kept.get(_key(task))
        if found is None:
            return None
        cell = pl.lit(task.block.cell, dtype=pl.Int32)
        return replace(found, block=task.block, sums=found.sums.with_columns(cell=cell))

    def _keep(self, task: Task, done: BlockResult | BlockFailure) -> None:
        with self._lock:
            if isinstance(done, BlockResult):
                self._kept[_key(task)] = done
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)

    def _there(self) -> Pool:
        with self._lock:
            if self._closed:
                raise Dropped
            if self._pool is None:
                self._pool = Pool(self._jobs)
            return self._pool


def _key(task: Task) -> str:
    return f"{task.play} {task.block.first} {task.block.count} {task.cell!r}"
