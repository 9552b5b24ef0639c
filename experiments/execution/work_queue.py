"""A queue of calls, taken by free workers of this machine and by this process."""

import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future
from contextvars import copy_context
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

from experiments.execution.single_thread import call_here
from experiments.execution.worker_pool import (
    Returned,
    WorkerPool,
    end_workers,
    get_pool,
    start_workers,
)

Key = TypeVar("Key")
_LOOK = 1.0  # seconds: polars's handler of Ctrl-C wakes nobody who waits for longer
Calls = Iterable[tuple[Key, Callable[[], Returned]]]


def run_queue(
    calls: Calls[Key, Returned], count: int, *, here: bool
) -> Generator[tuple[Key, Returned], None, None]:
    """Yield what calls return, with their keys, in any order; ``count`` workers call.

    ``here``: this process makes calls too, also while the workers start. Threads hand a
    free worker its next call at once, so it never waits for this process. The workers
    are ended after an error, or if the results are not all taken.
    """
    queue = _Queue(calls, get_pool(count))
    try:
        for started in start_workers(count):
            started.add_done_callback(queue.begin)
        while here and (item := queue.take()):
            key, call = item
            yield key, call_here(call)
            yield from queue.results(wait=False)
        yield from queue.results(wait=True)
    except BaseException:
        queue.end()
        end_workers()
        raise


class _Queue(Generic[Key, Returned]):
    """Calls that wait, that workers are making, and that are made.

    Threads of the pool hand them to workers.
    """

    def __init__(self, calls: Calls[Key, Returned], workers: WorkerPool) -> None:
        self._waiting = iter(calls)
        self._context = copy_context()  # of the caller, in which all threads take calls
        self._workers = workers
        self._lock = threading.Lock()
        self._over = False  # no call waits any more
        self._open = 0  # calls handed out, whose results are not yet yielded
        self._made: SimpleQueue[tuple[Any, Future[Any]]] = SimpleQueue()

    def take(self) -> tuple[Key, Callable[[], Returned]] | None:
        """Return the next call, if there is one."""
        with self._lock:
            call = None if self._over else self._context.run(next, self._waiting, None)
            self._over = call is None
            return call

    def end(self) -> None:
        """Hand out no more calls."""
        with self._lock:
            self._over = True

    def begin(self, started: Future[Any]) -> None:
        """Hand a call to a started worker; each result brings the next call."""
        if started.exception() is None:
            self._hand()
        else:
            self._expect(None, started)

    def results(self, *, wait: bool) -> Iterator[tuple[Key, Returned]]:
        """Yield what workers have returned by now; with ``wait``, until all is done."""
        while (self._open or not self._over) if wait else not self._made.empty():
            try:
                key, future = self._made.get(timeout=_LOOK)
            except Empty:
                continue
            with self._lock:
                self._open -= 1
            yield key, future.result()

    def _hand(self) -> None:
        """Hand out the next call; an error becomes its result."""
        key: Any = None
        future: Future[Any] = Future()
        try:
            if (call := self.take()) is None:
                return
            key, future = call[0], self._workers.submit(call[1])
        except BaseException as error:
            future.set_exception(error)
        self._expect(key, future)

    def _expect(self, key: Any, future: Future[Any]) -> None:
        with self._lock:
            self._open += 1
        future.add_done_callback(partial(self._tell, key))

    def _tell(self, key: Any, future: Future[Any]) -> None:
        if future.exception() is None:  # otherwise all calls end
            self._hand()  # first, so that ``results`` does not take this for the last
        self._made.put((key, future))
