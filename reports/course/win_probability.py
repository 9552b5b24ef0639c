"""The chance to win at each moment, from how seats stand, and measures made from it.

A conditional (multinomial) logit (McFadden 1974, Frontiers in Econometrics: 105-142):
the chance of a seat depends on its standing less the mean of the table, and on its gap
to the best other one, with weights that change over time. It is fitted on the games
with even numbers and measured on the others. It knows how seats stand and nothing else:
no hands, no places at the table.
"""

from dataclasses import dataclass

import numpy as np

from reports.counts import Array
from reports.course.standings import Standings

_NEWTON_STEPS = 30  # at most
_RIDGE = 1e-3
_FEATURES = 6


@dataclass(frozen=True)
class WinModel:
    """A fitted model: ``weights`` (features,), and the units of standing and time."""

    weights: Array
    spread: float  # standard deviation of standings at the end
    length: float  # median number of moments

    def chances(self, values: Array) -> Array:
        """Return each seat's chance to win, (moments, seats, games)."""
        features = _features(values, self.spread, self.length)
        return _softmax(np.tensordot(self.weights, features, 1))


def open_moments(played: Standings) -> Array:
    """Return the moments at which a game goes on, as flags (moments, games)."""
    lasted = played.rounds_played * played.moments
    going: Array = np.arange(1, len(played.values) + 1)[:, None] < lasted
    return going


def fit_model(played: Standings, start: WinModel | None = None) -> WinModel:
    """Fit the model to games by Newton's method; games that nobody wins are left out.

    A small ridge keeps weights finite if the winner can be predicted for sure.
    ``start``: a model of nearly the same games, for fewer steps.
    """
    ended = played.values[-1].astype(np.float64)
    spread = max(float(ended.std()), 1e-9)
    length = max(float(np.median(played.rounds_played)) * played.moments, 1.0)
    rows = open_moments(played) & (played.winner >= 0)
    at, game = np.nonzero(rows)
    features = _features(played.values, spread, length)
    x = np.ascontiguousarray(features.transpose(1, 3, 2, 0)[at, game])
    weights = np.zeros(_FEATURES) if start is None else start.weights.copy()
    won = x[np.arange(len(at)), played.winner[game]].sum(axis=0)
    for _ in range(_NEWTON_STEPS if len(at) else 0):
        p = _softmax(x @ weights)  # (rows, seats)
        mean = np.einsum("ns,nsf->nf", p, x)
        slope = won - mean.sum(axis=0) - _RIDGE * weights
        flat = x.reshape(-1, _FEATURES)
        bend = (flat * p.reshape(-1, 1)).T @ flat - mean.T @ mean
        step = np.linalg.solve(bend + _RIDGE * np.eye(_FEATURES), slope)
        step *= min(1.0, 5.0 / max(float(abs(step).max()), 1e-9))
        weights += step
        if abs(step).max() < 1e-5:
            break
    return WinModel(weights, spread, length)


def _features(values: Array, spread: float, length: float) -> Array:
    """Return standing and gap, each times 1, what is left, and 1 / sqrt(what is left).

    (features, moments, seats, games); in a random walk, the chance depends on the
    lead / sqrt(steps left).
    """
    level = values - values.mean(axis=1, keepdims=True)
    best, second = np.sort(values, axis=1)[:, -1:], np.sort(values, axis=1)[:, -2:-1]
    gap = values - np.where(values == best, second, best)
    both = np.stack([level, gap]) / spread
    left = np.maximum(1 - np.arange(1, len(values) + 1) / length, 1 / length)
    times = np.stack([np.ones_like(left), left, left**-0.5])[:, None, :, None, None]
    return (times * both).reshape(_FEATURES, *values.shape)


def _softmax(score: Array) -> Array:
    """Return the chances of the seats, which are the second axis."""
    power = np.exp(score - score.max(axis=1, keepdims=True))
    chances: Array = power / power.sum(axis=1, keepdims=True)
    return chances


@dataclass(frozen=True)
class WinMeasure:
    """A number of a game that is made from chances to win."""

    name: str
    doc: str
    share: bool = False


WIN_MEASURES = (
    WinMeasure(
        "uncertainty",
        "how open the game is, on average: 1 all seats alike, 0 one wins for sure",
    ),
    WinMeasure(
        "drama",
        "how far the winner's chance is below the greatest, on average",
    ),
    WinMeasure(
        "stability",
        "part of the chances that stays where it is from moment to moment",
    ),
    WinMeasure(
        "decisiveness",
        "part of the game played when the winner's chance is over 1/2 for good",
    ),
    WinMeasure(
        "comeback",
        "games whose winner once has less than half an even chance",
        share=True,
    ),
    WinMeasure(
        "runaway",
        "games whose winner has over 1/2 from the first third to the end",
        share=True,
    ),
)
"""After Browne and Maire 2010, IEEE Trans. Comput. Intell. AI Games 2:1-16."""


def numbers(played: Standings, chances: Array) -> dict[str, Array]:
    """Return each of ``WIN_MEASURES``, (games,), of games with winner and moments."""
    going, seats = open_moments(played), chances.shape[1]
    lasted = played.rounds_played * played.moments
    own = chances[:, np.maximum(played.winner, 0), np.arange(len(lasted))]
    best, count = chances.max(axis=1), np.maximum(going.sum(axis=0), 1)
    entropy = -(chances * np.log(np.maximum(chances, 1e-12))).sum(axis=1)
    moved = abs(np.diff(chances, axis=0)).sum(axis=1) / 2 * going[1:]
    at = np.arange(1, len(chances) + 1)[:, None]
    open_ = (at * (going & (own <= 1 / 2))).max(axis=0)
    settled = np.minimum(open_ + 1, lasted)
    return {
        "uncertainty": (entropy * going).sum(axis=0) / count / np.log(max(seats, 2)),
        "drama": ((best - own) * going).sum(axis=0) / count,
        "stability": 1 - moved.sum(axis=0) / np.maximum(count - 1, 1),
        "decisiveness": settled / lasted,
        "comeback": np.where(going, own, 1.0).min(axis=0) < 1 / (2 * seats),
        "runaway": settled <= np.maximum(lasted // 3, 1),
    }
