"""Views as numbers: all that a seat may know, as the inputs of a policy.

Every public field of a view is read as the game declares it (see ``View``): sets and
names become bits, numbers are standardized and compared with thresholds. What is about
options is kept for each option: which sets it is in, how many of a set it is related
to, and what a heuristic finds it worth. Fields by seat begin with the seat's own, and
so do options that are seats. Nothing here knows a game, and nothing is left out that no
game declares left out.

All inputs are whole numbers (64ths). Why: sums of their products with whole weights are
then exact, and the same in any order and on any machine.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.events import Decision
from sim.masks import Masks
from sim.view import View
from sim.view_arrays import (
    BITS,
    LEGAL,
    OF_ALL_GAMES,
    Look,
    Place,
    arrays_of,
    fields_of,
    is_set,
    words_of,
)
from sim.vocabulary import SEAT, Vocabulary, turned

Worth = NDArray[Any]
"""(options, rows) what each option bit is worth to a heuristic; nan where unsaid."""
UNIT = 64
"""Numbers are kept in multiples of 1 / ``UNIT``."""
_FEW_VALUES = 9  # a number with so many values has a threshold at each
_QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)  # the thresholds of other numbers
_TAILS = (0.02, 0.98)  # outside of these quantiles values do not count for the spread


@dataclass(frozen=True)
class SetInput:
    """A set that is read: the bytes of it that vary, and the ids of their bits."""

    place: Place
    used: tuple[int, ...]
    ids: tuple[str, ...]


@dataclass(frozen=True)
class NumberInput:
    """A number that is read: its mean and spread, and the thresholds."""

    place: Place
    mean: float
    spread: float
    thresholds: tuple[float, ...]

    def is_finite(self) -> bool:
        """Whether it can be standardized."""
        known = all(map(isfinite, (self.mean, *self.thresholds)))
        return known and _can_divide(self.spread)


@dataclass(frozen=True)
class Observation:
    """How a kind of decision is seen; what the file of a policy keeps of it.

    vocabulary: that of the options; vocabularies: the ids of all that are read. legal:
    the bytes of options that can be legal. option_sets: which of the ``sets`` are sets
    of options. relations: fields that relate options. advisers: who answers too, the
    teacher first. worth: how much apart the teacher finds options; 0 if it does not
    say.
    """

    kind: str
    form: str
    vocabulary: str
    vocabularies: Mapping[str, tuple[str, ...]]
    legal: tuple[int, ...]
    sets: tuple[SetInput, ...]
    numbers: tuple[NumberInput, ...]
    option_sets: tuple[int, ...]
    relations: tuple[str, ...]
    advisers: tuple[str, ...]
    worth: float

    def check(self, view: type[View], kind: Decision) -> None:
        """Raise ``ValueError`` if it cannot be read off a game's views.

        It may come from a file, of which nothing is taken on trust: it can name only
        what views show, as their other attributes hold what is hidden from a seat.
        """
        bits = [one.place[0] for one in self.sets]
        numbers = [one.place[0] for one in self.numbers]
        public = {LEGAL[0], *OF_ALL_GAMES, *fields_of(view)}
        for name in (*bits, *numbers, *self.relations):
            if name not in public and not name.startswith("time."):
                raise ValueError(f"it reads {name!r}, which no seat is shown")
        if not (
            (self.form, self.vocabulary) == (kind.form, kind.vocabulary)
            and all(is_set(view, name) for name in bits)
            and not any(is_set(view, name) for name in numbers)
            and {*self.relations} <= {*view.relations}
            and self.vocabulary in self.vocabularies
            and all(len(ids) <= BITS for ids in self.vocabularies.values())
            and all(_are_bytes(one.used) for one in self.sets)
            and _are_bytes(self.legal)
            and (self.vocabulary != SEAT or 0 in self.legal)
            and all(0 <= at < len(self.sets) for at in self.option_sets)
            and all(one.is_finite() for one in self.numbers)
            and (self.worth == 0 or _can_divide(self.worth))
        ):
            raise ValueError(f"what it reads at {kind.name!r} does not fit the game")


def _are_bytes(used: Sequence[int]) -> bool:
    """Whether these are some of the bytes of a mask, in order."""
    return bool(used) and [*used] == sorted({*used} & {*range(BITS // 8)})


def _can_divide(unit: float) -> bool:
    """Whether numbers can be counted in this unit."""
    return unit > 0 and isfinite(unit) and isfinite(UNIT / unit)


class Observer:
    """Looks at decisions of a game, to find what of each kind of them is to be read.

    Look at the largest table first: its ids come first.
    """

    def __init__(self, view: type[View]) -> None:
        self._view = view
        self._looks: dict[str, list[Look]] = {}
        self._kinds: dict[str, Decision] = {}
        self._spreads: dict[str, list[float]] = {}
        self._vocabularies: dict[str, Vocabulary] = {}

    def look(self, view: View, worth: Worth | None = None) -> None:
        """Keep how these rows look; ``worth`` is what the teacher says of options."""
        kind = view.kind.name
        for words, ids in view._state.vocabularies.items():
            self._vocabularies.setdefault(words, Vocabulary(ids)).add(ids)
        names = *OF_ALL_GAMES, *(f"time.{unit}" for unit in view.time)
        fields = *names, *fields_of(self._view)
        look = look_at(view, fields, self._vocabularies)
        # Fields are views of arrays that the game goes on to change
        kept = {place: part.copy() for place, part in look.items()}
        self._looks.setdefault(kind, []).append(kept)
        self._kinds[kind] = view.kind
        if worth is not None:
            self._spreads.setdefault(kind, []).extend(_spreads(worth))

    @property
    def kinds(self) -> list[str]:
        """The kinds of decisions that were seen."""
        return [*self._looks]

    def observation(self, kind: str, advisers: Sequence[str]) -> Observation:
        """How a kind of decision is to be seen: all that varied in what was seen."""
        looks, declared = self._looks[kind], self._kinds[kind]
        sets, numbers = [], []
        for place in dict.fromkeys(place for look in looks for place in look):
            parts = [look[place] for look in looks if place in look]
            values = np.concatenate(parts)
            if not is_set(self._view, place[0]):
                numbers += _number(place, values)
            elif place[0] not in self._view.relations:
                varied = int(np.bitwise_or.reduce(values))
                if len(parts) == len(looks):
                    varied &= ~int(np.bitwise_and.reduce(values))
                sets += self._set(place, varied, declared)
        words = [words_of(self._view, declared, one.place[0]) for one in sets]
        options, legal = declared.vocabulary, [look[LEGAL] for look in looks]
        spreads = self._spreads.get(kind) or [0.0]
        relations = self._view.relations.items()
        return Observation(
            kind,
            declared.form,
            options,
            {
                one: tuple(self._vocabularies[one].ids)
                for one in sorted({options, *words} - {""})
            },
            _bytes_of(int(np.bitwise_or.reduce(np.concatenate(legal)))),
            tuple(sets),
            tuple(numbers),
            tuple(
                at
                for at, one in enumerate(sets)
                if one.place != LEGAL and self._same(words[at], options)
            ),
            tuple(name for name, other in relations if self._same(other, options)),
            tuple(advisers),
            float(np.median(spreads)),
        )

    def _same(self, words: str, options: str) -> bool:
        """Whether most bits of a vocabulary mean what the options' bits mean."""
        if not words or words == options:
            return words == options
        ids, others = (self._vocabularies[one].ids for one in (words, options))
        known = sum(one != "?" for one in ids)
        alike = sum(a == b != "?" for a, b in zip(ids, others, strict=False))
        return 2 * alike >= known > 0

    def _set(self, place: Place, varied: int, kind: Decision) -> list[SetInput]:
        """How a set is read; nothing if it is always the same."""
        used, words = _bytes_of(varied), words_of(self._view, kind, place[0])
        ids = self._vocabularies[words].ids if words else []
        bits = (8 * byte + bit for byte in used for bit in range(8))
        named = (ids[bit] if bit < len(ids) else "" for bit in bits)
        return [SetInput(place, used, tuple(named))] if used else []


