"""Restricted play: replay games in which one player may not use an option.

The first player of a cell is forbidden each decision and option in turn. A game in
which this player never took it is the same without it, and is not played again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import NamedTuple

import numpy as np
import polars as pl

import sim.games
from experiments.core.action_counts import (
    ActionCounts,
    first_seat,
    flag_sums,
    key_columns,
    play_first,
)
from experiments.core.block_records import Block, game_numbers
from experiments.core.blocks import Outcome
from experiments.core.cells import Cell
from experiments.core.malloc_settings import keep_freed_memory
from experiments.core.multi_cell_table import play_cells_batched
from experiments.core.replay_until_deviation import RecordedAnswers, ReplayUntilBlocked
from reports.counts import Counts, sums_of
from sim.masks import Flags
from strategies.base import Strategy
from strategies.random import Random
from strategies.restricted_play import OnlyKinds, WithoutOption, can_decline, option_ids

WHOLE = ""
"""Stands for a decision as a whole, in place of an option."""
FEW = 8
"""Options of a decision that has few: contracts, bids, actions; not cards."""
_BATCH = 32_768  # games that are played together


class Ablated(NamedTuple):
    """A forbidden decision or option, how it is avoided, and who then plays."""

    decision: str
    option: str
    kept: str
    player: Strategy


def ablations_of(cell: Cell) -> Iterator[Ablated]:
    """Yield all restrictions of the first player of a cell."""
    game, strong = sim.games.load(cell.game), cell.strategies()[0]
    for kind in game.kinds.values():
        declined = WithoutOption(strong, kind.name)
        if can_decline(kind):
            yield Ablated(kind.name, WHOLE, "declined", declined)
        else:
            left = OnlyKinds(Random(), kind.name, strong)
            yield Ablated(kind.name, WHOLE, "at random", left)
        for option in option_ids(game, cell.rules, cell.players, kind):
            player = WithoutOption(strong, kind.name, option)
            yield Ablated(kind.name, option, "without", player)


def small_ablations_of(cell: Cell) -> Iterator[Ablated]:
    """Yield the options of decisions with few options; no whole decisions."""
    for _, group in groupby(ablations_of(cell), lambda each: each.decision):
        single = [each for each in group if each.option != WHOLE]
        yield from single if len(single) <= FEW else ()


def play_block(
    cell: Cell, block: Block, detailed: bool = False, keep: tuple[str, ...] = ()
) -> Outcome:
    """Play a block unrestricted, and replay it without each option taken in it."""
    return play_all(cell, block, list(ablations_of(cell)))


def play_few(
    cell: Cell, block: Block, detailed: bool = False, keep: tuple[str, ...] = ()
) -> Outcome:
    """Play a block, and replay it without each option of ``small_ablations_of``."""
    return play_all(cell, block, list(small_ablations_of(cell)))


def play_all(cell: Cell, block: Block, every: Sequence[Ablated]) -> Outcome:
    """Play a block unrestricted, and under each restriction where it may differ.

    Games of several restrictions are replayed in one batch, as a step costs little more
    for more games; they follow the unrestricted games until an option is forbidden.
    """
    keep_freed_memory()
    numbers = game_numbers(block)
    game = sim.games.load(cell.game)
    course = RecordedAnswers(game, len(numbers))
    played = play_first(cell, numbers, course)
    uses = played.uses
    decisions, won = played.decisions, np.tile(uses.won, (len(every), 1))
    rows = [np.flatnonzero(_affected_games(uses, each)) for each in every]
    for places in _batches([len(part) for part in rows]):
        others = cell.strategies()[1:]
        cells = [replace(cell, lineup=(every[n].player, *others)) for n in places]
        parts = [numbers.take(rows[n]) for n in places]
        seats = np.concatenate([first_seat(cell, part) for part in parts])
        listener = ActionCounts(game, numbers, seats, won_only=True)
        game_rows = np.concatenate([rows[n] for n in places])
        table = partial(ReplayUntilBlocked, course, game_rows)
        decisions += play_cells_batched(cells, parts, [listener], table).decisions
        variants = np.repeat(places, [len(part) for part in parts])
        won[variants, game_rows] = listener.won
    keys = [(each.decision, each.option) for each in every]
    batches, labels = block.batches(cell.players), key_columns(keys)
    sides = flag_sums(labels, uses.won, won, batches)
    used = np.stack([_affected_games(uses, each) for each in every])
    in_games = Counts("used", labels, used, np.ones_like(used))
    more = sums_of([in_games, uses.counts()], batches)
    sides = sides.with_columns(measure=pl.lit("knocked out"))
    sums = pl.concat([sides, more], how="diagonal")
    return Outcome(
        block, sums.with_columns(cell=pl.lit(block.cell, dtype=pl.Int32)), {}, decisions
    )


def _batches(games: Sequence[int]) -> Iterator[list[int]]:
    """Yield which restrictions are played together: up to ``_BATCH`` games."""
    places: list[int] = []
    for place, count in enumerate(games):
        if places and sum(games[each] for each in places) + count > _BATCH:
            yield places
            places = []
        if count:
            places.append(place)
    if places:
        yield places


def _affected_games(uses: ActionCounts, restriction: Ablated) -> Flags:
    """Return (games,): those that may differ without it."""
    if restriction.option == WHOLE:
        return uses.asked.get(restriction.decision, np.zeros_like(uses.won))
    times = uses.taken.get((restriction.decision, restriction.option))
    return np.zeros_like(uses.won) if times is None else times > 0
