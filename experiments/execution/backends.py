"""Backends, which play blocks: this process, processes on this machine, or a cluster.

A backend takes tasks one by one, as it needs them, and returns their results in any
order. Workers return errors as values, so that a block that fails affects no other.
"""

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from itertools import chain, islice
from typing import TypeVar

from experiments.core.cells import UsageError
from experiments.execution.block_tasks import BlockResult, TableCall, Task, group_tasks
from experiments.execution.failures import BlockFailure
from experiments.execution.single_thread import call_here
from experiments.execution.work_queue import run_queue
from experiments.execution.worker_pool import Returned, extra_workers, process_count
from sim.parameters import no_such

BACKENDS = ("loky", "dask")
Backend = (
    str | Callable[[Iterable[Task]], Generator[BlockResult | BlockFailure, None, None]]
)
"""A name of ``BACKENDS``, or a function that plays tasks."""
Key = TypeVar("Key")


def check_backend(backend: Backend, scheduler: str | None, jobs: int) -> None:
    """Raise ``UsageError`` for options that are impossible."""
    if jobs == 0 or jobs < -1:
        raise UsageError(f"jobs: {jobs}. Allowed: 1 or more, or -1 for all cores.")
    if callable(backend):
        return
    if backend not in BACKENDS:
        raise UsageError(f"backend: {no_such('backend', backend, BACKENDS)}")
    if backend == "dask":
        from experiments.execution.cluster_backend import check_address

        check_address(scheduler)
    elif scheduler is not None:
        raise UsageError("scheduler: it needs backend dask; add --backend dask.")


def run_tasks(
    tasks: Iterable[Task],
    jobs: int,
    backend: Backend,
    scheduler: str | None,
    *,
    user_code: bool = False,
) -> Generator[BlockResult | BlockFailure, None, None]:
    """Yield the results of the tasks in any order; tasks are taken as they are needed.

    On this machine, tasks that may share a table are played together. ``user_code``:
    none is played in this process, so that a strategy that crashes does not end it.
    """
    if callable(backend):
        yield from backend(tasks)
        return
    if backend == "dask":
        from experiments.execution.cluster_backend import run_tasks_on_cluster

        yield from run_tasks_on_cluster(tasks, str(scheduler))
        return
    calls = ((None, TableCall(group)) for group in group_tasks(tasks))
    with closing(completed_calls(calls, jobs, user_code=user_code)) as done:
        for _, results in done:
            yield from results


def completed_calls(
    calls: Iterable[tuple[Key, Callable[[], Returned]]],
    jobs: int,
    *,
    busy: bool = False,
    user_code: bool = False,
) -> Generator[tuple[Key, Returned], None, None]:
    """Yield what each call returns, with its key, as calls finish.

    ``jobs`` processes of this machine make them (-1: all cores), and take them as they
    need them. This process is one of them, unless it is ``busy`` with the results, or
    calls are made ``user_code`` from it. Calls and results must be picklable. An error
    ends all.
    """
    waiting = iter(calls)
    first = list(islice(waiting, 1 if jobs == 1 else 2))
    all_calls = chain(first, waiting)
    if user_code and first:
        yield from run_queue(all_calls, process_count(jobs), here=False)
    elif len(first) < 2 or process_count(jobs) == 1:  # one call needs no other process
        yield from ((key, call_here(call)) for key, call in all_calls)
    else:
        yield from run_queue(all_calls, extra_workers(jobs, busy=busy), here=not busy)
