"""Features of a hand and the sheet of Kbernestich that several strategies use.

Cards compare by rank across suits: the suits of a set are folded onto one another.
"""

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.flags import flags_of
from sim.kbernestich.layout import Layout
from sim.kbernestich.rules import RANKS, Kbernestich
from sim.kbernestich.view import KbernestichView
from sim.masks import Counts, Flags, Mask, Masks
from sim.observation import Worth
from strategies.hand_readings import register_hand_reading

Eighths = NDArray[np.int16]  # of a trick
Numbers = NDArray[np.float32]
_NEVER = 1e9  # more points than any square gains


class Tables:
    """Lookup tables of what a rule set prints on its sheet."""

    def __init__(self, layout: Layout) -> None:
        rules, starts = layout.rules, [RANKS * at for at in range(len(layout.suits))]
        # Ranks: one suit, and how far up to four are folded onto it, in two steps
        self.one_suit = masks.span(0, RANKS)
        self.steps = [np.uint64(2 * RANKS), np.uint64(RANKS)]
        highest = masks.highest(np.arange(1 << RANKS, dtype=np.uint64))
        self.of_top: Masks = highest * masks.union(starts)
        self.ranks = {
            name: masks.union(start + rank for start in starts for rank in ranks)
            for name, ranks in (("high", (10, 11)), ("middle", (7, 8, 9)))
        }
        # Letter from Marie: by suit the square of most and of fewest points
        self.dear = [
            _square(area, rules.marie_from, True) for area in layout.from_marie
        ]
        self.poor = [
            _square(area, rules.marie_from, False) for area in layout.from_marie
        ]
        self.dearest = masks.union(m for d in self.dear for m in masks.members(d))
        # Zabine's Aftermath: the squares of the highest and of the lowest bust value
        self.bust_high = _square(layout.zabine, rules.zabine, True)
        self.bust_low = _square(layout.zabine, rules.zabine, False)
        # Hunch of Growth: by tricks, the squares that come true
        self.true_with = _true_with(layout)
        self.high_bid = _highest_bid(rules, layout.hunch)
        # Letter to Marie: the squares worth at least so many points
        self.letters = {least: _letters(layout, least) for least in (1, 2, 3)}
        # What a forecast looks up: values and bust values, by square and by subset of
        # squares; all numbers of tricks; by bid which of them, and where it is none
        self.printed_values = _column(rules.marie_from)
        self.printed_busts = _column(rules.zabine)
        self.values = layout.value_by.astype(np.float32)
        self.busts = layout.bust_by.astype(np.float32)
        self.numbers = _column(range(rules.tricks + 1))
        least = [(bid, int(bid.removesuffix("+"))) for bid in rules.hunch]
        self.bids = [slice(n, None if "+" in bid else n + 1) for bid, n in least]
        self.none = _column([bid == "0" for bid in rules.hunch])
        self._octets = _octets(layout)

    def plain_worth(self, legal: Masks) -> Numbers:
        """(rows, squares) the points printed on a square; far below 0 if not legal.

        Padded with squares that are never legal, to a multiple of eight.
        """
        octets = legal.view(np.uint8).reshape(len(legal), -1)
        at = octets[:, : len(self._octets)] + np.arange(0, len(self._octets) << 8, 256)
        worth = self._octets.reshape(-1, 8).take(at, axis=0)
        return worth.reshape(len(legal), -1)


def _column(numbers: Iterable[float]) -> Numbers:
    """(numbers, 1) what is printed on the squares of an area."""
    return np.array([*numbers], dtype=np.float32)[:, None]


