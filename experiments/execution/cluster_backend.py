"""Play blocks on a cluster, through joblib's dask backend.

A worker that runs another fairdeal, or other versions of anything that results depend
on, is refused. Strategies from files travel along
(``experiments.execution.strategy_sources``). If a worker is lost, the scheduler has its
blocks played by another.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from experiments.core.cells import UsageError
from experiments.execution import version
from experiments.execution.block_tasks import BlockResult, Task
from experiments.execution.cluster import connect, run_calls
from experiments.execution.cluster_worker import play_packed_task, worker_identity
from experiments.execution.failures import BlockFailure, RunFailed
from experiments.execution.strategy_sources import pack

if TYPE_CHECKING:
    from distributed import Client


def check_address(scheduler: str | None) -> None:
    """Raise ``UsageError`` for a bad address, or if dask is not installed."""
    if find_spec("distributed") is None:
        raise UsageError("backend dask is not installed: pip install 'fairdeal[dask]'.")
    if not scheduler or not re.fullmatch(r"(tcp|tls|ucx|wss?)://\S+:\d+", scheduler):
        given = f", not {scheduler!r}" if scheduler else ""
        raise UsageError(
            "scheduler: backend dask needs the address that `dask scheduler` prints, "
            f"such as tcp://192.168.1.10:8786{given}."
        )


def run_tasks_on_cluster(
    tasks: Iterable[Task], scheduler: str
) -> Iterator[BlockResult | BlockFailure]:
    """Yield the results of the tasks in any order; raises ``RunFailed``."""
    from joblib import delayed

    here = worker_identity()
    with connect(scheduler) as client:
        _refuse(client, here)
        calls = (delayed(play_packed_task)(pack(task), here) for task in tasks)
        with closing(run_calls(client, scheduler, calls)) as results:
            for result in results:
                if isinstance(result, dict):
                    raise RunFailed(_version_error("a worker", result, here))
                yield result


def _refuse(client: "Client", here: Mapping[str, str]) -> None:
    """Raise ``RunFailed`` if a worker would have other results."""
    import cloudpickle

    from experiments.execution import cluster_worker

    cloudpickle.register_pickle_by_value(cluster_worker)
    try:
        workers: dict[str, Any] = client.run(worker_identity)
    finally:
        cloudpickle.unregister_pickle_by_value(cluster_worker)
    for address, there in workers.items():
        if there != here:
            raise RunFailed(_version_error(f"worker {address}", there, here))


def _version_error(
    worker: str, there: Mapping[str, str], here: Mapping[str, str]
) -> str:
    """Return the error for a worker with other versions, which names both."""
    names = [name for name in here if there.get(name) != here[name]]
    if names != ["source"]:
        names = [name for name in names if name != "source"]
    words = [
        f"fairdeal {here['fairdeal']} of other source files ({there.get(name)})"
        if name == "source"
        else f"{name} {there.get(name)}"
        for name in names
    ]
    ours = [f"{name} {here[name]}" for name in names]
    if names == ["source"]:
        ours = [here["source"]]
    return (
        f"{worker} has {' and '.join(words)}; here it is {' and '.join(ours)}. Results "
        f"would differ: install the same there. This is {version.this_version()}."
    )
