"""Two cells on the same games: sums of both sides, and of their products.

A difference is estimated far better if both sides play the same games (common random
numbers). The numbers of each game on both sides are joined in the worker that plays
them, and only sums leave it, so memory does not grow with the number of games.

The sums of a measure and group are rows with a ``side`` (``reports.cross_moments``).

Measures of the game's end "by strategy" are by role: the place in the lineup, written
``planner -> greedy`` if the sides have different strategies there. A report's measures
go by names.
"""

from collections.abc import Iterable, Iterator
from itertools import zip_longest

import polars as pl

from experiments.core.block_records import (
    Block,
    game_numbers,
    record_block,
    report_context,
)
from experiments.core.cells import Cell, PlayedGames, seating
from experiments.core.end_summary import EndSummary
from experiments.core.option_counts import OptionCounts
from reports.counts import Counts
from reports.cross_moments import cross_moments
from reports.game_report import GameReport
from sim import games
from sim.listener import Listener


def play_pair(
    one: Cell, other: Cell, block: Block, report: GameReport | None
) -> tuple[PlayedGames, Iterator[tuple[Counts, Counts]]]:
    """Play the block's games on both sides; return one side's, and counts of both.

    The counts of each measure are a pair; a report of the game adds its measures.
    """
    names = role_names(one, other)
    played, ours = counts_of_side(one, block, report, names)
    _, theirs = counts_of_side(other, block, report, names)
    return played, align_counts(ours, theirs)


def pair_sums(one: Counts, other: Counts) -> pl.DataFrame:
    """Return the sums of a measure on both sides, and of their products."""
    return cross_moments(one, other).with_columns(measure=pl.lit(one.measure))


def role_names(one: Cell, other: Cell) -> list[str]:
    """Return the name of each place of the lineup, such as ``planner -> greedy``."""
    pairs = zip(one.strategies(), other.strategies(), strict=True)
    titles = [(here.title, there.title) for here, there in pairs]
    return [a if a == b else f"{a} -> {b}" for a, b in titles]


def align_counts(
    ours: Iterable[Counts], theirs: Iterable[Counts]
) -> Iterator[tuple[Counts, Counts]]:
    """Yield the counts of each measure on both sides; no groups if a side lacks it.

    A pair is yielded as soon as it is complete, so that few counts are in memory.
    """
    waiting: tuple[dict[str, Counts], dict[str, Counts]] = ({}, {})
    for pair in zip_longest(ours, theirs):
        for side, counts in zip(waiting, pair, strict=True):
            if counts is not None:
                side[counts.measure] = counts
        for name in dict.fromkeys(c.measure for c in pair if c is not None):
            if all(name in side for side in waiting):
                yield waiting[0].pop(name), waiting[1].pop(name)
    yield from ((counts, counts.none()) for counts in waiting[0].values())
    yield from ((counts.none(), counts) for counts in waiting[1].values())


def counts_of_side(
    cell: Cell, block: Block, report: GameReport | None, roles: list[str]
) -> tuple[PlayedGames, Iterator[Counts]]:
    """Play a side; return its games, and counts of the end (by role) and the report."""
    game = games.load(cell.game)
    end, choices = EndSummary(game), None
    listeners: list[Listener] = [end]
    if report is not None:
        choices = OptionCounts.of(cell, block)
        listeners.append(choices)
    names = () if report is None else report.all_notes
    played, raw = record_block(cell, block, names, listeners)
    sits = seating(roles, cell.rotate, game_numbers(block))

    def counts() -> Iterator[Counts]:
        yield from end.counts(played, sits)
        if report is not None and choices is not None:
            yield from choices.counts()
            yield from report.counts_of(raw, report_context(cell, played), block.first)

    return played, counts()
