"""The stage of Socialism: how seats stand a round later, as features.

Games last for many turns, so search plays on until each seat has had a turn.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.games import Stage
from sim.masks import Flags
from sim.socialism.board import users_of, with_any
from sim.socialism.layout import BLOCK, FEATURE, IPO, VIRAL
from sim.socialism.state import State


def round_later(state: State) -> int:
    """The turn after which every other seat has had one."""
    return state.clock.turn + state.players - 1


def features(state: State) -> NDArray[np.float64]:
    """(features, seats, games) Members, whom they reach, Actions in play, whose turn.

    Also which Actions are in hand: a Stellar Status kept until many can join by it is
    worth something. All 0 in games that are over.
    """
    placed = masks.count(state.tokens) / float(state.rules.tokens)
    near = [masks.count(with_any(state, own) & ~own) / 10 for own in state.tokens]
    front = [(state.front & state.layout.kinds[kind]) != 0 for kind in _KINDS]
    seats = np.arange(state.players, dtype=np.int64)[:, None]
    turn = (seats - state.seat.astype(np.int64) - 1) % state.players == 0
    most = placed.max(axis=0)
    held = [_held(state, names) for names in _IN_HAND]
    parts: list[Any] = [placed, placed**2, placed**3, placed * most, placed * most**2]
    parts += [np.stack(near), np.stack(near) * most, turn, turn * most, *front, *held]
    parts += [held[0] * _joining(state), held[0] * most]
    shape = (len(parts), state.players, len(state.finals.games))
    full = np.zeros(shape)
    full[..., state.start_rows] = np.stack(parts)
    return full


_KINDS = (VIRAL, IPO, FEATURE, BLOCK)
_IN_HAND = (
    ("stellar-status",),
    ("omg-cat-pic",),
    ("viral-post", "flattery"),
    ("a-s-l", "lost-password"),
)


def _held(state: State, names: tuple[str, ...]) -> NDArray[np.uint8]:
    """(seats, games) how many of these Actions are in each hand."""
    cards = [number for number, one in enumerate(state.layout.ids) if one in names]
    return masks.count(state.hands & masks.union(cards))


def _joining(state: State) -> NDArray[np.float64]:
    """(seats, games) how many would join by the best Stellar Status, in tens."""
    found = []
    for own in state.tokens:
        others = masks.count(state.friends & ~own.astype(state.friends.dtype))
        found.append((others * users_of(state, own)).max(axis=0))
    return np.stack(found) / 10


def over(state: State) -> Flags:
    """(games,) whether the game is over."""
    flags: Flags = state.finals.turns > 0
    return flags


STAGE = Stage("round", round_later, features, over)