def look_at(
    view: View, names: Iterable[str], vocabularies: Mapping[str, Vocabulary]
) -> Look:
    """The options and the parts of fields, with bits in the order of vocabularies."""
    cls, local = type(view), view._state.vocabularies
    look: Look = {LEGAL: options_of(view, view.legal, vocabularies)}
    for name in names:
        words = words_of(cls, view.kind, name)
        moves = words in vocabularies and words != SEAT
        for at, part in arrays_of(view, name).items():
            shared = vocabularies[words].shared(part, local[words]) if moves else part
            look[name, at] = shared
    return look


def options_of(
    view: View, sets: Masks, vocabularies: Mapping[str, Vocabulary]
) -> Masks:
    """Sets of options, in the order of the vocabulary; seats from the view's own."""
    words = view.kind.vocabulary
    if words == SEAT:
        return turned(sets, view)
    if view.kind.form == "bag":  # several fields, each of the vocabulary's size
        return sets
    return vocabularies[words].shared(sets, view._state.vocabularies[words])


def _number(place: Place, values: NDArray[Any]) -> list[NumberInput]:
    """How a number is read; nothing if it is always the same."""
    values = values.astype(np.float64)
    distinct = np.unique(values)
    if len(distinct) < 2:
        return []
    if len(distinct) <= _FEW_VALUES:
        limits = distinct[1:] if len(distinct) > 2 else distinct[:0]
    else:
        limits = np.unique(np.quantile(values, _QUANTILES))
    low, high = np.quantile(values, _TAILS)
    usual = values[(values >= low) & (values <= high)]
    if not len(usual):  # of two values, both are tails
        usual = values
    spread = float(usual.std() or values.std())
    return [NumberInput(place, float(usual.mean()), spread, tuple(limits.tolist()))]


def _spreads(worth: Worth) -> Iterator[float]:
    """How much less than the best the second best option is worth, where it is less."""
    known = np.where(np.isfinite(worth), worth, -np.inf)
    if len(known) > 1:
        second, best = np.sort(known, axis=0)[-2:]
        less = best - second
        yield from less[np.isfinite(less) & (less > 0)].tolist()


def _bytes_of(mask: int) -> tuple[int, ...]:
    """The bytes in which a mask has bits."""
    return tuple(byte for byte in range(8) if mask >> 8 * byte & 255)
