"""How the seats of Socialism stand a round later: what search looks at.

Games last for many turns, so search plays on until each seat has had a turn.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.games import Stage
from sim.masks import Flags
from sim.socialism.board import with_any
from sim.socialism.layout import BLOCK, FEATURE, IPO, VIRAL
from sim.socialism.state import State


def round_later(state: State) -> int:
    """The turn after which each other seat has had one."""
    return state.clock.turn + state.players - 1


def standing(state: State) -> NDArray[np.float64]:
    """(features, seats, games) Members, whom they reach, what lies there, whose turn.

    Of games that are over nothing.
    """
    placed = masks.count(state.tokens) / float(state.rules.tokens)
    near = [masks.count(with_any(state, own) & ~own) / 10 for own in state.tokens]
    front = [(state.front & state.layout.kinds[kind]) != 0 for kind in _KINDS]
    seats = np.arange(state.players, dtype=np.int64)[:, None]
    turn = (seats - state.seat.astype(np.int64) - 1) % state.players == 0
    most = placed.max(axis=0)
    found: list[Any] = [placed, placed**2, placed**3, placed * most, placed * most**2]
    found += [np.stack(near), np.stack(near) * most, turn, turn * most, *front]
    shape = (len(found), state.players, len(state.finals.games))
    full = np.zeros(shape)
    full[..., state.started] = np.stack(found)
    return full


_KINDS = (VIRAL, IPO, FEATURE, BLOCK)


def over(state: State) -> Flags:
    """(games,) those that are over."""
    flags: Flags = state.finals.turns > 0
    return flags


STAGE = Stage("round", round_later, standing, over)
