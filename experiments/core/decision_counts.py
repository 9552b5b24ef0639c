"""Count the decisions of each kind, and their options, in any game.

Table ``decisions`` has a row for each game and kind.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sim import masks
from sim.listener import EVERY, Choice, Listener
from sim.view import Rows

DECISIONS = "decisions"
"""The name of the table, among those that a report records."""


class DecisionCounts(Listener):
    """Listens to the choices of all games from number ``first`` on."""

    ignores_public_history = True

    def __init__(self, kinds: Iterable[str], first: int, games: int) -> None:
        self._first, self._games = np.uint64(first), games
        self._counts: Mapping[str, NDArray[np.int64]] = {
            kind: np.zeros((2, games), dtype=np.int64) for kind in kinds
        }

    def hears(self, name: str) -> bool:
        """Hear every kind of decision, and no note."""
        return name in self._counts

    def choice(self, state: Any, choice: Choice) -> None:
        """Count the decisions of all rows; rows of a state may have been dropped."""
        self.choice_of(state, EVERY, choice)

    def choice_of(self, state: Any, rows: Rows | slice, choice: Choice) -> None:
        """Count the decisions of these rows."""
        games = state.games[rows]
        kind, legal, asked = choice.kind, choice.legal, choice.asked
        if kind.form == "bag":  # the options of the first token
            legal = legal & masks.span(0, state.options_per_token)
        decisions, options = self._counts[kind.name]
        number = masks.count(legal) * asked
        if len(games) == self._games:  # all are there in order, so no index is needed
            decisions += asked
            options += number
        else:
            at = (games - self._first).astype(np.int64)
            decisions[at] += asked
            options[at] += number

    def table(self) -> pl.DataFrame:
        """Return columns game, decision (its kind), decisions, all, options.

        ``options`` is the total over these decisions; ``all`` counts every kind.
        """
        counts, options = np.stack(list(self._counts.values()), axis=1)
        games = np.arange(counts.shape[1], dtype=np.uint64) + self._first
        kinds = [kind for kind in self._counts for _ in games]
        return pl.DataFrame(
            {
                "game": np.tile(games, len(counts)),
                "decision": pl.Series(kinds, dtype=pl.String),
                "decisions": counts.reshape(-1),
                "all": np.tile(counts.sum(axis=0), len(counts)),
                "options": options.reshape(-1),
            }
        )
