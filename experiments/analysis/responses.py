"""Blocks in which one strategy stands in place of the first of a lineup: what it wins.

For ``exploit``: alone, of several at one table, and beside the lineup's own first one.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np
import polars as pl

from experiments.core.blocks import Outcome
from experiments.core.cells import Cell, Pair
from experiments.core.memory import keep_freed_memory
from experiments.core.one_table import Shared, played_together
from experiments.core.recording import Block, numbers_of
from experiments.core.uses import USES, WON, Uses, first_seat, play_first, won_counts
from reports.products import products
from sim import games as registry
from sim.masks import Flags


def play_won(
    cell: Cell, block: Block, detailed: bool = False, keep: tuple[str, ...] = ()
) -> Outcome:
    """Play a block; count the games that the first strategy wins."""
    keep_freed_memory()
    played = play_first(cell, numbers_of(block), won_only=True)
    return _won(block, played.uses.won, played.decisions)


def won_together(
    cells: Sequence[Cell],
    blocks: Sequence[Block],
    detailed: bool = False,
    keep: tuple[str, ...] = (),
) -> list[Outcome]:
    """The same of blocks of several cells, at one table (``together.table_of``)."""
    keep_freed_memory()
    numbers = [numbers_of(block) for block in blocks]
    seats = [first_seat(*one) for one in zip(cells, numbers, strict=True)]
    of = np.repeat(np.arange(len(cells)), [block.count for block in blocks])
    made, every = np.zeros(len(cells), dtype=np.int64), np.concatenate(numbers)
    game = registry.load(cells[0].game)
    heard = Uses(game, every, np.concatenate(seats), won_only=True)
    played_together(cells, numbers, [heard], partial(Shared, of, made))
    won = np.split(heard.won, np.cumsum([block.count for block in blocks])[:-1])
    return [*map(_won, blocks, won, made.tolist())]


def _won(block: Block, won: Flags, decisions: int) -> Outcome:
    """The sums of who won."""
    sums = won_counts(won).sums().with_columns(measure=pl.lit(WON))
    return _outcome(block, sums, decisions)


def play_both(
    pair: Pair, block: Block, detailed: bool = False, keep: tuple[str, ...] = ()
) -> Outcome:
    """Play a block with either first strategy; count what it wins and takes."""
    keep_freed_memory()
    numbers = numbers_of(block)
    one, other = play_first(pair.one, numbers), play_first(pair.other, numbers)
    won = products(one.uses.won_counts(), other.uses.won_counts())
    uses = products(one.uses.counts(), other.uses.counts())
    parts = [
        won.with_columns(measure=pl.lit(WON)),
        uses.with_columns(measure=pl.lit(USES)),
    ]
    sums = pl.concat(parts, how="diagonal")
    return _outcome(block, sums, one.decisions + other.decisions)


def _outcome(block: Block, sums: pl.DataFrame, decisions: int) -> Outcome:
    number = pl.lit(block.cell, dtype=pl.Int32)
    return Outcome(block, sums.with_columns(cell=number), {}, decisions)
