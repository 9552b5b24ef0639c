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
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from functools import lru_cache, partial
from importlib import import_module
from multiprocessing import resource_tracker
from typing import Any, TypeVar

from sim.guard import LIMIT

Found = TypeVar("Found")
ONE_THREAD = dict.fromkeys(
    (
        "POLARS_MAX_THREADS",
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "MKL_NUM_THREADS",
        "NUMEXPR_NUM_THREADS",
        "VECLIB_MAXIMUM_THREADS",
    ),
    "1",
)
"""Environment of a worker; joblib sees to BLAS only."""
_PLAYING = "experiments.execution.tasks"
_there = threading.Event()  # set once there may be workers


def processes(jobs: int) -> int:
    """How many these are: -1 is all cores that this process may use."""
    from joblib import cpu_count

    return cpu_count() if jobs == -1 else jobs


def begin(jobs: int, module: str = _PLAYING) -> None:
    """Have workers begin, and import a module that they will need; waits for nothing.

    They wait for calls, of whoever has a ``pool``. With one job there are none.
    """
    if processes(jobs) > 1:
        submit([partial(_imported, module)] * processes(jobs), jobs)


def submit(calls: Sequence[Callable[[], Found]], jobs: int) -> list[Future[Found]]:
    """Have workers make calls as they are now, while this process goes on."""
    from joblib.externals.loky import get_reusable_executor
    from joblib.externals.loky.backend.reduction import dumps

    packed = [bytes(dumps(call)) for call in calls]
    with pool(jobs) as its, its:
        workers = get_reusable_executor(reuse=True)
        with _deaf():
            return [workers.submit(_unpacked, one) for one in packed]


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

        with _silent_end():
            get_reusable_executor(reuse=True).shutdown(kill_workers=True)


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


@contextmanager
def pool(jobs: int) -> Iterator[Any]:
    """What joblib does calls with, in any order; workers that are there go on."""
    from joblib import Parallel, parallel_config

    _there.set()
    one: Any = {"backend": "loky", "inner_max_num_threads": 1}
    with _environment(ONE_THREAD), parallel_config(**one, **beginning()):
        how: Any = {"return_as": "generator_unordered", "batch_size": 1}
        yield Parallel(n_jobs=processes(jobs), max_nbytes=None, **how)


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


def drawn(found: Generator[Any, None, None]) -> Generator[Any, None, None]:
    """What joblib finds; it need not say anything when no more is wanted.

    A pool that is ended early, after an error or Ctrl-C, may forget a task while its
    thread takes it up; that ``KeyError`` ends the thread, which was to end anyway.
    """
    with _silent_end():
        try:
            for done in found:  # noqa: UP028 - closing has to be ours
                yield done
        except GeneratorExit:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                found.close()
            raise


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


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    before: dict[str, Any] = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
