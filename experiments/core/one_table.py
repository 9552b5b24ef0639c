"""Games of several cells that are played at one table, each with its own chance."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.core.cells import (
    Cell,
    PlayedGames,
    distinct,
    numbers_in,
    play_on,
    seating,
)
from experiments.core.recording import Block
from sim import games, masks
from sim.chance import Chance
from sim.listener import Listener
from sim.masks import Masks
from sim.table import Table
from sim.view import Rows, Seat

Numbers = NDArray[np.uint64]


def of_block(
    raw: Mapping[str, pl.DataFrame], names: Sequence[str], places: slice, block: Block
) -> dict[str, pl.DataFrame]:
    """These tables of the games in these places, with the numbers that they have."""
    game, wide = pl.col("game"), pl.UInt64
    some = (game >= places.start) & (game < places.stop)
    number = game.cast(pl.Int64) + (block.first - places.start)
    return {
        name: raw[name].filter(some).with_columns(game=number.cast(wide))
        for name in names
        if name in raw
    }


def played_together(
    cells: Sequence[Cell],
    numbers: Sequence[Numbers],
    listeners: Sequence[Listener],
    at: Callable[..., Table] = Table,
    trial: Any = None,
) -> PlayedGames:
    """Play games of all cells at such a table, numbered from 0, one cell's in a row.

    The cells differ in who sits there, and in chance. trial: of all these games.
    """
    cell, pairs = cells[0], [*zip(cells, numbers, strict=True)]
    seated = [seating(one.strategies(), one.rotate, its) for one, its in pairs]
    lineup = distinct([one for some, _ in seated for one in some])
    sitting = [numbers_in(lineup, some)[sits] for some, sits in seated]
    chance = Chance.concatenate(
        [Chance(one.seed, its).replicate(one.again) for one, its in pairs]
    )
    every = np.arange(sum(map(len, numbers)), dtype=np.uint64)
    state = games.load(cell.game).start(cell.rules, cell.players, chance, every)
    state.trial = trial
    return play_on(cell, state, lineup, np.concatenate(sitting, 1), listeners, at)


class Shared(Table):
    """A table of games of several cells; it counts the decisions of each."""

    def __init__(
        self, of: NDArray[np.int64], made: NDArray[np.int64], *seated: Any
    ) -> None:
        super().__init__(*seated)
        self._of, self._made = of, made  # (games,) the cell; (cells,)

    def ask(self, state: Any, name: str, seat: Seat, legal: Masks, **how: Any) -> Masks:
        """As at any table."""
        rows = how.get("rows")
        at = state.start_rows if rows is None else state.start_rows.take(rows)
        some = self._of.take(at[legal != masks.NOTHING])
        self._made += np.bincount(some, minlength=len(self._made))
        return super().ask(state, name, seat, legal, **how)

    def count_forced(self, state: Any, rows: Rows, number: Masks) -> None:
        """As at any table."""
        some = self._of.take(state.start_rows.take(rows))
        np.add.at(self._made, some, number.astype(np.int64))
        super().count_forced(state, rows, number)
