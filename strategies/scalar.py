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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.answers import IllegalAnswer, ids_of, options_of, place_of
from sim.masks import Masks
from sim.view import View
from strategies.base import Strategy, method_of


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
        answers = np.empty_like(view.legal)
        for row in range(len(view)):
            answer = method(ScalarView(table, row))
            try:
                answers[row] = table.bits(answer, row)
            except (KeyError, TypeError, ValueError):
                raise IllegalAnswer(
                    f"strategy {self.title!r} chose {answer!r} at {name!r} "
                    f"{place_of(view, row)}. Options: {options_of(view, row)}."
                ) from None
        return answers


class ScalarView:
    """What a seat may know of one game; attributes are those of the game's view."""

    def __init__(self, table: "_Rows", row: int) -> None:
        self._table = table
        self._row = row
        self._draws = 0

    @property
    def legal(self) -> list[str]:
        """The options; identical ones listed once."""
        return list(dict.fromkeys(self._table.named(self._row)))

    @property
    def most(self) -> int:
        """How many tokens or cards an answer takes."""
        return int(self._table.view.most[self._row])

    @property
    def seat(self) -> int:
        """The seat that decides."""
        seat = self._table.view.seat
        return seat if isinstance(seat, int) else int(seat[self._row])

    def random(self) -> float:
        """A random number from 0 to 1, fresh at each call: the seat's own chance."""
        self._draws += 1
        return float(self._table.draw(self._draws)[self._row])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._table.value(name, self._row)


class _Rows:
    """A view, and how its bits are called."""

    def __init__(self, view: View) -> None:
        self.view = view
        self._drawn: list[Any] = []
        self._values: dict[str, Any] = {}
        self._vocabulary_of: Mapping[str, str] = getattr(
            type(view), "vocabulary_of", {}
        )

    def ids(self, row: int) -> Sequence[str]:
        """The ids of the options' bits."""
        return ids_of(self.view, row)

    def named(self, row: int) -> list[str]:
        """The options of a row by id."""
        legal = int(self.view.legal[row])
        if self.view.kind.form == "bag":
            legal &= (1 << self.view.options_per_token) - 1 if legal else 0
        return _named(legal, self.ids(row))

    def draw(self, number: int) -> Any:
        """(rows,) the random numbers of the first, second, ... call."""
        while len(self._drawn) < number:
            self._drawn.append(self.view.uniform())
        return self._drawn[number - 1]

    def value(self, name: str, row: int) -> Any:
        """An attribute of the view, in one row, with ids for bits."""
        if name not in self._values:
            self._values[name] = getattr(self.view, name)
        value = self._values[name]
        if isinstance(value, list | tuple) and name in self._vocabulary_of:
            value = np.array([part[row] for part in value], dtype=np.uint64)
        elif isinstance(value, np.ndarray):
            value = value[row] if value.ndim == 1 else value[..., row]
        vocabulary = self._vocabulary_of.get(name)
        if vocabulary is None:
            return (
                value.tolist() if isinstance(value, np.ndarray | np.generic) else value
            )
        place = row if self.view._rows is None else int(self.view._rows[row])
        ids = self.view._state.named_in(vocabulary.removeprefix("one "), place)
        if isinstance(value, np.ndarray):
            return [_shown(vocabulary, int(one), ids) for one in value]
        return _shown(vocabulary, int(value), ids)

    def bits(self, answer: Any, row: int) -> int:
        """The bits that an answer by id stands for."""
        form = self.view.kind.form
        if form == "one":
            return self._option(answer, row)
        chosen = _listed(answer)
        if form == "sample":
            return self._sample(chosen, row)
        width, bits = self.view.options_per_token, 0
        if len(chosen) * width > 64:
            raise ValueError("too many")
        places = {name: place for place, name in enumerate(self.ids(row)[:width])}
        for token, name in enumerate(chosen):
            bits |= 1 << token * width + places[name]
        return bits

    def _option(self, name: str, row: int) -> int:
        """The bit of an id, one that is legal if there is one."""
        legal = int(self.view.legal[row])
        ids = self.ids(row)
        all_of_it = [n for n, word in enumerate(ids[:64]) if word == name]
        right = [n for n in all_of_it if legal >> n & 1]
        return 1 << (right or all_of_it or [ids.index(name)])[0]

    def _sample(self, chosen: list[str], row: int) -> int:
        left, bits, ids = int(self.view.legal[row]), 0, self.ids(row)
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


def _named(mask: int, ids: Sequence[str]) -> list[str]:
    return [ids[number] for number in _bits(mask)]


def _shown(vocabulary: str, mask: int, ids: Sequence[str]) -> Any:
    """A set as a list of ids; what is "one" of something as its id, or None."""
    named = _named(mask, ids)
    if vocabulary.startswith("one "):
        return named[0] if named else None
    return named
