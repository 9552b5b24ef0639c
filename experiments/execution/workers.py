"""Processes of this machine that work for this one: how they begin, and how they end.

They take as long to begin as a command takes to import and to plan, so both go on at
once: nothing heavy is imported here. Each uses one thread: the calls are what is spread
over the cores.

A worker that is lost takes nothing with it. Another takes its place and makes its call
again; a call with which three were lost is given up, and says so. Where the system
kills workers again and again, which it does when memory is short, there is one fewer
from then on.
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

from experiments.execution import launch
from experiments.execution.failures import RunFailed
from experiments.execution.worker import PLAYING, Answer, pack, work
from sim.guard import LAST, LIMIT
from sim.guard import __file__ as GUARD  # noqa: N812 - a constant

Found = TypeVar("Found")
LOSSES = 3
"""Workers that may be lost with a call before it is given up."""
_KILLS = 2  # by the system, before there is one fewer
_IDLE = 300.0  # seconds without a call after which a worker ends
_LOOK = 1.0  # seconds between two looks at whether a worker is still there
_PATIENCE = 5.0  # seconds for a process to end that has closed its pipes


class FewerWorkers(UserWarning):
    """The system killed workers again and again: there is one fewer now."""


@runtime_checkable
class Divisible(Protocol):
    """A call with parts, that knows what to say where workers are lost with it."""

    @property
    def parts(self) -> Sequence[Callable[[], list[Any]]]:
        """Calls whose lists of results make up that of this one."""

    def lost(self, why: str) -> list[Any]:
        """What it returns where no worker survives it."""


@dataclass(frozen=True)
class Loss:
    """How a worker ended: minus a signal or an exit code, and where its code was."""

    code: int
    where: str = ""

    @property
    def killed(self) -> bool:
        """Whether somebody else did it: the system, mostly."""
        return self.code == -getattr(signal, "SIGKILL", 9)

    @property
    def stuck(self) -> bool:
        """Whether it was ended since a strategy could not be stopped."""
        return self.code == -LAST != 0

    def __str__(self) -> str:
        """In words."""
        place = _innermost(self.where)
        if self.stuck:
            return f"a strategy gave no answer and could not be stopped{place}"
        if self.killed:
            return (
                "its process was killed from outside; often that is the system when "
                "memory is short"
            )
        if self.code < 0:
            return f"its process crashed with {_signal(-self.code)}{place}"
        return f"its process ended, with exit code {self.code}{place}"


def _innermost(where: str) -> str:
    """The innermost line of code that a crash tells, but for the guard's, in words."""
    for line in where.splitlines():
        words = line.strip()
        if words.startswith('File "') and not words.startswith(f'File "{GUARD}"'):
            file, _, rest = words.removeprefix('File "').partition('", ')
            return f", at {file}, {rest}"
    return ""


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


class Ended(RuntimeError):
    """The workers were ended before they had made a call."""


class _Lost(Exception):
    """There will be no answer."""

    def __init__(self, loss: Loss) -> None:
        self.loss = loss


class _Worker:
    """A process that makes one call after the other."""

    def __init__(self) -> None:
        self._calls, theirs = Pipe()
        self._last_words, writing = Pipe(duplex=False)
        self._process = launch.begin(work, theirs, writing, os.getpid())
        theirs.close()
        writing.close()

    def answer(self, packed: bytes) -> Answer:
        """What becomes of a call; raises ``_Lost``."""
        try:
            self._calls.send_bytes(packed)
            while not self._calls.poll(_LOOK):
                if not self._process.is_alive():
                    raise EOFError
            found = self._calls.recv_bytes()
        except (EOFError, OSError):
            raise _Lost(self._loss()) from None
        answer: Answer = pickle.loads(found)  # noqa: S301 - our own worker's
        return answer

    def end(self) -> None:
        """End it at once, whatever it does: it has nothing to put away."""
        launch.end(self._process)

    def _loss(self) -> Loss:
        """How it ended; it is ended here where it has only closed its pipes."""
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
        return Loss(1 if code is None else code, words.decode(errors="replace"))


@dataclass
class _Call:
    """A call that waits for a worker: as it travels, and those that it has cost."""

    call: Callable[[], Any]
    packed: bytes
    future: Future[Any] = field(default_factory=Future)
    losses: list[Loss] = field(default_factory=list)


