"""Worker processes of this machine: how they start, make calls, and end.

A worker takes as long to start as a command takes to import and to plan, so both happen
at once: nothing heavy is imported here. Each worker uses one thread, as the calls are
distributed over the cores.

If a worker is lost, another takes its place and repeats its call. A call that has lost
three workers is given up, with the reason. If the system kills workers repeatedly, as
it does when memory is short, one fewer is used from then on.
"""

import atexit
import os
import pickle
import signal
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from multiprocessing.connection import Pipe
from queue import Empty, SimpleQueue
from typing import Any, Protocol, TypeVar, runtime_checkable

from experiments.execution import process_launch
from experiments.execution.failures import RunFailed
from experiments.execution.worker_process import (
    PLAYING,
    CallResult,
    pack,
    serve_calls,
    settings_of_calls,
)
from sim.guard import LAST, __file__

Returned = TypeVar("Returned")
LOSSES = 3
"""Workers that may be lost with a call before it is given up."""
_KILLS = 2  # workers killed by the system, before one fewer is used
_IDLE = 300.0  # seconds without a call after which a worker ends
_CHECK_EVERY = 1.0  # seconds between checks that a worker is alive
_PATIENCE = 5.0  # seconds for a process to end that has closed its pipes


class FewerWorkers(UserWarning):
    """The system killed workers repeatedly: one fewer is used now."""


@runtime_checkable
class Divisible(Protocol):
    """A call that can be split, and has a result if its workers are lost."""

    @property
    def parts(self) -> Sequence[Callable[[], list[Any]]]:
        """Calls whose lists of results, concatenated, are that of this call."""

    def lost(self, why: str) -> list[Any]:
        """Return the results of a call that no worker survives."""


@dataclass(frozen=True)
class WorkerLoss:
    """How a worker ended: exit code (or minus a signal), and where in the code."""

    code: int
    where: str = ""

    @property
    def killed(self) -> bool:
        """Whether it was killed from outside, mostly by the system."""
        return self.code == -getattr(signal, "SIGKILL", 9)

    @property
    def stuck(self) -> bool:
        """Whether it was ended because a strategy could not be stopped."""
        return self.code == -LAST != 0

    def __str__(self) -> str:
        """Return the reason in words."""
        place = _innermost(self.where)
        if self.stuck:
            return f"a strategy gave no answer and could not be stopped{place}"
        if self.killed:
            return f"its process was killed from outside; {_MEMORY}"
        if self.code < 0:
            return f"its process crashed with {_signal(-self.code)}{place}"
        return f"its process ended, with exit code {self.code}{place}"


_MEMORY = "often the system does this when memory is short"


def _innermost(where: str) -> str:
    """Return the innermost line of code of a crash outside of the guard, in words."""
    for line in where.splitlines():
        words = line.strip()
        if words.startswith('File "') and not words.startswith(f'File "{__file__}"'):
            file, _, rest = words.removeprefix('File "').partition('", ')
            return f", at {file}, {rest}"
    return ""


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


class WorkersEnded(RuntimeError):
    """The workers were ended before they had made a call."""


class _Lost(Exception):
    """A worker was lost, so there will be no answer."""

    def __init__(self, loss: WorkerLoss) -> None:
        self.loss = loss


