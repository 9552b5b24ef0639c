"""Pairs of games that differ by one intervention, compared by the game's report.

A seat declines a decision, or cards of the deal are swapped. Both games are recorded,
and the report takes its measures of the pair (``reports.game_report.WhatIfs``). Pairs
of one kind are played at one table, as a step costs about the same for any number of
games.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

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
    Numbers,
    play_cells_batched,
    rows_of_block,
)
from experiments.counterfactual.intervention import Decline, Intervention, SwapCards
from experiments.counterfactual.replay import RecordedAnswers, ReplayUntilDeviation
from reports.counts import sums_of
from sim import games

Raw = Mapping[str, pl.DataFrame]


def pair_context(pair: Pair, played: PlayedGames) -> dict[str, Any]:
    """Return what a report needs of a pair: also what is declined, and when."""
    made = intervention_of(pair)
    option = made.do.option if isinstance(made.do, Decline) else ""
    return {
        **report_context(pair.one, played),
        "when": made.when.moment,
        "option": option,
    }


def intervention_of(pair: Pair) -> Intervention[Any]:
    """Return the intervention by which the sides of a pair differ."""
    made: Intervention[Any] = pair.how.every[0]
    return made


def play_pairs(pairs: Sequence[Pair], blocks: Sequence[Block]) -> list[Outcome]:
    """Play a block of each pair at one table; return the outcome of each.

    The interventions of all pairs do the same kind of thing.
    """
    keep_freed_memory()
    names, numbers = _recorded(pairs[0]), [game_numbers(block) for block in blocks]
    swaps = isinstance(intervention_of(pairs[0]).do, SwapCards)
    play = _swapped if swaps else _declined
    played, decisions, sides = play(pairs, numbers, names)
    begins = np.cumsum([0, *(block.count for block in blocks[:-1])]).tolist()
    outcomes = []
    for number, (pair, block) in enumerate(zip(pairs, blocks, strict=True)):
        parts = [(raw, first + begins[number]) for raw, first in sides]
        one, other = (
            rows_of_block(raw, names, slice(at, at + block.count), block)
            for raw, at in parts
        )
        values, report = pair_context(pair, played), report_of(pair.game)
        counts = report.differences_of(one, other, values, block.first)
        sums = sums_of(counts, block.batches(pair.players))
        outcomes.append(make_outcome(block, sums, int(decisions[number]), {}))
    return outcomes


def _recorded(pair: Pair) -> tuple[str, ...]:
    """Return the names of the notes that are recorded in a pair."""
    report = report_of(pair.game)
    return tuple(dict.fromkeys([*report.records, *report.paired.records]))


class _Sides(NamedTuple):
    """Pairs that were played: the first side's games, and decisions (pairs,).

    sides: the notes of both sides, and the number of the first game in them.
    """

    played: PlayedGames
    made: NDArray[np.int64]
    sides: tuple[tuple[Raw, int], tuple[Raw, int]]


def _declined(
    pairs: Sequence[Pair], numbers: Sequence[Numbers], names: tuple[str, ...]
) -> _Sides:
    """Play games in which a seat declines; until then they replay the first side's."""
    game, of, made = games.load(pairs[0].game), *_each(numbers)
    course = RecordedAnswers(game, len(of))
    one, other = (EventRecorder(game, names, 0, len(of)) for _ in range(2))
    listeners, at = [*one.listeners, course], partial(BatchedTable, of, made)
    played = play_cells_batched([pair.one for pair in pairs], numbers, listeners, at)
    raw = one.tables(played)
    seated = other.listeners, partial(ReplayUntilDeviation, course)
    declined = play_cells_batched([pair.other for pair in pairs], numbers, *seated)
    return _Sides(played, made, ((raw, 0), (other.tables(declined), 0)))


def _swapped(
    pairs: Sequence[Pair], numbers: Sequence[Numbers], names: tuple[str, ...]
) -> _Sides:
    """Play experiments on deals, both games of all pairs at one table."""
    game, of, made = games.load(pairs[0].game), *_each([*numbers, *numbers])
    trial: Any = replace(pairs[0].one.trial, turned=of >= len(pairs))
    notes = EventRecorder(game, names, 0, len(of))
    cells = [*(pair.one for pair in pairs), *(pair.other for pair in pairs)]
    seated = notes.listeners, partial(BatchedTable, of, made), trial
    played = play_cells_batched(cells, [*numbers, *numbers], *seated)
    raw = notes.tables(played)
    return _Sides(played, made[: len(pairs)], ((raw, 0), (raw, len(of) // 2)))


def _each(numbers: Sequence[Numbers]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return (games,) the index of each game's cell, and (cells,) zeros."""
    sizes = [len(of_cell) for of_cell in numbers]
    return np.repeat(np.arange(len(sizes)), sizes), np.zeros(len(sizes), dtype=np.int64)
