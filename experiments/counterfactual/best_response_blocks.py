"""Play blocks for ``exploit``: what a strategy wins in the lineup's first seat.

A block has one candidate, several, or pairs with the lineup's first strategy.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np
import polars as pl

import sim.games
from experiments.core.block_records import Block, game_numbers
from experiments.core.blocks import Outcome
from experiments.core.cells import Cell, Pair
from experiments.core.malloc_settings import keep_freed_memory
from experiments.core.multi_cell_table import BatchedTable, play_cells_batched
from experiments.counterfactual.action_counts import (
    TAKEN_COUNTS,
    WON,
    ActionCounts,
    first_seat,
    play_first,
    won_counts,
)
from reports.cross_moments import cross_moments
from sim.masks import Flags


def play_won(
    cell: Cell, block: Block, detailed: bool = False, keep: tuple[str, ...] = ()
) -> Outcome:
    """Play a block, and count the games that the first strategy wins."""
    keep_freed_memory()
    played = play_first(cell, game_numbers(block), won_only=True)
    return _won(block, played.uses.won, played.decisions)


def play_won_batched(
    cells: Sequence[Cell],
    blocks: Sequence[Block],
    detailed: bool = False,
    keep: tuple[str, ...] = (),
) -> list[Outcome]:
    """Play blocks of several cells in one batch, each as ``play_won`` does."""
    keep_freed_memory()
    numbers = [game_numbers(block) for block in blocks]
    seats = [first_seat(*pair) for pair in zip(cells, numbers, strict=True)]
    cell_of_row = np.repeat(np.arange(len(cells)), [block.count for block in blocks])
    decisions, games = np.zeros(len(cells), dtype=np.int64), np.concatenate(numbers)
    game = sim.games.load(cells[0].game)
    uses = ActionCounts(game, games, np.concatenate(seats), won_only=True)
    # One batch for all cells: a step costs little more for more games.
    play_cells_batched(
        cells, numbers, [uses], partial(BatchedTable, cell_of_row, decisions)
    )
    won = np.split(uses.won, np.cumsum([block.count for block in blocks])[:-1])
    return [*map(_won, blocks, won, decisions.tolist())]


def _won(block: Block, won: Flags, decisions: int) -> Outcome:
    """Return the outcome of a block: how many games the first strategy won."""
    sums = won_counts(won).sums().with_columns(measure=pl.lit(WON))
    return _outcome(block, sums, decisions)


def play_both(
    pair: Pair, block: Block, detailed: bool = False, keep: tuple[str, ...] = ()
) -> Outcome:
    """Play a block of a pair; count what each first strategy wins and chooses."""
    keep_freed_memory()
    numbers = game_numbers(block)
    one, other = play_first(pair.one, numbers), play_first(pair.other, numbers)
    won = cross_moments(one.uses.won_counts(), other.uses.won_counts())
    uses = cross_moments(one.uses.counts(), other.uses.counts())
    parts = [
        won.with_columns(measure=pl.lit(WON)),
        uses.with_columns(measure=pl.lit(TAKEN_COUNTS)),
    ]
    sums = pl.concat(parts, how="diagonal")
    return _outcome(block, sums, one.decisions + other.decisions)


def _outcome(block: Block, sums: pl.DataFrame, decisions: int) -> Outcome:
    number = pl.lit(block.cell, dtype=pl.Int32)
    return Outcome(block, sums.with_columns(cell=number), {}, decisions)
