"""Playing blocks on a cluster, through joblib's dask backend.

A worker that runs another fairdeal, or other versions of what results depend on, is
refused. Strategies from files travel along (``experiments.luggage``). A worker that
is lost takes nothing with it: the scheduler has its blocks played by another.
"""

import logging
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from experiments.backends import Done, Task, drawn
from experiments.cells import UsageError
from experiments.failed import Failed, RunFailed
from experiments.luggage import pack
from experiments.remote_worker import identify, play_sent

if TYPE_CHECKING:
    from distributed import Client

_WAIT = 10  # seconds for the scheduler to answer, and for a first worker
_ALONE = 60  # seconds without any worker
_DEATHS = 4  # of workers with the same block, before dask gives it up


def check_address(scheduler: str | None) -> None:
    """Refuse what is no address, and dask where it is not installed."""
    if find_spec("distributed") is None:
        raise UsageError("backend dask is not installed: pip install 'fairdeal[dask]'.")
    if not scheduler or not re.fullmatch(r"(tcp|tls|ucx|wss?)://\S+:\d+", scheduler):
        given = f", not {scheduler!r}" if scheduler else ""
        raise UsageError(
            "scheduler: backend dask needs the address that `dask scheduler` prints, "
            f"as in tcp://192.168.1.10:8786{given}."
        )


def finished_remotely(tasks: Iterable[Task], scheduler: str) -> Iterator[Done | Failed]:
    """What became of the tasks, in any order; raises ``RunFailed``."""
    from joblib import Parallel, delayed, parallel_config

    here = identify()
    with _client(scheduler) as client, parallel_config(backend="dask", client=client):
        _refuse(client, here)
        pool = Parallel(
            n_jobs=-1,
            return_as="generator_unordered",
            batch_size=1,
            pre_dispatch="4*n_jobs",  # some wait, for workers that come later
        )
        found = pool(delayed(play_sent)(pack(task), here) for task in tasks)
        with _lost(client, scheduler):
            try:
                for done in drawn(found):
                    if isinstance(done, dict):
                        raise RunFailed(_told("a worker", done, here))
                    yield done
            except (ImportError, AttributeError) as error:
                _refuse(client, here)
                raise RunFailed(f"a worker cannot play: {error}.") from error


@contextmanager
def _client(scheduler: str) -> Iterator["Client"]:
    """A connection to a scheduler with at least one worker."""
    from distributed import Client

    connect: Callable[..., Client] = Client
    with _quiet():
        try:
            client = connect(scheduler, timeout=_WAIT, set_as_default=False)
        except (OSError, ValueError) as error:
            raise RunFailed(
                f"no scheduler answers at {scheduler}. Is `dask scheduler` running "
                "there, and its port open to this machine?"
            ) from error
        with client:
            try:
                client.wait_for_workers(1, timeout=_WAIT)
            except TimeoutError:
                raise RunFailed(
                    f"the scheduler at {scheduler} has no workers. Start some: "
                    f"dask worker {scheduler} --nthreads 1"
                ) from None
            yield client


@contextmanager
def _lost(client: "Client", scheduler: str) -> Iterator[None]:
    """Say so where the cluster is lost; joblib alone would wait for ever."""
    from distributed import KilledWorker
    from distributed.client import FutureCancelledError

    over, alone = threading.Event(), threading.Event()
    leave: Callable[..., None] = client.close

    def watch() -> None:
        seen = time.monotonic()
        while not over.wait(1):
            if client.scheduler_info()["workers"]:
                seen = time.monotonic()
            elif time.monotonic() - seen > _ALONE:
                alone.set()
                leave(timeout=1)
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    except KilledWorker as error:
        raise RunFailed(
            f"a block was lost with its worker {_DEATHS} times: is there too little "
            "memory? Start workers with more, or with --nthreads 1."
        ) from error
    except (FutureCancelledError, OSError) as error:
        why = f"no worker was left for {_ALONE} s" if alone.is_set() else "it is gone"
        raise RunFailed(f"the cluster of {scheduler} is lost: {why}.") from error
    finally:
        over.set()
        watcher.join()


@contextmanager
def _quiet() -> Iterator[None]:
    """What goes wrong is told by us, in a sentence."""
    loggers = [logging.getLogger(name) for name in ("distributed", "tornado")]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


def _refuse(client: "Client", here: Mapping[str, str]) -> None:
    """Refuse workers that would come to other results; raises ``RunFailed``."""
    import cloudpickle

    from experiments import remote_worker

    cloudpickle.register_pickle_by_value(remote_worker)
    try:
        found: dict[str, Any] = client.run(identify)
    finally:
        cloudpickle.unregister_pickle_by_value(remote_worker)
    for address, there in found.items():
        if there != here:
            raise RunFailed(_told(f"worker {address}", there, here))


def _told(who: str, there: Mapping[str, str], here: Mapping[str, str]) -> str:
    """Which versions differ, both named."""
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
        f"{who} has {' and '.join(words)}; here it is {' and '.join(ours)}. Install "
        "the same there: results would differ."
    )
