"""Play the games of a block, and record them as raw tables by name."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.core.branching import Branches, asked
from experiments.core.cells import Cell, Pair, PlayedGames, play
from experiments.core.decisions import DECISIONS, Decisions
from experiments.core.knocked import Knockouts
from experiments.core.tables import frames
from sim import games
from sim.games import Game
from sim.listener import Listener
from sim.recorder import Recorder
from sim.table import Table
from strategies.decliner import Decliner


@dataclass(frozen=True)
class Block:
    """Games ``first`` to ``first + count - 1`` of cell number ``cell``."""

    cell: int
    first: int
    count: int


def about(cell: Cell, played: PlayedGames) -> dict[str, Any]:
    """Return what a report needs to read raw tables, and what the standings are."""
    standing = games.load(cell.game).standing
    return {
        "game": cell.game,
        "players": cell.players,
        "rules": cell.rules.plain_with(cell.players),
        "vocabularies": {
            name: list(ids) for name, ids in played.state.vocabularies.items()
        },
        "trial": None if cell.trial is None else asdict(cell.trial),
        "standing": None if standing is None else asdict(standing),
    }


def about_pair(pair: Pair, played: PlayedGames) -> dict[str, Any]:
    """Return what a report needs of a what-if: also what is declined, and when."""
    decliners = [seat for seat in pair.other.lineup if isinstance(seat, Decliner)]
    when, option = (decliners[0].when, decliners[0].option) if decliners else (None, "")
    return {**about(pair.one, played), "when": when, "option": option}


def numbers_of(block: Block) -> NDArray[np.uint64]:
    """Return the numbers of a block's games."""
    return np.arange(block.first, block.first + block.count, dtype=np.uint64)


def branches_of(cell: Cell, block: Block, places: slice) -> dict[str, Branches]:
    """Return the listeners that branch a block's games at a table, by name."""
    return {
        branching.called: Branches(branching, cell, places, block.first)
        for branching in asked(cell.branching)
    }


class Notes:
    """Record raw tables of these names, of the games from number ``first`` on."""

    def __init__(
        self, game: Game, names: tuple[str, ...], first: int, count: int
    ) -> None:
        self._game, self._names = game, names
        self._recorder = Recorder(names)
        self._decisions = None
        if DECISIONS in names:
            self._decisions = Decisions(game.kinds, first, count)

    @property
    def listeners(self) -> list[Listener]:
        """The listeners that record."""
        return [self._recorder, *filter(None, [self._decisions])]

    def tables(self, played: PlayedGames) -> dict[str, pl.DataFrame]:
        """Return the tables of the games that were played."""
        raw = frames(self._game, self._recorder, self._names, played)
        if self._decisions is not None:
            raw[DECISIONS] = self._decisions.table()
        return raw


def record(
    cell: Cell,
    block: Block,
    names: tuple[str, ...],
    others: list[Listener],
    at: Callable[..., Table] = Table,
) -> tuple[PlayedGames, dict[str, pl.DataFrame]]:
    """Play a block at a table of class ``at``; return the raw tables of these names.

    ``branching`` adds a table for each, and ``knocked`` adds table ``knocked``.
    """
    numbers = numbers_of(block)
    notes = Notes(games.load(cell.game), names, block.first, block.count)
    branches = branches_of(cell, block, slice(0, block.count))
    knockouts = None if cell.knocked is None else Knockouts(cell.knocked, cell, numbers)
    added: list[Listener] = [*branches.values(), *filter(None, [knockouts])]
    played = play(cell, numbers, [*notes.listeners, *others, *added], at)
    raw = notes.tables(played)
    raw |= {name: listener.table(played) for name, listener in branches.items()}
    if knockouts is not None:
        raw["knocked"] = knockouts.table(played)
    return played, raw
