"""Playing a block for numbers whose error no formula tells: sums batch by batch.

A gap between the best and the worst position, or a share less what it would be by
chance, are no sums; nor is their difference between two rule sets that played the same
games. Their errors come from leaving out one part of the games at a time (a jackknife
of groups: Shao & Wu 1989, Ann. Stat. 17:1176-1197), so the sums of each part are kept:
``BATCHES`` of them, in which every rotation of a lineup is as frequent.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.core import choices, summary
from experiments.core.blocks import Outcome, joined, outcome
from experiments.core.cells import Cell, Pair, PlayedGames
from experiments.core.choices import Choices
from experiments.core.measures import report_of
from experiments.core.memory import keep_freed_memory
from experiments.core.paired_sums import paired, side_by_side
from experiments.core.recording import Block, about, numbers_of, record
from experiments.core.summary import Summary
from experiments.core.together import count_together
from reports.counts import Counts
from reports.game_report import GameReport
from reports.measures import SUMS, Measure
from reports.scorecard.numbers import MEASURES as SCORED
from sim import games

BATCHES = 32
BATCH = "batch"
"""The column of their numbers."""
BATCHED = ("one, in batches", "other, in batches")
"""The sides of a pair, where their sums are of a batch each."""

END = "end"
"""The kind of a cell of which nothing is read but how games end (``Cell.measured``)."""


def measured(game: str) -> Mapping[str, Measure]:
    """What ``play_batches`` counts of a game, by name."""
    counted = _scored(game).counted
    found = (*counted, *choices.MEASURES, *summary.measures(games.load(game)))
    return {measure.name: measure for measure in found}


@lru_cache(maxsize=32)
def _scored(game: str) -> GameReport:
    """The report of a game with no more measures than the scorecard reads."""
    return report_of(game).only(SCORED)


def _read(cell: Cell) -> GameReport | None:
    """The report that counts what is read of a cell; None where its end is enough."""
    return None if cell.measured == END else _scored(cell.game)


def batches(players: int, numbers: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The batch of each game (games,), by its number."""
    turn = numbers // np.uint64(players) % np.uint64(BATCHES)
    found: NDArray[np.int64] = turn.astype(np.int64)
    return found


def play_batches(
    cell: Cell, block: Block, detailed: bool = False, keep: tuple[str, ...] = ()
) -> Outcome:
    """Play a block, and sum up what the scorecard reads: measure, groups, batch.

    Of a cell that is ``measured`` as ``END`` no more than how games end.
    """
    keep_freed_memory()
    end = Summary(games.load(cell.game))
    more: Iterator[Counts] | None = None
    if (report := _read(cell)) is None:
        played, _ = record(cell, block, (), [end])
    else:
        chosen = Choices.of(cell, block)
        played, raw = record(cell, block, report.recorded, [end, chosen])
        read = report.counts_of(raw, about(cell, played), block.first)
        more = chain(chosen.counts(), read)
    sums = _by_batch(block, played, end, more)
    return outcome(block, sums, played.decisions, {})


def play_sides(
    cell: Cell | Pair, block: Block, detailed: bool = False, keep: tuple[str, ...] = ()
) -> Outcome:
    """Play a block of a pair once, for its sums and those of each batch of its sides.

    Those of a batch have a ``side`` of ``BATCHED``. A cell plays for its batches alone.
    """
    if isinstance(cell, Cell):
        return play_batches(cell, block)
    keep_freed_memory()
    report = report_of(cell.game) if detailed else _scored(cell.game)
    end = {measure.name for measure in summary.measures(games.load(cell.game))}
    played, both = side_by_side(cell.one, cell.other, block, report)
    batch, parts = batches(played.state.players, numbers_of(block)), []
    for sides in both:
        name = sides[0].measure
        if detailed or name in end:
            parts.append(paired(*sides))
        if name in SCORED:
            parts += [
                _sums(counts, batch).with_columns(side=pl.lit(side))
                for side, counts in zip(BATCHED, sides, strict=True)
            ]
    return outcome(block, joined(parts), played.decisions, {})


def batches_together(
    cells: Sequence[Cell],
    blocks: Sequence[Block],
    detailed: bool = False,
    keep: tuple[str, ...] = (),
) -> list[Outcome]:
    """The same of blocks of several cells, at one table (``together.table_of``)."""
    reports = [_read(cell) for cell in cells]
    return count_together(cells, blocks, reports, (), _by_batch)


def _by_batch(
    block: Block, played: PlayedGames, end: Summary, more: Iterator[Counts] | None
) -> pl.DataFrame:
    """The sums of each batch of a block."""
    batch = batches(played.state.players, numbers_of(block))
    parts = [_sums(counts, batch) for counts in chain(end.counts(played), more or ())]
    return pl.concat(parts, how="diagonal")


def _sums(counts: Counts, batch: NDArray[np.int64]) -> pl.DataFrame:
    """The sums of a measure by group and batch, where there is something in it."""
    group, game, y, x = counts.cells()
    size = len(counts.groups) * BATCHES
    code = group.astype(np.int64) * BATCHES + batch[game]
    top, below = (np.bincount(code, part, size).astype(np.float64) for part in (y, x))
    many = np.bincount(code, x != 0, size).astype(np.float64)
    some = np.flatnonzero((top != 0) | (below != 0))
    of = some // BATCHES
    values = dict.fromkeys(SUMS, np.zeros(len(some)))
    values |= {"y": top[some], "x": below[some], "games": many[some]}
    return pl.DataFrame(
        {
            **{name: labels.gather(of) for name, labels in counts.labels.items()},
            BATCH: some % BATCHES,
            **values,
        }
    ).with_columns(measure=pl.lit(counts.measure))
