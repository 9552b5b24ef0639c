"""The chance to win by how the seats stand at the end of a stage, fitted to games.

The games are played by one policy in all seats, from a seed of their own, so the same
rules, players and policy have the same chances in every process.
"""

from functools import cache
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.games import Game, Stage, load
from sim.masks import Masks
from sim.parameters import Rules
from sim.rollouts import RolloutTable, Shares, shares_of
from sim.table import Player
from sim.view import Seat
from strategies.base import Strategy

Features = NDArray[np.float64]  # (features, seats, games)
Weights = NDArray[np.float64]  # (features,)
_Part = tuple[Features, Shares]  # of some games, in units of spread, and who won them
_GAMES, _SEED = 4_096, 20_011
_FEWEST_GAMES = _GAMES // 10  # games that go on, of which nothing more is asked
_STEPS, _LONG, _NEAR, _SMALL = 30, 2.0, 1e-2, 1e-9
_RIDGE, _DIGITS = 1e-3, 6
_GAMES_IN_CACHE = 64  # games of which products are made
_LEAST = 1e-6  # of a win that nobody has: more than shares of it are rounded


class WinProbability:
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
def win_probability(
    game: str, rules: Rules, players: int, policy: Strategy
) -> WinProbability | None:
    """The chances where all play by this policy; None of a game without stages."""
    known = load(game)
    if known.stage is None:
        return None
    state = known.start(rules, players, _SEED, np.arange(_GAMES, dtype=np.uint64))
    each = known.stage.over is not None
    stages: list[tuple[int, Features, NDArray[np.int64]]] = []
    for number in (1 << at if each else at for at in count()):
        desk, stopped = _StageTable(known, known.stage, policy, number), state.copy()
        left = desk.stop(stopped)
        if left is None:
            break
        features = known.stage.features(stopped)[..., left]
        stages.append((known.stage.part_of(stopped), features, left))
        state = desk.note or state
    if each:
        won = RolloutTable(known, [policy]).play(desk.note or state)
    else:
        won = shares_of(desk.end, players)
    parts: dict[int, list[tuple[Features, Shares]]] = {}
    for key, features, left in stages:
        parts.setdefault(key, []).append((features, won[:, left]))
    return WinProbability(
        {key: _fitted(*_joined(found)) for key, found in parts.items()}
    )


class _StageTable(RolloutTable):
    """Plays to the end of a stage, and notes a state from which it can be done again.

    ``note`` is a copy at a question of the stage, where no game has stopped: the last
    one where all stop together, or else the first one.
    """

    def __init__(self, game: Game, stage: Stage, policy: Player, number: int) -> None:
        super().__init__(game, [policy])
        self._stage, self._number = stage, number
        self.note: Any = None

    def ask(self, state: Any, name: str, seat: Seat, legal: Masks, **how: Any) -> Masks:
        """As at any table."""
        now = self._stage.number(state)
        if now is not None and np.max(now) >= self._number:
            together = np.ndim(now) == 0
            if together or self.note is None:
                self.note = state.copy()
        return super().ask(state, name, seat, legal, **how)

    def stop(self, state: Any) -> NDArray[np.int64] | None:
        """Play on: the games that are not over then; None if they are few."""
        over, number = self._stage.over, self._number
        state.stops = number if over is None else np.full(len(state.games), number)
        if self.ignores_public_history:
            state.drop_public_history()
        self._game.play(state, self)
        if over is None:
            return None if self.reached_end else np.arange(_GAMES)
        left = np.flatnonzero(~over(state))
        return left if len(left) >= _FEWEST_GAMES else None


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
    return _shared(score)


def _shared(score: Shares) -> Shares:
    """The shares of the seats by their scores, which are used up."""
    score -= score.max(axis=0)
    np.exp(score, out=score)
    score /= score.sum(axis=0)
    return score


def _fitted(features: Features, won: Shares) -> Weights:
    """The weights of greatest likelihood, by Newton's method with a small ridge.

    In units of each feature's spread; rounded, so that the last bits, which another
    processor may sum otherwise, make no difference. Of many games some lead most of the
    way.
    """
    spread = np.array([max(feature.std(), 1e-9) for feature in features])
    weights = np.zeros(len(features))
    several = won.shape[1] // _GAMES
    if several > 1:
        some = features[..., ::several], won[:, ::several]
        weights = _climbed(weights, _parts(*some, spread))
    weights = _climbed(weights, _parts(features, won, spread))
    found = weights / spread
    return np.array([float(f"{weight:.{_DIGITS}g}") for weight in found])


def _parts(features: Features, won: Shares, spread: Weights) -> list[_Part]:
    """Some games at a time: they stay in cache, with all that is made of them.

    Their matrices are so small that they are not shared among threads, which would
    wait for each other.
    """
    units = spread[:, None, None]
    parts = [
        slice(at, at + _GAMES_IN_CACHE)
        for at in range(0, won.shape[1], _GAMES_IN_CACHE)
    ]
    return [(features[..., part] / units, won[:, part].copy()) for part in parts]


def _climbed(weights: Weights, parts: list[_Part]) -> Weights:
    """The weights of greatest likelihood, from these on.

    Once steps are small, the bend is hardly another one, and is kept. No step is so
    long that it leads astray.
    """
    ridge = _RIDGE * sum(float(won.sum()) for _, won in parts)
    far: float = np.inf
    inverse: NDArray[Any] = np.zeros(0)
    for _ in range(_STEPS):
        if far > _NEAR:
            bend = sum(_bend(weights, *part) for part in parts)
            inverse = np.linalg.inv(bend + ridge * np.eye(len(weights)))
        slope = sum(_slope(weights, *part) for part in parts) - ridge * weights
        step = inverse @ slope
        far = np.abs(step).max()
        weights = weights + step * (_LONG / max(far, _LONG))
        if far < _SMALL:
            break
    return weights


def _chances(weights: Weights, scaled: Features, won: Shares) -> Shares:
    """(seats, games) of each win."""
    shares = _shared(np.einsum("f,fsg->sg", weights, scaled))
    shares *= won.sum(axis=0)
    return shares


def _slope(weights: Weights, scaled: Features, won: Shares) -> Weights:
    """(features,) how the likelihood rises with each weight."""
    left = won - _chances(weights, scaled, won)
    slope: Weights = np.einsum("fsg,sg->f", scaled, left)
    return slope


def _bend(weights: Weights, scaled: Features, won: Shares) -> Weights:
    """(features, features) how the slope falls with each weight."""
    weighted = scaled * _chances(weights, scaled, won)
    mean = weighted.sum(axis=1)
    bend: Weights = -(mean / np.maximum(won.sum(axis=0), 1e-9)) @ mean.T
    for seat in range(len(won)):
        bend += weighted[:, seat] @ scaled[:, seat].T
    return bend
