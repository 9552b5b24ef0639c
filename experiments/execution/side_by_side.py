"""Any calls side by side on the cores of this machine; what they return, in order."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from experiments.execution.backends import as_a_worker, of_worker, one_thread, processes

Found = TypeVar("Found")


def side_by_side(calls: Sequence[Callable[[], Found]], jobs: int) -> list[Found]:
    """What each call returns; ``jobs`` processes do them (-1: all cores).

    Calls and what they return have to travel to other processes. An error ends all.
    """
    if processes(jobs) == 1 or len(calls) < 2:
        return [call() for call in calls]
    from joblib import Parallel, delayed, parallel_config

    here = of_worker()
    with one_thread(), parallel_config(backend="loky", inner_max_num_threads=1):
        pool = Parallel(n_jobs=processes(jobs), batch_size=1)
        found: list[Found] = pool(delayed(_called)(call, *here) for call in calls)
    return found


def _called(call: Callable[[], Found], parent: int, limit: str | None) -> Found:
    as_a_worker(parent, limit)
    return call()
