"""Reading a hand of Kunitame: what several strategies see in their cards.

Cards compare by rank across suits: the suits of a set are folded onto one
another, so that the lowest rank is the lowest bit of the fold. Which cards meet
some squares is looked up, in tables made once for a rule set.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.kunitame.box import Box
from sim.kunitame.rules import Kunitame
from sim.kunitame.view import KunitameView
from sim.masks import Counts, Flags, Mask, Masks

_EXPONENT = np.uint64(0x7FF << 52)
_PART = 10  # squares to a table: 1,024 sets of cards, which stay in the cache
Tricks = NDArray[np.int64]
_Part = tuple[np.uint64, Mask, Masks]


class Tables:
    """What a rule set prints on its cards, laid out to be looked up."""

    def __init__(self, box: Box) -> None:
        ranks, suits = box.rules.ranks, len(box.rules.suits)
        self.one_suit = masks.span(0, ranks)
        self.steps = [np.uint64(ranks * suit) for suit in range(1, suits)]
        self.spread = masks.union(ranks * suit for suit in range(suits))
        self.trick_parts = _parts(box, box.by_trick)
        self.all_parts = _parts(box, box.by_all)
        self.high = _ranks(box, 0.75, 1.0)
        self.middle = _ranks(box, 0.5, 0.75)
        squares = box.rules.contract_squares
        in_a_row = tuple(range(squares[0], squares[0] + len(squares))) if squares else ()
        self.targets = np.array(squares, dtype=np.int64)
        self.first_target = np.uint64(squares[0]) if squares == in_a_row != () else None
        folds = range(max(box.most_gems - 1, 0).bit_length())
        self.gem_steps = [np.uint64(box.width << fold) for fold in folds]
        self.one_gem = masks.span(0, box.width)


def _parts(box: Box, squares: Mask) -> list[_Part]:
    """Squares cut into runs: where each starts, how wide, the cards by subset."""
    numbers = masks.members(squares)
    if not numbers:
        return []
    size = numbers[-1] + 1 - numbers[0]
    width = -(-size // -(-size // _PART))
    return [
        (np.uint64(first), masks.span(0, width), _meeting(box, squares, first, width))
        for first in range(numbers[0], numbers[-1] + 1, width)
    ]


def _ranks(box: Box, above: float, upto: float) -> Mask:
    """The Ability cards in this part of the ranks."""
    return masks.union(
        card
        for card in masks.members(box.ability)
        if above < box.card_numbers[card] / box.rules.ranks <= upto
    )


def _meeting(box: Box, squares: Mask, first: int, width: int) -> Masks:
    """(subsets,) the cards that meet a square of each subset of a run."""
    table = np.zeros(1 << width, dtype=np.uint64)
    subset = np.arange(1 << width)
    for at in range(min(width, 64 - first)):
        square = squares & masks.bit(first + at)
        cards = masks.union(np.flatnonzero(box.met_by_card & square).tolist())
        table[(subset >> at & 1).astype(np.bool_)] |= cards
    return table


@lru_cache(maxsize=64)
def _tables(rules: Kunitame, players: int) -> Tables:
    return Tables(Box(rules, players))


@lru_cache(maxsize=8)
def tables(box: Box) -> Tables:
    """The tables of a box; boxes of equal rules share them."""
    return _tables(box.rules, box.players)


# Cards by rank


def _pick(box: Box, options: Masks, rank: Masks, ranks: Masks) -> Masks:
    """A card of the lone ``rank``; the lowest option where none has it."""
    rank *= tables(box).spread
    rank &= ranks
    card = masks.blend(rank != 0, rank, options)
    return masks.lowest(card)


def _fold(box: Box, options: Masks) -> tuple[Masks, Masks]:
    """The Ability cards among the options, and the set of their ranks."""
    ability = options & box.ability
    ranks = ability.copy()
    for step in tables(box).steps:
        ranks |= ability >> step
    ranks &= tables(box).one_suit
    return ability, ranks


def cheapest(view: KunitameView, options: Masks) -> Masks:
    """The option of lowest rank; Devils, then Priests where there is no other."""
    ability, ranks = _fold(view.box, options)
    return _pick(view.box, options, masks.lowest(ranks), ability)


def dearest(view: KunitameView, options: Masks) -> Masks:
    """The Ability card of highest rank; the lowest Devil where there is none."""
    ability, ranks = _fold(view.box, options)
    return _pick(view.box, options, top(ranks), ability)


def by_rank(view: KunitameView, options: Masks, high: Flags) -> Masks:
    """The dearest option where ``high`` is set, the cheapest elsewhere."""
    ability, ranks = _fold(view.box, options)
    rank = masks.blend(high, top(ranks), masks.lowest(ranks))
    return _pick(view.box, options, rank, ability)


def top(mask: Masks) -> Masks:
    """The highest member of each set: the power of two of its float.

    Dropping every member that lies just below another keeps the highest one, and
    keeps the float from being rounded up.
    """
    sparse = mask >> masks.ONE
    np.invert(sparse, out=sparse)
    sparse &= mask
    power = sparse.astype(np.float64).view(np.uint64)
    power &= _EXPONENT
    return power.view(np.float64).astype(np.uint64)


def either(first: Masks, second: Masks) -> Masks:
    """The first set, or the second where the first is empty."""
    return masks.blend(first != 0, first, second)


# Squares


def of_squares(parts: list[_Part], squares: Masks) -> Masks:
    """The cards that meet one of the squares, as ``Tables`` cut them."""
    if not parts:
        return np.zeros_like(squares)
    found: Masks | None = None
    for shift, width, table in parts:
        subset = squares >> shift
        subset &= width
        cards = table.take(subset.view(np.int64), mode="clip")
        found = cards if found is None else np.bitwise_or(found, cards, out=found)
    assert found is not None
    return found


def paid(view: KunitameView, gems: Masks) -> Masks:
    """The cards that would win one of these gems in this round."""
    here = gems & (view.box.by_trick & view.met_in_round)
    return of_squares(tables(view.box).trick_parts, here)


def bonus_cards(view: KunitameView) -> Masks:
    """The cards that leave this seat a gem to win at liquidation."""
    kept = view.streak & view.gems
    kept &= view.box.by_all & view.met_in_round
    return of_squares(tables(view.box).all_parts, kept)


# Contracts


def ahead(view: KunitameView) -> Masks:
    """(rows,) bit t is set where a contract of this seat wants t more tricks."""
    table, box = tables(view.box), view.box
    if table.first_target is None:
        targets = view.targets.astype(np.uint64)
    else:
        # A view tells no cheaper way to one's own contracts than their bits.
        targets = view.own(view._state.stakes).copy()
        for step in table.gem_steps:
            targets |= targets >> step
        targets &= table.one_gem
        targets <<= table.first_target
    targets >>= view.tricks.astype(np.uint64)
    return targets


def promise(view: KunitameView) -> Counts:
    """(rows,) eighths of a trick that the hand promises, Devils to come aside.

    High cards win about every second trick, Priests and middle cards few: fitted
    to tricks won at a table of planners.
    """
    hand, table = view.hand, tables(view.box)
    eighths = masks.count(hand & table.high) * np.uint8(4)
    eighths += masks.count(hand & table.middle) * np.uint8(2)
    eighths += masks.count(hand & view.box.priests) * np.uint8(2)
    return eighths


def nearest_square(view: KunitameView, eighths: NDArray[np.integer]) -> Tricks:
    """(rows,) the contract square nearest to so many eighths of a trick."""
    targets = tables(view.box).targets
    if not len(targets):
        return np.zeros(len(view), dtype=np.int64)
    wanted = np.clip(eighths, 0, 255)
    far = np.abs(np.arange(256)[:, None] - 8 * targets)
    return far.argmin(axis=1)[wanted]


def most_valuable(view: KunitameView, squares: Masks) -> Masks:
    """A 3-point gem of these squares if there is one, else the first gem."""
    worth = either(squares & view.gems_3, squares & view.gems_1)
    return masks.lowest(either(worth, squares))
