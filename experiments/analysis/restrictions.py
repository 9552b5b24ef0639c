"""Games without an option: who is kept from what, and what becomes of their games.

The first player of a cell is kept from each decision and option in turn; a game in
which he never took it is the same game without it, and is not played again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import NamedTuple

import numpy as np
import polars as pl

from experiments.core.blocks import Outcome
from experiments.core.cells import Cell
from experiments.core.following import Course, Restraining
from experiments.core.memory import keep_freed_memory
from experiments.core.one_table import played_together
from experiments.core.recording import Block, numbers_of
from experiments.core.uses import (
    USES,
    Numbers,
    Uses,
    first_seat,
    flag_products,
    pairs,
    play_first,
)
from reports.measures import SUMS
from sim import games as registry
from sim.masks import Flags
from strategies.base import Strategy
from strategies.random import Random
from strategies.restricted_play import OnlyKinds, WithoutOption, can_decline, option_ids

WHOLE = ""
"""The option that stands for a decision as a whole."""
FEW = 8
"""Options of a decision that has few: contracts, bids, actions; not cards."""
_TABLE = 32_768  # games that are played on together


class Restriction(NamedTuple):
    """Something to be kept from."""

    decision: str
    option: str
    kept: str
    player: Strategy


def restrictions(cell: Cell) -> Iterator[Restriction]:
    """All that the first player of a cell can be kept from."""
    game, strong = registry.load(cell.game), cell.strategies()[0]
    for kind in game.kinds.values():
        declined = WithoutOption(strong, kind.name)
        if can_decline(kind):
            yield Restriction(kind.name, WHOLE, "declined", declined)
        else:
            left = OnlyKinds(Random(), kind.name, strong)
            yield Restriction(kind.name, WHOLE, "at random", left)
        for option in option_ids(game, cell.rules, cell.players, kind):
            player = WithoutOption(strong, kind.name, option)
            yield Restriction(kind.name, option, "without", player)


def few_of(cell: Cell) -> Iterator[Restriction]:
    """The options of decisions that have few; not the decisions as a whole."""
    for _, some in groupby(restrictions(cell), lambda one: one.decision):
        single = [one for one in some if one.option != WHOLE]
        yield from single if len(single) <= FEW else ()


def play_block(
    cell: Cell, block: Block, detailed: bool = False, keep: tuple[str, ...] = ()
) -> Outcome:
    """Play a block unrestricted, then without each option that was taken in it."""
    return play_all(cell, block, list(restrictions(cell)))


def play_few(
    cell: Cell, block: Block, detailed: bool = False, keep: tuple[str, ...] = ()
) -> Outcome:
    """The same, of the options of decisions that have few."""
    return play_all(cell, block, list(few_of(cell)))


def play_all(cell: Cell, block: Block, every: Sequence[Restriction]) -> Outcome:
    """Play a block unrestricted, and again by each of these where it may differ."""
    keep_freed_memory()
    numbers = numbers_of(block)
    game = registry.load(cell.game)
    course = Course(game, len(numbers))
    played = play_first(cell, numbers, course)
    uses = played.uses
    decisions, won = played.decisions, np.tile(uses.won, (len(every), 1))
    rows = [np.flatnonzero(_affected(uses, one)) for one in every]
    for places in _at_once([len(some) for some in rows]):
        others = cell.strategies()[1:]
        cells = [replace(cell, lineup=(every[n].player, *others)) for n in places]
        some = [numbers.take(rows[n]) for n in places]
        seats = np.concatenate([first_seat(cell, its) for its in some])
        heard = Uses(game, numbers, seats, won_only=True)
        of = np.concatenate([rows[n] for n in places])
        table = partial(Restraining, course, of)
        decisions += played_together(cells, some, [heard], table).decisions
        won[np.repeat(places, [len(its) for its in some]), of] = heard.won
    keys = [(one.decision, one.option) for one in every]
    products = flag_products(pairs(keys), uses.won, won)
    found = pl.concat(
        [
            products.with_columns(measure=pl.lit("knocked out")),
            _games_with(uses, every, numbers),
            uses.counts().sums().with_columns(measure=pl.lit(USES)),
        ],
        how="diagonal",
    )
    return Outcome(
        block,
        found.with_columns(cell=pl.lit(block.cell, dtype=pl.Int32)),
        {},
        decisions,
    )


def _at_once(games: Sequence[int]) -> Iterator[list[int]]:
    """Which of so many games each are played together: ``_TABLE``, or those of one."""
    some: list[int] = []
    for place, many in enumerate(games):
        if some and sum(games[one] for one in some) + many > _TABLE:
            yield some
            some = []
        if many:
            some.append(place)
    if some:
        yield some


def _affected(uses: Uses, one: Restriction) -> Flags:
    """(games,) those that may be others without it."""
    if one.option == WHOLE:
        return uses.asked.get(one.decision, np.zeros_like(uses.won))
    times = uses.taken.get((one.decision, one.option))
    return np.zeros_like(uses.won) if times is None else times > 0


def _games_with(
    uses: Uses, every: Sequence[Restriction], numbers: Numbers
) -> pl.DataFrame:
    """In how many games each was used, of all."""
    many = [float(np.count_nonzero(_affected(uses, one))) for one in every]
    keys = pairs([(one.decision, one.option) for one in every])
    values = dict.fromkeys(SUMS, np.zeros(len(every))) | {
        "y": np.array(many),
        "x": np.full(len(every), float(len(numbers))),
    }
    return pl.DataFrame({**keys, **values}).with_columns(measure=pl.lit("used"))
