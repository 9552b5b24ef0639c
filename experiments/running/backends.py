"""Who plays the blocks: this process, processes on this machine, or a cluster.

A backend takes tasks one by one, as they are wanted, and gives back what became of
them in any order. Workers return errors as values, so that one block takes no other
with it, and use one thread each: the blocks are what is spread over the cores.
"""

import os
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import polars as pl

from experiments.blocks import Block, Outcome
from experiments.cells import Cell, UsageError
from experiments.running.failed import Failed, RunFailed, caught
from experiments.running.files import save_raw, to_bytes
from sim.knobs import nearest, one_of

BACKENDS = ("loky", "dask")
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

PlayBlock = Callable[[Cell, Block, bool, tuple[str, ...]], Outcome]


@dataclass(frozen=True)
class Task:
    """A block to play."""

    cell: Cell
    block: Block
    detailed: bool
    keep: tuple[str, ...]
    play: PlayBlock
    folder: Path | None = None  # where its worker puts raw tables; else they come back


@dataclass(frozen=True)
class Done:
    """A block that was played: its sums, and raw tables as parquet by name."""

    block: Block
    sums: pl.DataFrame
    raw: dict[str, bytes]
    decisions: int


def work(task: Task) -> Done | Failed:
    """Play a block; what a worker does."""
    try:
        found = task.play(task.cell, task.block, task.detailed, task.keep)
        raw = {name: to_bytes(frame) for name, frame in found.tables.items()}
        if task.folder is not None:
            save_raw(task.folder, task.block, raw)
            raw = {}
    except Exception as error:
        return caught(task.block, error)
    return Done(task.block, found.sums, raw, found.decisions)


def work_here(task: Task, parent: int) -> Done | Failed:
    """The same in a process that is to end with the one that started it."""
    _end_with(parent)
    return work(task)


@lru_cache(maxsize=1)
def _end_with(parent: int) -> None:
    """Leave when the parent is gone (it may have been killed): nobody asks any more."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def check(backend: str, scheduler: str | None, jobs: int) -> None:
    """Refuse what cannot be; raises ``UsageError``."""
    if jobs == 0 or jobs < -1:
        raise UsageError(f"jobs: 1 or more, or -1 for all cores, not {jobs}.")
    if backend not in BACKENDS:
        raise UsageError(
            f"backend: no backend {backend!r}{nearest(backend, BACKENDS)} "
            f"Allowed: {one_of(BACKENDS)}."
        )
    if backend == "dask":
        from experiments.running.remote import check_address

        check_address(scheduler)
    elif scheduler is not None:
        raise UsageError("scheduler: it goes with backend dask; say --backend dask.")


def finished(
    tasks: Iterable[Task], jobs: int, backend: str, scheduler: str | None
) -> Generator[Done | Failed, None, None]:
    """What became of the tasks, in any order; they are taken as they are wanted."""
    if backend == "dask":
        from experiments.running.remote import finished_remotely

        yield from finished_remotely(tasks, str(scheduler))
    elif jobs == 1:
        yield from map(work, tasks)
    else:
        yield from _on_this_machine(tasks, jobs)


def _on_this_machine(tasks: Iterable[Task], jobs: int) -> Iterator[Done | Failed]:
    from joblib import Parallel, delayed, parallel_config
    from joblib.externals.loky.process_executor import BrokenProcessPool

    try:
        with one_thread(), parallel_config(backend="loky", inner_max_num_threads=1):
            pool = Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)
            calls = (delayed(work_here)(task, os.getpid()) for task in tasks)
            yield from drawn(pool(calls))
    except BrokenProcessPool as error:
        raise RunFailed(
            "a worker process was ended from outside; often that is the system when "
            "memory is short. Repeat the command, if need be with fewer --jobs."
        ) from error


def drawn(found: Generator[Any, None, None]) -> Iterator[Any]:
    """What joblib finds; it need not warn when no more is wanted, as after an error."""
    try:
        for done in found:  # noqa: UP028 - closing has to be ours
            yield done
    except GeneratorExit:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            found.close()
        raise


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