class Pool:
    """So many workers, each begun when it has its first call to make."""

    def __init__(self, count: int) -> None:
        launch.prepare()
        self.count, self.ended = 0, False
        self._waiting: SimpleQueue[_Call | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._open: set[Future[Any]] = set()  # which nobody has answered
        self._workers: set[_Worker] = set()
        self._kills = 0
        self.resize(count)

    def resize(self, count: int) -> None:
        """Have so many workers; those that are too many finish their calls."""
        with self._lock:
            more, self.count = count - self.count, count
        for _ in range(more):
            threading.Thread(target=self._keep, daemon=True).start()
        for _ in range(-more):
            self._waiting.put(None)

    def submit(self, call: Callable[[], Found]) -> Future[Found]:
        """Have one of them make a call as it is now, while this process goes on.

        What is waited for fails with ``RunFailed`` where workers are lost with it again
        and again, and with ``Ended`` where the pool is ended before.
        """
        one = _Call(call, pickle.dumps((os.environ.get(LIMIT), pack(call))))
        with self._lock:
            if self.ended:
                raise Ended
            self._open.add(one.future)
        self._waiting.put(one)
        return one.future

    def end(self) -> None:
        """End them all at once, whatever they do."""
        with self._lock:
            self.ended = True
            left, self._open = self._open, set()
            there, self._workers = self._workers, set()
        for worker in there:
            worker.end()
        for _ in range(self.count):
            self._waiting.put(None)
        for future in left:
            future.set_exception(Ended())

    def _keep(self) -> None:
        """Have one worker make calls, one after the other: what a thread does."""
        worker: _Worker | None = None
        wanted = True
        while wanted:
            try:
                one = self._waiting.get(timeout=_IDLE if worker else None)
            except Empty:
                self._without(worker)
                worker = None
                continue
            if one is None:
                break
            try:
                worker = worker or self._begun()
                self._tell(one.future, worker.answer(one.packed))
            except _Lost as lost:
                self._without(worker)
                worker = None
                wanted = not self.ended and self._goes_on(lost.loss)
                self._again(one, lost.loss)
            except Exception as error:  # it cannot begin, or its answer be understood
                self._tell(one.future, Answer(error=error))
        self._without(worker)

    def _begun(self) -> _Worker:
        worker = _Worker()
        with self._lock:
            if not self.ended:
                self._workers.add(worker)
                return worker
        worker.end()
        raise Ended

    def _without(self, worker: _Worker | None) -> None:
        """Do without a worker: it is ended."""
        if worker is not None:
            with self._lock:
                self._workers.discard(worker)
            worker.end()

    def _tell(self, future: Future[Any], answer: Answer) -> None:
        """Answer whoever waits, if nobody has."""
        with self._lock:
            if future not in self._open:
                return
            self._open.remove(future)
        if answer.error is None:
            future.set_result(answer.found)
        else:
            future.set_exception(answer.error)

    def _goes_on(self, loss: Loss) -> bool:
        """Whether another worker takes the place of one that is lost."""
        with self._lock:
            self._kills += loss.killed
            if self._kills < _KILLS or self.count == 1:
                return True
            self._kills, self.count = 0, self.count - 1
        with suppress(Warning):  # where warnings are errors
            warnings.warn(_FEWER.format(_KILLS, self.count), FewerWorkers, stacklevel=1)
        return False

    def _again(self, one: _Call, loss: Loss) -> None:
        """Have a call made again, by parts if it has some, or give it up."""
        one.losses.append(loss)
        given_up = loss.stuck or len(one.losses) == LOSSES
        parts = one.call.parts if isinstance(one.call, Divisible) else ()
        if len(parts) > 1:
            self._by_parts(one.future, parts)
        elif not given_up:
            self._waiting.put(one)
        elif isinstance(one.call, Divisible):
            self._tell(one.future, Answer(one.call.lost(_why(one.losses))))
        else:
            why = f"a worker process was lost: {_why(one.losses)}. Repeat the command, "
            error = RunFailed(f"{why}if need be with fewer --jobs.")
            self._tell(one.future, Answer(error=error))

    def _by_parts(
        self, whole: Future[Any], parts: Sequence[Callable[[], list[Any]]]
    ) -> None:
        """Answer with what becomes of the parts of a call."""
        left, done = len(parts), threading.Lock()

        def count(_: Future[Any]) -> None:
            nonlocal left
            with done:
                left -= 1
                if left:
                    return
            try:
                found = [item for part in made for item in part.result()]
            except Exception as error:
                self._tell(whole, Answer(error=error))
            else:
                self._tell(whole, Answer(found))

        try:
            made = [self.submit(part) for part in parts]
        except Ended:
            return
        for part in made:
            part.add_done_callback(count)


_FEWER = (
    "{} processes that play were killed from outside; often that is the system when "
    "memory is short. From here on there is one fewer ({})."
)


def _why(losses: Sequence[Loss]) -> str:
    """How a call lost its workers, in words."""
    times = f" ({len(losses)} times in a row)" if len(losses) > 1 else ""
    return f"{losses[-1]}{times}"


_hired: list[Pool] = []  # one, if any
_hiring = threading.RLock()


def processes(jobs: int) -> int:
    """How many these are: -1 is all cores that this process may use."""
    from joblib import cpu_count

    return cpu_count() if jobs == -1 else jobs


def beside(jobs: int, *, busy: bool = False) -> int:
    """How many workers that is: this process is one of the jobs, unless it is busy."""
    many = processes(jobs)
    return many if busy and many > 1 else many - 1


def hired(count: int) -> Pool:
    """So many workers (at least one) of this process; those that are there go on."""
    with _hiring:
        if _hired and not _hired[0].ended:
            if _hired[0].count != count:
                _hired[0].resize(count)
        else:
            _hired[:] = [Pool(count)]
        return _hired[0]


def begin(count: int, module: str = PLAYING) -> list[Future[None]]:
    """Have so many workers begin, and import a module that they will need.

    This waits for nothing; what comes of it says when they are there. Then they wait
    for calls, of whoever has them ``hired``.
    """
    if count < 1:
        return []
    every = hired(count)
    return [every.submit(partial(_imported, module)) for _ in range(count)]


def _imported(module: str) -> None:
    """Import it; gives nothing, for a module that comes back is imported there too."""
    import_module(module)


@atexit.register
def end() -> None:
    """End the workers, if there are any; at once, for they have nothing to put away."""
    with _hiring:
        while _hired:
            _hired.pop().end()
