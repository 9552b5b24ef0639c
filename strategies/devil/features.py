"""Features of a table of Devil: what hands may cost, and where the pile may go.

All are computed from what a view shows. Ranks that fit form a ring, so each card played
moves the top by one place: where it may stand at one's next turn is a walk of a few
steps.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Self

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.devil.layout import SPECIAL1, SPECIAL4, Layout
from sim.devil.view import DevilView
from sim.masks import Flags, Masks
from sim.view import Rows

Numbers = NDArray[np.float64]
_PLAYS = 0.65  # how often a turn ends with a card played
_EARLY = 0.32  # width of the totals to come, of the last round; in dealt hands
_FEWER = 3.75  # how much wider it is with few players
_DOUBLED = 0.35  # how much wider by an Onifuda in 56 cards
_LEFT = 0.48  # how much more per point left to the target, with one player
_TARGET = 0.6  # width of the highest total, in spreads
_FAR = 50.0  # differences in widths above which nothing changes
_CLOSE = 1e-9  # worths that differ by less are equal
_WIDTH = 4  # binary digits of the number of a kind
_PART = 16  # cards of a set that are looked up at once
_HALF, _QUARTER = masks.constant(32), masks.constant(16)
_ONE_PART = masks.constant(0xFFFF)


@dataclass(frozen=True)
class Options:
    """The cards that may be played: (options,) each, those of a row side by side."""

    view: DevilView
    row: Rows
    kind: Rows
    """The number of the option's kind of card."""
    card: Masks

    @classmethod
    def of(cls, view: DevilView) -> Self:
        """All options of a view that are cards."""
        kinds = _tables(view.layout).kinds
        able = (view.legal[:, None] & kinds) != masks.NOTHING
        which = able.reshape(-1).nonzero()[0]
        row, kind = which >> _WIDTH, which & (len(kinds) - 1)
        return cls(view, row, kind, view.legal.take(row) & kinds.take(kind))

    @cached_property
    def rest(self) -> Masks:
        """(options,) the hand without the card."""
        return self.view.hand.take(self.row) ^ self.card

    @cached_property
    def rest_points(self) -> NDArray[np.int32]:
        """(options,) the points of the rest, undoubled."""
        return self.view.layout.points_of(self.rest)

    @cached_property
    def left_over(self) -> NDArray[np.int32]:
        """(options,) the cost of the rest of the hand."""
        specials = masks.count(self.rest & self.view.layout.specials)
        return self.rest_points << specials

    def __len__(self) -> int:
        return len(self.row)

    def best(self, worth: Numbers) -> Masks:
        """(rows,) the best option by worth (options,); ties broken at random."""
        first = np.searchsorted(self.row, np.arange(len(self.view)))
        most = np.maximum.reduceat(worth, first)
        most -= _CLOSE
        equal = masks.where(worth >= most.take(self.row), self.card)
        return self.view.toss(np.bitwise_or.reduceat(equal, first))


@lru_cache(maxsize=64)
def points(layout: Layout) -> Numbers:
    """(kinds, 1) points of a card of each kind; of a kind without copies 0."""
    each = [
        layout.points[min(masks.members(kind))] if kind else 0 for kind in layout.kinds
    ]
    return np.array(each, dtype=np.float64)[:, None]


def points_of(options: Options) -> Numbers:
    """(options,) the points of each card."""
    return points(options.view.layout)[:, 0].take(options.kind)


def expected_costs(view: DevilView, own: NDArray[np.int32] | None = None) -> Numbers:
    """(seats, rows) what each hand costs; of the others, on average.

    Hidden cards are any of those unseen; each Special among them doubles. ``own``
    (rows,) is what one's own would cost, if not all that is in it.
    """
    unseen, layout = view.elsewhere, view.layout
    total = np.maximum(masks.count(unseen), 1)
    mean = layout.points_of(unseen) / total
    doubling = 1 + masks.count(unseen & layout.specials) / total
    costs = mean * view.sizes * doubling**view.sizes
    costs[0] = view.cost if own is None else own
    return costs


def cost_if_ended_now(view: DevilView) -> Numbers:
    """(seats, rows) what an end declared now would add, of the others on average."""
    four = (view.played & view.layout.kinds[SPECIAL4]) != masks.NOTHING
    return cost_of_end(view, expected_costs(view), four)


def cost_of_end(view: DevilView, costs: Numbers, four: Flags) -> Numbers:
    """(seats, rows) what an end adds to hands of these costs, by a Special 4 or 1."""
    spared = four & (view.rules.s4_end == "self_only")
    added = 2 * costs
    added[1:] -= costs[1:] * spared
    return added


@lru_cache(maxsize=64)
def cost_as_dealt(layout: Layout) -> float:
    """The average cost of a hand as it is dealt."""
    copies = masks.count(np.array(layout.kinds)).astype(np.float64)
    doubling = 1 + (copies[SPECIAL1] + copies[SPECIAL4]) / layout.size
    mean = float(copies @ points(layout)[:, 0]) / layout.size
    return mean * layout.rules.hand * float(doubling) ** layout.rules.hand


@lru_cache(maxsize=64)
def onifuda(layout: Layout) -> float:
    """The number of Onifuda per 56 cards of the deck, the size of deck 440."""
    return 56 * len(masks.members(layout.oni)) / layout.size


