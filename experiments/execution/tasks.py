"""A block as a task for a worker, and what became of it."""

import threading
import warnings
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from experiments.core.blocks import Outcome
from experiments.core.cells import Cell, Pair
from experiments.core.recording import Block
from experiments.execution.disk import to_bytes
from experiments.execution.failures import BlockFailure, caught
from experiments.execution.stored import identity, save_raw

PlayBlock = Callable[[Any, Block, bool, tuple[str, ...]], Outcome]


@dataclass(frozen=True)
class Task:
    """A block to play."""

    cell: Cell | Pair
    block: Block
    detailed: bool
    keep: tuple[str, ...]
    play: PlayBlock
    folder: Path | None = None  # where its worker puts raw tables; else they come back
    run: str = ""  # the fingerprint of the run that raw tables belong to


@dataclass(frozen=True)
class BlockResult:
    """A block that was played: its sums, and raw tables as parquet by name."""

    block: Block
    sums: pl.DataFrame
    raw: dict[str, bytes]  # those that are not on disk yet
    tables: tuple[str, ...]  # of all
    decisions: int


def work(task: Task) -> BlockResult | BlockFailure:
    """Play a block; what a worker does."""
    try:
        found = task.play(task.cell, task.block, task.detailed, task.keep)
        raw = {
            name: to_bytes(frame, identity(task.run, task.block, name))
            for name, frame in found.tables.items()
        }
        if task.folder is not None:
            save_raw(task.folder, task.block, raw)
            raw = {}
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever a strategy or a library raises
        return caught(task.block, error)
    return BlockResult(
        task.block, found.sums, raw, tuple(found.tables), found.decisions
    )


def drawn(found: Generator[Any, None, None]) -> Iterator[Any]:
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
