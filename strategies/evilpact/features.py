"""Reading a table of Evilpact: who leads which element, and what a card changes.

All is made of what a view shows. A margin is the power of one's own library in an
element, less that of the opponent's.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.evilpact.layout import Layout
from sim.evilpact.tables import SPELLS
from sim.evilpact.view import EvilpactView
from sim.masks import Flags, Mask, Masks
from sim.view import Rows

Numbers = NDArray[np.float64]
Margins = NDArray[np.int16]
_CLOSE = 0.5  # how much a point of margin tells


@dataclass(frozen=True)
class Kind:
    """Cards that are alike, and what they count for: as they lie, and turned over."""

    cards: Mask
    elements: tuple[int, int]
    icons: tuple[int, int]

    @property
    def turns(self) -> bool:
        """Whether they can be turned over: all but normal cards."""
        return self.elements[0] != self.elements[1] or self.icons[0] != self.icons[1]


@lru_cache(maxsize=64)
def kinds(layout: Layout) -> tuple[Kind, ...]:
    """All cards, by what they are called in a library."""
    found: dict[str, Kind] = {}
    for card, name in enumerate(layout.lying_ids):
        before = found[name].cards if name in found else masks.NOTHING
        cards = before | masks.bit(card)
        found[name] = Kind(cards, layout.elements_of[card], layout.icons_of[card])
    return tuple(found.values())


@lru_cache(maxsize=64)
def spread(layout: Layout) -> tuple[Masks, Numbers]:
    """All cards by kind (kinds, 1), and how far one of each spreads the margins.

    That is (elements, kinds) the variance, as a card may lie either way.
    """
    every = kinds(layout)
    found = np.zeros((len(layout.elements), len(every)))
    for number, kind in enumerate(every):
        for element, icons in zip(kind.elements, kind.icons, strict=True):
            found[element, number] += icons * icons / 2
    return np.array([[kind.cards] for kind in every], dtype=np.uint64), found


@lru_cache(maxsize=64)
def of_element(layout: Layout) -> Masks:
    """(elements, 1) the spells of each element."""
    found = np.zeros((len(layout.elements), 1), dtype=np.uint64)
    for spell, element in enumerate(layout.element_of[: len(SPELLS)].tolist()):
        found[element] |= masks.bit(spell)
    return found


def lying(
    view: EvilpactView, cards: Masks
) -> Iterator[tuple[Masks, tuple[int, int], tuple[int, int]]]:
    """Of some cards in libraries, (rows,) those that are alike and lie alike.

    With the element and the icons they count for, and those if they were turned over.
    """
    somewhere = np.bitwise_or.reduce(cards)
    for kind in kinds(view.layout):
        if not somewhere & kind.cards:
            continue
        here = cards & kind.cards
        now, over = zip(kind.elements, kind.icons, strict=True)
        if kind.turns:
            yield here & ~view.turned, now, over
            yield here & view.turned, over, now
        else:
            yield here, now, now


def acquired(view: EvilpactView) -> Iterator[tuple[Masks, list[tuple[int, int]]]]:
    """Of the options, (rows,) those that are alike, and what they may count for."""
    for kind in kinds(view.layout):
        ways = [*zip(kind.elements, kind.icons, strict=True)]
        if kind.elements[0] == kind.elements[1]:
            ways = [ways[bool(kind.cards & view.triggered)]]
        yield view.legal & kind.cards, ways


def margins(view: EvilpactView) -> Margins:
    """(elements, rows) own power less the opponent's."""
    power = view.power.astype(np.int16)
    found: Margins = power[:, 0] - power[:, 1]
    return found


def led(view: EvilpactView) -> NDArray[np.int64]:
    """(rows,) elements in which one's own library has more power."""
    return np.count_nonzero(margins(view) > 0, axis=0)


def elements_of(view: EvilpactView, spells: Masks) -> Flags:
    """(elements, rows) whether a spell of each element is among these."""
    found: Flags = (spells & of_element(view.layout)) != masks.NOTHING
    return found


Change = tuple[int | NDArray[np.int64], float | NDArray[np.float64]]
"""An element, and what its margin gains."""


def at(numbers: Numbers, element: int | NDArray[np.int64], rows: Rows) -> Numbers:
    """(rows,) of numbers (elements, rows) those of an element, or of one for each."""
    if isinstance(element, np.ndarray):
        found: Numbers = numbers[element, rows]
        return found
    return numbers[element].take(rows)


class Judge(Protocol):
    """What it is worth to a seat if margins change."""

    def changed(self, rows: Rows, *changes: Change) -> Numbers:
        """(rows,) of a view: each change is an element and what its margin gains.

        Both are of all these rows, or (rows,).
        """


class Weighed:
    """Each element counts by its weight, and more the closer it is."""

    def __init__(self, view: EvilpactView, weights: Numbers) -> None:
        self._margins = margins(view).astype(np.float64)
        self._weights = weights

    def changed(self, rows: Rows, *changes: Change) -> Numbers:
        """(rows,) the gain of all elements, each from lost (-1) to won (1)."""
        worth = np.zeros(len(rows))
        for element, by in changes:
            margin = at(self._margins, element, rows)
            gain = np.tanh((margin + by) * _CLOSE) - np.tanh(margin * _CLOSE)
            worth += gain * at(self._weights, element, rows)
        return worth
