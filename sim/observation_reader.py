"""Reading views as an ``Observation`` says: what is seen, and the inputs made of it."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.masks import Masks
from sim.observation import UNIT, Observation, Worth, look_at, options_of
from sim.view import Rows, View
from sim.view_arrays import BITS, LEGAL
from sim.vocabulary import SEAT, Vocabulary, turned

CLIP = 4 * UNIT
"""The largest number that is kept: four standard deviations."""


class Observed(NamedTuple):
    """What is seen in some rows of one kind of decision.

    packed: (rows, bytes) the sets. numbers: (rows, numbers) in 64ths. options: (rows,
    sets) sets of options. values: (rows, option bits, values) numbers of options, in
    64ths; 0 where one is not legal. legal: (rows,) the options.
    """

    packed: NDArray[np.uint8]
    numbers: NDArray[np.int16]
    options: Masks
    values: NDArray[np.int16]
    legal: Masks

    def take(self, rows: NDArray[np.int64]) -> "Observed":
        """What is seen in some of the rows."""
        parts: list[Any] = [part.take(rows, axis=0) for part in self]
        return Observed(*parts)


def joined(parts: Sequence[Observed]) -> Observed:
    """What is seen in the rows of all parts, one part after the other."""
    return Observed(*map(np.concatenate, zip(*parts, strict=True)))


class Reader:
    """Reads views as an ``Observation`` says, and makes inputs of them.

    bits: the option bits, each of which can be scored; known: the same as a mask.
    features: how many sets and values options have. width: how many inputs there are,
    of which the first ``flags`` are 0 or 1, and the others 64ths.
    """

    def __init__(self, observation: Observation) -> None:
        self.observation = observation
        self._vocabularies = {
            words: Vocabulary(ids) for words, ids in observation.vocabularies.items()
        }
        numbers, options = observation.numbers, len(observation.option_sets)
        fields = {one.place[0] for one in observation.sets} - {LEGAL[0]}
        fields |= {one.place[0] for one in numbers} | {*observation.relations}
        self._fields = sorted(fields)
        self._mean = np.array([[one.mean] for one in numbers])
        self._scale = np.array([[UNIT / one.spread] for one in numbers])
        limits = [(at, t) for at, one in enumerate(numbers) for t in one.thresholds]
        self._compared = np.array([at for at, _ in limits], dtype=np.int64)
        self._limits = np.array(
            [
                _whole((t - numbers[at].mean) * UNIT / numbers[at].spread)
                for at, t in limits
            ]
        )
        self._sets = len(observation.advisers) + options * (
            1 + len(observation.relations)
        )
        self._values = bool(observation.worth) + options * len(observation.relations)
        self._used = np.array(  # the bytes that are read, of all sets in a row
            [
                8 * at + byte
                for at, one in enumerate(observation.sets)
                for byte in one.used
            ],
            dtype=np.int64,
        )
        self._bytes = len(self._used)
        self.bits = [8 * byte + bit for byte in observation.legal for bit in range(8)]
        self.known = masks.union(self.bits)
        self._columns = np.zeros(BITS, dtype=np.int64)
        self._columns[self.bits] = np.arange(len(self.bits))
        self.features = self._sets + self._values
        self.flags = 8 * self._bytes + len(limits)
        self.width = self.flags + len(numbers) + self._sets

    def read(
        self, view: View, advice: Sequence[Masks], worth: Worth | None = None
    ) -> Observed:
        """What is seen in all rows of a view.

        advice: (rows,) each, the answers of the advisers. worth: what the teacher finds
        each option worth; needed if the observation has it.
        """
        kept, rows = self.observation, len(view)
        look = look_at(view, self._fields, self._vocabularies)
        legal = look[LEGAL]
        sets = np.zeros((len(kept.sets), rows), dtype=np.uint64)
        for one, set_ in zip(kept.sets, sets, strict=True):
            if one.place in look:
                set_[:] = look[one.place]
        numbers = np.empty((len(kept.numbers), rows))
        for number, into in zip(kept.numbers, numbers, strict=True):
            into[:] = look.get(number.place, number.mean)
        numbers -= self._mean
        numbers *= self._scale
        options = [options_of(view, answer, self._vocabularies) for answer in advice]
        about = sets[[*kept.option_sets]]
        of, lone = masks.explode(legal & self.known)
        bits = masks.index(lone)
        values = np.zeros((rows, len(self.bits), self._values), dtype=np.int16)
        found = np.empty((len(of), self._values), dtype=np.int16)  # of legal options
        at = 0
        if worth is not None:
            found[:, 0], at = _whole(self._less_than_best(view, worth, of, bits)), 1
        for name in kept.relations:
            others = np.stack(
                [part for place, part in look.items() if place[0] == name]
            )
            options += [_neighbours(one, others) for one in about]
            found[:, at : at + len(about)] = _related(about, others, of, bits)
            at += len(about)
        values[of, self._columns.take(bits)] = found
        options += [*about]
        return Observed(
            np.ascontiguousarray(sets.T).view(np.uint8).take(self._used, axis=1),
            np.ascontiguousarray(_whole(numbers).T),
            np.stack(options, axis=1)
            if options
            else np.zeros((rows, 0), dtype=np.uint64),
            values,
            legal,
        )

    def inputs(self, seen: Observed) -> NDArray[np.float32]:
        """(rows, width) the inputs."""
        rows, bits = len(seen.legal), 8 * self._bytes
        inputs = np.empty((rows, self.width), dtype=np.float32)
        inputs[:, :bits] = np.unpackbits(seen.packed, axis=1, bitorder="little")
        compared = seen.numbers.take(self._compared, axis=1)
        inputs[:, bits : self.flags] = compared >= self._limits
        size = masks.count(seen.options & seen.legal[:, None]).astype(np.int16)
        size -= 2
        size *= UNIT // 2
        np.minimum(size, CLIP, out=size)
        inputs[:, self.flags :] = np.concatenate([seen.numbers, size], axis=1)
        return inputs

    def answer_features(
        self, seen: Observed, of: Rows, answer: Masks
    ) -> NDArray[np.float32]:
        """(answers, features) what is seen of answers of these rows, in 64ths.

        The sets each is in, and its values. An answer of several options is in a set if
        it is that set, and has the sum of their values.
        """
        options = seen.options.take(of, axis=0)
        if self.observation.form == "one":
            member = (options & answer[:, None]) != masks.NOTHING
        else:
            member = options == answer[:, None]
        features = np.empty((len(of), self.features), dtype=np.float32)
        np.multiply(member, np.float32(UNIT), out=features[:, : self._sets])
        if self._values and self.observation.form == "one":
            features[:, self._sets :] = seen.values[of, self.columns(answer)]
        elif self._values:
            inside = self.flags_of(answer).astype(np.float32)
            values = seen.values.take(of, axis=0).astype(np.float32)
            features[:, self._sets :] = np.einsum("abv,ab->av", values, inside)
        return features

    def columns(self, answer: Masks) -> Rows:
        """(answers,) the place of single options among ``bits``."""
        return self._columns.take(masks.index(answer))

    def flags_of(self, sets: Masks) -> NDArray[np.uint8]:
        """(..., option bits) which options are in each set."""
        parts = np.ascontiguousarray(sets).view(np.uint8).reshape(*sets.shape, 8)
        used = np.ascontiguousarray(parts[..., _columns(self.observation.legal)])
        return np.unpackbits(used, axis=-1, bitorder="little")

    def own(self, view: View, answer: Masks) -> Masks:
        """(rows,) answers to a view, in the order of the observation's vocabulary."""
        return options_of(view, answer, self._vocabularies)

    def answer(self, view: View, own: Masks) -> Masks:
        """(rows,) the answers to a view, from those in the vocabulary's order."""
        words = self.observation.vocabulary
        if words == SEAT:
            return turned(own, view, back=True)
        if view.kind.form == "bag":
            return own
        return self._vocabularies[words].local(own, view._state.vocabularies[words])

    def _less_than_best(
        self, view: View, worth: Worth, of: Rows, bits: Rows
    ) -> NDArray[np.float64]:
        """(options,) how much less than the best option of its row each is worth.

        of, bits: (options,) the rows of all that are legal, and what they are.
        """
        words = self.observation.vocabulary
        if words == SEAT:
            seat = np.broadcast_to(np.asarray(view.seat, dtype=np.int64), len(view))
            places = (seat.take(of) + bits) % view.players
        else:
            local = self._vocabularies[words].places(view._state.vocabularies[words])
            places = local.take(bits)
        known = (places >= 0) & (places < len(worth))
        here = np.full(len(of), -np.inf)
        here[known] = worth[places[known], of[known]]
        here[~np.isfinite(here)] = -np.inf
        best = np.full(len(view), -np.inf)
        first = np.flatnonzero(np.diff(of, prepend=-1))
        best[of.take(first)] = np.maximum.reduceat(here, first) if len(of) else here
        best[~np.isfinite(best)] = 0
        here -= best.take(of)
        here *= UNIT / self.observation.worth
        return here


