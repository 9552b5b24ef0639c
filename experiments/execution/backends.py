"""Who plays the blocks: this process, processes on this machine, or a cluster.

A backend takes tasks one by one, as they are wanted, and gives back what became of
them in any order. Workers return errors as values, so that one block takes no other
with it.
"""

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from itertools import chain, islice
from typing import TypeVar

from experiments.core.cells import UsageError
from experiments.execution.failures import BlockFailure
from experiments.execution.shared_out import by_all
from experiments.execution.tasks import BlockResult, TableCall, Task, grouped
from experiments.execution.workers import Found, beside, processes
from sim.parameters import no_such

BACKENDS = ("loky", "dask")
Backend = (
    str | Callable[[Iterable[Task]], Generator[BlockResult | BlockFailure, None, None]]
)
"""One of these, or a function that has tasks played."""
Key = TypeVar("Key")


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


def finished(
    tasks: Iterable[Task],
    jobs: int,
    backend: Backend,
    scheduler: str | None,
    *,
    apart: bool = False,
) -> Generator[BlockResult | BlockFailure, None, None]:
    """What became of the tasks, in any order; they are taken as they are wanted.

    Those that may be are played together, on this machine. ``apart``: none is played
    in this process, which goes on whatever a strategy does to the one it is in.
    """
    if callable(backend):
        yield from backend(tasks)
        return
    if backend == "dask":
        from experiments.execution.remote import finished_remotely

        yield from finished_remotely(tasks, str(scheduler))
        return
    calls = ((None, TableCall(some)) for some in grouped(tasks))
    with closing(as_done(calls, jobs, apart=apart)) as every:
        for _, found in every:
            yield from found


def as_done(
    calls: Iterable[tuple[Key, Callable[[], Found]]],
    jobs: int,
    *,
    busy: bool = False,
    apart: bool = False,
) -> Generator[tuple[Key, Found], None, None]:
    """What each call returns, with its key, as it is done: in any order.

    ``jobs`` processes of this machine do them (-1: all cores); they are taken as they
    are wanted. This process is one of them, unless it is ``busy`` with what returns, or
    they are made ``apart`` from it. Calls and what they return have to travel. An error
    ends all.
    """
    waiting = iter(calls)
    first = list(islice(waiting, 1 if jobs == 1 else 2))
    every = chain(first, waiting)
    if apart and first:
        yield from by_all(every, processes(jobs), here=False)
    elif len(first) < 2 or processes(jobs) == 1:  # one call needs no other process
        yield from ((key, call()) for key, call in every)
    else:
        yield from by_all(every, beside(jobs, busy=busy), here=not busy)
