"""Who plays the blocks: this process, processes on this machine, or a cluster.

A backend takes tasks one by one, as they are wanted, and gives back what became of
them in any order. Workers return errors as values, so that one block takes no other
with it, and use one thread each: the blocks are what is spread over the cores.
"""

import os
import signal
import threading
import time
from collections.abc import (
    Callable,
    Generator,
    Iterable,
    Iterator,
    Mapping,
)
from contextlib import closing, contextmanager
from functools import lru_cache, partial
from itertools import chain, islice
from typing import Any, TypeVar

from experiments.core.cells import UsageError
from experiments.execution.failures import BlockFailure, RunFailed
from experiments.execution.tasks import (
    BlockResult,
    Task,
    drawn,
    grouped,
    work_together,
)
from sim.guard import LIMIT
from sim.parameters import no_such

BACKENDS = ("loky", "dask")
Backend = (
    str | Callable[[Iterable[Task]], Generator[BlockResult | BlockFailure, None, None]]
)
"""One of these, or a function that has tasks played."""
Key = TypeVar("Key")
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
"""Environment of a worker."""


def call_here(call: Callable[[], Found], parent: int, limit: str | None) -> Found:
    """Make a call in a process that is to end with the one that started it."""
    _as_a_worker(parent, limit)
    return call()


def of_worker() -> tuple[int, str | None]:
    """What a worker of this process is told of it, for ``call_here``."""
    return os.getpid(), os.environ.get(LIMIT)


def _as_a_worker(parent: int, limit: str | None) -> None:
    """End with the process that started this one, and keep to its limit."""
    _end_with(parent)
    if limit is None:
        os.environ.pop(LIMIT, None)
    else:
        os.environ[LIMIT] = limit  # this process may be older than the limit


@lru_cache(maxsize=1)
def _end_with(parent: int) -> None:
    """Leave when the parent is gone (it may have been killed): nobody asks any more.

    Ctrl-C goes to all processes of a terminal; what it means is the parent's to say.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def check(backend: Backend, scheduler: str | None, jobs: int) -> None:
    """Refuse what cannot be; raises ``UsageError``."""
    if jobs == 0 or jobs < -1:
        raise UsageError(f"jobs: 1 or more, or -1 for all cores, not {jobs}.")
    if callable(backend):
        return
    if backend not in BACKENDS:
        raise UsageError(f"backend: {no_such('backend', backend, BACKENDS)}")
    if backend == "dask":
        from experiments.execution.remote import check_address

        check_address(scheduler)
    elif scheduler is not None:
        raise UsageError("scheduler: it goes with backend dask; say --backend dask.")


def processes(jobs: int) -> int:
    """How many these are: -1 is all cores that this process may use."""
    from joblib import cpu_count

    return cpu_count() if jobs == -1 else jobs


def finished(
    tasks: Iterable[Task], jobs: int, backend: Backend, scheduler: str | None
) -> Generator[BlockResult | BlockFailure, None, None]:
    """What became of the tasks, in any order; they are taken as they are wanted.

    Those that may be are played together, on this machine.
    """
    if callable(backend):
        yield from backend(tasks)
        return
    if backend == "dask":
        from experiments.execution.remote import finished_remotely

        yield from finished_remotely(tasks, str(scheduler))
        return
    calls = ((None, partial(work_together, some)) for some in grouped(tasks))
    with closing(as_done(calls, jobs)) as every:
        for _, found in every:
            yield from found


def as_done(
    calls: Iterable[tuple[Key, Callable[[], Found]]], jobs: int
) -> Generator[tuple[Key, Found], None, None]:
    """What each call returns, with its key, as it is done: in any order.

    ``jobs`` processes of this machine do them (-1: all cores); they are taken as they
    are wanted. Calls and what they return have to travel. An error ends all.
    """
    waiting = iter(calls)
    first = list(islice(waiting, 1 if jobs == 1 else 2))
    every = chain(first, waiting)
    if len(first) < 2 or processes(jobs) == 1:  # one call needs no other process
        yield from ((key, call()) for key, call in every)
    else:
        yield from _on_this_machine(every, jobs)


def _on_this_machine(
    calls: Iterable[tuple[Key, Callable[[], Found]]], jobs: int
) -> Iterator[tuple[Key, Found]]:
    from joblib import Parallel, delayed, parallel_config
    from joblib.externals.loky.process_executor import BrokenProcessPool

    here = of_worker()
    try:
        with one_thread(), parallel_config(backend="loky", inner_max_num_threads=1):
            pool = Parallel(
                n_jobs=processes(jobs), return_as="generator_unordered", batch_size=1
            )
            made = (delayed(call_here)(partial(_keyed, *of), *here) for of in calls)
            with closing(drawn(pool(made))) as found:
                yield from found
    except BrokenProcessPool as error:
        raise RunFailed(
            "a worker process was ended from outside; often that is the system when "
            "memory is short. Repeat the command, if need be with fewer --jobs."
        ) from error


def _keyed(key: Key, call: Callable[[], Found]) -> tuple[Key, Found]:
    return key, call()


@contextmanager
def one_thread() -> Iterator[None]:
    """Processes started meanwhile use one thread each; joblib sees to BLAS only."""
    with _environment(ONE_THREAD):
        yield


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