def _related(about: Masks, others: Masks, of: Rows, bits: Rows) -> NDArray[np.int16]:
    """(options, sets) to how many of each set an option is related, by halves.

    about: (sets, rows); others: (bits, rows) what each bit is related to; of, bits:
    (options,) the row of each, and what it is.
    """
    near = np.zeros(len(of), dtype=np.uint64)
    inside = np.flatnonzero(bits < len(others))
    near[inside] = others[bits.take(inside), of.take(inside)]
    count = masks.count(about.T.take(of, axis=0) & near[:, None]).astype(np.int16)
    count *= UNIT // 2
    return np.minimum(count, CLIP, out=count)


def _neighbours(some: Masks, others: Masks) -> Masks:
    """(rows,) all that are related to any of a set; others: (bits, rows), of each."""
    bits = np.arange(len(others), dtype=np.uint64)[:, None]
    inside = np.negative(some >> bits & masks.ONE)  # all 64 bits, or none
    near: Masks = np.bitwise_or.reduce(inside & others, axis=0)
    return near


def _columns(used: Sequence[int]) -> Any:
    """These columns, as a slice where they stand side by side, which is quicker."""
    if used and used[-1] - used[0] + 1 == len(used):
        return slice(used[0], used[-1] + 1)
    return list(used)


def _whole(numbers: Any) -> Any:
    """Numbers as whole 64ths, cut off at ``CLIP``."""
    return np.clip(np.rint(numbers), -CLIP, CLIP).astype(np.int16)
