"""How many decisions of each kind a game took, of any game.

Counted as they are made, for the table ``decisions``: a row a game and kind.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sim.events import Decision
from sim.masks import Flags

DECISIONS = "decisions"
"""The name of the table, where a report asks for what is recorded."""


class Decisions:
    """Listens to the choices of all games from number ``first`` on."""

    def __init__(self, kinds: Iterable[str], first: int, games: int) -> None:
        self._first = np.uint64(first)
        self._counts: Mapping[str, NDArray[np.int64]] = {
            kind: np.zeros(games, dtype=np.int64) for kind in kinds
        }

    def hears(self, name: str) -> bool:
        """Every kind of decision is of interest, and no note."""
        return name in self._counts

    def choice(self, state: Any, kind: Decision, *rest: Any) -> None:
        """Count the games that were asked; rows of a state may have been dropped."""
        asked: Flags = rest[-1]
        self._counts[kind.name][state.games - self._first] += asked

    def event(self, *_: object) -> None:
        """Never of interest."""

    def table(self) -> pl.DataFrame:
        """Columns: game, decision (its kind), decisions, and all those of the game."""
        counts = np.stack(list(self._counts.values()))
        games = np.arange(counts.shape[1], dtype=np.uint64) + self._first
        kinds = [kind for kind in self._counts for _ in games]
        return pl.DataFrame(
            {
                "game": np.tile(games, len(counts)),
                "decision": pl.Series(kinds, dtype=pl.String),
                "decisions": counts.reshape(-1),
                "all": np.tile(counts.sum(axis=0), len(counts)),
            }
        )
