"""Processes that play blocks for a page, for as long as somebody wants them.

They stay from one question to the next, so that an answer need not wait for them to
start. What is no longer wanted is dropped within a block; a process that is lost is
replaced, and its block is played again.
"""

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any, TypeVar

from joblib.externals.loky.process_executor import (
    BrokenProcessPool,
    ProcessPoolExecutor,
    ShutdownExecutorError,
)

from experiments.analysis.batches import play_batches
from experiments.core.cells import Cell
from experiments.core.recording import Block
from experiments.execution.backends import ONE_THREAD, processes, work_here
from experiments.execution.failures import BlockFailure, RunFailed
from experiments.execution.tasks import BlockResult, Task
from sim.guard import LIMIT

_LOST = 3  # times that processes may be lost before a question is given up
_LOOK = 0.05  # seconds between two looks at whether an answer is still wanted
_Tag = TypeVar("_Tag")


class Dropped(Exception):
    """Nobody wants the answer any more."""


class Workers:
    """So many processes (-1: all cores), started when they are first needed."""

    def __init__(self, jobs: int) -> None:
        self.jobs = processes(jobs)
        self._lock = threading.Lock()
        self._pool: Any = None
        self._closed = False

    def play(
        self, tasks: Iterable[tuple[_Tag, Task]], wanted: Callable[[], bool]
    ) -> Iterator[tuple[_Tag, BlockResult]]:
        """Play these, and give each with what it was tagged with, in any order.

        Raises ``Dropped`` once it is not ``wanted``, the error of a block that failed,
        and ``RunFailed`` where processes are lost again and again.
        """
        waiting, lost = deque(tasks), 0
        flying: dict[Future[Any], tuple[_Tag, Task]] = {}
        while waiting or flying:
            if self._closed or not wanted():
                raise Dropped
            pool = self._there()
            try:
                while waiting and len(flying) < self.jobs:
                    future = pool.submit(work_here, waiting[0][1], *self._here())
                    flying[future] = waiting.popleft()
                for future in wait(flying, _LOOK, FIRST_COMPLETED).done:
                    done = future.result()
                    tag, _ = flying.pop(future)
                    if isinstance(done, BlockFailure):
                        raise done.raised()
                    yield tag, done
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

    def warm(self, cell: Cell) -> None:
        """Have every process load the game, before somebody waits for it."""
        block = Block(0, 0, 4 * cell.players)
        task = Task(cell.resolved(), block, False, (), play_batches)
        pool = self._there()
        for _ in range(self.jobs):
            pool.submit(work_here, task, *self._here())

    def close(self) -> None:
        """End the processes, whatever they do."""
        self._closed = True
        with self._lock:
            if self._pool is not None:
                self._pool.shutdown(wait=False, kill_workers=True)

    def _here(self) -> tuple[int, str | None]:
        return os.getpid(), os.environ.get(LIMIT)

    def _there(self) -> Any:
        with self._lock:
            if self._pool is None:
                self._pool = ProcessPoolExecutor(self.jobs, env=ONE_THREAD)
            return self._pool

    def _replace(self, broken: Any) -> None:
        with self._lock:
            if self._pool is broken:
                broken.shutdown(wait=False, kill_workers=True)
                self._pool = None
