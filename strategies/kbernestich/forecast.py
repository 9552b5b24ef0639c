"""What a round of Kbernestich will probably pay each seat, and what a cube changes.

A simple model: a seat wins tricks by the strength of its hand, every trick has its
share of each colour that is still to come, and the points of a pile are normal around
that.
"""

import copy

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.kbernestich.view import KbernestichView
from sim.masks import Flags, Mask, Masks
from sim.view import Rows
from strategies.kbernestich import features

Numbers = NDArray[np.float64]
_OPTIONS = 64
_CARD = 0.02  # of a trick: what a card without strength still wins


class Forecast:
    """The round as a seat expects it, with the sheet as it stands.

    ``unset`` is what a card of a colour without a cube will be worth. Seat 0 is the one
    that asks.
    """

    def __init__(self, view: KbernestichView, unset: float) -> None:
        self._view = view
        layout, others = view.layout, view.players - 1
        unseen = layout.everything & ~view.hand & ~view.played
        hidden = np.maximum(masks.count(unseen), 1)
        dealt = others * masks.count(view.hand) / hidden  # of the unseen, to others
        own, rest = _strength(view, view.hand), _strength(view, unseen) * dealt
        share = own / np.maximum(own + rest, _CARD)
        left = float(view.tricks_left)
        # (seats, rows) tricks that are still to be won, and their spread
        self._tricks = np.empty((view.players, len(view)))
        self._tricks[0] = left * share
        self._tricks[1:] = left * (1 - share) / others
        self._spread = np.sqrt(self._tricks * (1 - self._tricks / left) + 0.2)
        # (suits, rows) cards of a colour in one of these tricks
        self._each = np.stack([_in_hands(view, unseen, s, dealt) for s in layout.suits])
        self._each /= left
        won = np.stack([masks.count(view.won & suit) for suit in layout.suits])
        self._cards = won + self._each[:, None] * self._tricks
        open_ = np.stack([view.sheet & area for area in layout.from_marie])
        later = unset if view.plots_left else 0.0
        self._values = np.where(open_ == masks.NOTHING, later, view.values)
        self._bust = view.bust.astype(np.float64)
        self._graced = (view.placed & layout.grace) != masks.NOTHING
        self._base = self._of_piles(self._values)
        self._now = _paid(*self._base, self._bust, self._graced)

    def worth(self) -> Numbers:
        """(options, rows) points that a cube gains on the others, where it is legal."""
        view, layout, rules = self._view, self._view.layout, self._view.rules
        gain = np.zeros((_OPTIONS, len(view)))
        gain[masks.members(layout.to_marie)] = np.array(layout.letters)[:, None]
        for suit, area in enumerate(layout.from_marie):
            some, here = self._where(area)
            squares, values = _squares(area, rules.marie_from)
            base = here._with(suit, values)
            gain[squares[:, None], some] = here._lead(*base, here._bust, here._graced)
        bids = self._bids()
        ducks = bids[0] * ((view.mine & view.square("hunch-0")) != masks.NOTHING)
        some, here = self._where(layout.zabine)
        squares, values = _squares(layout.zabine, rules.zabine)
        bust = np.broadcast_to(values[:, None], (len(values), len(some)))
        change = ducks[some] * (bust - here._bust) / rules.misery_bonus_divisor
        lead = here._lead(*here._base, bust[:, None], here._graced)
        gain[squares[:, None], some] = lead + change
        some, here = self._where(layout.grace)
        graced = here._graced.copy()
        graced[0] = True
        grace = here._lead(*here._base, here._bust, graced)
        for square in masks.members(layout.grace):
            gain[square, some] = grace
        printed = zip(masks.members(layout.hunch), rules.hunch, strict=True)
        for square, bid in printed:
            least = int(bid.removesuffix("+"))
            chance = bids[least : None if "+" in bid else least + 1].sum(axis=0)
            bonus = self._bust / rules.misery_bonus_divisor * (bid == "0")
            gain[square] = chance * (rules.hunch_points + bonus)
        return gain

    def _where(self, area: Mask) -> tuple[Rows, "Forecast"]:
        """The rows in which a square of an area is legal, and a forecast of these."""
        some, here = masks.holding(self._view.legal, area), copy.copy(self)
        if len(some) == len(self._view):
            return some, here
        for name in ("_each", "_cards", "_spread", "_values", "_bust", "_graced"):
            setattr(here, name, getattr(self, name).take(some, axis=-1))
        mean, spread = self._base
        here._base = mean.take(some, axis=-1), spread.take(some, axis=-1)
        here._now = self._now.take(some, axis=-1)
        return some, here

    def _of_piles(self, values: Numbers) -> tuple[Numbers, Numbers]:
        """(seats, rows) mean and spread of what the cards won will be worth."""
        mean = (self._cards * values[:, None]).sum(axis=0)
        return mean, self._spread * (self._each * values).sum(axis=0) + 0.5

    def _with(self, suit: int, values: Numbers) -> tuple[Numbers, Numbers]:
        """The same (values, seats, rows), were the cards of a suit worth each of these.

        Added up suit by suit in the same order, so that the sums are the same.
        """
        worth = values[:, None, None]
        parts = [
            (worth * self._cards[s], worth * self._each[s])
            if s == suit
            else (self._cards[s] * self._values[s], self._each[s] * self._values[s])
            for s in range(len(self._values))
        ]
        mean, each = (sum(part[1:], part[0]) for part in zip(*parts, strict=True))
        return mean, self._spread * each + 0.5

    def _lead(
        self, mean: Numbers, spread: Numbers, bust: Numbers, graced: Flags
    ) -> Numbers:
        """(..., rows) what seat 0 gains on the others, were its piles paid like this.

        All of these are (..., seats, rows), or fit that.
        """
        change = _paid(mean, spread, bust, graced) - self._now
        lead: Numbers = change[..., 0, :] - change[..., 1:, :].mean(axis=-2)
        return lead

    def _bids(self) -> Numbers:
        """(bids, rows) the chance of each number of tricks in the end."""
        view = self._view
        tricks = np.arange(view.rules.tricks + 1)[:, None]
        away = (tricks - view.tricks - self._tricks[0]) / self._spread[0]
        chance: Numbers = np.exp(-0.5 * away**2) * (tricks >= view.tricks)
        chance /= chance.sum(axis=0)
        return chance


