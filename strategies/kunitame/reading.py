"""Reading a hand of Kunitame: what several strategies see in their cards.

Cards compare by rank across suits: the suits of a set are folded onto one
another, so that the lowest rank is the lowest bit of the fold. Which cards meet
some squares is looked up, in tables made once for a rule set.
"""

from collections.abc import Callable
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
        won = range(box.rules.rounds + 1)
        columns = list(zip(box.columns, squares, strict=True))
        self.met_by = _union_by(won, columns, lambda won, exactly: won == exactly)
        self.missed_by = _union_by(won, columns, lambda won, exactly: won < exactly)


def _union_by(
    won: range,
    columns: list[tuple[Mask, int]],
    holds: Callable[[int, int], bool],
) -> Masks:
    """(tricks won + 1,) the contract gems for which it holds."""
    gems = [sum(int(c) for c, exactly in columns if holds(n, exactly)) for n in won]
    return np.array(gems, dtype=np.uint64)


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


def cheapest(view: KunitameView, options: Masks) -> Masks:
    """The Ability card of lowest rank; where there is none, a Devil, or a Priest."""
    ability, ranks = _ranks_of(view, options)
    return _card(view, options, ability, masks.lowest(ranks))


def dearest(view: KunitameView, options: Masks) -> Masks:
    """The Ability card of highest rank; where there is none, a Devil, or a Priest."""
    ability, ranks = _ranks_of(view, options)
    return _card(view, options, ability, top(ranks))


def by_rank(view: KunitameView, options: Masks, high: Flags) -> Masks:
    """The dearest option where ``high`` is set, the cheapest elsewhere."""
    ability, ranks = _ranks_of(view, options)
    rank = masks.blend(high, top(ranks), masks.lowest(ranks))
    return _card(view, options, ability, rank)


def _ranks_of(view: KunitameView, options: Masks) -> tuple[Masks, Masks]:
    """The Ability cards among the options, and the set of their ranks."""
    table = tables(view.box)
    ability = options & view.box.ability
    ranks = ability.copy()
    for step in table.steps:
        ranks |= ability >> step
    ranks &= table.one_suit
    return ability, ranks


def _card(view: KunitameView, options: Masks, ability: Masks, rank: Masks) -> Masks:
    """An Ability card of the lone ``rank``; the lowest option where none has it."""
    rank *= tables(view.box).spread
    rank &= ability
    return masks.lowest(either(rank, options))


def top(mask: Masks) -> Masks:
    """The highest member of each set: the power of two of its float.

    Members just below another are dropped first: that keeps the highest one, and
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


def just_kept(view: KunitameView) -> Flags:
    """(rows,) whether a contract of this seat wants as many tricks as it has won."""
    return _staked(view, tables(view.box).met_by)


def tricks_missing(view: KunitameView) -> Flags:
    """(rows,) whether a contract of this seat wants more tricks than it has won."""
    return _staked(view, tables(view.box).missed_by)


def _staked(view: KunitameView, gems_by_tricks: Masks) -> Flags:
    """Whether a Life gem of this seat lies where the tricks it won say."""
    # A view counts one's own gems square by square; their bits are quicker.
    gems = gems_by_tricks.take(view.tricks.astype(np.int64), mode="clip")
    gems &= view.own(view._state.stakes)
    return gems != 0


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
