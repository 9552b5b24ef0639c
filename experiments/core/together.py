"""Blocks of several cells, played at one table: the same games in less time.

What a moment costs hangs little on how many games stand there: some thousand cost less
than twice as much as some hundred. So cells of few games that differ in who sits there
are played as one, where each game has its own lineup and chance. What is counted is
counted by game, and taken apart again: the sums are those of each cell alone.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import chain

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.core.blocks import (
    Outcome,
    counts_choices,
    joined,
    outcome,
    play_what_ifs,
)
from experiments.core.branching import asked
from experiments.core.cells import Cell, Pair, PlayedGames, seating
from experiments.core.choices import Choices, counted
from experiments.core.measures import report_in
from experiments.core.memory import keep_freed_memory
from experiments.core.one_table import Shared, of_block, played_together
from experiments.core.recording import Block, Notes, about, branches_of, numbers_of
from experiments.core.summary import Summary
from reports.counts import Counts, sums_of
from reports.game_report import GameReport
from sim import games
from sim.parameters import Rules

Numbers = NDArray[np.uint64]
Add = Callable[[Block, PlayedGames, Summary, Iterator[Counts] | None], pl.DataFrame]
"""Sums up what was counted in a block: of the end, and what a report counts, if any."""


def table_of(cell: Cell | Pair) -> Hashable:
    """What cells have in common that may be played together; None: none may with it.

    Cells of which the end alone is counted sit by themselves, but in games where it
    matters most how many share a moment (``dear``). Decisions that are tried are of
    one cell, but for those of its first strategy alone; what-ifs are played with others
    of their kind, experiments on deals with those that are alike; searchers sit with
    those who search as long; games of a match follow each other.
    """
    what_if = isinstance(cell, Pair) and cell.how != "compare"
    one = cell.one if isinstance(cell, Pair) and what_if else cell
    if isinstance(one, Pair):
        return None
    of, alone = (one.game, one.rules, one.players), one is cell
    tried = [its for its in asked(one.branching) if not its.own]
    apart = tried or None, one.knocked, one.trial if alone else None
    if any(part is not None for part in apart) or _matched(*of):
        return None
    how: Hashable = not dear(one.game) and report_in(one.game, one.measured) is None
    if isinstance(cell, Pair):
        how = cell.how, one.trial
    return *of, one.rotate, one.cost, how


def dear(game: str) -> bool:
    """Whether a moment costs much, however few games share it (``Alignment``)."""
    return games.load(game).align is not None


@cache
def _matched(game: str, rules: Rules, players: int) -> bool:
    """Whether several games make a match."""
    one = np.zeros(1, dtype=np.uint64)
    return bool(games.load(game).start(rules, players, 0, one).match > 1)


def play_together(
    cells: Sequence[Cell | Pair],
    blocks: Sequence[Block],
    detailed: bool = False,
    keep: tuple[str, ...] = (),
) -> list[Outcome]:
    """Play a block of each cell at one table: what became of each.

    The cells have the same ``table_of``; all else is as for ``blocks.play_block``.
    """
    if pairs := [one for one in cells if isinstance(one, Pair)]:
        return play_what_ifs(pairs, blocks)
    alone = [one for one in cells if isinstance(one, Cell)]
    reports = [report_in(one.game, one.measured) if detailed else None for one in alone]
    return count_together(alone, blocks, reports, keep)


def _in_all(
    block: Block, played: PlayedGames, end: Summary, more: Iterator[Counts] | None
) -> pl.DataFrame:
    """The sums of all games of a block."""
    return joined([end.sums(played), *([] if more is None else [sums_of(more)])])


def count_together(
    cells: Sequence[Cell],
    blocks: Sequence[Block],
    reports: Sequence[GameReport | None],
    keep: tuple[str, ...] = (),
    add: Add = _in_all,
) -> list[Outcome]:
    """Play a block of each cell at one table, and count what its report does.

    As ``play_together``; ``add`` makes the sums of each block.
    """
    keep_freed_memory()
    cell, numbers = cells[0], [numbers_of(block) for block in blocks]
    known, each = games.load(cell.game), [*zip(cells, numbers, strict=True)]
    end = Summary(known)
    flags = np.concatenate([counted(*one) for one in each])
    choices = Choices(known, 0, len(flags), flags)
    chosen = [
        report is not None and counts_choices(one)
        for one, report in zip(cells, reports, strict=True)
    ]
    heard = [end, *([choices] if any(chosen) else [])]
    recorded = [name for one in reports if one for name in one.recorded]
    notes = Notes(known, tuple(dict.fromkeys([*recorded, *keep])), 0, len(flags))
    seated = [seating(one.strategies(), one.rotate, some) for one, some in each]
    made = np.zeros(len(cells), dtype=np.int64)
    of = np.repeat(np.arange(len(cells)), [len(its) for its in numbers])
    after = [int(end) for end in np.cumsum([block.count for block in blocks])]
    parts = [*map(slice, [0, *after], after)]
    tried = [*map(branches_of, cells, blocks, parts)]
    trying = chain(*(some.values() for some in tried))
    listeners, at = [*heard, *notes.listeners, *trying], partial(Shared, of, made)
    played = played_together(cells, numbers, listeners, at)
    raw = notes.tables(played)
    found = []
    for number, (block, places) in enumerate(zip(blocks, parts, strict=True)):
        (lineup, sitting), begins = seated[number], played.first[places]
        its = replace(played, lineup=lineup, sitting=sitting, first=begins)
        more: Iterator[Counts] | None = None
        if (report := reports[number]) is not None:
            some = of_block(raw, report.recorded, places, block)
            some |= {name: one.table(played) for name, one in tried[number].items()}
            taken = choices.counts(places) if chosen[number] else ()
            counts = report.counts_of(some, about(cell, its), block.first)
            more = chain(taken, counts)
        sums = add(block, its, end.of_games(places), more)
        kept = of_block(raw, keep, places, block)
        found.append(outcome(block, sums, int(made[number]), kept))
    return found
