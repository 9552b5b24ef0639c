"""Two cells on the same games: sums of both sides, and of their products.

A difference is estimated far better where both sides play the same games (common
random numbers), if what belongs together stays together: the numbers of game 4711 on
one side and of game 4711 on the other are joined where they are made, in the worker,
and only sums leave it. So memory does not grow with the number of games.

The sums of a measure and group are rows with a ``side``, as
``reports.products`` says.

By strategy means by role: the place in the lineup, ``planner -> greedy`` where the two
sides have different strategies there (of the game's end; a report goes by names).
"""

from collections.abc import Iterable, Iterator
from itertools import zip_longest

import polars as pl

from experiments.core.cells import Cell, PlayedGames, seating
from experiments.core.choices import Choices
from experiments.core.recording import Block, about, numbers_of, record
from experiments.core.summary import Summary
from reports.counts import Counts
from reports.game_report import GameReport
from reports.products import products
from sim import games
from sim.listener import Listener


def side_by_side(
    one: Cell, other: Cell, block: Block, report: GameReport | None
) -> tuple[PlayedGames, Iterator[tuple[Counts, Counts]]]:
    """Play the block's games on both sides; return who played, and what is counted.

    Of each measure the counts of both sides; also of those of this report of the game,
    if there is one.
    """
    names = roles(one, other)
    played, ours = counted(one, block, report, names)
    _, theirs = counted(other, block, report, names)
    return played, matched(ours, theirs)


def paired(one: Counts, other: Counts) -> pl.DataFrame:
    """The sums of a measure on both sides, and of their products."""
    return products(one, other).with_columns(measure=pl.lit(one.measure))


def roles(one: Cell, other: Cell) -> list[str]:
    """Who sits in each place of the lineup: a name, or ``planner -> greedy``."""
    pairs = zip(one.strategies(), other.strategies(), strict=True)
    titles = [(here.title, there.title) for here, there in pairs]
    return [a if a == b else f"{a} -> {b}" for a, b in titles]


def matched(
    ours: Iterable[Counts], theirs: Iterable[Counts]
) -> Iterator[tuple[Counts, Counts]]:
    """The counts of each measure on both sides; of no group, where a side lacks it.

    What both sides count in the same order does not pile up.
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


def counted(
    cell: Cell, block: Block, report: GameReport | None, roles: list[str]
) -> tuple[PlayedGames, Iterator[Counts]]:
    """What is counted of a side: of the end by role, and for the report."""
    game = games.load(cell.game)
    end, choices = Summary(game), None
    listeners: list[Listener] = [end]
    if report is not None:
        choices = Choices.of(cell, block)
        listeners.append(choices)
    names = () if report is None else report.recorded
    played, raw = record(cell, block, names, listeners)
    sits = seating(roles, cell.rotate, numbers_of(block))

    def counts() -> Iterator[Counts]:
        yield from end.counts(played, sits)
        if report is not None and choices is not None:
            yield from choices.counts()
            yield from report.counts_of(raw, about(cell, played), block.first)

    return played, counts()
