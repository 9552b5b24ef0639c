"""Connect to a dask cluster, send it work, and notice when it is lost."""

import logging
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from experiments.execution.failures import RunFailed
from sim.errors import error_text

if TYPE_CHECKING:
    from distributed import Client

    from experiments.execution.dask_pool import DaskPool

_WAIT = 10  # seconds for the scheduler to answer, and for a first worker
_ALONE = 60  # seconds without any worker, after which the cluster is given up
_AHEAD = 64  # blocks sent ahead, at least, for workers that join later
_LOGGERS = ("distributed", "distributed.client", "tornado", "tornado.application")


@contextmanager
def connect(scheduler: str) -> Iterator["Client"]:
    """Connect to a scheduler with at least one worker; raises ``RunFailed``."""
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


def run_calls(
    client: "Client", scheduler: str, calls: Iterable[tuple[Any, Any, Any]]
) -> Generator[Any, None, None]:
    """Yield the results of calls (joblib's ``delayed``); raises ``RunFailed``.

    Calls must return their errors: one that is raised counts as an error of dask.
    """
    from distributed.client import FutureCancelledError
    from joblib import Parallel, parallel_config

    from experiments.execution.dask_pool import DaskPool

    backend = DaskPool(client)
    ahead = max(_AHEAD, 4 * backend.effective_n_jobs(-1))
    with parallel_config(backend=backend), _watched(client, scheduler, backend):
        try:
            yield from _drawn(
                Parallel(
                    n_jobs=-1,
                    return_as="generator_unordered",
                    batch_size=1,
                    pre_dispatch=ahead,
                )(calls)
            )
            if backend.error is not None:
                raise backend.error
        except RunFailed:
            raise
        except (FutureCancelledError, OSError) as error:
            raise _gone(scheduler, "it is gone") from error
        except Exception as error:
            raise _refused(error) from error


def _drawn(results: Generator[Any, None, None]) -> Generator[Any, None, None]:
    """Yield joblib's results, without its warning when they are not all taken."""
    try:
        for result in results:  # noqa: UP028 - closing has to be ours
            yield result
    except GeneratorExit:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            results.close()
        raise


@contextmanager
def _watched(client: "Client", scheduler: str, pool: "DaskPool") -> Iterator[None]:
    """Give up when the cluster is lost; dask alone would wait forever."""
    over = threading.Event()

    def watch() -> None:
        last_seen = time.monotonic()
        while not over.wait(1):
            pool.check()
            try:
                workers = client.scheduler_info()["workers"]
            except Exception:
                pool.give_up(_gone(scheduler, "it is gone"))
                return
            if workers:
                last_seen = time.monotonic()
            elif time.monotonic() - last_seen > _ALONE:
                pool.give_up(_gone(scheduler, f"no worker was left for {_ALONE} s"))
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join(_WAIT)


def _gone(scheduler: str, why: str) -> RunFailed:
    return RunFailed(f"the cluster of scheduler {scheduler} is lost: {why}.")


def _refused(error: Exception) -> RunFailed:
    """Return an error of dask, about work that it gave up, in plain words."""
    if type(error).__name__ == "KilledWorker":
        return RunFailed(
            "a block was lost with its worker several times: is there too little "
            "memory? Start workers with more, or with --nthreads 1."
        )
    return RunFailed(
        f"a worker cannot play: {error_text(error)}. Is the same fairdeal installed "
        "there as here?"
    )


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence the log of dask: our own errors say what went wrong."""
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
