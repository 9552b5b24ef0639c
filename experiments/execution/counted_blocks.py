"""The games of a cell that count: a contiguous prefix of its blocks.

Blocks finish in any order, but sums are added up in the order of the games, and only
these sums decide whether a cell has enough games. Long games finish late, so the blocks
that happen to finish first would be a biased sample.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import polars as pl

from experiments.core.block_records import Block
from experiments.execution.failures import BlockFailure
from reports.measures import merge


class StoppingRule(Protocol):
    """The rule that says when a cell has enough games."""

    def enough(self, sums: pl.DataFrame, games: int) -> bool:
        """Return whether the sums of the first ``games`` games suffice.

        ``sums`` has the column ``cell``: both sides of a comparison stop together.
        It is called after every block, so it must stay valid under repeated looks
        (``statistics.sequential``). An optional ``expected`` with the same arguments
        guesses the total number of games. An optional ``of_cell`` returns the rule for
        one cell, if cells differ.
        """


class CellPrefix:
    """The games that count so far, and their sums, of a cell.

    ``cells`` are several if they stop at the same game, as both sides of a comparison.
    ``most``: the games of each; ``size``: those of a block.
    """

    def __init__(
        self, cells: Sequence[int], most: int, size: int, stop: StoppingRule | None
    ) -> None:
        self.cells = tuple(cells)
        self.games = 0  # of each cell, in the prefix
        self.sums: pl.DataFrame | None = None
        self.failed: BlockFailure | None = None
        self.stopped = False  # by ``stop``, before ``most`` games
        self.most = most
        self._size = size
        self._stop = stop
        self._likely = most  # games that it will probably take
        self._waiting: dict[int, dict[Block, Callable[[], pl.DataFrame]]] = {}
        self._failures: dict[int, BlockFailure] = {}

    @property
    def over(self) -> bool:
        """Whether it is final which games of this cell count."""
        return self.stopped or self.failed is not None or self.games == self.most

    @property
    def done(self) -> int:
        """The games in the prefix, and in blocks that wait for another one."""
        waiting = (block.count for blocks in self._waiting.values() for block in blocks)
        return len(self.cells) * self.games + sum(waiting)

    @property
    def wanted(self) -> int:
        """The games that there will be in the end, as far as is known."""
        likely = len(self.cells) * self._likely
        return self.done if self.over else max(self.done, likely)

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks in order, as long as they are needed."""
        for first in range(0, self.most, self._size):
            if self.over or self._failures:
                return
            for cell in self.cells:
                yield Block(cell, first, min(self._size, self.most - first))

    def add(self, block: Block, load: Callable[[], pl.DataFrame]) -> None:
        """Add a finished block; ``load`` returns its sums when it is their turn."""
        self._waiting.setdefault(block.first, {})[block] = load
        self._go_on()

    def fail(self, failed: BlockFailure) -> None:
        """Add a failed block; it counts only if the games before it do not suffice."""
        self._failures[failed.block.first] = failed
        self._go_on()

    def _go_on(self) -> None:
        """Add the next blocks in order, as far as they are finished."""
        while not self.over and self._next_is_there:
            blocks = self._waiting.pop(self.games)
            parts = [load() for load in blocks.values()]
            known = [] if self.sums is None else [self.sums]
            together = [*known, *parts]
            self.sums = merge(together) if len(together) > 1 else parts[0]
            self.games += next(iter(blocks)).count
            self.stopped = self.games < self.most and self._enough(self.sums)
        if not self.over:
            self.failed = self._failures.get(self.games)
        if self.over:
            self._waiting.clear()

    @property
    def _next_is_there(self) -> bool:
        """Whether the next block of every cell is finished."""
        return len(self._waiting.get(self.games, ())) == len(self.cells)

    def _enough(self, sums: pl.DataFrame) -> bool:
        if self._stop is None:
            return False
        if self._stop.enough(sums, self.games):
            return True
        guess = getattr(self._stop, "expected", None)
        likely = guess(sums, self.games) if guess else math.nan
        self._likely = self.most if math.isnan(likely) else min(self.most, int(likely))
        return False


def interleave_blocks(prefixes: list[CellPrefix]) -> Iterator[Block]:
    """Yield the blocks that are needed: the first of each cell, then the second.

    So a cell that fails does so early, and one that stops leaves few blocks in flight.
    """
    waiting = [prefix.blocks() for prefix in prefixes]
    while waiting:
        left = []
        for blocks in waiting:
            block = next(blocks, None)
            if block is not None:
                left.append(blocks)
                yield block
        waiting = left
