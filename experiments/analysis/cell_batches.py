"""Play blocks for numbers whose error has no formula: keep sums batch by batch.

A gap between the best and the worst position, or a share compared with chance, is not a
sum; nor is its difference between two rule sets that played the same games. Their
errors come from a jackknife over batches of games (Shao & Wu 1989, Ann. Stat.
17:1176-1197), so sums are kept for each of ``BATCHES`` batches, in which all rotations
of a lineup are equally frequent.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.core import end_summary, option_counts
from experiments.core.batched_cells import count_batched_cells
from experiments.core.block_records import (
    Block,
    game_numbers,
    record_block,
    report_context,
)
from experiments.core.blocks import Outcome, concatenate_sums, make_outcome
from experiments.core.cells import Cell, Pair, PlayedGames
from experiments.core.end_summary import EndSummary
from experiments.core.malloc_settings import keep_freed_memory
from experiments.core.measures import collected, report_of
from experiments.core.option_counts import OptionCounts
from experiments.core.paired_sums import pair_sums, play_pair
from reports.counts import Counts
from reports.measures import SUMS, Measure
from reports.scorecard.line_statistics import SCORECARD_MEASURES
from sim import games

BATCHES = 32
BATCH = "batch"
"""The column of batch numbers."""
BATCHED = ("one, in batches", "other, in batches")
"""Sides of a pair whose sums are kept by batch."""


def batched_measures(game: str) -> Mapping[str, Measure]:
    """Return what ``play_batches`` counts of a game, by name."""
    counted = report_of(game).scorecard.section_measures
    more = (*option_counts.MEASURES, *end_summary.measures(games.load(game)))
    return {measure.name: measure for measure in (*counted, *more)}


def batch_numbers(players: int, numbers: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return (games,): the batch of each game, by its number."""
    turn = numbers // np.uint64(players) % np.uint64(BATCHES)
    batch: NDArray[np.int64] = turn.astype(np.int64)
    return batch


def play_batches(
    cell: Cell, block: Block, detailed: bool = False, keep: tuple[str, ...] = ()
) -> Outcome:
    """Play a block, and sum up what its cell collects, by group and batch.

    Cells collect the scorecard's measures, or only the result.
    """
    keep_freed_memory()
    end = EndSummary(games.load(cell.game))
    more: Iterator[Counts] | None = None
    if (report := collected(cell)) is None:
        played, _ = record_block(cell, block, (), [end])
    else:
        chosen = OptionCounts.of(cell, block)
        played, raw = record_block(cell, block, report.all_notes, [end, chosen])
        read = report.counts_of(raw, report_context(cell, played), block.first)
        more = chain(chosen.counts(), read)
    sums = _by_batch(block, played, end, more)
    return make_outcome(block, sums, played.decisions, {})


def play_batches_of_pair(
    cell: Cell | Pair, block: Block, detailed: bool = False, keep: tuple[str, ...] = ()
) -> Outcome:
    """Play a block of a pair, for its sums and the batch sums of both sides.

    Batch sums have a ``side`` of ``BATCHED``. A single cell gives only batch sums.
    """
    if isinstance(cell, Cell):
        return play_batches(cell, block)
    keep_freed_memory()
    report = report_of(cell.game)
    report = report if detailed else report.scorecard
    end = {measure.name for measure in end_summary.measures(games.load(cell.game))}
    played, both = play_pair(cell.one, cell.other, block, report)
    batch, parts = batch_numbers(played.state.players, game_numbers(block)), []
    for sides in both:
        name = sides[0].measure
        if detailed or name in end:
            parts.append(pair_sums(*sides))
        if name in SCORECARD_MEASURES:
            parts += [
                _sums(counts, batch).with_columns(side=pl.lit(side))
                for side, counts in zip(BATCHED, sides, strict=True)
            ]
    return make_outcome(block, concatenate_sums(parts), played.decisions, {})


def play_batched_batches(
    cells: Sequence[Cell],
    blocks: Sequence[Block],
    detailed: bool = False,
    keep: tuple[str, ...] = (),
) -> list[Outcome]:
    """Play blocks of several cells in one batch (``batched_cells.batching_key``).

    Return what ``play_batches`` returns for each.
    """
    reports = [collected(cell) for cell in cells]
    return count_batched_cells(cells, blocks, reports, (), _by_batch)


def _by_batch(
    block: Block, played: PlayedGames, end: EndSummary, more: Iterator[Counts] | None
) -> pl.DataFrame:
    """Return the sums of a block by batch."""
    batch = batch_numbers(played.state.players, game_numbers(block))
    parts = [_sums(counts, batch) for counts in chain(end.counts(played), more or ())]
    return pl.concat(parts, how="diagonal")


def _sums(counts: Counts, batch: NDArray[np.int64]) -> pl.DataFrame:
    """Return the nonzero sums of a measure by group and batch."""
    group, game, y, x = counts.cells()
    size = len(counts.groups) * BATCHES
    code = group.astype(np.int64) * BATCHES + batch[game]
    top, below = (np.bincount(code, part, size).astype(np.float64) for part in (y, x))
    counted = np.bincount(code, x != 0, size).astype(np.float64)
    nonzero = np.flatnonzero((top != 0) | (below != 0))
    label = nonzero // BATCHES
    values = dict.fromkeys(SUMS, np.zeros(len(nonzero)))
    values |= {"y": top[nonzero], "x": below[nonzero], "games": counted[nonzero]}
    return pl.DataFrame(
        {
            **{name: labels.gather(label) for name, labels in counts.labels.items()},
            BATCH: nonzero % BATCHES,
            **values,
        }
    ).with_columns(measure=pl.lit(counts.measure))
