"""Play games of several cells at one table, each with its own chance."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.core.block_records import Block
from experiments.core.cells import (
    Cell,
    PlayedGames,
    distinct,
    lineup_numbers,
    play_from_start,
    seating,
)
from sim import games, masks
from sim.chance import Chance
from sim.listener import Listener
from sim.masks import Masks
from sim.table import Table
from sim.view import Rows, Seat

Numbers = NDArray[np.uint64]


def rows_of_block(
    raw: Mapping[str, pl.DataFrame], names: Sequence[str], places: slice, block: Block
) -> dict[str, pl.DataFrame]:
    """Return raw tables of the games in these places, numbered as in their block."""
    game = pl.col("game")
    own = (game >= places.start) & (game < places.stop)
    number = game.cast(pl.Int64) + (block.first - places.start)
    return {
        name: raw[name].filter(own).with_columns(game=number.cast(pl.UInt64))
        for name in names
        if name in raw
    }


def play_cells_batched(
    cells: Sequence[Cell],
    numbers: Sequence[Numbers],
    listeners: Sequence[Listener],
    table_class: Callable[..., Table] = Table,
    trial: Any = None,
) -> PlayedGames:
    """Play games of all cells at one ``table_class``, cell after cell from 0.

    The cells differ only in lineup and chance; ``trial`` is that of all games.
    """
    cell, pairs = cells[0], [*zip(cells, numbers, strict=True)]
    seated = [seating(each.strategies(), each.rotate, own) for each, own in pairs]
    lineup = distinct([strategy for players, _ in seated for strategy in players])
    sitting = [lineup_numbers(lineup, players)[sits] for players, sits in seated]
    chance = Chance.concatenate(
        [
            Chance(each.seed, each.dealt(own)).replicate(each.replicate)
            for each, own in pairs
        ]
    )
    every = np.arange(sum(map(len, numbers)), dtype=np.uint64)
    state = games.load(cell.game).start(cell.rules, cell.players, chance, every)
    state.trial = trial
    return play_from_start(
        cell, state, lineup, np.concatenate(sitting, 1), listeners, table_class
    )


class BatchedTable(Table):
    """A table of games of several cells that counts the decisions of each cell."""

    def __init__(
        self,
        cell_numbers: NDArray[np.int64],
        decisions: NDArray[np.int64],
        *seated: Any,
    ) -> None:
        super().__init__(*seated)
        self._of = cell_numbers  # (games,)
        self._made = decisions  # (cells,)

    def ask(self, state: Any, name: str, seat: Seat, legal: Masks, **how: Any) -> Masks:
        """Ask as at any table, and count."""
        rows = how.get("rows")
        at = state.start_rows if rows is None else state.start_rows.take(rows)
        cells = self._of.take(at[legal != masks.NOTHING])
        self._made += np.bincount(cells, minlength=len(self._made))
        return super().ask(state, name, seat, legal, **how)

    def count_forced(self, state: Any, rows: Rows, number: Masks) -> None:
        """Count forced decisions of these rows, for their cells too."""
        cells = self._of.take(state.start_rows.take(rows))
        np.add.at(self._made, cells, number.astype(np.int64))
        super().count_forced(state, rows, number)
