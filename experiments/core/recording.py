"""Playing the games of a block, and what is recorded of them: raw tables by name."""

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
    """What a report has to know to read raw tables, and by what seats stand."""
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
    """What a report has to know of a what-if: also what is declined, and when."""
    declined = [one for one in pair.other.lineup if isinstance(one, Decliner)]
    when, option = (declined[0].when, declined[0].option) if declined else (None, "")
    return {**about(pair.one, played), "when": when, "option": option}


def numbers_of(block: Block) -> NDArray[np.uint64]:
    """The numbers of a block's games."""
    return np.arange(block.first, block.first + block.count, dtype=np.uint64)


def branches_of(cell: Cell, block: Block, places: slice) -> dict[str, Branches]:
    """What tries decisions of a block's games, in these places of a table, by name."""
    return {
        one.called: Branches(one, cell, places, block.first)
        for one in asked(cell.branching)
    }


class Notes:
    """What is noted of games from number ``first`` on: raw tables of these names."""

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
        """Who has to hear of the games."""
        return [self._recorder, *filter(None, [self._decisions])]

    def tables(self, played: PlayedGames) -> dict[str, pl.DataFrame]:
        """The tables of the games that were played."""
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
    """Play a block at such a table, and return the raw tables of these names.

    Of a cell with decisions to be tried, also what became of them (``branching``), and
    of one with options to be knocked out the games without them (``knocked``).
    """
    numbers = numbers_of(block)
    notes = Notes(games.load(cell.game), names, block.first, block.count)
    tried = branches_of(cell, block, slice(0, block.count))
    knocked = None if cell.knocked is None else Knockouts(cell.knocked, cell, numbers)
    more: list[Listener] = [*tried.values(), *filter(None, [knocked])]
    played = play(cell, numbers, [*notes.listeners, *others, *more], at)
    raw = notes.tables(played)
    raw |= {name: branches.table(played) for name, branches in tried.items()}
    if knocked is not None:
        raw["knocked"] = knocked.table(played)
    return played, raw
