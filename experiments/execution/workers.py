"""Processes of this machine that work for this one: how they begin, and how they end.

They take as long to begin as a command takes to import and to plan, so both go on at
once: nothing heavy is imported here. Each uses one thread: the calls are what is spread
over the cores.
"""

import gc
import math
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from functools import lru_cache, partial
from importlib import import_module
from multiprocessing import resource_tracker
from typing import Any, TypeVar

from experiments.execution.threads import ONE_THREAD
from sim.guard import LIMIT

Found = TypeVar("Found")
_FEEDER, _PATIENCE = "QueueFeederThread", 5.0  # of a pool, and seconds for it to end
_IDLE = 300  # seconds without a call after which a worker ends
_PLAYING = "experiments.execution.tasks"
_there = threading.Event()  # set once there may be workers


def processes(jobs: int) -> int:
    """How many these are: -1 is all cores that this process may use."""
    from joblib import cpu_count

    return cpu_count() if jobs == -1 else jobs


def beside(jobs: int, *, busy: bool = False) -> int:
    """How many workers that is: this process is one of the jobs, unless it is busy."""
    many = processes(jobs)
    return many if busy and many > 1 else many - 1


def begin(count: int, module: str = _PLAYING) -> list[Future[None]]:
    """Have so many workers begin, and import a module that they will need.

    This waits for nothing; what comes of it says when they are there. Then they wait
    for calls, of whoever has them ``hired``.
    """
    if count < 1:
        return []
    every = hired(count)
    return [send(every, partial(_imported, module)) for _ in range(count)]


def hired(count: int) -> Executor:
    """So many workers (at least one); those that are there go on."""
    from joblib.externals.loky import get_reusable_executor

    _there.set()
    how: Any = {"timeout": _IDLE, "env": ONE_THREAD, **beginning()}
    with warnings.catch_warnings():
        # Of another number, some may still begin: that is waited for.
        warnings.filterwarnings("ignore", "Trying to resize an executor")
        workers: Executor = get_reusable_executor(max_workers=count, **how)
    return workers


def send(workers: Executor, call: Callable[[], Found]) -> Future[Found]:
    """Have one of them make a call as it is now, while this process goes on."""
    from joblib.externals.loky.backend.reduction import dumps

    packed = bytes(dumps(call))
    with _deaf():
        return workers.submit(_unpacked, packed)


def _imported(module: str) -> None:
    """Import it; gives nothing, for a module that comes back is imported there too."""
    import_module(module)


def _unpacked(call: bytes) -> Any:
    from joblib.externals.loky.backend.reduction import loads

    return loads(call)()


def end() -> None:
    """End the workers, if there are any; at once, for they have nothing to put away."""
    if _there.is_set():
        from joblib.externals.loky import get_reusable_executor

        shut_down(get_reusable_executor(reuse=True))


def shut_down(pool: Any) -> None:
    """End the processes of a pool at once, whatever they do.

    The pool's own thread fails over calls that it had not yet taken in hand, and then
    nobody ends the one that hands them over. That is done here, and waited for, which
    takes no time: locks that it keeps when the program ends are told of as leaked.
    """
    calls = getattr(pool, "_call_queue", None)
    with _silent_end():
        pool.shutdown(kill_workers=True)
    if calls is not None:
        calls.close()
    for thread in threading.enumerate():
        if thread.name == _FEEDER:
            thread.join(_PATIENCE)


@contextmanager
def lost() -> Iterator[None]:
    """Tell of a worker that was ended from outside; raises ``RunFailed``."""
    from joblib.externals.loky.process_executor import BrokenProcessPool

    try:
        yield
    except BrokenProcessPool as error:
        from experiments.execution.failures import RunFailed

        raise RunFailed(
            "a worker process was ended from outside; often that is the system when "
            "memory is short. Repeat the command, if need be with fewer --jobs."
        ) from error


def beginning() -> dict[str, Any]:
    """What loky is told of how a worker of this process begins.

    It keeps to the limit of now: where that changes, others take its place.
    """
    its = (os.getpid(), os.environ.get(LIMIT))
    return {"initializer": _work_for, "initargs": its}


def _work_for(parent: int, limit: str | None) -> None:
    """Become a worker of this process, that ends with it."""
    from joblib.externals.loky import process_executor

    _end_with(parent)
    # A worker keeps memory (``experiments.core.memory``); loky would think it leaks.
    process_executor._MAX_MEMORY_LEAK_SIZE = math.inf
    import_module(_PLAYING)
    gc.freeze()  # what was imported stays


@lru_cache(maxsize=1)
def _end_with(parent: int) -> None:
    """Leave when the parent is gone (it may have been killed): nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # as ``_deaf``, wherever it began

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _silent_end() -> Iterator[None]:
    before = threading.excepthook

    def hook(error: threading.ExceptHookArgs) -> None:
        pool = type(error.thread).__name__ == "_ExecutorManagerThread"
        if not (pool and issubclass(error.exc_type, KeyError)):
            before(error)

    threading.excepthook = hook
    try:
        yield
    finally:
        threading.excepthook = before


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes that begin meanwhile never hear of Ctrl-C, which goes to all at once.

    What it means is their parent's to say, who hears of it afterwards.
    """
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # hears all again once it has begun
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
