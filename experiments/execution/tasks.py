"""A block as a task for a worker, and what became of it."""

from collections.abc import (
    Callable,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from experiments.core.blocks import Outcome
from experiments.core.cells import Cell, Pair
from experiments.core.recording import Block
from experiments.core.together import play_together
from experiments.execution.disk import to_bytes
from experiments.execution.failures import BlockFailure, BlockLost, caught
from experiments.execution.stored import identity, save_raw

PlayBlock = Callable[[Any, Block, bool, tuple[str, ...]], Outcome]
PlayBlocks = Callable[
    [Sequence[Any], Sequence[Block], bool, tuple[str, ...]], list[Outcome]
]


class Share(NamedTuple):
    """When a block is played, and with which others."""

    turn: int = 0  # blocks of an earlier one come first
    table: Hashable = None  # blocks of the same may be played together; None: alone
    most: int = 0  # games at the table


_OWN = Share()


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
    share: Share = _OWN
    together: PlayBlocks = play_together  # of this and others, at one table


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
        return _kept(task, task.play(task.cell, task.block, task.detailed, task.keep))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever a strategy or a library raises
        return caught(task.block, error)


def _kept(task: Task, found: Outcome) -> BlockResult:
    """The result of a task, whose raw tables are kept."""
    raw = {
        name: to_bytes(frame, identity(task.run, task.block, name))
        for name, frame in found.tables.items()
    }
    if task.folder is not None:
        save_raw(task.folder, task.block, raw)
        raw = {}
    return BlockResult(
        task.block, found.sums, raw, tuple(found.tables), found.decisions
    )


@dataclass(frozen=True)
class TableCall:
    """The call that plays the blocks of some tasks at one table."""

    tasks: Sequence[Task]

    def __call__(self) -> list[BlockResult | BlockFailure]:
        """Play them."""
        return work_together(self.tasks)

    @property
    def parts(self) -> list["TableCall"]:
        """Calls that play each by itself."""
        return [TableCall([task]) for task in self.tasks]

    def lost(self, why: str) -> list[BlockResult | BlockFailure]:
        """What became of them where no process survives them."""
        return [
            BlockFailure(
                task.block, BlockLost(f"{games_of(task.block, task.cell)}: {why}.")
            )
            for task in self.tasks
        ]


def games_of(block: Block, cell: Cell | Pair) -> str:
    """The games of a block, and who plays them."""
    name = cell.title()
    lineup = ",".join(one.title for one in cell.strategies())
    who = name if name == lineup else f"{name} ({lineup})"
    if block.count == 1:
        return f"game {block.first} of {who}"
    return f"games {block.first} to {block.first + block.count - 1} of {who}"


def work_together(tasks: Sequence[Task]) -> list[BlockResult | BlockFailure]:
    """Play the blocks of some tasks at one table; each alone where that fails."""
    if len(tasks) == 1:
        return [work(tasks[0])]
    cells = [task.cell for task in tasks]
    blocks, one = [task.block for task in tasks], tasks[0]
    try:
        outcomes = one.together(cells, blocks, one.detailed, one.keep)
        return [_kept(*of) for of in zip(tasks, outcomes, strict=True)]
    except KeyboardInterrupt:
        raise
    except BaseException:  # as in ``work``, where it is found whose it is
        return [work(task) for task in tasks]


def grouped(tasks: Iterable[Task]) -> Iterator[list[Task]]:
    """The tasks, those together that may share a table, as many as it holds."""
    waiting: dict[Hashable, list[Task]] = {}
    turn = 0
    for task in tasks:
        share = task.share
        if share.turn > turn:
            yield from _longest_first(waiting)
            waiting, turn = {}, share.turn
        if share.table is None:
            yield [task]
            continue
        some = waiting.setdefault(share.table, [])
        if some and _games(some) + task.block.count > share.most:
            yield some
            some = waiting[share.table] = []
        some.append(task)
    yield from _longest_first(waiting)


def _longest_first(waiting: Mapping[Hashable, list[Task]]) -> list[list[Task]]:
    return sorted(waiting.values(), key=_games, reverse=True)


def _games(tasks: Sequence[Task]) -> int:
    return sum(task.block.count for task in tasks)
