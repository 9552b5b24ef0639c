"""A table at which the answers to the first two questions of a game may be told."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.cells import Played
from sim import masks
from sim.games import Game
from sim.masks import Flags, Masks
from sim.table import Table
from sim.view import Rows, Seat


class Scripted(Table):
    """Some games, each with a script: ``play`` plays them on to the end by it.

    ``script`` (2, games) are the answers to the first question, where its kind is one
    of ``kinds[0]``, and to the second, likewise. Nothing leaves an answer to who sits
    there. Afterwards ``end`` holds the fields of the result, and ``others`` (games,)
    the options that were not taken at the second question.
    """

    def __init__(
        self, game: Game, played: Played, kinds: tuple[tuple[str, ...], ...]
    ) -> None:
        super().__init__(played.lineup, None, game.view, game.kinds)
        self._play_on = game.play
        self._seating = played.sitting
        self._scripted = kinds
        self._script: Masks = np.zeros((2, 0), dtype=np.uint64)
        self._number: NDArray[np.uint8] = np.zeros(0, dtype=np.uint8)  # of the question
        self.others: Masks = np.zeros(0, dtype=np.uint64)
        self.end: Mapping[str, Any] = {}

    def play(self, state: Any, rows: Rows, script: Masks) -> None:
        """Play these rows of the state, which may be given more than once."""
        here = state.copy()
        here.keep(rows)
        if len(self.lineup) > 1:
            self.sitting = self._seating.take(here.origin, axis=1)
        here.origin = None
        self._script = script
        self._number = np.zeros(len(rows), dtype=np.uint8)
        self.others = np.zeros(len(rows), dtype=np.uint64)
        self._play_on(here, self)

    def note(self, state: Any, name: str, *_: Any, **fields: Any) -> None:
        """Keep the end."""
        if name == "result":
            self.end = fields

    def ask(
        self,
        state: Any,
        name: str,
        seat: Seat,
        legal: Masks,
        most: NDArray[np.uint8] | None = None,
        told: Flags | None = None,
        rows: Rows | None = None,
    ) -> Masks:
        """As at any table, but for what the scripts tell."""
        at = np.arange(len(legal)) if rows is None else rows
        number, asked = self._number.take(at), legal != masks.NOTHING
        first, then = (
            (number == n) & asked & (name in kinds)
            for n, kinds in enumerate(self._scripted)
        )
        script = masks.where(first, self._script[0].take(at))
        script |= masks.where(then, self._script[1].take(at))
        free = masks.where(script == masks.NOTHING, legal)
        answer = super().ask(state, name, seat, free, most, told, rows) | script
        self.others[at] |= masks.where(then, legal ^ answer)
        self._number[at] += asked & (number < 2)
        return answer
