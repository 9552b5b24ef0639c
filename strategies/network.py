"""A policy of small networks, one for each kind of decision, for any game.

A network reads what the seat sees (``sim.observation``) through two layers of rectified
units, and scores each option: by what the option is, and by which sets it is in (what
heuristics answer, what wins, ...) and what its values are. All weights are whole
numbers, and so is all that is computed with them, which makes the scores exact: the
same in any order of summing, on any machine.

Policies are fitted by ``experiments.learning`` and kept in files, from which nothing is
ever executed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.candidates import candidate_answers
from sim.masks import Masks
from sim.observation import UNIT, Observation
from sim.observation_reader import Observed, Reader
from sim.view import Rows, View
from strategies.base import Strategy

Weights = NDArray[np.float32]
_EXACT = float(1 << 24)  # whole numbers below it are exact in float32
_MOST = 4_095.0  # of a unit's activity: 64 in 64ths
_MOST_WEIGHT = 2_047.0  # of a set or value of options: 32 in 64ths
_ROWS_IN_CACHE = 1_024  # rows that are scored together


@dataclass(frozen=True)
class Layers:
    """The weights of a network; in floats while it learns, in 64ths when it plays.

    first: (inputs, units); second: (units, units); option: (units, option bits);
    feature: (units, features of options). Each with its constants.
    """

    first: Weights
    first_bias: Weights
    second: Weights
    second_bias: Weights
    option: Weights
    option_bias: Weights
    feature: Weights
    feature_bias: Weights

    def arrays(self) -> dict[str, Weights]:
        """The weights by name."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def fit(self, reader: Reader) -> bool:
        """Whether these weights are of what a reader reads."""
        units, more = len(self.first_bias), len(self.second_bias)
        options, features = len(reader.bits), reader.features
        return [array.shape for array in self.arrays().values()] == [
            (reader.width, units),
            (units,),
            (units, more),
            (more,),
            (more, options),
            (options,),
            (more, features),
            (features,),
        ]

    def are_exact(self, reader: Reader) -> bool:
        """Whether they are whole numbers, and no sum of them is too large to be exact.

        So other weights would not play the same moves on every machine.
        """
        if any((array != np.rint(array)).any() for array in self.arrays().values()):
            return False
        inputs, units = _most_read(reader), np.full(len(self.second), _MOST)
        more = np.full(len(self.second_bias), _MOST)
        sums = (
            _largest_sum(self.first, self.first_bias, inputs),
            _largest_sum(self.second, self.second_bias, units),
            _largest_sum(self.option, self.option_bias, more),
            _largest_sum(self.feature, self.feature_bias, more),
        )
        return max(sums) < _EXACT


def _most_read(reader: Reader) -> NDArray[np.float64]:
    """(inputs,) the largest that each input can be."""
    return np.where(np.arange(reader.width) < reader.flags, 1.0, 4.0 * UNIT)


def _largest_sum(
    weights: Weights, constants: Weights, most: NDArray[np.float64]
) -> float:
    """The largest sum of inputs that are at most so large, times weights."""
    sums = np.abs(weights).T @ most + np.abs(constants)
    return float(sums.max(initial=0))


def whole(layers: Layers, reader: Reader) -> Layers:
    """Weights rounded to 64ths, or as coarsely as keeps all sums exact."""
    flags = np.arange(reader.width) < reader.flags
    first = layers.first.copy()
    first[flags] = np.rint(first[flags] * UNIT)  # 64ths; those of numbers come below
    return Layers(
        *_exact(first, layers.first_bias * UNIT, _most_read(reader)),
        *_exact(
            layers.second, layers.second_bias * UNIT, np.full(len(layers.second), _MOST)
        ),
        *_exact(
            layers.option, layers.option_bias * UNIT, np.full(len(layers.option), _MOST)
        ),
        *_exact(
            layers.feature,
            layers.feature_bias * UNIT,
            np.full(len(layers.feature), _MOST),
        ),
    )


def _exact(
    weights: Weights, bias: Weights, most: NDArray[np.float64]
) -> tuple[Weights, Weights]:
    """Weights and constants in 64ths, such that sums stay exact in float32."""
    step = 1.0
    while True:
        rounded = np.rint(weights * (UNIT / step)) * step
        constants = np.rint(bias * (UNIT / step)) * step
        if _largest_sum(rounded, constants, most) < _EXACT:
            return rounded.astype(np.float32), constants.astype(np.float32)
        step *= 2