class _Worker:
    """A process that makes one call after another."""

    def __init__(self) -> None:
        self._calls, theirs = Pipe()
        self._last_words, writing = Pipe(duplex=False)
        self._process = process_launch.start_process(
            serve_calls, theirs, writing, os.getpid()
        )
        theirs.close()
        writing.close()

    def answer(self, packed: bytes) -> CallResult:
        """Return the answer to a call; raises ``_Lost``."""
        try:
            self._calls.send_bytes(packed)
            while not self._calls.poll(_CHECK_EVERY):
                if not self._process.is_alive():
                    raise EOFError
            data = self._calls.recv_bytes()
        except (EOFError, OSError):
            raise _Lost(self._loss()) from None
        answer: CallResult = pickle.loads(data)  # noqa: S301 - our own worker's
        return answer

    def end(self) -> None:
        """End it at once, whatever it does: it has nothing to save."""
        process_launch.end_process(self._process)

    def _loss(self) -> WorkerLoss:
        """Return how it ended; end it if it has only closed its pipes."""
        until = time.monotonic() + _PATIENCE
        while self._process.exitcode is None and time.monotonic() < until:
            time.sleep(0.01)
        code, words = self._process.exitcode, b""
        self.end()
        with suppress(EOFError, OSError):
            while self._last_words.poll():
                part = os.read(self._last_words.fileno(), 1 << 16)
                words += part
                if not part:
                    break
        return WorkerLoss(1 if code is None else code, words.decode(errors="replace"))


@dataclass
class _Call:
    """A call that waits for a worker, its pickle, and how it lost earlier workers."""

    call: Callable[[], Any]
    packed: bytes
    future: Future[Any] = field(default_factory=Future)
    losses: list[WorkerLoss] = field(default_factory=list)


