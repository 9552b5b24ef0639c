"""Features of a hand of Kunitame that several strategies use.

Cards compare by rank across suits: the suits of a set are folded onto one
another, so that the lowest rank is the lowest bit of the fold. Which cards meet
which squares is looked up in tables made once for a rule set.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.flags import flags_of
from sim.kunitame.layout import Layout
from sim.kunitame.rules import Kunitame
from sim.kunitame.view import KunitameView
from sim.masks import Counts, Flags, Mask, Masks
from sim.observation import Worth
from strategies.hand_readings import register_hand_reading

DEVIL = 2  # eighths of a trick that a Devil adds, where the others draw Devils too
_RUN = 14  # most squares in a table: 16,384 sets of cards stay in the second cache
Eighths = NDArray[np.int16]
_MANY = 64  # more than any rank
_Run = tuple[int, int, Masks]  # its first square, those after it, cards by subset


class Tables:
    """Lookup tables of what a rule set prints on its cards."""

    def __init__(self, layout: Layout) -> None:
        rules = layout.rules
        # Ranks: one suit, how far the others lie from it, the same rank in each
        self.one_suit = masks.span(0, rules.ranks)
        self.steps = [np.uint64(rules.ranks * at) for at in range(1, len(rules.suits))]
        self.spread = masks.union(rules.ranks * at for at in range(len(rules.suits)))
        self.of_top = _of_top(rules.ranks, self.spread)
        self.high = _of_rank(layout, 0.75, 1.0)
        self.middle = _of_rank(layout, 0.5, 0.75)
        # Squares
        self.by_trick = _runs(layout, layout.by_trick)
        self.by_all = _runs(layout, layout.by_all)
        # Contracts: the gems on the square of so many tricks, and on higher squares
        self.nearest = _nearest(layout)
        self.kept_by: Masks = np.zeros(rules.rounds + 1, dtype=np.uint64)
        self.missed_by: Masks = np.zeros(rules.rounds + 1, dtype=np.uint64)
        for gems, exactly in zip(layout.columns, rules.contract_squares, strict=True):
            self.kept_by[exactly : exactly + 1] |= gems
            self.missed_by[:exactly] |= gems


def _of_rank(layout: Layout, above: float, upto: float) -> Mask:
    """The Ability cards of these ranks."""
    return masks.union(
        card
        for card in masks.members(layout.ability)
        if above < layout.card_numbers[card] / layout.rules.ranks <= upto
    )


def _of_top(ranks: int, spread: Mask) -> Masks:
    """(subsets of ranks,) the cards of the highest rank; None if ranks are many."""
    if ranks > _RUN:
        return np.zeros(0, dtype=np.uint64)
    highest = masks.highest(np.arange(1 << ranks, dtype=np.uint64))
    return highest * spread


def _nearest(layout: Layout) -> Masks:
    """(eighths of a trick, gems + 1) that many gems on the nearest square."""
    squares = np.array(layout.rules.contract_squares, dtype=np.int64)
    if not len(squares):
        return np.zeros((1, 1), dtype=np.uint64)
    far = np.abs(np.arange(8 * layout.rules.rounds + 1)[:, None] - 8 * squares)
    columns: Masks = np.array(layout.columns, dtype=np.uint64).take(far.argmin(axis=1))
    gems: Masks = columns[:, None] & layout.fields
    return gems


def _runs(layout: Layout, squares: Mask) -> list[_Run]:
    """Squares cut into runs that are short enough for a table."""
    numbers = masks.members(squares)
    if not numbers:
        return []
    first, last = numbers[0] if numbers[-1] >= _RUN else 0, numbers[-1]
    tables = -(-(last + 1 - first) // _RUN)
    width = -(-(last + 1 - first) // tables)
    return [
        (at, max(last + 1 - at - width, 0), _meeting(layout, squares, at, width))
        for at in range(first, last + 1, width)
    ]


def _meeting(layout: Layout, squares: Mask, first: int, width: int) -> Masks:
    """(subsets,) the cards that meet a square of each subset of a run."""
    table = np.zeros(1 << width, dtype=np.uint64)
    subset = np.arange(1 << width)
    for at in range(min(width, 64 - first)):
        square = squares & masks.bit(first + at)
        meets = [
            n for n, _ in enumerate(layout.card_ids) if layout.met_by_card[n] & square
        ]
        table[(subset >> at & 1).astype(np.bool_)] |= masks.union(meets)
    return table


@lru_cache(maxsize=64)
def _tables(rules: Kunitame, players: int) -> Tables:
    return Tables(Layout(rules, players))


@lru_cache(maxsize=8)
def tables(layout: Layout) -> Tables:
    """The lookup tables of a layout; cached, so that equal rules share them."""
    return _tables(layout.rules, layout.players)


# Cards by rank


def cheapest(view: KunitameView, options: Masks) -> Masks:
    """(rows,) the Ability card of lowest rank; without any, a Devil or a Priest."""
    ability, ranks = _ranks(view, options)
    return _of(view, options, ability, masks.lowest(ranks))


def dearest(view: KunitameView, options: Masks) -> Masks:
    """(rows,) the Ability card of highest rank; without any, a Devil or a Priest."""
    return _of(view, options, *_ranks(view, options))


def by_rank(view: KunitameView, options: Masks, high: Flags) -> Masks:
    """(rows,) the dearest option where ``high`` is set, else the cheapest."""
    ability, ranks = _ranks(view, options)
    wanted = np.negative(ranks)
    wanted |= masks.from_flags(high)
    wanted &= ranks  # all of them, or the lowest
    return _of(view, options, ability, wanted)


def _ranks(view: KunitameView, options: Masks) -> tuple[Masks, Masks]:
    """The Ability cards among the options, and the set of their ranks."""
    table = tables(view.layout)
    ability = options & view.layout.ability
    ranks = ability | ability >> table.steps[0] if table.steps else ability.copy()
    for step in table.steps[1:]:
        ranks |= ability >> step
    ranks &= table.one_suit
    return ability, ranks


def _of(view: KunitameView, options: Masks, ability: Masks, ranks: Masks) -> Masks:
    """An Ability card of the highest rank; the lowest option where there is none.

    Ties between suits are broken at random, so that no suit is favoured.
    """
    table = tables(view.layout)
    if len(table.of_top):
        cards = table.of_top.take(ranks.view(np.int64), mode="clip")
    else:
        cards = masks.highest(ranks)
        cards *= table.spread
    cards &= ability
    return view.toss(either(cards, masks.lowest(options)))


def either(first: Masks, second: Masks) -> Masks:
    """(rows,) the first set, or the second where the first is empty."""
    other = masks.from_flags(first == masks.NOTHING)
    other &= second
    other |= first
    return other


def worth_by_rank(view: KunitameView, *sets: tuple[Masks, Flags]) -> Worth:
    """(cards, rows) the more, the earlier a card is played.

    First the cards of the first set, in the order of ``by_rank``, then of the next.
    """
    dear, cheap = _orders(view.layout)
    worth: Worth = np.full((len(dear), len(view)), np.nan)
    for number, (cards, high) in enumerate(reversed(sets)):
        order = np.where(high, dear, cheap) + number * _MANY
        np.copyto(worth, order, where=flags_of(cards, len(worth)))
    return worth


@lru_cache(maxsize=64)
def _orders(layout: Layout) -> NDArray[np.float64]:
    """(2, cards, 1) the more, the earlier a card is played, from dear, or from cheap.

    Ability cards come before others, and of these lower bits first.
    """
    number = np.arange(len(layout.card_ids))
    rank, ability = number % layout.rules.ranks, flags_of(layout.ability, len(number))
    cards = np.array([rank + 1, layout.rules.ranks - rank])
    return np.where(ability[:, 0], cards, -number / _MANY)[..., None]


# Squares


def cards_that_pay(view: KunitameView, gems: Masks) -> Masks:
    """(rows,) the cards that would win one of these gems in this round."""
    here = view.layout.by_trick & view.met_in_round
    return _meeting_one(tables(view.layout).by_trick, gems & here)


def with_bonus(view: KunitameView, gems: Masks) -> Masks:
    """(rows,) cards that, winning, leave one of these gems for liquidation."""
    left = gems & (view.layout.by_all & view.met_in_round)
    left &= view.streak
    return _meeting_one(tables(view.layout).by_all, left)


def _meeting_one(runs: list[_Run], squares: Masks) -> Masks:
    """The cards that meet at least one of the squares."""
    meeting: Masks | None = None
    for first, after, table in runs:
        subset = squares >> np.uint64(first) if first else squares
        if after:
            subset = subset & np.uint64(len(table) - 1)
        cards = table.take(subset.view(np.int64), mode="clip")
        meeting = cards if meeting is None else np.bitwise_or(meeting, cards, out=cards)
    return np.zeros_like(squares) if meeting is None else meeting


def most_valuable(view: KunitameView, squares: Masks) -> Masks:
    """A 3-point gem of these squares if there is one, else a gem, else anything.

    Ties between equal gems are broken at random, so that no square is favoured.
    """
    gem = either(squares & view.gems_3, squares & view.gems_1)
    return view.toss(either(gem, squares))


# Contracts


@register_hand_reading("kunitame", "promise")
def promise(view: KunitameView) -> Counts:
    """(rows,) the tricks that the hand promises, in eighths, without Devils to come.

    A high card wins every second trick or so, a Priest or a middle card fewer.
    """
    hand, table = view.hand, tables(view.layout)
    eighths = masks.count(hand & table.high) * np.uint8(4)
    eighths += masks.count(hand & table.middle) * np.uint8(2)
    eighths += masks.count(hand & view.layout.priests) * np.uint8(2)
    return eighths


def stake_near(view: KunitameView, eighths: Eighths, gems: Counts) -> Masks:
    """(rows,) ``gems`` on the square nearest to this number of eighths of a trick."""
    table = tables(view.layout).nearest
    place = np.clip(eighths, 0, table.shape[0] - 1).astype(np.int64)
    place *= table.shape[1]
    place += gems
    return table.reshape(-1).take(place, mode="clip")


def just_kept(view: KunitameView) -> Flags:
    """(rows,) whether a contract of this seat wants as many tricks as it has won."""
    return _staked(view, tables(view.layout).kept_by)


def tricks_missing(view: KunitameView) -> Flags:
    """(rows,) whether a contract of this seat wants more tricks than it has won."""
    return _staked(view, tables(view.layout).missed_by)


def _staked(view: KunitameView, gems_by_tricks: Masks) -> Flags:
    """Whether a Life gem of this seat lies where the tricks it won say."""
    gems = gems_by_tricks.take(view.tricks, mode="clip")
    gems &= view.stakes
    staked: Flags = gems != masks.NOTHING
    return staked