def chance(view: DevilView, added: Numbers, spread: float | Numbers) -> Numbers:
    """(..., rows) how likely this seat wins if a round adds so much to totals.

    added: (..., seats, rows). For totals a given distance apart, the lowest wins the
    more surely the less is left to play. ``spread`` (..., 1) is the uncertainty of the
    totals in points; it makes it uncertain, too, whether the game is over.
    """
    after, goal = view.scores + added, view.rules.goal
    most = after.max(axis=-2)
    early = _EARLY * cost_as_dealt(view.layout) * (1 + _FEWER / view.players)
    early *= 1 + _DOUBLED * onifuda(view.layout)
    later = early + _LEFT / view.players * np.maximum(goal - most, 0)
    over = _logistic((goal - most) / (_TARGET * spread))
    widths = np.empty((2, *most.shape))
    widths[0] = spread
    np.hypot(later, spread, out=widths[1])
    now, then = _least(after, widths)
    return over * now + (1 - over) * then


def _least(totals: Numbers, width: Numbers) -> Numbers:
    """(..., rows) how likely the first of totals (..., seats, rows) is the least."""
    ahead = (totals[..., :1, :] - totals) / width[..., None, :]
    return 1 / np.exp(np.minimum(ahead, _FAR)).sum(axis=-2)


def _logistic(value: Numbers) -> Numbers:
    """The decreasing logistic function, from 1 to 0."""
    return 1 / (1 + np.exp(np.minimum(value, _FAR)))


def cover(options: Options) -> Numbers:
    """(options,) how likely the rest of the hand can follow at the next turn.

    With this card on top.
    """
    layout = options.view.layout
    covers = _covers(layout, options.view.players)
    place = _tables(layout).set_of(options.rest)
    place += options.kind * (covers.size // len(covers))
    chance: Numbers = covers.reshape(-1).take(place)
    return chance


def answers(options: Options) -> Numbers:
    """(options,) which share of the unseen cards may follow each."""
    unseen, fits = options.view.elsewhere, _tables(options.view.layout).fits
    follow = masks.count(unseen.take(options.row) & fits.take(options.kind))
    share: Numbers = follow / np.maximum(masks.count(unseen), 1).take(options.row)
    return share


class _Tables:
    """Kinds of card by number: their copies, and what may follow them.

    A set of kinds is a number with one bit per kind, looked up by parts of a set of
    cards.
    """

    def __init__(self, layout: Layout) -> None:
        self.kinds: Masks = np.zeros(1 << _WIDTH, dtype=np.uint64)
        self.kinds[: len(layout.kinds)] = layout.kinds
        self.fits: Masks = np.zeros_like(self.kinds)
        for kind, cards in enumerate(layout.kinds):
            if cards:
                self.fits[kind] = layout.fits[min(masks.members(cards))]
        parts = []
        for part in range(0, 64, _PART):
            sets = np.zeros(1, dtype=np.uint16)
            for card in range(part, part + _PART):
                kind = int(card < layout.size) << int(layout.kind_of[card])
                sets = np.concatenate([sets, sets | np.uint16(kind)])
            parts.append(sets)
        self._sets: NDArray[np.uint16] = np.concatenate(parts)
        self._begins = np.arange(len(parts)) << _PART

    def set_of(self, cards: Masks) -> Rows:
        """(...,) the kinds that are among the cards."""
        parts = cards.view(np.uint16).reshape(-1, len(self._begins)) + self._begins
        found = self._sets.take(parts).view(np.uint64)[:, 0]
        found |= found >> _HALF
        found |= found >> _QUARTER
        found &= _ONE_PART
        return found.view(np.int64)


@lru_cache(maxsize=16)
def _tables(layout: Layout) -> _Tables:
    return _Tables(layout)


@lru_cache(maxsize=16)
def _covers(layout: Layout, players: int) -> Numbers:
    """(tops, sets of kinds) how likely a hand with these kinds can follow later on."""
    fits, reached = _walk(layout, players)
    size = max(kind for kind, cards in enumerate(layout.kinds) if cards) + 1
    sets = np.arange(1 << size) >> np.arange(size)[:, None] & 1
    follows = fits[:, :size].astype(np.float64) @ sets > 0
    return reached[:size] @ follows


@lru_cache(maxsize=64)
def _walk(layout: Layout, players: int) -> tuple[NDArray[np.int16], Numbers]:
    """Which kind fits on which (tops, kinds), and where the top may be next (from, to).

    The others play or not, each fitting card with probability by its copies.
    """
    size = len(layout.kinds)
    fits = np.zeros((size, size), dtype=np.int16)
    for top, cards in enumerate(layout.kinds):
        if cards:
            follow = layout.fits[min(masks.members(cards))]
            fits[top] = [bool(follow & kind) for kind in layout.kinds]
    copies = masks.count(np.array(layout.kinds)).astype(np.float64)
    step = fits * copies
    step /= np.maximum(step.sum(axis=1, keepdims=True), 1)
    moved = _PLAYS * step + (1 - _PLAYS) * np.eye(size)
    reached = np.linalg.matrix_power(moved, players - 1)
    return fits, reached
