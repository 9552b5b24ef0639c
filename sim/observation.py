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

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import isfinite
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.events import Decision
from sim.masks import Masks
from sim.view import CachedField, Rows, View

Worth = NDArray[Any]
"""(options, rows) what each option bit is worth to a heuristic; nan where unsaid."""
Place = tuple[str, tuple[int, ...]]
"""A part of a field: its name, and where in the field, as (1,) for the next seat."""
Look = dict[Place, NDArray[Any]]
"""The parts of fields, (rows,) each: sets as masks, and numbers."""
SEAT = "seat"
"""The vocabulary of seats."""
UNIT = 64
"""Numbers are kept in multiples of 1 / ``UNIT``."""
CLIP = 4 * UNIT
"""The largest number that is kept: four standard deviations."""
_LEGAL: Place = "legal", ()
_BITS = 64  # of a set
_FEW_VALUES = 9  # a number with so many values has a threshold at each
_QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)  # the thresholds of other numbers
_TAILS = (0.02, 0.98)  # outside of these quantiles values do not count for the spread
_OF_ALL_GAMES = ("players", "most", "supply")  # fields of every view that are read


# --- What is read of a view


def fields_of(view: type[View]) -> list[str]:
    """The public fields of a game's views that policies read."""
    return [
        name
        for name in sorted(dir(view))
        if not name.startswith("_")
        and not hasattr(View, name)
        and isinstance(getattr(view, name), property | CachedField)
        and name not in view.not_observed
    ]


def arrays_of(view: View, name: str) -> dict[tuple[int, ...], NDArray[Any]]:
    """The arrays (rows,) of a field, by their place in it.

    Sets, names and flags are masks, all else numbers; ``time.week`` is the week. Raises
    ``TypeError`` where a field is none of these, so none is left out in silence.
    """
    time = name.startswith("time.")
    value = view.time.get(name[5:]) if time else getattr(view, name)
    if value is None:
        return {}
    parts: dict[tuple[int, ...], NDArray[Any]]
    if isinstance(value, list):
        parts = {(at,): part for at, part in enumerate(value)}
    elif isinstance(value, bool | int | float | np.generic):
        parts = {(): np.full(len(view), value)}
    elif isinstance(value, np.ndarray) and value.shape[-1:] == (len(view),):
        parts = {at: value[at] for at in _places(value.shape[:-1])}
    else:
        raise TypeError(f"{type(view).__name__}.{name} is not declared, nor a number.")
    if name in view.names_of:
        return {at: _one_of(part) for at, part in parts.items()}
    if is_set(type(view), name):
        return {at: part.astype(np.uint64, copy=False) for at, part in parts.items()}
    return parts


def is_set(view: type[View], name: str) -> bool:
    """Whether a field is read as bits."""
    return name == _LEGAL[0] or _declared(view, name)[0]  # type: ignore[arg-type]


def words_of(view: type[View], kind: Decision, name: str) -> str:
    """The vocabulary of a field's bits; "" where it has none."""
    if name == _LEGAL[0]:
        return kind.vocabulary
    return _declared(view, name)[1]  # type: ignore[arg-type]


@cache  # asked for each field at each decision; classes are hashable, mypy thinks not
def _declared(view: Any, name: str) -> tuple[bool, str]:
    """Whether a field is declared as bits, and their vocabulary."""
    declared = view.vocabulary_of, view.names_of, view.flag_fields, view.relations
    words = view.vocabulary_of.get(name) or view.names_of.get(name) or ""
    return any(name in one for one in declared), words.removeprefix("one ")


