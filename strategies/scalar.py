"""Writing a strategy for one game at a time, with ids instead of bits.

    class Bold(Scalar):
        \"\"\"Plays its dearest card.\"\"\"
        name = "bold"

        def play(self, view: ScalarView) -> str:
            return view.legal[-1]

A method for each kind of decision, as in ``Strategy``; it sees one game. What a
view has as a set of cards or squares is a list of ids, a number is a number, and
what is told by seat is a list, this seat first. Slower than a vectorised
strategy by far; everything else (lineups, checks, reports) works alike.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from sim.answers import IllegalAnswer, ids_of, options_of, place_of
from sim.batch_state import BatchState
from sim.masks import Masks
from sim.view import View
from strategies.base import Strategy, method_of

_KNOWN = 1 << 16
"""Sets of bits whose ids are kept."""


@dataclass(frozen=True)
class Scalar(Strategy):
    """The base of strategies that decide one game at a time.

    Answer with the id of an option; where several things are chosen at once, with
    a list of ids, or with id -> number.
    """

    def decide(self, view: View) -> Masks:
        """(rows,) an answer for each row, asked for one by one."""
        name = view.kind.name
        method = getattr(self, method_of(name), None)
        if method is None:
            return self.fallback(view)
        table = _Rows(view)
        game, bits = ScalarView(table), table.bits
        answers = []
        for row in range(len(view)):
            game._row, game._draws = row, 0
            answer = method(game)
            try:
                answers.append(bits(answer, row))
            except (KeyError, TypeError, ValueError):
                raise IllegalAnswer(
                    f"strategy {self.title!r} chose {answer!r} at {name!r} "
                    f"{place_of(view, row)}. Options: {options_of(view, row)}."
                ) from None
        return np.array(answers, dtype=np.uint64)


class ScalarView:
    """What a seat may know of one game; attributes are those of the game's view.

    It is the same object in each game that is decided about: keep values, not views.
    """

    def __init__(self, table: "_Rows") -> None:
        self._table = table
        self._readers: dict[str, Callable[[int], Any]] = {}
        self._row = 0
        self._draws = 0

    @property
    def legal(self) -> list[str]:
        """The options; identical ones listed once."""
        return self._table.options(self._row)

    def random(self) -> float:
        """A random number from 0 to 1, fresh at each call: the seat's own chance."""
        self._draws += 1
        return self._table.draw(self._draws)[self._row]

    def __getattr__(self, name: str) -> Any:
        read = self._readers.get(name)
        if read is None:
            if name.startswith("_"):
                raise AttributeError(name)
            read = self._readers[name] = self._table.reader(name)
        return read(self._row)