class Network:
    """Scores the options of one kind of decision.

    ``layers`` are in 64ths, as ``whole`` makes them.
    """

    def __init__(self, observation: Observation, layers: Layers) -> None:
        self.observation, self.layers = observation, layers
        self.reader = Reader(observation)

    def scores(self, seen: Observed) -> tuple[Weights, Weights]:
        """(rows, option bits) scores of options, and (rows, features) weights.

        Scores are whole 4,096ths, without features, whose weights are 64ths.
        """
        layers, reader = self.layers, self.reader
        units = _rectified(reader.inputs(seen) @ layers.first + layers.first_bias)
        units = _rectified(units @ layers.second + layers.second_bias)
        scores = units @ layers.option + layers.option_bias
        weight = np.floor((units @ layers.feature + layers.feature_bias) / UNIT)
        np.clip(weight, -_MOST_WEIGHT, _MOST_WEIGHT, out=weight)
        return scores, weight

    def choose(self, view: View, seen: Observed, plain: Masks) -> Masks:
        """(rows,) the answer that scores most; the first of those that score alike.

        seen: what the view's rows look like; plain: (rows,) the teacher's answers.
        """
        scores, weight = self.scores(seen)
        one = self.observation.form == "one"
        if one:
            of, answer = masks.explode(seen.legal & self.reader.known)
        else:
            of, answer = candidate_answers(view, plain)
        own = answer if one else self.reader.own(view.take(of), answer)
        score = self.answer_scores(scores, weight, seen, of, own)
        first = np.flatnonzero(np.diff(of, prepend=-1))
        best = np.maximum.reduceat(score, first)
        size = np.diff(first, append=len(of))
        at = np.flatnonzero(score == best.repeat(size))
        at = at[np.diff(of.take(at), prepend=-1) > 0]
        chosen = np.zeros_like(plain)  # nothing where no option is known
        chosen[of.take(at)] = answer.take(at)
        if not one:
            return chosen
        chosen = self.reader.answer(view, chosen)
        return masks.blend(chosen != masks.NOTHING, chosen, plain)

    def answer_scores(
        self, scores: Weights, weight: Weights, seen: Observed, of: Rows, answer: Masks
    ) -> Weights:
        """(answers,) what answers score: the sum of their options, and their features.

        All of them are whole 4,096ths. scores, weight: as ``scores`` returns them.
        """
        reader = self.reader
        if self.observation.form == "one":
            total = scores[of, reader.columns(answer)]
        else:
            inside = reader.flags_of(answer).astype(np.float32)
            total = np.einsum("ab,ab->a", scores.take(of, axis=0), inside)
        features = reader.answer_features(seen, of, answer)
        total += np.einsum("af,af->a", weight.take(of, axis=0), features)
        return total


def _rectified(sums: Weights) -> Weights:
    """Units in 64ths, from sums in 4,096ths: from nothing to the most there may be."""
    sums /= UNIT
    np.floor(sums, out=sums)
    return np.clip(sums, 0, _MOST, out=sums)


@dataclass(frozen=True, eq=False)
class NetworkPolicy(Strategy):
    """Decides by networks; kinds of decisions without one as the teacher does.

    ``advisers`` are the heuristics whose answers the networks see, the teacher first.
    """

    networks: Mapping[str, Network]
    advisers: Sequence[Strategy]

    def decide(self, view: View) -> Masks:
        """(rows,) the answer with the highest score."""
        teacher = self.advisers[0]
        plain, network = teacher.decide(view), self.networks.get(view.kind.name)
        if network is None:
            return plain
        rows = np.arange(len(view))
        if view.kind.form == "one":
            rows = masks.rows_with(view.legal, view.legal - masks.ONE)
        chosen = plain if len(rows) == 0 else plain.copy()
        for begin in range(0, len(rows), _ROWS_IN_CACHE):
            part = rows[begin : begin + _ROWS_IN_CACHE]
            few = view.take(part) if len(part) < len(view) else view
            answers = plain.take(part)
            seen = self.see(few, answers, network.reader)
            chosen[part] = network.choose(few, seen, answers)
        return chosen

    def see(self, view: View, plain: Masks, reader: Reader) -> Observed:
        """What a view looks like to a network; plain: (rows,) the teacher's answers."""
        # Worth comes first: advisers find what it gathers, as strategies of one game
        # look at much the same
        worth = self.advisers[0].worth(view) if reader.observation.worth else None
        others = enumerate(self.advisers[1:], 1)
        advice = [plain, *(one.decide(view.substream(at)) for at, one in others)]
        return reader.read(view, advice, worth)
