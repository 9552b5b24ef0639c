"""Calls to a user's own strategies, in a process that may be lost with them.

Such code may crash its process, or never return. These functions have a worker play
games that are not blocks of a run, too.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic

from experiments.core.block_records import Block
from experiments.core.cells import Cell
from experiments.execution.backends import completed_calls
from experiments.execution.block_tasks import games_of
from experiments.execution.failures import BlockFailure, BlockLost, block_failure
from experiments.execution.strategy_sources import has_user_strategy
from experiments.execution.worker_pool import Returned

_CHUNK = 512  # games of a call, whose result is pickled


def call_in_worker(call: Callable[[], Returned]) -> Returned:
    """Have a worker make a call, and return the result.

    Both must be picklable. Raises ``BlockLost``, which says how the worker ended, if no
    worker survives the call.
    """
    with closing(completed_calls([(None, _Single(call))], 1, user_code=True)) as done:
        [(_, [result])] = done
    if isinstance(result, BlockLost):
        raise result
    return result


def by_chunk(
    make: Callable[[range], Iterable[Returned]], cells: Sequence[Cell], numbers: range
) -> Iterator[Returned]:
    """Yield what ``make(numbers)`` yields about these games of the cells.

    A worker makes it, chunk by chunk, if a user's own strategy plays. What comes before
    an error is yielded before the error is raised.
    """
    if not has_user_strategy(player for cell in cells for player in cell.strategies()):
        yield from make(numbers)
        return
    for first in range(numbers.start, numbers.stop, _CHUNK):
        chunk = range(first, min(first + _CHUNK, numbers.stop))
        block = Block(0, first, len(chunk))
        try:
            items, failure = call_in_worker(partial(_listed, make, chunk, block))
        except BlockLost as lost:
            raise BlockLost(f"{games_of(block, cells[0])}: {lost}.") from None
        yield from items
        if failure is not None:
            raise failure.raised()


def _listed(
    make: Callable[[range], Iterable[Returned]], numbers: range, block: Block
) -> tuple[list[Returned], BlockFailure | None]:
    """Return what is yielded about these games, and the error that ended it."""
    items: list[Returned] = []
    try:
        items.extend(make(numbers))
    except Exception as error:
        return items, block_failure(block, error)
    return items, None


@dataclass(frozen=True)
class _Single(Generic[Returned]):
    """A call that cannot be split; its result says why workers were lost with it."""

    call: Callable[[], Returned]
    parts = ()

    def __call__(self) -> list[Returned]:
        return [self.call()]

    def lost(self, why: str) -> list[Any]:
        return [BlockLost(why)]
