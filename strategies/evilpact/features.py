"""Features of a table of Evilpact: who leads elements, and what a card changes.

All are computed from what a view shows. A margin is the power of one's own library in
an element, less that of the opponent's.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.evilpact.layout import Layout
from sim.evilpact.tables import SPELLS
from sim.evilpact.view import EvilpactView
from sim.masks import Flags, Mask, Masks
from sim.view import Rows
from strategies.hand_readings import register_hand_reading

Numbers = NDArray[np.float64]
Margins = NDArray[np.int16]
Counted = tuple[NDArray[np.int64], NDArray[np.int64]]  # elements, and icons
_CLOSE = 0.5  # how much a point of margin tells


@dataclass(frozen=True)
class Kind:
    """Identical cards, and what they count for: as they lie, and turned over."""

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
    """Sets of cards, (sets, 1), and how far one of each spreads the margins.

    That is (elements, sets) the variance, as a card may lie either way.
    """
    alike: dict[tuple[float, ...], Mask] = {}
    for kind in kinds(layout):
        spreads = [0.0] * len(layout.elements)
        for element, icons in zip(kind.elements, kind.icons, strict=True):
            spreads[element] += icons * icons / 2
        alike[*spreads] = alike.get((*spreads,), masks.NOTHING) | kind.cards
    return np.array([*alike.values()])[:, None], np.array([*alike]).T.copy()


@lru_cache(maxsize=64)
def of_element(layout: Layout) -> Masks:
    """(elements, 1) the spells of each element."""
    found = np.zeros((len(layout.elements), 1), dtype=np.uint64)
    for spell, element in enumerate(layout.element_of[: len(SPELLS)].tolist()):
        found[element] |= masks.bit(spell)
    return found


class LibrarySets(NamedTuple):
    """Library cards, with identical cards of a row that lie alike as one set.

    (sets,) each: the row, in order for each way to lie, the cards, and the element and
    the icons they count for, as they lie and if they were turned over.
    """

    rows: Rows
    cards: Masks
    now: Counted
    over: Counted


class AcquirableSets(NamedTuple):
    """Cards that may be acquired, with identical cards of a row as one set.

    (sets,) each: the row, in order for each kind, the cards, and the element and the
    icons they count for. ``other``: the sets that may also count for another one, and
    that one, (others,) each.
    """

    rows: Rows
    cards: Masks
    ways: Counted
    other: Rows
    other_ways: Counted


@lru_cache(maxsize=64)
def _ways_to_lie(layout: Layout) -> tuple[Masks, NDArray[np.int64]]:
    """All cards by how they may lie: sets, and what they count for.

    (2, ways, 1) the cards if they lie upright, or turned, and (4, ways) the element and
    the icons as they lie, and if they were turned over.
    """
    upright, turned, counted = [], [], []
    for kind in kinds(layout):
        now, over = zip(kind.elements, kind.icons, strict=True)
        upright.append(kind.cards)
        turned.append(masks.NOTHING if kind.turns else kind.cards)
        counted.append([*now, *(over if kind.turns else now)])
        if kind.turns:
            upright.append(masks.NOTHING)
            turned.append(kind.cards)
            counted.append([*over, *now])
    return np.array([upright, turned])[:, :, None], np.array(counted).T


@lru_cache(maxsize=64)
def _kinds_acquired(layout: Layout) -> tuple[Masks, NDArray[np.int64]]:
    """All cards by kind, (kinds, 1), and (4, kinds) elements and icons, both ways."""
    every = kinds(layout)
    ways = [[*zip(kind.elements, kind.icons, strict=True)] for kind in every]
    counted = [[number for way in both for number in way] for both in ways]
    return np.array([kind.cards for kind in every])[:, None], np.array(counted).T


def _sets(sets: Masks) -> tuple[NDArray[np.int64], Rows, Masks]:
    """Of (ways, rows) sets those that are not empty: the way, the row, and the set."""
    size, flat = sets.shape[1], sets.reshape(-1)
    there = flat != masks.NOTHING
    place = np.flatnonzero(there)
    counts = np.count_nonzero(there.reshape(sets.shape), axis=1)
    way = np.arange(len(sets)).repeat(counts)
    return way, place - way * size, flat.take(place)


def library_sets(view: EvilpactView, cards: Masks) -> LibrarySets:
    """The sets of identical cards that lie alike, of cards (rows,) in libraries."""
    ways, counted = _ways_to_lie(view.layout)
    lie = cards & ~view.turned, cards & view.turned
    one, other = np.bitwise_or.reduce(lie[0]), np.bitwise_or.reduce(lie[1])
    able = np.flatnonzero(ways[0] & one | ways[1] & other)
    upright, turned = ways.take(able, axis=1)
    way, rows, sets = _sets(lie[0] & upright | lie[1] & turned)
    element, icons, over, more = counted.take(able.take(way), axis=1)
    return LibrarySets(rows, sets, (element, icons), (over, more))


def acquirable_sets(view: EvilpactView) -> AcquirableSets:
    """The sets of identical cards among the options, and what they count for."""
    cards, counted = _kinds_acquired(view.layout)
    able = np.flatnonzero(cards & np.bitwise_or.reduce(view.legal))
    kind, rows, sets = _sets(view.legal & cards.take(able, axis=0))
    element, icons, over, more = counted.take(able, axis=1)
    turns = element == over  # and so it does, where it is triggered
    turned = turns & ((cards.take(able) & view.triggered) != masks.NOTHING)
    ways = np.where(turned, over, element), np.where(turned, more, icons)
    other = np.flatnonzero(~turns.take(kind))
    of = kind.take(other)
    return AcquirableSets(
        rows,
        sets,
        (ways[0].take(kind), ways[1].take(kind)),
        other,
        (over.take(of), more.take(of)),
    )


def margins(view: EvilpactView) -> Margins:
    """(elements, rows) own power less the opponent's."""
    power = view.power.astype(np.int16)
    found: Margins = power[:, 0] - power[:, 1]
    return found


@register_hand_reading("evilpact", "led")
def elements_led(view: EvilpactView) -> NDArray[np.int64]:
    """(rows,) elements in which one's own library has more power."""
    return np.count_nonzero(margins(view) > 0, axis=0)


def elements_of(view: EvilpactView, spells: Masks) -> Flags:
    """(elements, rows) whether a spell of each element is among these."""
    found: Flags = (spells & of_element(view.layout)) != masks.NOTHING
    return found


Change = Counted
"""The elements, and what their margins gain."""


def places(numbers: Numbers, element: NDArray[np.int64], rows: Rows) -> Rows:
    """Where in (elements, rows) lies that of an element for each row."""
    return element * numbers.shape[1] + rows


class Judge(Protocol):
    """Values changes of margins, for a seat."""

    def changed(self, rows: Rows, *changes: Change) -> Numbers:
        """(rows,) of a view: each change is elements and what their margins gain."""


class WeightedMargins:
    """Elements count by their weight, and more the closer they are."""

    def __init__(self, view: EvilpactView, weights: Numbers) -> None:
        self._margins = margins(view).astype(np.float64)
        self._weights = weights

    def changed(self, rows: Rows, *changes: Change) -> Numbers:
        """(rows,) the gain of all elements, each from lost (-1) to won (1)."""
        worth = np.zeros(len(rows))
        for element, by in changes:
            place = places(self._margins, element, rows)
            margin = self._margins.take(place)
            gain = np.tanh((margin + by) * _CLOSE) - np.tanh(margin * _CLOSE)
            worth += gain * self._weights.take(place)
        return worth
