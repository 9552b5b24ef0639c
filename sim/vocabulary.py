"""Bits whose meaning all tables share, whatever their size and variant."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.masks import Masks
from sim.view import View
from sim.view_arrays import BITS

SEAT = "seat"
"""The vocabulary of seats."""


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
            if len(self.ids) < BITS:
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
        bits = np.full(BITS, -1)
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
