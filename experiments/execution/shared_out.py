"""Calls that whoever is free takes: workers of this machine, and this process."""

import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future
from contextvars import copy_context
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

from experiments.execution.workers import Found, Pool, begin, end, hired

Key = TypeVar("Key")
_LOOK = 1.0  # seconds: polars's handler of Ctrl-C wakes nobody who waits for longer
Calls = Iterable[tuple[Key, Callable[[], Found]]]


def by_all(
    calls: Calls[Key, Found], count: int, *, here: bool
) -> Generator[tuple[Key, Found], None, None]:
    """What calls return, with their keys, in any order; ``count`` workers make them.

    ``here``: this process makes calls too, while the workers begin and ever after. A
    worker that is free is handed the next call at once, whatever is done here. When no
    more is wanted, or after an error, the workers are ended.
    """
    sharing = _Sharing(calls, hired(count))
    try:
        for there in begin(count):
            there.add_done_callback(sharing.begin)
        while here and (mine := sharing.take()):
            key, call = mine
            yield key, call()
            yield from sharing.found(wait=False)
        yield from sharing.found(wait=True)
    except BaseException:
        sharing.end()
        end()
        raise


class _Sharing(Generic[Key, Found]):
    """Calls that wait, those that workers make, and those that they have made.

    Workers are handed theirs by threads of the pool's.
    """

    def __init__(self, calls: Calls[Key, Found], workers: Pool) -> None:
        self._waiting = iter(calls)
        self._context = copy_context()  # of whoever asks, in whatever thread they go on
        self._workers = workers
        self._lock = threading.Lock()
        self._over = False  # nothing waits any more
        self._open = 0  # handed out, and not yet told
        self._made: SimpleQueue[tuple[Any, Future[Any]]] = SimpleQueue()

    def take(self) -> tuple[Key, Callable[[], Found]] | None:
        """The next call, if there is one."""
        with self._lock:
            call = None if self._over else self._context.run(next, self._waiting, None)
            self._over = call is None
            return call

    def end(self) -> None:
        """Hand out no more."""
        with self._lock:
            self._over = True

    def begin(self, there: Future[Any]) -> None:
        """Hand a call to a worker that is there; each that is made brings the next."""
        if there.exception() is None:
            self._hand()
        else:
            self._expect(None, there)

    def found(self, *, wait: bool) -> Iterator[tuple[Key, Found]]:
        """What workers have returned by now, or until all is made."""
        while (self._open or not self._over) if wait else not self._made.empty():
            try:
                key, future = self._made.get(timeout=_LOOK)
            except Empty:
                continue
            with self._lock:
                self._open -= 1
            yield key, future.result()

    def _hand(self) -> None:
        """Hand out the next call; what goes wrong is told where it is waited for."""
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
        if future.exception() is None:  # else all ends
            self._hand()  # before it is told, so that nobody thinks that all is made
        self._made.put((key, future))
