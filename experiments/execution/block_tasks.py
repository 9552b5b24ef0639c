"""Tasks: blocks for workers to play, alone or together, and their results."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from experiments.core.batched_cells import play_batched_cells
from experiments.core.block_records import Block
from experiments.core.blocks import Outcome
from experiments.core.cells import Cell, Pair
from experiments.execution.atomic_files import to_bytes
from experiments.execution.block_files import identity, save_raw_tables
from experiments.execution.failures import BlockFailure, BlockLost, block_failure

PlayBlock = Callable[[Any, Block, bool, tuple[str, ...]], Outcome]


class BatchKey(NamedTuple):
    """When a block is played, and with which others."""

    turn: int = 0  # blocks of an earlier turn come first
    table: Hashable = None  # blocks with one key may be played together; None: alone
    most: int = 0  # games at the table


_ALONE = BatchKey()


@dataclass(frozen=True)
class Task:
    """A block to play."""

    cell: Cell | Pair
    block: Block
    detailed: bool
    keep: tuple[str, ...]
    play: PlayBlock
    folder: Path | None = None  # where the worker saves raw tables; None: it sends them
    run: str = ""  # the fingerprint of the run that raw tables belong to
    share: BatchKey = _ALONE


@dataclass(frozen=True)
class BlockResult:
    """A block that was played: its sums, and raw tables by name, as parquet."""

    block: Block
    sums: pl.DataFrame
    raw: dict[str, bytes]  # tables that are not on disk yet
    tables: tuple[str, ...]  # the names of all tables
    decisions: int


def play_task(task: Task) -> BlockResult | BlockFailure:
    """Play a block; return its result, or its failure."""
    try:
        return _result(task, task.play(task.cell, task.block, task.detailed, task.keep))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever a strategy or a library raises
        return block_failure(task.block, error)


def _result(task: Task, played: Outcome) -> BlockResult:
    """Return the result of a task, and save its raw tables if there is a folder."""
    raw = {
        name: to_bytes(frame, identity(task.run, task.block, name))
        for name, frame in played.tables.items()
    }
    if task.folder is not None:
        save_raw_tables(task.folder, task.block, raw)
        raw = {}
    names = tuple(played.tables)
    return BlockResult(task.block, played.sums, raw, names, played.decisions)


@dataclass(frozen=True)
class TableCall:
    """A call that plays the blocks of tasks at one table."""

    tasks: Sequence[Task]

    def __call__(self) -> list[BlockResult | BlockFailure]:
        """Play the blocks."""
        return play_batched_tasks(self.tasks)

    @property
    def parts(self) -> list["TableCall"]:
        """Calls that play each block alone."""
        return [TableCall([task]) for task in self.tasks]

    def lost(self, why: str) -> list[BlockResult | BlockFailure]:
        """Return the failures of the blocks, if no process survives them."""
        return [
            BlockFailure(
                task.block, BlockLost(f"{games_of(task.block, task.cell)}: {why}.")
            )
            for task in self.tasks
        ]


def games_of(block: Block, cell: Cell | Pair) -> str:
    """Return the games of a block, and their players, in words."""
    name = cell.title()
    lineup = ",".join(strategy.title for strategy in cell.strategies())
    players = name if name == lineup else f"{name} ({lineup})"
    if block.count == 1:
        return f"game {block.first} of {players}"
    return f"games {block.first} to {block.first + block.count - 1} of {players}"


def play_batched_tasks(tasks: Sequence[Task]) -> list[BlockResult | BlockFailure]:
    """Play the blocks of tasks at one table, or each alone if that fails."""
    if len(tasks) == 1:
        return [play_task(tasks[0])]
    cells = [task.cell for task in tasks]
    blocks, first = [task.block for task in tasks], tasks[0]
    try:
        outcomes = play_batched_cells(cells, blocks, first.detailed, first.keep)
        return [_result(*pair) for pair in zip(tasks, outcomes, strict=True)]
    except KeyboardInterrupt:
        raise
    except BaseException:  # playing each alone shows whose error it is
        return [play_task(task) for task in tasks]


def group_tasks(tasks: Iterable[Task]) -> Iterator[list[Task]]:
    """Yield groups of tasks that may share a table, as many as it holds."""
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
        group = waiting.setdefault(share.table, [])
        if group and _games(group) + task.block.count > share.most:
            yield group
            group = waiting[share.table] = []
        group.append(task)
    yield from _longest_first(waiting)


def _longest_first(waiting: Mapping[Hashable, list[Task]]) -> list[list[Task]]:
    """Return groups with most games first, so that cores finish at about one time."""
    return sorted(waiting.values(), key=_games, reverse=True)


def _games(tasks: Sequence[Task]) -> int:
    return sum(task.block.count for task in tasks)
