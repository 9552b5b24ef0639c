"""Writing a strategy for one game at a time, with ids instead of bits.

    class Bold(Scalar):
        \"\"\"Plays its dearest card.\"\"\"
        name = "bold"

        def play(self, view: ScalarView) -> str:
            return view.legal[-1]

A method for each kind of decision, as in ``Strategy``, which sees one game. A set of
cards or squares is a list of ids, a number is a number, and values by seat are a list,
this seat first. Far slower than a vectorised strategy; everything else (lineups,
checks, reports) is the same.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np

from sim import masks
from sim.answers import IllegalAnswer, ids_of, options_of, place_of
from sim.masks import Masks
from sim.view import View
from strategies.base import Strategy, method_of


@dataclass(frozen=True)
class Scalar(Strategy):
    """The base of strategies that decide one game at a time.

    A method answers with the id of an option; where several things are chosen at once,
    with a list of ids, or with a mapping from id to number.
    """

    decides_by_row: ClassVar[bool] = True

    def decide(self, view: View) -> Masks:
        """(rows,) the answers, asked for row by row."""
        method = getattr(self, method_of(view.kind.name), None)
        if method is None:
            return self.fallback(view)
        return answers_by_game(view, method, self.title)


def answers_by_game(view: View, method: Callable[[Any], Any], title: str) -> Masks:
    """(rows,) the answers of a method that decides one game at a time.

    title: of the strategy, for messages. Raises ``IllegalAnswer``.
    """
    direct = getattr(view, "answers_of", None)  # of a game in one file
    if direct is not None:
        answered: Masks = direct(method, title)
        return answered
    rows = _Rows(view)
    return rows.masks([method(game) for game in rows.each()], title)


def each_game(view: View) -> Iterator[Any]:
    """Yield what is seen of each game; only until the next one is yielded."""
    direct = getattr(view, "each_game", None)  # of a game in one file
    yield from _Rows(view).each() if direct is None else direct()


class ScalarView:
    """What a seat may know of one game, with the attributes of the game's view.

    One object serves all games in turn, so keep values, not the view.
    """

    legal: list[str]
    """The options; identical ones listed once."""

    def __init__(self, rows: "_Rows") -> None:
        self._rows = rows
        self._row = 0
        self._draws = 0

    def random(self) -> float:
        """A random number from 0 to 1, a new one at each call, for this seat alone."""
        self._draws += 1
        return self._rows.draw(self._draws)[self._row]

    def __getattr__(self, name: str) -> Any:
        # Why: a field is gathered for all rows when it is first read; from the next row
        # on ``decide`` sets it, so that reading it is a plain attribute
        if name.startswith("_"):
            raise AttributeError(name)
        values = self._rows.column(name)
        self._rows.columns.append((name, values))
        vars(self)[name] = value = values[self._row]
        return value


class _Rows:
    """A view by row, with ids for bits.

    ``columns`` are the fields that have been read, each gathered once for all rows.
    """

    def __init__(self, view: View) -> None:
        self.columns: list[tuple[str, Sequence[Any]]] = []
        self._view = view
        self._drawn: list[list[float]] = []
        self._vocabulary_of: Mapping[str, str] = getattr(
            type(view), "vocabulary_of", {}
        )
        self._bag = view.kind.form == "bag"
        words = view._state.vocabularies[view.kind.vocabulary]
        same = len(view) > 0 and ids_of(view, 0) is words
        self._options = _same(tuple(words)) if same else None

    def each(self) -> Iterator["ScalarView"]:
        """Yield the view of each game, which is one object."""
        game = ScalarView(self)
        known = vars(game)
        for row in range(len(self._view)):
            known["_row"], known["_draws"] = row, 0
            for name, values in self.columns:
                known[name] = values[row]
            yield game

    def draw(self, number: int) -> list[float]:
        """(rows,) the random numbers of the first, second, ... call."""
        while len(self._drawn) < number:
            self._drawn.append(self._view.uniform().tolist())
        return self._drawn[number - 1]

    def column(self, name: str) -> Sequence[Any]:
        """(rows,) an attribute of the view, with ids for bits."""
        view = self._view
        if name == "legal":
            return self._legal()
        value, words = getattr(view, name), self._vocabulary_of.get(name)
        if words is not None and not isinstance(value, np.ndarray):
            if isinstance(value, list | tuple):
                value = np.array(value, dtype=np.uint64).reshape(len(value), len(view))
            else:
                value = np.full(len(view), value, dtype=np.uint64)
        if not isinstance(value, np.ndarray):
            return [value] * len(view)
        if words is None:
            return np.moveaxis(value, -1, 0).tolist()
        if value.ndim == 1:
            return self._named(value, words)
        by_row = zip(*[self._named(one, words) for one in value], strict=True)
        return [*map(list, by_row)] if len(value) else [[] for _ in range(len(view))]

    def _named(self, sets: Masks, words: str) -> list[Any]:
        """(rows,) the ids of each set; with "one ", of its only member, or None."""
        state, word = self._view._state, words.removeprefix("one ")
        first = state.vocabulary_ids(word, 0)
        if first is state.vocabularies[word]:
            called = _same(tuple(first))
            return called.each(sets) if word == words else called.lone(sets)
        named = [
            _names(state.vocabulary_ids(word, at), mask)
            for at, mask in zip(self._places(), sets.tolist(), strict=True)
        ]
        return named if word == words else [ids[0] if ids else None for ids in named]

    def _places(self) -> Sequence[int]:
        """(rows,) the rows of the state."""
        rows = self._view._rows
        return range(len(self._view)) if rows is None else rows.tolist()

    def _legal(self) -> list[list[str]]:
        """(rows,) the options by id, identical ones once."""
        if self._options is None:
            return [*map(list, self._by_row)]
        legal = self._view.legal
        if self._bag:
            legal = legal & masks.span(0, self._view.options_per_token)
        return self._options.each(self._options.unlike(legal))

    @cached_property
    def _by_row(self) -> list[dict[str, int]]:
        """(rows,) the lowest bit of each option by id; only options are named."""
        legal = self._view.legal
        if self._bag:
            legal = legal & masks.span(0, self._view.options_per_token)
        every = []
        for row, mask in enumerate(legal.tolist()):
            ids, bits = ids_of(self._view, row), dict[str, int]()
            for number in _bits(mask):
                bits.setdefault(ids[number], 1 << number)
            every.append(bits)
        return every

    def _of(self, row: int) -> "_Words":
        """The words for the option bits in a row."""
        return self._options or _Words(ids_of(self._view, row))

    def masks(self, answers: list[Any], title: str) -> Masks:
        """(rows,) the bits of answers by id; raises ``IllegalAnswer``."""
        if self._options is not None and self._view.kind.form == "one":
            try:
                sets = [self._options.bits[one] for one in answers]
            except (KeyError, TypeError):
                pass  # the loop below finds the row and says so
            else:
                return _one_of(np.array(sets, dtype=np.uint64), self._view.legal)
        bits = np.zeros(len(answers), dtype=np.uint64)
        for row, answer in enumerate(answers):
            try:
                bits[row] = self._bits(answer, row)
            except (KeyError, TypeError, ValueError):
                view = self._view
                raise IllegalAnswer(
                    f"strategy {title!r} chose {answer!r} at {view.kind.name!r} "
                    f"{place_of(view, row)}. Options: {options_of(view, row)}."
                ) from None
        return bits

    def _bits(self, answer: Any, row: int) -> int:
        """The bits that an answer by id stands for."""
        form = self._view.kind.form
        if form == "one" and self._options is None:
            return self._by_row[row][answer]
        words = self._of(row)
        legal = self._view.legal[row : row + 1]
        if form == "one":
            sets = np.array([words.bits[answer]], dtype=np.uint64)
            return int(_one_of(sets, legal)[0])
        chosen = _listed(answer)
        if form == "sample":
            return _sample(chosen, int(legal[0]), words.ids)
        width, bits = self._view.options_per_token, 0
        if len(chosen) * width > 64:
            raise ValueError("too many")
        places = {name: place for place, name in enumerate(words.ids[:width])}
        for token, name in enumerate(chosen):
            bits |= 1 << token * width + places[name]
        return bits


def _one_of(sets: Masks, legal: Masks) -> Masks:
    """(rows,) one bit of each set of identical ones, a legal one if there is one."""
    here = sets & legal
    return masks.lowest(masks.blend(here != masks.NOTHING, here, sets))


class _Words:
    """The id of each bit.

    ``bits`` are the bits of each id, several where things are identical.
    """

    def __init__(self, ids: Iterable[str]) -> None:
        self.ids = [*ids]
        self.bits: dict[str, int] = {}
        for number, word in enumerate(self.ids):
            self.bits[word] = self.bits.get(word, 0) | 1 << number

    def unlike(self, sets: Masks) -> Masks:
        """(sets,) with the lowest only of bits that share an id."""
        for same_id in self.bits.values():
            if same_id & (same_id - 1):
                copies = sets & np.uint64(same_id)
                sets = sets ^ copies ^ masks.lowest(copies)
        return sets

    @cached_property
    def _parts(self) -> list["_Part"]:
        return [_Part(self.ids[first : first + 16]) for first in range(0, 64, 16)]

    @cached_property
    def _lone(self) -> dict[int, str]:
        return {1 << number: word for number, word in enumerate(self.ids)}

    def each(self, sets: Masks) -> list[list[str]]:
        """(sets,) the ids of the bits that are set, a new list for each.

        Why: sets are looked up in four parts of 16 bits, far quicker than bit by bit.
        """
        one, two, three, four = self._parts
        parts = np.ascontiguousarray(sets).view(np.uint16).reshape(-1, 4)
        if sys.byteorder == "big":
            parts = parts[:, ::-1]
        if not parts[:, 3].any():
            return [[*one[a], *two[b], *three[c]] for a, b, c in parts[:, :3].tolist()]
        return [
            [*one[a], *two[b], *three[c], *four[d]] for a, b, c, d in parts.tolist()
        ]

    def lone(self, sets: Masks) -> list[str | None]:
        """(sets,) the id of the only bit that is set, or None."""
        return [*map(self._lone.get, masks.lowest(sets).tolist())]


def _names(ids: Sequence[str], mask: int) -> list[str]:
    """The ids of the bits that are set."""
    return [ids[number] for number in _bits(mask)]


class _Part(dict[int, tuple[str, ...]]):
    """The ids of sets of 16 adjacent bits, each made when first looked up."""

    def __init__(self, ids: Sequence[str]) -> None:
        super().__init__()
        self._ids = ids

    def __missing__(self, bits: int) -> tuple[str, ...]:
        self[bits] = named = tuple([self._ids[number] for number in _bits(bits)])
        return named


def _sample(chosen: list[str], legal: int, ids: Sequence[str]) -> int:
    """The bits of the cards named; each copy of a card takes a bit of its own."""
    left, bits = legal, 0
    for name in chosen:
        free = [n for n in _bits(left) if ids[n] == name]
        bit = 1 << (free[0] if free else ids.index(name))
        bits |= bit
        left &= ~bit
    return bits


def _listed(answer: Any) -> list[str]:
    """The ids chosen, repeated where chosen several times."""
    if isinstance(answer, Mapping):
        return [str(name) for name, number in answer.items() for _ in range(number)]
    if isinstance(answer, str) or not isinstance(answer, Sequence):
        raise TypeError("a list of ids, or id -> number")
    return [str(name) for name in answer]


def _bits(mask: int) -> list[int]:
    """The numbers of the bits that are set."""
    numbers = []
    while mask:
        low = mask & -mask
        numbers.append(low.bit_length() - 1)
        mask ^= low
    return numbers


@lru_cache(64)
def _same(ids: tuple[str, ...]) -> _Words:
    """The words of a vocabulary that is the same in every game; cached."""
    return _Words(ids)