class WorkerPool:
    """A pool of ``count`` workers, each started for its first call."""

    def __init__(self, count: int) -> None:
        process_launch.prepare_launch()
        self.count, self.ended = 0, False
        self._waiting: SimpleQueue[_Call | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._open: set[Future[Any]] = set()  # not yet answered
        self._workers: set[_Worker] = set()
        self._kills = 0
        self.resize(count)

    def resize(self, count: int) -> None:
        """Change the number of workers; surplus workers finish their calls."""
        with self._lock:
            more, self.count = count - self.count, count
        for _ in range(more):
            threading.Thread(target=self._keep, daemon=True).start()
        for _ in range(-more):
            self._waiting.put(None)

    def submit(self, call: Callable[[], Returned]) -> Future[Returned]:
        """Have a worker make a call, which is pickled now; return its future.

        The future fails with ``RunFailed`` if the call loses too many workers, and with
        ``WorkersEnded`` if the pool is ended first.
        """
        waiting = _Call(call, pickle.dumps((settings_of_calls(), pack(call))))
        with self._lock:
            if self.ended:
                raise WorkersEnded
            self._open.add(waiting.future)
        self._waiting.put(waiting)
        return waiting.future

    def end(self) -> None:
        """End all workers at once, whatever they do."""
        with self._lock:
            self.ended = True
            left, self._open = self._open, set()
            workers, self._workers = self._workers, set()
        for worker in workers:
            worker.end()
        for _ in range(self.count):
            self._waiting.put(None)
        for future in left:
            future.set_exception(WorkersEnded())

    def _keep(self) -> None:
        """Have one worker make calls, one after another; each has such a thread."""
        worker: _Worker | None = None
        wanted = True
        while wanted:
            try:
                call = self._waiting.get(timeout=_IDLE if worker else None)
            except Empty:
                self._discard(worker)
                worker = None
                continue
            if call is None:
                break
            try:
                worker = worker or self._begun()
                self._tell(call.future, worker.answer(call.packed))
            except _Lost as lost:
                self._discard(worker)
                worker = None
                wanted = not self.ended and self._goes_on(lost.loss)
                self._retry(call, lost.loss)
            except Exception as error:  # it cannot start, or its answer cannot be read
                self._tell(call.future, CallResult(error=error))
        self._discard(worker)

    def _begun(self) -> _Worker:
        worker = _Worker()
        with self._lock:
            if not self.ended:
                self._workers.add(worker)
                return worker
        worker.end()
        raise WorkersEnded

    def _discard(self, worker: _Worker | None) -> None:
        """End a worker, if there is one."""
        if worker is not None:
            with self._lock:
                self._workers.discard(worker)
            worker.end()

    def _tell(self, future: Future[Any], answer: CallResult) -> None:
        """Answer a future, unless it has an answer."""
        with self._lock:
            if future not in self._open:
                return
            self._open.remove(future)
        if answer.error is None:
            future.set_result(answer.found)
        else:
            future.set_exception(answer.error)

    def _goes_on(self, loss: WorkerLoss) -> bool:
        """Return whether another worker replaces a lost one."""
        with self._lock:
            self._kills += loss.killed
            if self._kills < _KILLS or self.count == 1:
                return True
            self._kills, self.count = 0, self.count - 1
        with suppress(Warning):  # where warnings are errors
            warnings.warn(_FEWER.format(_KILLS, self.count), FewerWorkers, stacklevel=1)
        return False

    def _retry(self, lost: _Call, loss: WorkerLoss) -> None:
        """Repeat a call that lost its worker, by parts if it has any, or give it up."""
        lost.losses.append(loss)
        given_up = loss.stuck or len(lost.losses) == LOSSES
        parts = lost.call.parts if isinstance(lost.call, Divisible) else ()
        if len(parts) > 1:
            self._by_parts(lost.future, parts)
        elif not given_up:
            self._waiting.put(lost)
        elif isinstance(lost.call, Divisible):
            self._tell(lost.future, CallResult(lost.call.lost(_why(lost.losses))))
        else:
            why = f"a worker process was lost: {_why(lost.losses)}. Repeat the command"
            error = RunFailed(f"{why}, if need be with fewer --jobs.")
            self._tell(lost.future, CallResult(error=error))

    def _by_parts(
        self, whole: Future[Any], parts: Sequence[Callable[[], list[Any]]]
    ) -> None:
        """Make the parts of a call, and answer it with their results."""
        left, done = len(parts), threading.Lock()

        def count(_: Future[Any]) -> None:
            nonlocal left
            with done:
                left -= 1
                if left:
                    return
            try:
                results = [item for part in made for item in part.result()]
            except Exception as error:
                self._tell(whole, CallResult(error=error))
            else:
                self._tell(whole, CallResult(results))

        try:
            made = [self.submit(part) for part in parts]
        except WorkersEnded:
            return
        for part in made:
            part.add_done_callback(count)


_FEWER = (
    "{} worker processes were killed from outside; "
    f"{_MEMORY}. From now on there is one fewer ({{}})."
)


def _why(losses: Sequence[WorkerLoss]) -> str:
    """Return how a call lost its workers, in words."""
    times = f" ({len(losses)} times in a row)" if len(losses) > 1 else ""
    return f"{losses[-1]}{times}"


_hired: list[WorkerPool] = []  # at most one
_hiring = threading.RLock()


def process_count(jobs: int) -> int:
    """Return the number of processes; -1 means all cores that this process may use."""
    from joblib import cpu_count

    return cpu_count() if jobs == -1 else jobs


def extra_workers(jobs: int, *, busy: bool = False) -> int:
    """Return how many workers to start. Unless ``busy``, this process is one, too."""
    count = process_count(jobs)
    return count if busy and count > 1 else count - 1


def get_pool(count: int) -> WorkerPool:
    """Return this process's pool, with ``count`` workers (at least one)."""
    with _hiring:
        if _hired and not _hired[0].ended:
            if _hired[0].count != count:
                _hired[0].resize(count)
        else:
            _hired[:] = [WorkerPool(count)]
        return _hired[0]


def start_workers(count: int, module: str = PLAYING) -> list[Future[None]]:
    """Start ``count`` workers, and have them import a module that they will need.

    It does not wait: the futures say when they have started. Then they wait for calls
    to the pool that ``get_pool`` returns.
    """
    if count < 1:
        return []
    pool = get_pool(count)
    return [pool.submit(partial(_import, module)) for _ in range(count)]


def _import(module: str) -> None:
    """Import a module; it is not returned, as the receiver would import it too."""
    import_module(module)


@atexit.register
def end_workers() -> None:
    """End the workers, if there are any, at once: they have nothing to save."""
    with _hiring:
        while _hired:
            _hired.pop().end()
