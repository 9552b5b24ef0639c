"""A table at which the answers to two questions of a game may be told."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.core.cells import PlayedGames
from sim import masks
from sim.games import Game
from sim.masks import Masks
from sim.table import Table
from sim.view import Rows, Seat


class Scripted(Table):
    """Some games, each with a script: ``play`` plays them on to the end by it.

    A script is told at one moment, a tick of the clock: the answer to the question
    there, and to the next one, where their kinds are among ``kinds``. All else, and
    what is nothing in the script, is left to who sits there. Afterwards ``others``
    (games,) are the options that were not taken at that next question.
    """

    def __init__(
        self, game: Game, played: PlayedGames, kinds: tuple[tuple[str, ...], ...]
    ) -> None:
        super().__init__(played.lineup, None, game.view, game.kinds)
        self._play_on = game.play
        self._seating = played.sitting
        self._scripted = kinds
        self._script: Masks = np.zeros((2, 0), dtype=np.uint64)
        self._ticks: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._answered: NDArray[np.uint8] = np.zeros(0, dtype=np.uint8)
        self.others: Masks = np.zeros(0, dtype=np.uint64)
        self._end: Mapping[str, Any] = {}

    def play(
        self, state: Any, started: Rows, ticks: NDArray[np.int64], script: Masks
    ) -> Mapping[str, Any]:
        """Play these games on; return the result.

        started: (games,) the place of each when all started, which says who sits where.
        ticks: (games,) the moment of each. script: (2, games) its two answers.
        """
        if len(self.lineup) > 1:
            self.sitting = self._seating.take(started, axis=1)
        self._ticks, self._script = ticks, script
        self._answered = np.zeros(len(started), dtype=np.uint8)
        self.others = np.zeros(len(started), dtype=np.uint64)
        self._play_on(state, self)
        return self._end

    def emit(self, state: Any, name: str, *_: Any, **fields: Any) -> None:
        """Keep the result."""
        if name == "result":
            self._end = fields

    def ask(self, state: Any, name: str, seat: Seat, legal: Masks, **how: Any) -> Masks:
        """As at any table, but for what the scripts tell."""
        rows = how.get("rows")
        at = state.started if rows is None else state.started.take(rows)
        answered, asked = self._answered.take(at), legal != masks.NOTHING
        first = asked & (answered == 0) & (self._ticks.take(at) == state.clock.tick)
        first &= name in self._scripted[0]
        second = asked & (answered == 1)
        then = second & (name in self._scripted[1])
        script = masks.where(first, self._script[0].take(at))
        script |= masks.where(then, self._script[1].take(at))
        free = masks.where(script == masks.NOTHING, legal)
        answer = super().ask(state, name, seat, free, **how) | script
        self.others[at] |= masks.where(then, legal ^ answer)
        self._answered[at] += first | second
        return answer
