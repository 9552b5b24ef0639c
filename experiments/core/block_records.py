"""Play the games of a block, and record them as raw tables by name."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.core.cells import Cell, PlayedGames, play
from experiments.core.decision_counts import DECISIONS, DecisionCounts
from experiments.core.event_tables import event_frames
from reports.batches import GameBatches
from sim import games
from sim.games import Game
from sim.listener import Listener
from sim.recorder import Recorder
from sim.table import Table


@dataclass(frozen=True)
class Block:
    """Games ``first`` to ``first + count - 1`` of cell number ``cell``."""

    cell: int
    first: int
    count: int

    def batches(self, players: int) -> GameBatches:
        """Return the batches of these games, in a game of so many players."""
        return GameBatches(players, self.first)


def report_context(cell: Cell, played: PlayedGames) -> dict[str, Any]:
    """Return what a report needs to read raw tables, and what the standings are."""
    standing = games.load(cell.game).standing
    return {
        "game": cell.game,
        "players": cell.players,
        "first": played.first,
        "rules": cell.rules.plain_with(cell.players),
        "vocabularies": {
            name: list(ids) for name, ids in played.state.vocabularies.items()
        },
        "trial": None if cell.trial is None else asdict(cell.trial),
        "standing": None if standing is None else asdict(standing),
    }


def game_numbers(block: Block) -> NDArray[np.uint64]:
    """Return the numbers of a block's games."""
    return np.arange(block.first, block.first + block.count, dtype=np.uint64)


def intervention_listeners(cell: Cell, block: Block, places: slice) -> dict[str, Any]:
    """Return the listeners that play games of a block again, by the table they make."""
    if cell.interventions is None:
        return {}
    listeners: dict[str, Any] = cell.interventions.listeners(cell, places, block.first)
    return listeners


class EventRecorder:
    """Record raw tables of these names, of the games from number ``first`` on."""

    def __init__(
        self, game: Game, names: tuple[str, ...], first: int, count: int
    ) -> None:
        self._game, self._names = game, names
        self._recorder = Recorder(names)
        self._decisions = None
        if DECISIONS in names:
            self._decisions = DecisionCounts(game.kinds, first, count)

    @property
    def listeners(self) -> list[Listener]:
        """The listeners that record."""
        return [self._recorder, *filter(None, [self._decisions])]

    def tables(self, played: PlayedGames) -> dict[str, pl.DataFrame]:
        """Return the tables of the games that were played."""
        raw = event_frames(self._game, self._recorder, self._names, played)
        if self._decisions is not None:
            raw[DECISIONS] = self._decisions.table()
        return raw


def record_block(
    cell: Cell,
    block: Block,
    names: tuple[str, ...],
    listeners: list[Listener],
    table_class: Callable[..., Table] = Table,
) -> tuple[PlayedGames, dict[str, pl.DataFrame]]:
    """Play a block at a ``table_class``; return the raw tables of these names.

    Interventions of the cell add tables of their own.
    """
    numbers = game_numbers(block)
    notes = EventRecorder(games.load(cell.game), names, block.first, block.count)
    added = intervention_listeners(cell, block, slice(0, block.count))
    heard = [*notes.listeners, *listeners, *added.values()]
    played = play(cell, numbers, heard, table_class)
    raw = notes.tables(played)
    raw |= {name: listener.table(played) for name, listener in added.items()}
    return played, raw
