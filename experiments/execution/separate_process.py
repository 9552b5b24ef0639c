"""Calls to a user's own strategies, in a process that may be lost with them.

Such code may crash the process that it is in, or never come back. Where games are not
played as blocks of a run, these functions have them played by a worker all the same.
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

_CHUNK = 512  # games of a call: what it returns has to travel


def apart(call: Callable[[], Returned]) -> Returned:
    """Return what a call returns, made by a worker.

    The call and its result have to travel. Raises ``BlockLost``, which says how the
    worker ended, where none survives the call.
    """
    with closing(completed_calls([(None, _Single(call))], 1, user_code=True)) as done:
        [(_, [found])] = done
    if isinstance(found, BlockLost):
        raise found
    return found


def by_chunk(
    make: Callable[[range], Iterable[Returned]], cells: Sequence[Cell], numbers: range
) -> Iterator[Returned]:
    """Yield what ``make(numbers)`` yields about these games of the cells.

    A worker makes it, chunk by chunk, if a user's own strategy plays. What comes before
    an error is yielded before the error is raised.
    """
    if not has_user_strategy(one for cell in cells for one in cell.strategies()):
        yield from make(numbers)
        return
    for first in range(numbers.start, numbers.stop, _CHUNK):
        chunk = range(first, min(first + _CHUNK, numbers.stop))
        block = Block(0, first, len(chunk))
        try:
            found, failure = apart(partial(_listed, make, chunk, block))
        except BlockLost as lost:
            raise BlockLost(f"{games_of(block, cells[0])}: {lost}.") from None
        yield from found
        if failure is not None:
            raise failure.raised()


def _listed(
    make: Callable[[range], Iterable[Returned]], numbers: range, block: Block
) -> tuple[list[Returned], BlockFailure | None]:
    """What is yielded about these games, and the error that ended it."""
    found: list[Returned] = []
    try:
        found.extend(make(numbers))
    except Exception as error:
        return found, block_failure(block, error)
    return found, None


@dataclass(frozen=True)
class _Single(Generic[Returned]):
    """A call without parts that says why where workers are lost with it."""

    call: Callable[[], Returned]
    parts = ()

    def __call__(self) -> list[Returned]:
        return [self.call()]

    def lost(self, why: str) -> list[Any]:
        return [BlockLost(why)]
