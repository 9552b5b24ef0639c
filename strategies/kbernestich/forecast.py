"""What a round of Kbernestich will probably pay each seat, and what a cube changes.

A simple model: a seat wins tricks by the strength of its hand, every trick has its
share of each colour that is still to come, and the points of a pile are normal around
that.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.kbernestich.view import KbernestichView
from sim.masks import Flags, Mask, Masks
from sim.view import Rows
from strategies.kbernestich import features

Numbers = NDArray[np.float64]
Some = Rows | slice
"""Some rows, or all."""
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
        values = np.where(open_ == masks.NOTHING, later, view.values)
        # What the cards of a colour are worth: (suits, seats, rows) those of the piles,
        # and (suits, rows) those of a trick
        self._piles = self._cards * values[:, None]
        self._trick = self._each * values
        self._bust = view.bust.astype(np.float64)
        self._graced = (view.placed & layout.grace) != masks.NOTHING
        self._mean = self._piles.sum(axis=0)
        self._width = self._spread * self._trick.sum(axis=0) + 0.5
        self._now = _paid(self._mean, self._width, self._bust, self._graced)

    def worth(self) -> Numbers:
        """(squares, rows) points that a cube gains on the others, where it is legal."""
        view, layout, rules = self._view, self._view.layout, self._view.rules
        gain = np.zeros((len(layout.square_ids), len(view)))
        gain[masks.members(layout.to_marie)] = np.array(layout.letters)[:, None]
        for suit, area in enumerate(layout.from_marie):
            values, some = _printed(area, rules.marie_from), self._where(area)
            _put(gain, area, some, self._valued(suit, values, some))
        busts, some = _printed(layout.zabine, rules.zabine), self._where(layout.zabine)
        _put(gain, layout.zabine, some, self._busting(busts, some))
        some = self._where(layout.grace)
        grace = self._lead(some, graced=True)
        _put(gain, layout.grace, some, [grace] * len(masks.members(layout.grace)))
        some = self._where(layout.hunch)
        _put(gain, layout.hunch, some, self._bidding(some))
        return gain

    def _where(self, area: Mask) -> Some:
        """The rows in which a square of an area is legal."""
        some = masks.holding(self._view.legal, area)
        return some if len(some) < len(self._view) else slice(None)

    def _valued(self, suit: int, values: Numbers, some: Some) -> Numbers:
        """(values, rows) the gain, were the cards of a suit worth each of these.

        Added up suit by suit in the same order, so that the sums are the same.
        """
        piles = [_of(its, some) for its in self._piles]
        trick = [_of(its, some) for its in self._trick]
        piles[suit] = values[:, None, None] * _of(self._cards[suit], some)
        trick[suit] = values[:, None, None] * _of(self._each[suit], some)
        mean: Numbers = sum(piles[1:], piles[0])
        width = sum(trick[1:], trick[0]) * _of(self._spread, some)
        width += 0.5
        return self._lead(some, mean, width)

    def _busting(self, busts: Numbers, some: Some) -> Numbers:
        """(busts, rows) the gain, were each of these the bust value."""
        ducks = np.zeros(len(self._view))  # the chance of a bid of 0 to come true
        square = self._view.square("hunch-0")
        ducking = masks.holding(self._view.mine, square)
        ducks[ducking] = self._bids(ducking)[0]
        more = busts[:, None] - _of(self._bust, some)
        change = _of(ducks, some) * more / self._view.rules.misery_bonus_divisor
        return self._lead(some, bust=busts[:, None, None]) + change

    def _bidding(self, some: Some) -> list[Numbers]:
        """For each bid, (rows,) what it gains."""
        rules, bids, found = self._view.rules, self._bids(some), []
        for bid in rules.hunch:
            least = int(bid.removesuffix("+"))
            chance = bids[least : None if "+" in bid else least + 1].sum(axis=0)
            bonus = _of(self._bust, some) / rules.misery_bonus_divisor * (bid == "0")
            found.append(chance * (rules.hunch_points + bonus))
        return found

    def _lead(
        self,
        some: Some,
        mean: Numbers | None = None,
        width: Numbers | None = None,
        bust: Numbers | None = None,
        graced: bool = False,
    ) -> Numbers:
        """(..., rows) what seat 0 gains on the others, were its piles paid like this.

        Where nothing is said, as the sheet stands: mean and width are (..., seats,
        rows), or fit that; ``graced``: seat 0 has Grace.
        """
        grace = _of(self._graced, some)
        if graced:
            grace = grace.copy()
            grace[0] = True
        change = _paid(
            _of(self._mean, some) if mean is None else mean,
            _of(self._width, some) if width is None else width,
            _of(self._bust, some) if bust is None else bust,
            grace,
        )
        change -= _of(self._now, some)
        lead: Numbers = change[..., 0, :] - change[..., 1:, :].mean(axis=-2)
        return lead

    def _bids(self, some: Some) -> Numbers:
        """(bids, rows) the chance of each number of tricks in the end."""
        view = self._view
        won = _of(view.tricks, some)
        tricks = np.arange(view.rules.tricks + 1)[:, None]
        away = tricks - won - _of(self._tricks[0], some)
        away /= _of(self._spread[0], some)
        chance: Numbers = np.exp(-0.5 * away**2) * (tricks >= won)
        chance /= chance.sum(axis=0)
        return chance


def _printed(area: Mask, numbers: tuple[int, ...]) -> Numbers:
    """The numbers that are printed on the squares of an area."""
    return np.array(numbers, dtype=np.float64)[: len(masks.members(area))]


def _of(values: NDArray[Any], some: Some) -> NDArray[Any]:
    """(..., rows) values in some rows; a view where these are all."""
    return values if isinstance(some, slice) else values.take(some, axis=-1)


def _put(gain: Numbers, area: Mask, some: Some, values: Iterable[Numbers]) -> None:
    """Say what each square of an area gains, in some rows."""
    for square, value in zip(masks.members(area), values, strict=True):
        gain[square][some] = value


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