@cache
def _places(shape: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return tuple(np.ndindex(shape))


def _one_of(number: NDArray[Any]) -> Masks:
    """(rows,) numbers as sets of one; nothing where a number is none of 0 to 63."""
    known = (number >= 0) & (number < _BITS)
    shift = np.where(known, number, 0).astype(np.uint64)
    return masks.where(known, masks.ONE << shift)


# --- Bits whose meaning all tables share


class Vocabulary:
    """The ids of bits, in one order for tables of all sizes and variants.

    It is that of the first ids given; ids that others have beside come behind, while
    there are free bits. Bits with the same id are told apart by their order.
    """

    def __init__(self, ids: Sequence[str]) -> None:
        self.ids = [*map(str, ids)]
        self._tables: dict[int, Any] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as the ids alone: tables are of this process."""
        return Vocabulary, (self.ids,)

    def add(self, ids: Sequence[str]) -> None:
        """Add the ids that are new."""
        known = {*_numbered(self.ids)}
        new = (one for one in _numbered(ids) if one[0] and one not in known)
        for one, _ in new:
            if len(self.ids) < _BITS:
                self.ids.append(one)
                self._tables.clear()

    def shared(self, sets: Masks, ids: Sequence[str]) -> Masks:
        """Sets whose bits have these ids, as sets in the order of this vocabulary."""
        return self._through(sets, ids, 0)

    def local(self, sets: Masks, ids: Sequence[str]) -> Masks:
        """Sets in the order of this vocabulary, as sets whose bits have these ids."""
        return self._through(sets, ids, 1)

    def places(self, ids: Sequence[str]) -> NDArray[np.int64]:
        """(bits,) the bit that has each id of this vocabulary among these; -1: none."""
        table = self._table(ids)
        bits = np.full(_BITS, -1)
        for bit, place in table[2]:
            bits[place] = bit
        return bits

    def _through(self, sets: Masks, ids: Sequence[str], way: int) -> Masks:
        table = self._table(ids)[way]
        if table is None:
            return sets
        parts = np.ascontiguousarray(sets).view(np.uint8).reshape(*sets.shape, 8)
        result: Masks = table[0].take(parts[..., 0])
        for byte in range(1, 8):
            result |= table[byte].take(parts[..., byte])
        return result

    def _table(self, ids: Sequence[str]) -> Any:
        """What each value of each byte becomes, here and back; and the pairs of bits.

        None for both where all bits stay where they are.
        """
        if id(ids) not in self._tables:
            places = {one: bit for bit, one in enumerate(_numbered(self.ids))}
            numbered = [*enumerate(_numbered(ids))]
            pairs = [(bit, places[one]) for bit, one in numbered if one in places]
            pairs = [(bit, place) for bit, place in pairs if self.ids[place] != "?"]
            named = sum(one[0] != "" for _, one in numbered)
            there = back = None
            if len(pairs) < named or any(bit != place for bit, place in pairs):
                there, back = _lookup(pairs), _lookup((b, a) for a, b in pairs)
            # With the ids, so that no others can have their number
            self._tables[id(ids)] = there, back, pairs, ids
        return self._tables[id(ids)]


def _numbered(ids: Iterable[str]) -> list[tuple[str, int]]:
    """Each id with how often it stood before; "" for bits without an id."""
    seen: Counter[str] = Counter()
    numbered = []
    for one in map(str, ids):
        numbered.append(("" if one == "?" else one, seen[one]))
        seen[one] += 1
    return numbered


def _lookup(pairs: Iterable[tuple[int, int]]) -> Masks:
    """(8, 256) by byte and value, the set that its bits become."""
    table = np.zeros((8, 256), dtype=np.uint64)
    values = np.arange(256)
    for bit, place in pairs:
        table[bit // 8, values >> bit % 8 & 1 == 1] |= masks.bit(place)
    return table


def turned(sets: Masks, view: View, *, back: bool = False) -> Masks:
    """Sets of seats, (rows, ...), from the view's own on; ``back``: from seat 0 on."""
    players, seat = view.players, np.asarray(view.seat, dtype=np.int64)
    left = (players - seat) % players if back else seat
    turn = np.broadcast_to(left, len(view)).astype(np.uint64)
    turn = turn.reshape(-1, *(1,) * (sets.ndim - 1))
    around = sets >> turn | sets << np.uint64(players) - turn
    return around & masks.span(0, players)


# --- What a policy sees of a kind of decision


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
        public = {_LEGAL[0], *_OF_ALL_GAMES, *fields_of(view)}
        for name in (*bits, *numbers, *self.relations):
            if name not in public and not name.startswith("time."):
                raise ValueError(f"it reads {name!r}, which no seat is shown")
        if not (
            (self.form, self.vocabulary) == (kind.form, kind.vocabulary)
            and all(is_set(view, name) for name in bits)
            and not any(is_set(view, name) for name in numbers)
            and {*self.relations} <= {*view.relations}
            and self.vocabulary in self.vocabularies
            and all(len(ids) <= _BITS for ids in self.vocabularies.values())
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
    return bool(used) and [*used] == sorted({*used} & {*range(_BITS // 8)})


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
        names = *_OF_ALL_GAMES, *(f"time.{unit}" for unit in view.time)
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
        options, legal = declared.vocabulary, [look[_LEGAL] for look in looks]
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
                if one.place != _LEGAL and self._same(words[at], options)
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
    look: Look = {_LEGAL: options_of(view, view.legal, vocabularies)}
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


# --- Reading


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
        fields = {one.place[0] for one in observation.sets} - {_LEGAL[0]}
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
        self._columns = np.zeros(_BITS, dtype=np.int64)
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
        legal = look[_LEGAL]
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
