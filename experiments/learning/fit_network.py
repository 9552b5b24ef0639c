"""Fitting networks to lessons.

First the scores are regressed on what answers are worth, then the expected worth of the
answer that a softmax of the scores would choose is raised. A regression alone does not
care which errors change a choice; the choice alone gets stuck where it began. Weights
of bits whose ids share a word or number (a suit, a rank) share a part.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from experiments.learning.lessons import Lessons
from sim.observation import UNIT, Observation
from sim.observation_reader import Reader
from strategies.network import Layers, Network, whole

Array = NDArray[np.float32]
Parameters = dict[str, Array]
UNITS = (64, 32)
"""The units of both layers."""
_SMALLER_UNITS = (32, 16)  # where there are many kinds of decisions
_MOST_WEIGHTS = 600_000  # of the first layers of all networks: some 500 kB in a file
_RIDGE = 1e-4  # by which weights shrink at each step, at a rate of one
_BETAS, _TINY = (0.9, 0.999), 1e-8  # of Adam: Kingma & Ba 2015
_SMALLEST_BATCH = 64
_LEAST_RATE = 0.05  # of the rate, at the end
_SCALE = 0.02  # of the win, what a score of one is worth in the regression
_GAIN = 10.0  # how much steeper the regression is than the softmax


@dataclass(frozen=True)
class FitPlan:
    """How a network is fitted.

    epochs: passes over the lessons, in steps of at most ``batch`` decisions; smaller
    ones where that leaves fewer than ``least`` steps, and fewer passes where it takes
    more than ``most``. rate: of Adam, at first. regression: the share of the steps that
    are regression, before the softmax.
    """

    epochs: float = 6.0
    rate: float = 3e-3
    regression: float = 0.5
    batch: int = 1_024
    least: int = 2_000
    most: int = 3_000

    def steps(self, lessons: int) -> tuple[int, int]:
        """How many steps, of how many decisions each."""
        passed = lessons * self.epochs
        size = int(min(self.batch, max(_SMALLEST_BATCH, passed / self.least)))
        return max(1, min(self.most, int(passed / size))), size


def units_for(observations: Iterable[Observation]) -> tuple[int, int]:
    """The units of both layers of networks for all of these kinds of decisions."""
    inputs = sum(Reader(one).width for one in observations)
    return UNITS if inputs * UNITS[0] <= _MOST_WEIGHTS else _SMALLER_UNITS


class Pupil:
    """A network while it learns: its weights as floats, apart and shared."""

    def __init__(
        self, observation: Observation, seed: int = 0, units: tuple[int, int] = UNITS
    ) -> None:
        self.observation, self.reader = observation, Reader(observation)
        chance = np.random.default_rng(seed)
        reader, (first, second) = self.reader, units
        self._blocks = [_attributes(one.ids) for one in observation.sets]
        self._options = _attributes(self._option_ids())
        shared = sum(block.shape[1] for block in self._blocks)

        def drawn(rows: int, columns: int, gain: float) -> Array:
            size = chance.normal(0, gain / np.sqrt(rows), (rows, columns))
            return size.astype(np.float32)

        def zeros(*shape: int) -> Array:
            return np.zeros(shape, dtype=np.float32)

        self.parameters: Parameters = {
            "first": drawn(reader.width, first, 2.0),
            "first_shared": zeros(shared, first),
            "first_bias": zeros(first),
            "second": drawn(first, second, 1.4),
            "second_bias": zeros(second),
            "option": zeros(second, len(reader.bits)),
            "option_shared": zeros(second, self._options.shape[1]),
            "option_bias": zeros(len(reader.bits)),
            "bias_shared": zeros(self._options.shape[1]),
            "feature": drawn(second, reader.features, 1.0),
            "feature_bias": zeros(reader.features),
        }
        self.parameters["feature_bias"][:1] = 0.5  # it trusts the teacher a little

    @classmethod
    def of(cls, network: Network) -> "Pupil":
        """A pupil who begins as a network that plays."""
        layers = network.layers
        units = len(layers.first_bias), len(layers.second_bias)
        pupil = cls(network.observation, units=units)
        flags = np.arange(pupil.reader.width) < pupil.reader.flags
        whole_units = {
            name: array / np.float32(UNIT) for name, array in layers.arrays().items()
        }
        whole_units["first"] /= np.where(flags, UNIT, 1).astype(np.float32)[:, None]
        for name, weights in whole_units.items():
            scale = UNIT if name.endswith("bias") else 1  # a bias is in 4,096ths
            pupil.parameters[name] = weights / np.float32(scale)
        return pupil

    def _option_ids(self) -> Sequence[str]:
        ids = self.observation.vocabularies[self.observation.vocabulary]
        one = self.observation.form != "bag"
        return [ids[bit] if one and bit < len(ids) else "" for bit in self.reader.bits]

    def layers(self) -> Layers:
        """The weights, with what bits share added to each."""
        p = self.parameters
        first, begin, at = p["first"].copy(), 0, 0
        for block in self._blocks:
            end = at + block.shape[1]
            first[begin : begin + len(block)] += block @ p["first_shared"][at:end]
            begin, at = begin + len(block), end
        return Layers(
            first,
            p["first_bias"],
            p["second"],
            p["second_bias"],
            p["option"] + p["option_shared"] @ self._options.T,
            p["option_bias"] + self._options @ p["bias_shared"],
            p["feature"],
            p["feature_bias"],
        )

    def network(self) -> Network:
        """The network as it plays, in whole numbers."""
        return Network(self.observation, whole(self.layers(), self.reader))

    def shared(self, slopes: Parameters) -> None:
        """Add the slopes of what bits share, from those of each bit's weights."""
        parts, begin = [], 0
        for block in self._blocks:
            parts.append(block.T @ slopes["first"][begin : begin + len(block)])
            begin += len(block)
        slopes["first_shared"] = np.concatenate(parts)
        slopes["option_shared"] = slopes["option"] @ self._options
        slopes["bias_shared"] = slopes["option_bias"] @ self._options


