"""Redeal: a view of the same table with everything hidden dealt anew."""

from typing import Any

import numpy as np

from sim.chance import Chance, Counter, Purpose, Rows
from sim.games import Game
from sim.masks import Masks
from sim.view import View


def redeal_view(game: Game, view: View, salt: int) -> View:
    """Return a view of the same table with other hidden things, chosen by ``salt``."""
    state = view._state
    seat: Any = view.seat
    if not isinstance(seat, int):
        seat = np.zeros(len(state.games), dtype=np.uint8)
        seat[slice(None) if view._rows is None else view._rows] = view.seat
    other = game.redeal(state, seat, salt)
    other.chance = _Veiled(state.chance, salt, state.games)
    most = None if view._most is None else view._most.copy()
    return game.view(other, view.kind, view.seat, view._rows, view.legal.copy(), most)


class _Veiled(Chance):
    """Other deals and future draws, but the same chance of strategies."""

    def __init__(self, real: Chance, salt: int, games: Masks) -> None:
        super().__init__(salt, games)
        self._real = real

    def bits(
        self, purpose: Purpose, counter: Counter, rows: Rows | None = None
    ) -> Masks:
        """Return 64 random bits for each game, or for these rows only."""
        if purpose is Purpose.STRATEGY:
            return self._real.bits(purpose, counter, rows)
        return super().bits(purpose, counter, rows)
