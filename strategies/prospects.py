"""The chance to win by how the seats stand at the end of a stage, fitted to games.

The games are played by one policy in all seats, from a seed of their own, so the same
rules, players and policy have the same chances in every process.
"""

from functools import cache
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.branches import Desk, Shares
from sim.games import Game, Stage, load
from sim.masks import Masks
from sim.parameters import Rules
from sim.table import Player
from sim.view import Seat
from strategies.base import Strategy

Features = NDArray[np.float64]  # (features, seats, games)
Weights = NDArray[np.float64]  # (features,)
_GAMES, _SEED = 4_096, 20_011
_FEW = _GAMES // 10  # games that go on, of which nothing more is asked
_STEPS, _SMALL, _RIDGE, _DIGITS = 12, 1e-9, 1e-3, 6
_PART = 64  # of a matrix that is multiplied at once
_LEAST = 1e-6  # of a win that nobody has: more than shares of it are rounded


class Prospects:
    """The chance to win at the end of each stage: a softmax over the seats.

    Where games may be won by nobody, he is one more seat, who has nothing.
    """

    def __init__(self, weights: dict[int, Weights]) -> None:
        self.weights = weights

    def __call__(self, part: int, standing: Features) -> Shares:
        """(seats, games) of the part of a stage and (features, seats, games)."""
        weights = self.weights[part]
        if len(weights) == len(standing):
            return _softmax(weights, standing)
        return _softmax(weights, _with_nobody(standing))[:-1]


@cache
def prospects(
    game: str, rules: Rules, players: int, policy: Strategy
) -> Prospects | None:
    """The chances where all play by this policy; None of a game without stages."""
    known = load(game)
    if known.stage is None:
        return None
    state = known.start(rules, players, _SEED, np.arange(_GAMES, dtype=np.uint64))
    each = known.stage.over is not None
    stages: list[tuple[int, Features, NDArray[np.int64]]] = []
    for number in (1 << at if each else at for at in count()):
        desk, stopped = _Stopping(known, known.stage, policy, number), state.copy()
        left = desk.stop(stopped)
        if left is None:
            break
        features = known.stage.standing(stopped)[..., left]
        stages.append((known.stage.part_of(stopped), features, left))
        state = desk.note or state
    won = Desk(known, [policy]).play(state)
    parts: dict[int, list[tuple[Features, Shares]]] = {}
    for key, features, left in stages:
        parts.setdefault(key, []).append((features, won[:, left]))
    return Prospects({key: _fitted(*_joined(found)) for key, found in parts.items()})


class _Stopping(Desk):
    """Plays to the end of a stage, and notes a state from which it can be done again.

    ``note`` is a copy at the first question of the stage: no game has stopped there.
    """

    def __init__(self, game: Game, stage: Stage, policy: Player, number: int) -> None:
        super().__init__(game, [policy])
        self._stage, self._number = stage, number
        self.note: Any = None

    def ask(self, state: Any, name: str, seat: Seat, legal: Masks, **how: Any) -> Masks:
        """As at any table."""
        if self.note is None:
            now = self._stage.number(state)
            if now is None or np.max(now) >= self._number:
                self.note = state.copy()
        return super().ask(state, name, seat, legal, **how)

    def stop(self, state: Any) -> NDArray[np.int64] | None:
        """Play on: the games that are not over then; None if they are few."""
        over, number = self._stage.over, self._number
        state.stops = number if over is None else np.full(len(state.games), number)
        self._game.play(state, self)
        if over is None:
            return None if self.ended else np.arange(_GAMES)
        left = np.flatnonzero(~over(state))
        return left if len(left) >= _FEW else None


def _joined(parts: list[tuple[Features, Shares]]) -> tuple[Features, Shares]:
    every, shares = zip(*parts, strict=True)
    features, won = np.concatenate(every, axis=-1), np.concatenate(shares, axis=-1)
    nobody = 1 - won.sum(axis=0)
    if not (nobody > _LEAST).any():
        return features, won
    return _with_nobody(features), np.concatenate([won, nobody[None]])


def _with_nobody(features: Features) -> Features:
    """(features + 1, seats + 1, games) with a seat whose only feature is the last."""
    found = np.zeros([size + 1 for size in features.shape[:2]] + [features.shape[2]])
    found[:-1, :-1] = features
    found[-1, -1] = 1
    return found


def _softmax(weights: Weights, features: Features) -> Shares:
    score = np.zeros(features.shape[1:])
    for weight, feature in zip(weights, features, strict=True):
        score += weight * feature
    score -= score.max(axis=0)
    np.exp(score, out=score)
    shares: Shares = score / score.sum(axis=0)
    return shares


def _fitted(features: Features, won: Shares) -> Weights:
    """The weights of greatest likelihood, by Newton's method with a small ridge.

    In units of each feature's spread; rounded, so that the last bits, which another
    processor may sum otherwise, make no difference.
    """
    spread = np.maximum(features.std(axis=(1, 2)), 1e-9)
    scaled, size = features / spread[:, None, None], len(features)
    weights, flat = np.zeros(size), scaled.reshape(size, -1)
    games = won.sum(axis=0)
    for _ in range(_STEPS):
        chance = _softmax(weights, scaled) * games
        slope = (scaled * (won - chance)).sum(axis=(1, 2))
        weighted = scaled * chance
        mean = weighted.sum(axis=1)
        bend = _products(weighted.reshape(size, -1), flat)
        bend -= _products(mean / np.maximum(games, 1e-9), mean)
        ridge = _RIDGE * won.sum()
        slope -= ridge * weights
        bend += ridge * np.eye(size)
        step = np.linalg.solve(bend, slope)
        weights += step
        if np.abs(step).max() < _SMALL:
            break
    found = weights / spread
    return np.array([float(f"{weight:.{_DIGITS}g}") for weight in found])


def _products(one: Weights, other: Weights) -> Weights:
    """(features, features) ``one @ other.T``, in parts.

    So small that they are not shared among threads, which would wait for each other.
    """
    total: Weights = np.zeros((len(one), len(other)))
    for at in range(0, one.shape[1], _PART):
        total += one[:, at : at + _PART] @ other[:, at : at + _PART].T
    return total