def _attributes(ids: Sequence[str]) -> Array:
    """(bits, attributes) words that some of the ids have in common, and a number."""
    words = [{*re.findall(r"[a-z]+|[0-9]+", one.lower())} for one in ids]
    every = sorted({word for one in words for word in one})
    common = [w for w in every if 1 < sum(w in one for one in words) < len(words)]
    table = np.zeros((len(ids), len(common) + 1), dtype=np.float32)
    for bit, one in enumerate(words):
        table[bit, :-1] = [word in one for word in common]
        numbers = [int(word) for word in one if word.isdigit()]
        table[bit, -1] = min(numbers, default=0) / 10
    return table


def fit(pupil: Pupil, lessons: Lessons, plan: FitPlan, seed: int) -> None:
    """Fit a pupil to lessons, by Adam; its weights are changed in place."""
    chance = np.random.default_rng(seed)
    steps, size = plan.steps(len(lessons))
    size = min(size, len(lessons))
    means = {name: np.zeros_like(p) for name, p in pupil.parameters.items()}
    squares = {name: np.zeros_like(p) for name, p in pupil.parameters.items()}
    first = np.searchsorted(lessons.of, np.arange(len(lessons) + 1))
    order, at = chance.permutation(len(lessons)), 0
    for step in range(steps):
        if at + size > len(order):
            order, at = chance.permutation(len(lessons)), 0
        rows = np.sort(order[at : at + size])
        at, done = at + size, step / steps
        slopes = _slopes(pupil, lessons, rows, first, done < plan.regression)
        rate = plan.rate * max(_LEAST_RATE, 1 - done)
        unbiased = (
            rate * np.sqrt(1 - _BETAS[1] ** (step + 1)) / (1 - _BETAS[0] ** (step + 1))
        )
        for name, weights in pupil.parameters.items():
            slope, mean, square = slopes[name], means[name], squares[name]
            mean += (1 - _BETAS[0]) * (slope - mean)
            square += (1 - _BETAS[1]) * (slope * slope - square)
            weights[...] -= (
                np.float32(unbiased) * mean / (np.sqrt(square) + np.float32(_TINY))
            )
            if name in ("first", "second", "option", "feature"):
                weights[...] *= np.float32(1 - rate * _RIDGE)


def _slopes(
    pupil: Pupil,
    lessons: Lessons,
    rows: NDArray[np.int64],
    first: NDArray[np.int64],
    regression: bool,
) -> Parameters:
    """The slopes of the loss in some of the lessons, by parameter."""
    reader, layers = pupil.reader, pupil.layers()
    seen = lessons.seen.take(rows)
    inputs = reader.inputs(seen)
    inputs[:, reader.flags :] /= np.float32(UNIT)
    units = np.maximum(inputs @ layers.first + layers.first_bias, 0)
    more = np.maximum(units @ layers.second + layers.second_bias, 0)
    scores = more @ layers.option + layers.option_bias
    weight = more @ layers.feature + layers.feature_bias
    # The answers of these decisions, and the score of each
    size = first[rows + 1] - first[rows]
    begins = np.cumsum(size) - size
    of = np.arange(len(rows)).repeat(size)
    at = first[rows].repeat(size) + np.arange(len(of)) - begins.repeat(size)
    answer, worth = lessons.answer[at], lessons.worth[at]
    features = reader.answer_features(seen, of, answer)
    features /= np.float32(UNIT)
    one = reader.observation.form == "one"
    if one:
        columns = reader.columns(answer)
        score = scores[of, columns]
    else:
        inside = reader.flags_of(answer).astype(np.float32)
        score = np.einsum("ab,ab->a", scores.take(of, axis=0), inside)
    score += np.einsum("af,af->a", weight.take(of, axis=0), features)
    if regression:
        mean = np.add.reduceat(score, begins) / size
        slope = np.float32(_SCALE * _GAIN) * (
            np.float32(_SCALE) * (score - mean.take(of).astype(np.float32)) - worth
        )
    else:
        score -= np.maximum.reduceat(score, begins).take(of)
        chance = np.exp(score)
        chance /= np.add.reduceat(chance, begins).take(of)
        expected = np.add.reduceat(chance * worth, begins)
        slope = chance * (expected.take(of) - worth)
    slope = (slope / np.float32(len(rows))).astype(np.float32)[:, None]
    if one:
        by_option = np.zeros_like(scores)
        by_option[of, columns] = slope[:, 0]
    else:
        by_option = np.add.reduceat(slope * inside, begins, axis=0)
    by_feature = np.add.reduceat(slope * features, begins, axis=0)
    slopes = {
        "option": more.T @ by_option,
        "option_bias": by_option.sum(axis=0),
        "feature": more.T @ by_feature,
        "feature_bias": by_feature.sum(axis=0),
    }
    back = by_option @ layers.option.T + by_feature @ layers.feature.T
    back *= more > 0
    slopes["second"], slopes["second_bias"] = units.T @ back, back.sum(axis=0)
    back = back @ layers.second.T
    back *= units > 0
    slopes["first"], slopes["first_bias"] = inputs.T @ back, back.sum(axis=0)
    pupil.shared(slopes)
    return slopes
