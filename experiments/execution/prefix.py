"""The games of a cell that count: a contiguous prefix of its blocks.

Blocks finish in any order. Their sums are added up in the order of the games, and
whether a cell has been played enough is asked of these sums only: long games
finish late, so what happens to be finished first is no fair sample.
"""

import math
from collections.abc import Callable, Iterator
from typing import Protocol

import polars as pl

from experiments.core.blocks import add_up
from experiments.core.recording import Block
from experiments.execution.failures import BlockFailure


class Stop(Protocol):
    """When a cell has been played often enough."""

    def enough(self, sums: pl.DataFrame, games: int) -> bool:
        """Whether the sums of the first ``games`` games say enough.

        It is asked after every block, so what it rests on has to stay valid
        however often one looks (``statistics.sequential``). An ``expected`` with the
        same arguments, if there is one, guesses the games in all. Where cells differ in
        what is enough, ``of_cell`` gives the rule for one.
        """


class Prefix:
    """The games of one cell that count so far, and what they add up to."""

    def __init__(self, cell: int, most: int, size: int, stop: Stop | None) -> None:
        self.cell = cell
        self.games = 0  # in the prefix
        self.sums: pl.DataFrame | None = None
        self.failed: BlockFailure | None = None
        self.stopped = False  # by ``stop``, before ``most`` games
        self.most = most
        self._size = size
        self._stop = stop
        self._likely = most  # games that it will take, as far as is known
        self._waiting: dict[int, tuple[int, Callable[[], pl.DataFrame]]] = {}
        self._failures: dict[int, BlockFailure] = {}

    @property
    def over(self) -> bool:
        """Whether it is settled which games of this cell count."""
        return self.stopped or self.failed is not None or self.games == self.most

    @property
    def done(self) -> int:
        """Games in the prefix, and in blocks that wait for an earlier one."""
        return self.games + sum(count for count, _ in self._waiting.values())

    @property
    def wanted(self) -> int:
        """How many games this cell will have, as far as is known."""
        return self.done if self.over else max(self.done, self._likely)

    def blocks(self) -> Iterator[Block]:
        """The blocks of this cell in order, as long as they are wanted."""
        for first in range(0, self.most, self._size):
            if self.over or self._failures:
                return
            yield Block(self.cell, first, min(self._size, self.most - first))

    def add(self, block: Block, load: Callable[[], pl.DataFrame]) -> None:
        """A block is finished; ``load`` gives its sums when it is their turn."""
        self._waiting[block.first] = block.count, load
        self._go_on()

    def fail(self, failed: BlockFailure) -> None:
        """A block failed; that counts only if the games before it are not enough."""
        self._failures[failed.block.first] = failed
        self._go_on()

    def _go_on(self) -> None:
        """Add what is next in order, as far as it is finished."""
        while not self.over and self.games in self._waiting:
            count, load = self._waiting.pop(self.games)
            part = load()
            self.sums = part if self.sums is None else add_up([self.sums, part])
            self.games += count
            self.stopped = self.games < self.most and self._enough(self.sums)
        if not self.over:
            self.failed = self._failures.get(self.games)
        if self.over:
            self._waiting.clear()

    def _enough(self, sums: pl.DataFrame) -> bool:
        if self._stop is None:
            return False
        values = sums.drop("cell")
        if self._stop.enough(values, self.games):
            return True
        guess = getattr(self._stop, "expected", None)
        likely = guess(values, self.games) if guess else math.nan
        self._likely = self.most if math.isnan(likely) else min(self.most, int(likely))
        return False


def in_turn(prefixes: list[Prefix]) -> Iterator[Block]:
    """The blocks that are wanted: the first of each cell, then the second.

    So a cell that fails does so early, and one that is played enough leaves few
    blocks in flight.
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
