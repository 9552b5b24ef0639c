"""Win probability: estimated from how the seats stand at the end of a stage.

A multinomial logit fitted to games that are played by one policy in all seats, from a
seed of their own, so that the same rules, players and policy give the same estimator in
every process.
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
_Part = tuple[Features, Shares]  # of some games: standardized features, and who won
_GAMES, _SEED = 4_096, 20_011
_FEWEST_GAMES = _GAMES // 10  # stages that fewer games reach are not fitted
_STEPS, _LONG, _NEAR, _SMALL = 30, 2.0, 1e-2, 1e-9  # of Newton's method: see ``_climb``
_RIDGE, _DIGITS = 1e-3, 6
_GAMES_IN_CACHE = 64  # games whose products are formed at a time
_LEAST_SHARE = 1e-6  # a share of the win above rounding: nobody won it


class WinProbability:
    """The chance to win at the end of each stage: a softmax over the seats.

    If a game can have no winner, "nobody" is modelled as an extra seat, which has a
    constant of its own and nothing else.
    """

    def __init__(self, weights: dict[int, Weights]) -> None:
        self.weights = weights

    def __call__(self, part: int, standing: Features) -> Shares:
        """(seats, games) chances to win, from the part of the game and the features.

        standing: (features, seats, games).
        """
        weights = self.weights[part]
        if len(weights) == len(standing):
            return _softmax(weights, standing)
        return _softmax(weights, _with_nobody(standing))[:-1]


@cache
def win_probability(
    game: str, rules: Rules, players: int, policy: Strategy
) -> WinProbability | None:
    """The estimator for games that all seats play by this policy; cached.

    None for a game without stages.
    """
    known = load(game)
    if known.stage is None:
        return None
    state = known.start(rules, players, _SEED, np.arange(_GAMES, dtype=np.uint64))
    each = known.stage.over is not None  # whether games stop one by one
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
        {key: _fitted(*_joined(games)) for key, games in parts.items()}
    )


class _StageTable(RolloutTable):
    """Plays to the end of a stage, and keeps a state from which to play on.

    ``note`` is a copy at a decision of the stage, before any game has stopped: the last
    one if all games stop together, otherwise the first.
    """

    def __init__(self, game: Game, stage: Stage, policy: Player, number: int) -> None:
        super().__init__(game, [policy])
        self._stage, self._number = stage, number
        self.note: Any = None

    def ask(self, state: Any, name: str, seat: Seat, legal: Masks, **how: Any) -> Masks:
        """Ask as at any table, and keep a copy of the state."""
        now = self._stage.number(state)
        if now is not None and np.max(now) >= self._number:
            together = np.ndim(now) == 0
            if together or self.note is None:
                self.note = state.copy()
        return super().ask(state, name, seat, legal, **how)

    def stop(self, state: Any) -> NDArray[np.int64] | None:
        """Play to the end of the stage; the games not over then; None if few."""
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
    """The games of several stages together, with "nobody" as a seat where needed."""
    every, shares = zip(*parts, strict=True)
    features, won = np.concatenate(every, axis=-1), np.concatenate(shares, axis=-1)
    nobody = 1 - won.sum(axis=0)
    if not (nobody > _LEAST_SHARE).any():
        return features, won
    return _with_nobody(features), np.concatenate([won, nobody[None]])


def _with_nobody(features: Features) -> Features:
    """(features + 1, seats + 1, games) with a seat whose only feature is the last."""
    shape = [*(size + 1 for size in features.shape[:2]), features.shape[2]]
    extended = np.zeros(shape)
    extended[:-1, :-1] = features
    extended[-1, -1] = 1
    return extended


def _softmax(weights: Weights, features: Features) -> Shares:
    """(seats, games) chances to win."""
    score = np.zeros(features.shape[1:])
    for weight, feature in zip(weights, features, strict=True):
        score += weight * feature
    return _shared(score)


def _shared(score: Shares) -> Shares:
    """The softmax of scores (seats, games), in place."""
    score -= score.max(axis=0)
    np.exp(score, out=score)
    score /= score.sum(axis=0)
    return score


def _fitted(features: Features, won: Shares) -> Weights:
    """The maximum likelihood weights, by Newton's method with a small ridge.

    Features are standardized by their spread. Why rounded: other processors may sum in
    another order, and the last bits must make no difference. Why first on a part of
    many games: it leads most of the way, at a fraction of the cost.
    """
    spread = np.array([max(feature.std(), 1e-9) for feature in features])
    weights = np.zeros(len(features))
    several = won.shape[1] // _GAMES
    if several > 1:
        sample = features[..., ::several], won[:, ::several]
        weights = _climb(weights, _parts(*sample, spread))
    weights = _climb(weights, _parts(features, won, spread)) / spread
    return np.array([float(f"{weight:.{_DIGITS}g}") for weight in weights])


def _parts(features: Features, won: Shares, spread: Weights) -> list[_Part]:
    """The games in small parts, which stay in the cache with their products.

    Why so small: BLAS does not share such matrices among threads, which would only wait
    for each other.
    """
    units = spread[:, None, None]
    parts = [
        slice(at, at + _GAMES_IN_CACHE)
        for at in range(0, won.shape[1], _GAMES_IN_CACHE)
    ]
    return [(features[..., part] / units, won[:, part].copy()) for part in parts]


def _climb(weights: Weights, parts: list[_Part]) -> Weights:
    """The maximum likelihood weights, by Newton's method from these.

    Why the Hessian is kept once steps are below ``_NEAR``: it hardly changes any more,
    and costs most. Steps are no longer than ``_LONG``, so that none leads astray, and
    end below ``_SMALL``.
    """
    ridge = _RIDGE * sum(float(won.sum()) for _, won in parts)
    far: float = np.inf
    inverse: NDArray[Any] = np.zeros(0)
    for _ in range(_STEPS):
        if far > _NEAR:
            hessian = sum(_hessian(weights, *part) for part in parts)
            inverse = np.linalg.inv(hessian + ridge * np.eye(len(weights)))
        gradient = sum(_gradient(weights, *part) for part in parts) - ridge * weights
        step = inverse @ gradient
        far = np.abs(step).max()
        weights = weights + step * (_LONG / max(far, _LONG))
        if far < _SMALL:
            break
    return weights


def _chances(weights: Weights, scaled: Features, won: Shares) -> Shares:
    """(seats, games) each seat's chance, times the win that there is."""
    shares = _shared(np.einsum("f,fsg->sg", weights, scaled))
    shares *= won.sum(axis=0)
    return shares


def _gradient(weights: Weights, scaled: Features, won: Shares) -> Weights:
    """(features,) the gradient of the log likelihood."""
    left = won - _chances(weights, scaled, won)
    gradient: Weights = np.einsum("fsg,sg->f", scaled, left)
    return gradient


def _hessian(weights: Weights, scaled: Features, won: Shares) -> Weights:
    """(features, features) the negative Hessian of the log likelihood."""
    weighted = scaled * _chances(weights, scaled, won)
    mean = weighted.sum(axis=1)
    hessian: Weights = -(mean / np.maximum(won.sum(axis=0), 1e-9)) @ mean.T
    for seat in range(len(won)):
        hessian += weighted[:, seat] @ scaled[:, seat].T
    return hessian
