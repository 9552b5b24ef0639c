"""A dask cluster: reaching it, sending work to it, and noticing that it is lost."""

import logging
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from experiments.execution.failures import RunFailed

if TYPE_CHECKING:
    from distributed import Client

_WAIT = 10  # seconds for the scheduler to answer, and for a first worker
_ALONE = 60  # seconds without any worker
_AHEAD = 64  # blocks sent ahead at the least, for workers that come later
_LOGGERS = ("distributed", "distributed.client", "tornado", "tornado.application")


@contextmanager
def connected(scheduler: str) -> Iterator["Client"]:
    """A connection to a scheduler with at least one worker; raises ``RunFailed``."""
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


def played(
    client: Any, scheduler: str, calls: Iterable[tuple[Any, ...]]
) -> Generator[Any, None, None]:
    """What calls (a function, then its arguments) return, in any order.

    ``client``, a ``Client`` of distributed, is as good as untyped.
    What is called has to return its errors: one that is raised is of dask, and told as
    ``RunFailed``.
    """
    ended, waiting = SimpleQueue[Any](), iter(calls)
    sent, seen = set[Any](), time.monotonic()
    ahead = max(_AHEAD, 4 * sum(client.ncores().values()))
    with _errors(scheduler):
        while True:
            for call in islice(waiting, ahead - len(sent)):
                future: Any = client.submit(*call, pure=False)
                sent.add(future)
                future.add_done_callback(ended.put)
            if not sent:
                return
            future = None
            try:
                future = ended.get(timeout=1)
                found = future.result(timeout=_ALONE)
            except (Empty, TimeoutError):  # dask alone would wait for ever
                if future is not None:  # it was lost with its worker
                    ended.put(future)
                if client.scheduler_info()["workers"]:
                    seen = time.monotonic()
                elif time.monotonic() - seen > _ALONE:
                    words = f"no worker was left for {_ALONE} s"
                    raise _gone(scheduler, words) from None
            else:
                sent.remove(future)
                seen = time.monotonic()
                yield found


@contextmanager
def _errors(scheduler: str) -> Iterator[None]:
    """What dask raises, in our words."""
    from distributed.client import FutureCancelledError

    try:
        yield
    except RunFailed:
        raise
    except (FutureCancelledError, OSError) as error:
        raise _gone(scheduler, "it is gone") from error
    except Exception as error:
        raise _refused(error) from error


def _gone(scheduler: str, why: str) -> RunFailed:
    return RunFailed(f"the cluster of {scheduler} is lost: {why}.")


def _refused(error: Exception) -> RunFailed:
    """What dask says of work that it gave up, in our words."""
    if type(error).__name__ == "KilledWorker":
        return RunFailed(
            "a block was lost with its worker again and again: is there too little "
            "memory? Start workers with more, or with --nthreads 1."
        )
    return RunFailed(
        f"a worker cannot play: {type(error).__name__}: {error}. Is fairdeal "
        "installed there as it is here?"
    )


@contextmanager
def _quiet() -> Iterator[None]:
    """What goes wrong is told by us, in a sentence."""
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)
