"""Blocks of several cells, played at one table: the same games in less time.

A step of play costs about the same for any number of games: 1,000 games cost less than
twice as much as 100. So cells with few games that differ only in their lineup are
played as one batch, in which each game has its own lineup and chance. Counts are kept
by game and split by cell afterwards: the sums are those of each cell played alone.
"""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from experiments.core.block_records import (
    Block,
    EventRecorder,
    game_numbers,
    intervention_listeners,
    report_context,
)
from experiments.core.blocks import (
    Outcome,
    concatenate_sums,
    make_outcome,
)
from experiments.core.cells import Cell, Pair, role_seating, seating
from experiments.core.end_summary import EndSummary
from experiments.core.malloc_settings import keep_freed_memory
from experiments.core.measures import collected
from experiments.core.multi_cell_table import (
    BatchedTable,
    play_cells_batched,
    rows_of_block,
)
from experiments.core.option_counts import OptionCounts, games_with_choices
from reports.counts import sums_of
from reports.game_report import GameReport
from sim import games
from sim.parameters import Rules

Numbers = NDArray[np.uint64]


def batching_key(cell: Cell | Pair) -> Hashable:
    """Return a key that cells share if they may be played together; None: none may.

    Cells with matches, whose games follow each other, are played alone, as are those
    whose interventions ask for it. What-ifs join others of their kind with the same
    ``trial``; search players join others of the same cost.
    """
    first = cell.one if isinstance(cell, Pair) else cell
    rule_set, single = (first.game, first.rules, first.players), first is cell
    changed = first.interventions is not None and first.interventions.alone
    deals_changed = single and first.trial is not None
    if changed or deals_changed or _has_matches(*rule_set):
        return None
    kind = (cell.how.actions, first.trial) if isinstance(cell, Pair) else None
    return *rule_set, first.rotate, first.cost, kind


def step_cost_dominates(game: str) -> bool:
    """Return whether a step costs much, however few games share it (``Alignment``)."""
    return games.load(game).align is not None


@cache
def _has_matches(game: str, rules: Rules, players: int) -> bool:
    """Return whether several games make a match."""
    numbers = np.zeros(1, dtype=np.uint64)
    return bool(games.load(game).start(rules, players, 0, numbers).match > 1)


def play_batched_cells(
    cells: Sequence[Cell | Pair],
    blocks: Sequence[Block],
    detailed: bool = False,
    keep: tuple[str, ...] = (),
) -> list[Outcome]:
    """Play a block of each cell at one table; return the outcome of each.

    The cells have the same ``batching_key``; all else is as for ``blocks.play_block``.
    """
    if pairs := [cell for cell in cells if isinstance(cell, Pair)]:
        played_pairs: list[Outcome] = pairs[0].how.play(pairs, blocks)
        return played_pairs
    single = [cell for cell in cells if isinstance(cell, Cell)]
    reports = [collected(cell) if detailed else None for cell in single]
    return count_batched_cells(single, blocks, reports, keep)


def count_batched_cells(
    cells: Sequence[Cell],
    blocks: Sequence[Block],
    reports: Sequence[GameReport | None],
    keep: tuple[str, ...] = (),
) -> list[Outcome]:
    """Play a block of each cell at one table, and take the measures of its report.

    The cells have the same ``batching_key``.
    """
    keep_freed_memory()
    cell, numbers = cells[0], [game_numbers(block) for block in blocks]
    game, pairs = games.load(cell.game), [*zip(cells, numbers, strict=True)]
    end = EndSummary(game)
    flags = np.concatenate([games_with_choices(*pair) for pair in pairs])
    choices = OptionCounts(game, 0, len(flags), flags)
    counters = [end, *([choices] if any(reports) else [])]
    recorded = [name for report in reports if report for name in report.all_notes]
    notes = EventRecorder(game, tuple(dict.fromkeys([*recorded, *keep])), 0, len(flags))
    seated = [seating(each.strategies(), each.rotate, own) for each, own in pairs]
    made = np.zeros(len(cells), dtype=np.int64)
    of = np.repeat(np.arange(len(cells)), [len(own) for own in numbers])
    ends = [int(end) for end in np.cumsum([block.count for block in blocks])]
    parts = [*map(slice, [0, *ends], ends)]
    branches = [*map(intervention_listeners, cells, blocks, parts)]
    branching = chain(*(by_name.values() for by_name in branches))
    listeners = [*counters, *notes.listeners, *branching]
    played = play_cells_batched(
        cells, numbers, listeners, partial(BatchedTable, of, made)
    )
    raw = notes.tables(played)
    outcomes = []
    for number, (block, places) in enumerate(zip(blocks, parts, strict=True)):
        (lineup, sitting), first = seated[number], played.first[places]
        own = replace(played, lineup=lineup, sitting=sitting, first=first)
        batches = block.batches(cell.players)
        sits = role_seating(cells[number], numbers[number])
        sums = [end.of_games(places).sums(own, batches, sits)]
        if (report := reports[number]) is not None:
            tables = rows_of_block(raw, report.all_notes, places, block)
            named = branches[number].items()
            tables |= {name: listener.table(played) for name, listener in named}
            noted = report.counts_of(tables, report_context(cell, own), block.first)
            sums.append(sums_of(chain(choices.counts(places), noted), batches))
        kept = rows_of_block(raw, keep, places, block)
        outcomes.append(
            make_outcome(block, concatenate_sums(sums), int(made[number]), kept)
        )
    return outcomes