def _octets(layout: Layout) -> Numbers:
    """(octets, 256, 8) the squares' worth, by octet and its subset of legal squares."""
    size = len(layout.square_ids)
    worth = np.full((-(-size // 8), 256, 8), -_NEVER, dtype=np.float32)
    for square in range(size):
        octet, bit = divmod(square, 8)
        worth[octet, np.arange(256) >> bit & 1 == 1, bit] = layout.points[square]
    return worth


def _square(area: Mask, values: tuple[int, ...], highest: bool) -> Mask:
    """The square of an area with the highest or the lowest value."""
    if not values:
        return masks.NOTHING
    value = max(values) if highest else min(values)
    return masks.bit(masks.members(area)[values.index(value)])


def _true_with(layout: Layout) -> Masks:
    """(tricks + 1,) the bids that come true with so many tricks."""
    places = masks.members(layout.hunch)
    met = layout.target_by[[1 << place for place in range(len(places))]]
    return np.array(
        [
            masks.union(
                square
                for square, bid in zip(places, met, strict=True)
                if int(bid) >> tricks & 1
            )
            for tricks in range(layout.rules.tricks + 1)
        ],
        dtype=np.uint64,
    )


def _highest_bid(rules: Kbernestich, hunch: Mask) -> Mask:
    """The square of the highest bid."""
    bids = tuple(int(bid.removesuffix("+")) for bid in rules.hunch)
    return _square(hunch, bids, True)


def _letters(layout: Layout, least: int) -> Mask:
    """The squares of Letter to Marie that are worth at least so much."""
    squares = masks.members(layout.to_marie)
    return masks.union(square for square in squares if layout.points[square] >= least)


@lru_cache(maxsize=64)
def _tables(rules: Kbernestich, players: int) -> Tables:
    return Tables(Layout(rules, players))


@lru_cache(maxsize=8)
def tables(layout: Layout) -> Tables:
    """The lookup tables of a layout; cached, so that equal rules share them."""
    return _tables(layout.rules, layout.players)


# Sets


def either(first: Masks, second: Masks | Mask) -> Masks:
    """(rows,) the first set, or the second where the first is empty."""
    other = masks.from_flags(first == masks.NOTHING)
    other &= second
    other |= first
    return other


def by_rank(view: KbernestichView, options: Masks, high: Flags) -> Masks:
    """(rows,) the dearest card where ``high`` is set, else the cheapest.

    Ties between suits are broken at random, so that no suit is favoured.
    """
    table = tables(view.layout)
    two, one = table.steps
    ranks = options | options >> two
    ranks |= ranks >> one
    ranks &= table.one_suit
    wanted = np.negative(ranks)
    wanted |= masks.from_flags(high)
    wanted &= ranks  # all of them, or the lowest
    cards: Masks = table.of_top.take(wanted.view(np.int64), mode="clip")
    cards &= options
    return view.toss(cards)


def worth_by_rank(view: KbernestichView, *sets: tuple[Masks, Flags]) -> Worth:
    """(cards, rows) the more, the earlier a card is played.

    First the cards of the first set, in the order of ``by_rank``, then of the next.
    """
    size = len(view.layout.suits) * RANKS
    rank = np.arange(size)[:, None] % RANKS
    worth: Worth = np.full((size, len(view)), np.nan)
    for number, (cards, high) in enumerate(reversed(sets)):
        order = np.where(high, rank, RANKS - 1 - rank) + number * RANKS
        np.copyto(worth, order, where=flags_of(cards, size))
    return worth


# The hand


def promise(view: KbernestichView) -> Eighths:
    """(rows,) the tricks that the hand promises, in eighths."""
    return promise_of(view, view.hand)


def promise_of(view: KbernestichView, cards: Masks) -> Eighths:
    """(rows,) the tricks that high cards and trumps promise, in eighths."""
    rank = tables(view.layout).ranks
    eighths = masks.count(cards & rank["high"]) * np.uint8(4)
    eighths += masks.count(cards & rank["middle"])
    eighths += masks.count(cards & view.trump) * np.uint8(3)
    return eighths.astype(np.int16)


@register_hand_reading("kbernestich", "expected")
def expected_tricks(view: KbernestichView) -> Eighths:
    """(rows,) the tricks won, and those that the hand promises, in eighths."""
    return promise(view) + view.tricks.astype(np.int16) * np.int16(8)


def held(view: KbernestichView) -> Counts:
    """(suits, rows) cards in hand."""
    return np.stack([masks.count(view.hand & suit) for suit in view.layout.suits])


# Letter from Marie and Hunch of Growth


def bid_near(view: KbernestichView, eighths: Eighths) -> Masks:
    """(rows,) the free bids that come true with the nearest number of tricks."""
    true_with = tables(view.layout).true_with
    near = np.clip((eighths + 4) >> 3, 0, len(true_with) - 1).astype(np.int64)
    return true_with.take(near) & view.legal


def missing(view: KbernestichView) -> Flags:
    """(rows,) whether this seat's bid wants more tricks than it has won."""
    target = view.target >> view.tricks
    more: Flags = target > np.uint32(1)
    more &= (target & np.uint32(1)) == 0
    return more