def _squares(area: Mask, printed: tuple[int, ...]) -> tuple[Rows, Numbers]:
    """The squares of an area, and the number that is printed on each."""
    squares = np.array(masks.members(area))
    return squares, np.array(printed, dtype=np.float64)[: len(squares)]


def _paid(mean: Numbers, spread: Numbers, bust: Numbers, graced: Flags) -> Numbers:
    """(seats, rows) what Letter from Marie pays for piles of normal worth.

    Without Grace the worth up to the bust value, with Grace what is over it. The normal
    distribution is taken by its logistic approximation.
    """
    z = bust + 0.5 - mean
    z /= spread
    np.clip(z, -12, 12, out=z)
    under = -1.702 * z
    np.exp(under, out=under)
    under += 1
    np.divide(1, under, out=under)
    edge = z
    edge *= z
    edge *= -0.5
    np.exp(edge, out=edge)
    edge *= spread
    edge /= np.sqrt(2 * np.pi)
    paid: Numbers = mean * under
    paid -= edge
    if graced.any():
        over = mean - bust
        over *= np.subtract(1, under, out=under)
        over += edge
        np.copyto(paid, over, where=graced)
    return paid


def _in_hands(
    view: KbernestichView, unseen: Masks, suit: Mask, dealt: Numbers
) -> Numbers:
    """(rows,) cards of a suit in all hands."""
    return masks.count(view.hand & suit) + masks.count(unseen & suit) * dealt


def _strength(view: KbernestichView, cards: Masks) -> Numbers:
    """(rows,) tricks that cards promise."""
    return features.promise_of(view, cards) / 8 + _CARD * masks.count(cards)
