"""Playing by numbers that were learned: a softmax over the options, linear in features.

What speaks for an option is a sum over its features ``f`` and those of the situation
``s``, each product with a weight of its own: score = sum of weight[i, j] * f[i] * s[j].
The chance to choose an option is a softmax of the scores; in play the option of the
highest score is chosen. A game says what the features are; the weights are data, fitted
to what search finds (``experiments.analysis.learning``).
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
"""Features are rounded to parts of 1 / ``FINE``. Weights are whole numbers, so that all
sums are exact, and the same in any order and on any processor."""
_ROWS_IN_CACHE = (
    1_024  # rows whose features are worked out together: they stay in the cache
)


@dataclass(frozen=True)
class Reading:
    """What a learned policy looks at in a kind of decision.

    ``options(view, of, answer, plain)`` is (features, answers): ``of`` is the row of
    each answer, ``plain`` (rows,) what the teacher answers. ``situation(view)`` is
    (situations, rows). Numbers should lie near 0 to 1, up to some tens at most.
    """

    features: tuple[str, ...]
    situations: tuple[str, ...]
    options: Callable[[Any, Rows, Masks, Masks], Numbers]
    situation: Callable[[Any], Numbers]

    def of(
        self, view: View, of: Rows, answer: Masks, plain: Masks
    ) -> tuple[Numbers, Numbers]:
        """(features, answers) and (situations, rows), rounded."""
        found = self.options(view, of, answer, plain), self.situation(view)
        return _rounded(found[0]), _rounded(found[1])

    def __add__(self, other: "Reading") -> "Reading":
        """What both look at, one after the other."""
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
    """A reading of situations alone, to be added to one of options."""
    return Reading((), names, lambda _, of, *__: np.zeros((0, len(of))), situation)


class OptionScorer(Protocol):
    """A heuristic that tells what it thinks of each option."""

    @property
    def title(self) -> str:
        """Its name."""

    def considered(self, view: Any) -> BestOptions:
        """The options of a view, with what they are worth."""


def general_reading(
    game: str,
    kind: str,
    heuristics: Sequence[Strategy] = (),
    judges: Sequence[OptionScorer] = (),
) -> Reading:
    """What can be read in any game: which options an answer has, and when it is.

    Features of an answer are whether the teacher gives it, which options it has by
    their ids (of the game as printed), which of the ``heuristics`` give it, and what it
    is worth to the ``judges``: a tenth counts one. Situations are the time, and the
    number of options.
    """
    known = load(game)
    ids, units = known.options(known.kinds[kind]), known.kinds[kind].clock

    def options(view: View, of: Rows, answer: Masks, plain: Masks) -> Numbers:
        asked = [one.decide(view.substream(at)) for at, one in enumerate(heuristics, 1)]
        given = [answer == told.take(of) for told in (plain, *asked)]
        has = [(answer & view.bits(one)) != masks.NOTHING for one in ids]
        worth = [one.considered(view).worth_of(of, answer) for one in judges]
        tenths = [np.clip(10 * one, -10, 10) for one in worth]
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
    fine = values * float(FINE)
    np.rint(fine, out=fine)
    fine /= FINE
    return fine


@dataclass(frozen=True)
class LinearPolicy(Strategy):
    """Decides by ``readings`` and the weights in ``data``; all else as ``teacher``."""

    in_panel: ClassVar[bool] = False
    readings: ClassVar[Mapping[str, Reading]]
    data: ClassVar[Path]
    teacher: ClassVar[Strategy]

    def decide(self, view: View) -> Masks:
        """(rows,) the answer that the weights speak for."""
        plain, kind = self.teacher.decide(view), view.kind.name
        if kind not in self.readings:
            return plain
        reading = self.readings[kind]
        return best(view, reading, weights(self.data, kind, reading), plain)


def scores(weights: Numbers, options: Numbers, situation: Numbers, of: Rows) -> Numbers:
    """(options,) what speaks for each, by (features, situations) weights."""
    each = weights @ situation  # (features, rows)
    total, part = np.zeros(len(of)), np.empty(len(of))
    for feature, weight in zip(options, each, strict=True):
        weight.take(of, out=part, mode="clip")
        part *= feature
        total += part
    return total


def best(view: View, reading: Reading, weights: Numbers, plain: Masks) -> Masks:
    """(rows,) the answer of the highest score, of those that search would try.

    Between equal options it is a toss; of equal bags and samples it is the first.
    ``plain`` is what the teacher answers.
    """
    chosen, one = plain.copy(), view.kind.form == "one"
    asked = masks.count(view.legal) > 1 if one else np.ones(len(view), dtype=np.bool_)
    rows = np.flatnonzero(asked)
    for begin in range(0, len(rows), _ROWS_IN_CACHE):
        part = rows[begin : begin + _ROWS_IN_CACHE]
        some, told = view.take(part), plain.take(part)
        of, answer = candidate_answers(some, told)
        found = scores(weights, *reading.of(some, of, answer, told), of)
        first = np.searchsorted(of, np.arange(len(part)))
        highest = found == np.maximum.reduceat(found, first).take(of)
        if one:
            answer[~highest] = masks.NOTHING
            chosen[part] = np.bitwise_or.reduceat(answer, first)
        else:
            _, at = np.unique(of[highest], return_index=True)
            chosen[part] = answer[highest].take(at)
    return view.toss(chosen) if one else chosen


@cache
def weights(data: Path, kind: str, reading: Reading) -> Numbers:
    """(features, situations) whole numbers of a file, for these features.

    Raises ValueError where the file was fitted to others.
    """
    table = tomllib.loads(data.read_text(encoding="utf-8"))[kind]
    named = tuple(table["features"]), tuple(table["situations"])
    if named != (reading.features, reading.situations):
        raise ValueError(f"{data.name}: {kind!r} was fitted to other features.")
    return np.array(table["weights"], dtype=np.float64)


def weights_as_toml(
    about: Mapping[str, Any],
    readings: Mapping[str, Reading],
    found: Mapping[str, Numbers],
) -> str:
    """A file of weights: how they were found, and (features, situations) by kind."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in about.items()]
    for kind, numbers in found.items():
        lines += ["", f"[{kind}]"]
        for key in ("features", "situations"):
            lines += [f"{key} = {json.dumps(getattr(readings[kind], key))}"]
        lines.append(f"weights = {json.dumps(numbers.astype(int).tolist())}")
    return "\n".join(lines) + "\n"
