"""Pairs of games that differ by one intervention, compared by the game's report.

A seat declines a decision, or cards of the deal are swapped. Both games are recorded,
and the report takes its measures of the pair (``reports.game_report.WhatIfs``). All
games of pairs of one kind are played at one table, as a step costs about the same for
any number of games.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from experiments.core.block_records import (
    Block,
    EventRecorder,
    game_numbers,
    report_context,
)
from experiments.core.blocks import Outcome, make_outcome
from experiments.core.cells import Pair, PlayedGames
from experiments.core.malloc_settings import keep_freed_memory
from experiments.core.measures import report_of
from experiments.core.multi_cell_table import (
    BatchedTable,
    play_cells_batched,
    rows_of_block,
)
from experiments.counterfactual.intervention import Decline, Intervention
from reports.counts import sums_of
from sim import games


def pair_context(pair: Pair, played: PlayedGames) -> dict[str, Any]:
    """Return what a report needs of a pair: also what is declined, and when."""
    made: Intervention[Any] = pair.how.every[0]
    option = made.do.option if isinstance(made.do, Decline) else ""
    return {
        **report_context(pair.one, played),
        "when": made.when.moment,
        "option": option,
    }


def play_pairs(pairs: Sequence[Pair], blocks: Sequence[Block]) -> list[Outcome]:
    """Play a block of each pair at one table; return the outcome of each.

    The interventions of all pairs do the same kind of thing.
    """
    keep_freed_memory()
    report, cell = report_of(pairs[0].game), pairs[0].one
    names = tuple(dict.fromkeys([*report.records, *report.paired.records]))
    numbers = [game_numbers(block) for block in blocks] * 2
    of = np.repeat(np.arange(len(numbers)), [len(own) for own in numbers])
    trial: Any = cell.trial
    if trial is not None:
        trial = replace(trial, turned=of >= len(pairs))
    notes = EventRecorder(games.load(cell.game), names, 0, len(of))
    made = np.zeros(len(numbers), dtype=np.int64)
    cells = [*(pair.one for pair in pairs), *(pair.other for pair in pairs)]
    table = partial(BatchedTable, of, made)
    played = play_cells_batched(cells, numbers, notes.listeners, table, trial)
    raw, first, half = notes.tables(played), 0, len(of) // 2
    outcomes = []
    for pair, block, decisions in zip(pairs, blocks, made.tolist(), strict=False):
        one, other = (
            rows_of_block(raw, names, slice(at, at + block.count), block)
            for at in (first, half + first)
        )
        about = pair_context(pair, played)
        counts = report.differences_of(one, other, about, block.first)
        sums = sums_of(counts, block.batches(pair.players))
        outcomes.append(make_outcome(block, sums, decisions, {}))
        first += block.count
    return outcomes
