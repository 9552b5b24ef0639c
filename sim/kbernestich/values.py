"""The values of cards by colour, as Letter from Marie sets them.

Why they are kept as sets of cards, one for each binary digit of the value: the points
of a set of cards are then counted without a loop over the colours.
"""

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.kbernestich.layout import Layout
from sim.masks import Masks

Points = NDArray[np.int16]
_RUN = 12  # most squares in a table: 4,096 sets of cards stay in the first cache


class Values:
    """Lookup tables for the values of a sheet."""

    def __init__(self, layout: Layout) -> None:
        self._digits = max([*layout.rules.marie_from, 1]).bit_length()
        self._runs = [*self._laid(layout)] if layout.rules.marie_from else []

    def _laid(self, layout: Layout) -> list[tuple[np.uint64, np.uint64, list[Masks]]]:
        """By run of colours: first square, squares, and cards by subset and digit."""
        each = len(layout.rules.marie_from)
        together = max(_RUN // each, 1)
        runs = []
        for first in range(0, len(layout.suits), together):
            suits = layout.suits[first : first + together]
            subset = np.arange(1 << each * len(suits), dtype=np.uint64)
            nothing = np.zeros(len(subset), dtype=np.uint64)
            tables: list[Masks] = [nothing] * self._digits
            for at, suit in enumerate(suits):
                for place, value in enumerate(layout.rules.marie_from):
                    has = (subset >> np.uint64(at * each + place) & masks.ONE) != 0
                    for digit in range(self._digits):
                        if value >> digit & 1:
                            tables[digit] = tables[digit] | masks.where(has, suit)
            width = masks.span(0, each * len(suits))
            runs.append((np.uint64(first * each), width, tables))
        return runs

    def by_digit(self, sheet: Masks) -> list[Masks]:
        """For each binary digit, lowest first: (games,) the cards whose value has it.

        ``sheet`` (games,) are the squares with a cube.
        """
        digits: list[Masks] = []
        for first, width, tables in self._runs:
            subset = (sheet >> first & width).view(np.int64)
            cards = [table.take(subset, mode="clip") for table in tables]
            pairs = zip(digits, cards, strict=True)
            digits = [one | other for one, other in pairs] if digits else cards
        return digits


def points(cards: Masks, by_digit: list[Masks]) -> Points:
    """(...,) the points of sets of cards, in the shape of ``cards``."""
    return weigh([cards & having for having in by_digit], cards.shape)


def weigh(by_digit: list[Masks], shape: tuple[int, ...]) -> Points:
    """Weigh the number of cards in each set by its binary digit, highest first."""
    if not by_digit:
        return np.zeros(shape, dtype=np.int16)
    total = masks.count(by_digit[-1]).astype(np.int16)
    for cards in by_digit[-2::-1]:
        total += total
        total += masks.count(cards)
    return total
