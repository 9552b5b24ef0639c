"""Processes that play blocks for a page, for as long as somebody wants them.

They stay from one question to the next, so that an answer need not wait for them to
start, and blocks that were played are kept. What is no longer wanted is dropped within
a block; a process that is lost is replaced, and its block is played again.
"""

import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import replace
from typing import Any

import polars as pl
from joblib.externals.loky.process_executor import (
    BrokenProcessPool,
    ProcessPoolExecutor,
    ShutdownExecutorError,
)

from experiments.execution import workers
from experiments.execution.failures import BlockFailure, RunFailed
from experiments.execution.tasks import BlockResult, Task, work_together
from experiments.execution.threads import ONE_THREAD

_LOST = 3  # times that processes may be lost before a question is given up
_LOOK = 0.05  # seconds between two looks at whether an answer is still wanted
_KEPT = 256  # blocks


class Dropped(Exception):
    """Nobody wants the answer any more."""


class Workers:
    """So many processes (-1: all cores), started when they are first needed."""

    def __init__(self, jobs: int) -> None:
        self._jobs = workers.processes(jobs)
        self._lock = threading.Lock()
        self._pool: Any = None
        self._closed = False
        self._kept: OrderedDict[str, BlockResult] = OrderedDict()

    def play(
        self, tasks: Iterable[Task], wanted: Callable[[], bool]
    ) -> Generator[BlockResult | BlockFailure, None, None]:
        """What became of these tasks, in any order: a backend of ``run``.

        Raises ``Dropped`` once they are not ``wanted``, and ``RunFailed`` where
        processes are lost again and again.
        """
        waiting, lost = deque(tasks), 0
        flying: dict[Future[Any], Task] = {}
        while waiting or flying:
            if not wanted():
                raise Dropped
            while waiting and (known := self._known(waiting[0])):
                waiting.popleft()
                yield known
            pool = self._there()
            try:
                while waiting and len(flying) < self._jobs:
                    flying[self._submit(pool, waiting[0])] = waiting[0]
                    waiting.popleft()  # only now: submitting may fail
                for future in wait(flying, _LOOK, FIRST_COMPLETED).done:
                    [done] = future.result()
                    self._keep(flying.pop(future), done)
                    yield done
            except (BrokenProcessPool, ShutdownExecutorError):
                lost += 1
                if lost > _LOST:
                    raise RunFailed(
                        "worker processes were ended from outside again and again; "
                        "often that is the system when memory is short."
                    ) from None
                waiting.extendleft(flying.values())
                flying = {}
                self._replace(pool)

    def close(self) -> None:
        """End the processes, whatever they do."""
        with self._lock:
            self._closed = True
        self._replace(self._pool)

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

    def _there(self) -> Any:
        with self._lock:
            if self._closed:
                raise Dropped
            if self._pool is None:
                how = {"env": ONE_THREAD, **workers.beginning()}
                self._pool = ProcessPoolExecutor(self._jobs, **how)
            return self._pool

    def _submit(self, pool: Any, task: Task) -> Future[Any]:
        with self._lock:
            if self._closed:
                raise Dropped
            return pool.submit(work_together, [task])

    def _replace(self, pool: Any) -> None:
        with self._lock:
            if self._pool is pool and pool is not None:
                workers.shut_down(pool)
                self._pool = None


def _key(task: Task) -> str:
    return f"{task.play} {task.block.first} {task.block.count} {task.cell!r}"