class _Rows:
    """A view, and how its bits are called; each field is gathered once for all rows."""

    def __init__(self, view: View) -> None:
        self.view = view
        self._legal: list[int] = view.legal.tolist()
        self._drawn: list[list[float]] = []
        self._vocabulary_of: Mapping[str, str] = getattr(
            type(view), "vocabulary_of", {}
        )
        self._bag = view.kind.form == "bag"
        # whether bits are called otherwise from game to game
        state = type(view._state)
        self._by_row = state.named_in is not BatchState.named_in
        by_row = self._by_row or state.ids is not BatchState.ids or not len(view)
        self._options = None if by_row else _same(tuple(ids_of(view, 0)))

    def options(self, row: int) -> list[str]:
        """The options of a row by id, identical ones once."""
        legal = self._legal[row]
        if self._bag:
            legal &= (1 << self.view.options_per_token) - 1 if legal else 0
        return self._of(row).options(legal)

    def draw(self, number: int) -> list[float]:
        """(rows,) the random numbers of the first, second, ... call."""
        while len(self._drawn) < number:
            self._drawn.append(self.view.uniform().tolist())
        return self._drawn[number - 1]

    def reader(self, name: str) -> Callable[[int], Any]:
        """How an attribute of the view is read in a row, with ids for bits."""
        value, vocabulary = getattr(self.view, name), self._vocabulary_of.get(name)
        if vocabulary is not None and isinstance(value, list | tuple):
            value = np.array(value, dtype=np.uint64).reshape(len(value), len(self.view))
        if not isinstance(value, np.ndarray):
            values = [value] * len(self.view)
        elif value.ndim == 1:
            values = value.tolist()
        else:
            values = np.moveaxis(value, -1, 0).tolist()
        if vocabulary is None:
            return values.__getitem__
        single, words = vocabulary.startswith("one "), vocabulary.removeprefix("one ")
        state, rows = self.view._state, self.view._rows
        same = None if self._by_row else _same(tuple(state.named_in(words, 0)))

        def read(row: int) -> Any:
            at, mask = row if rows is None else int(rows[row]), values[row]
            ids = same or _Words(state.named_in(words, at))
            if isinstance(mask, list):
                return [ids.shown(one, single) for one in mask]
            return ids.shown(mask, single)

        return read

    def _of(self, row: int) -> "_Words":
        """What the bits of the options are called in a row."""
        return self._options or _Words(ids_of(self.view, row))

    def bits(self, answer: Any, row: int) -> int:
        """The bits that an answer by id stands for."""
        form, words = self.view.kind.form, self._of(row)
        if form == "one":
            return words.bit(answer, self._legal[row])
        chosen = _listed(answer)
        if form == "sample":
            return _sample(chosen, self._legal[row], words.ids)
        width, bits = self.view.options_per_token, 0
        if len(chosen) * width > 64:
            raise ValueError("too many")
        places = {name: place for place, name in enumerate(words.ids[:width])}
        for token, name in enumerate(chosen):
            bits |= 1 << token * width + places[name]
        return bits


class _Words:
    """What each bit is called, and the sets of bits that were asked for."""

    def __init__(self, ids: Sequence[str]) -> None:
        self.ids = ids
        self._sets: dict[int, tuple[str, ...]] = {}
        self._bits: dict[str, list[int]] = {}
        for number, word in enumerate(ids):
            self._bits.setdefault(word, []).append(number)

    def named(self, mask: int) -> tuple[str, ...]:
        """The ids of the bits that are set."""
        found = self._sets.get(mask)
        if found is None:
            if len(self._sets) == _KNOWN:
                self._sets.clear()
            found = self._sets[mask] = tuple([self.ids[n] for n in _bits(mask)])
        return found

    def options(self, mask: int) -> list[str]:
        """The ids of the bits that are set, identical ones once."""
        named = self.named(mask)
        alike = len(self._bits) < len(self.ids)
        return [*dict.fromkeys(named)] if alike else [*named]

    def shown(self, mask: int, single: bool) -> Any:
        """A set as a list of ids; what is "one" of something as its id, or None."""
        named = self.named(mask)
        if single:
            return named[0] if named else None
        return [*named]

    def bit(self, name: str, legal: int) -> int:
        """The bit of an id, one that is legal if there is one; raises ValueError."""
        places = self._bits.get(name)
        if places is None:
            raise ValueError(name)
        for number in places:
            if legal >> number & 1:
                return 1 << number
        return 1 << places[0]


def _sample(chosen: list[str], legal: int, ids: Sequence[str]) -> int:
    """As many cards as are named, each with a bit of its own while there are some."""
    left, bits = legal, 0
    for name in chosen:
        free = [n for n in _bits(left) if ids[n] == name]
        bit = 1 << (free[0] if free else ids.index(name))
        bits |= bit
        left &= ~bit
    return bits


def _listed(answer: Any) -> list[str]:
    """The ids chosen, each as often as it was."""
    if isinstance(answer, Mapping):
        return [str(name) for name, number in answer.items() for _ in range(number)]
    if isinstance(answer, str) or not isinstance(answer, Sequence):
        raise TypeError("a list of ids, or id -> number")
    return [str(name) for name in answer]


def _bits(mask: int) -> list[int]:
    """The numbers of the bits that are set."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


@lru_cache(64)
def _same(ids: tuple[str, ...]) -> _Words:
    """Those of a vocabulary that is the same in every game."""
    return _Words(ids)
