"""Linear policies: options are scored by learned weights of their features.

The score of an option is bilinear in its features ``f`` and the features ``s`` of the
situation: score = sum of weight[i, j] * f[i] * s[j]. In training the probability of an
option is the softmax of the scores; in play the option with the highest score is
chosen. A game defines the features; the weights are data, fitted to what search finds
(``experiments.analysis.fit_linear_policy``).
"""

import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.candidates import candidate_answers
from sim.games import load
from sim.masks import Masks
from sim.view import Rows, View
from strategies.base import Strategy
from strategies.best_options import BestOptions

Numbers = NDArray[np.float64]
FINE = 64
"""Features are rounded to multiples of 1 / ``FINE``, and weights are whole numbers.

Why: all sums are then exact, and the same in any order and on any processor.
"""
_ROWS_IN_CACHE = 1_024  # rows whose features are computed together


@dataclass(frozen=True)
class Reading:
    """The features of a linear policy in a kind of decision.

    ``options(view, of, answer, plain)`` is (features, answers): ``of`` is the row of
    each answer, ``plain`` (rows,) the answers of the teacher. ``situation(view)`` is
    (situations, rows). Values should be about 0 to 1, and a few tens at most.
    """

    features: tuple[str, ...]
    situations: tuple[str, ...]
    options: Callable[[Any, Rows, Masks, Masks], Numbers]
    situation: Callable[[Any], Numbers]

    def of(
        self, view: View, of: Rows, answer: Masks, plain: Masks
    ) -> tuple[Numbers, Numbers]:
        """(features, answers) and (situations, rows), rounded."""
        options = self.options(view, of, answer, plain)
        return _rounded(options), _rounded(self.situation(view))

    def __add__(self, other: "Reading") -> "Reading":
        """The features of both, one after the other."""
        return Reading(
            self.features + other.features,
            self.situations + other.situations,
            lambda *asked: np.concatenate(
                [self.options(*asked), other.options(*asked)]
            ),
            lambda view: np.concatenate([self.situation(view), other.situation(view)]),
        )


def situation_reading(
    names: tuple[str, ...], situation: Callable[[Any], Numbers]
) -> Reading:
    """A reading of the situation alone, to add to a reading of options."""
    return Reading((), names, lambda _, of, *__: np.zeros((0, len(of))), situation)


class OptionScorer(Protocol):
    """A heuristic that can say how much it values each option."""

    @property
    def title(self) -> str:
        """Its name."""

    def considered(self, view: Any) -> BestOptions:
        """The options of a view, with their values."""


def general_reading(
    game: str,
    kind: str,
    heuristics: Sequence[Strategy] = (),
    judges: Sequence[OptionScorer] = (),
) -> Reading:
    """A reading that works in any game.

    Features of an answer: whether the teacher gives it, which of the ``heuristics``
    give it, which options it contains, by their ids (of the game as printed), and its
    value to the ``judges``, in tenths. Features of the situation: the time, and the
    number of options.
    """
    known = load(game)
    ids, units = known.options(known.kinds[kind]), known.kinds[kind].clock

    def options(view: View, of: Rows, answer: Masks, plain: Masks) -> Numbers:
        streams = enumerate(heuristics, 1)
        asked = [heuristic.decide(view.substream(at)) for at, heuristic in streams]
        given = [answer == choice.take(of) for choice in (plain, *asked)]
        has = [(answer & view.bits(option)) != masks.NOTHING for option in ids]
        worth = [judge.considered(view).worth_of(of, answer) for judge in judges]
        tenths = [np.clip(10 * value, -10, 10) for value in worth]
        return np.array([*given, *has, *tenths], dtype=np.float64)

    def situation(view: View) -> Numbers:
        one, time = np.ones(len(view)), view.time
        size = masks.count(view.legal) / 8
        return np.stack([one, *(one * time[unit] for unit in units), size])

    given = "teacher", *(one.title for one in heuristics)
    worth = (f"worth to {one.title}" for one in judges)
    names = *given, *ids, *worth
    return Reading(names, ("always", *units, "options"), options, situation)


def _rounded(values: Numbers) -> Numbers:
    """Values rounded to multiples of 1 / ``FINE``."""
    fine = values * float(FINE)
    np.rint(fine, out=fine)
    fine /= FINE
    return fine


@dataclass(frozen=True)
class LinearPolicy(Strategy):
    """Decides by ``readings`` with the weights in ``data``; all else as ``teacher``."""

    in_panel: ClassVar[bool] = False
    readings: ClassVar[Mapping[str, Reading]]
    data: ClassVar[Path]
    teacher: ClassVar[Strategy]

    def decide(self, view: View) -> Masks:
        """(rows,) the answer with the highest score."""
        plain, kind = self.teacher.decide(view), view.kind.name
        if kind not in self.readings:
            return plain
        reading = self.readings[kind]
        return best(view, reading, weights(self.data, kind, reading), plain)


def scores(weights: Numbers, options: Numbers, situation: Numbers, of: Rows) -> Numbers:
    """(options,) the score of each, by weights (features, situations).

    options: (features, options); situation: (situations, rows); of: the row of each.
    """
    each = weights @ situation  # (features, rows)
    total, part = np.zeros(len(of)), np.empty(len(of))
    for feature, weight in zip(options, each, strict=True):
        weight.take(of, out=part, mode="clip")  # writes to out without a buffer
        part *= feature
        total += part
    return total


def best(view: View, reading: Reading, weights: Numbers, plain: Masks) -> Masks:
    """(rows,) the answer with the highest score, among those that search would try.

    Ties between options are broken at random, between bags or samples by taking the
    first. ``plain`` are the answers of the teacher.
    """
    chosen, one = plain.copy(), view.kind.form == "one"
    asked = masks.count(view.legal) > 1 if one else np.ones(len(view), dtype=np.bool_)
    rows = np.flatnonzero(asked)
    for begin in range(0, len(rows), _ROWS_IN_CACHE):
        part = rows[begin : begin + _ROWS_IN_CACHE]
        few, teacher = view.take(part), plain.take(part)
        of, answer = candidate_answers(few, teacher)
        score = scores(weights, *reading.of(few, of, answer, teacher), of)
        first = np.searchsorted(of, np.arange(len(part)))
        highest = score == np.maximum.reduceat(score, first).take(of)
        if one:
            answer[~highest] = masks.NOTHING
            chosen[part] = np.bitwise_or.reduceat(answer, first)
        else:
            _, at = np.unique(of[highest], return_index=True)
            chosen[part] = answer[highest].take(at)
    return view.toss(chosen) if one else chosen


@cache
def weights(data: Path, kind: str, reading: Reading) -> Numbers:
    """(features, situations) the weights in a file.

    Raises ValueError where they were fitted to other features than the reading's.
    """
    table = tomllib.loads(data.read_text(encoding="utf-8"))[kind]
    named = tuple(table["features"]), tuple(table["situations"])
    if named != (reading.features, reading.situations):
        raise ValueError(f"{data.name}: {kind!r} was fitted to other features.")
    return np.array(table["weights"], dtype=np.float64)


def weights_as_toml(
    about: Mapping[str, Any],
    readings: Mapping[str, Reading],
    weights: Mapping[str, Numbers],
) -> str:
    """A file of weights: ``about`` how they were fitted, and the weights by kind."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in about.items()]
    for kind, numbers in weights.items():
        lines += ["", f"[{kind}]"]
        for key in ("features", "situations"):
            lines += [f"{key} = {json.dumps(getattr(readings[kind], key))}"]
        lines.append(f"weights = {json.dumps(numbers.astype(int).tolist())}")
    return "\n".join(lines) + "\n"
