"""What a round of Kbernestich will probably pay each seat, and what a cube changes.

A simple model: a seat wins tricks by the strength of its hand, every trick has its
share of each colour that is still to come, and the points of a pile are normal around
that.
"""

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.kbernestich.view import KbernestichView
from sim.masks import Flags, Masks
from sim.view import Rows
from strategies.kbernestich import features

Numbers = NDArray[np.float64]
_CARD = 0.02  # of a trick: what a card without strength still wins
_EDGE = np.sqrt(2 * np.pi)


class Forecast:
    """The round as a seat expects it, with the sheet as it stands.

    ``unset`` is what a card of a colour without a cube will be worth. Seat 0 is the one
    that asks.
    """

    def __init__(self, view: KbernestichView, unset: float) -> None:
        self._view = view
        layout, others = view.layout, view.players - 1
        suits = layout.each_suit
        unseen = layout.everything & ~view.hand & ~view.played
        hidden = np.maximum(masks.count(unseen), 1)
        dealt = others * masks.count(view.hand) / hidden  # of the unseen, to others
        own, rest = _strength(view, np.array([view.hand, unseen]))
        rest *= dealt
        share = own / np.maximum(own + rest, _CARD)
        left = float(view.tricks_left)
        # (seats, rows) tricks that are still to be won, and their spread
        self._tricks = np.empty((view.players, len(view)))
        self._tricks[0] = left * share
        self._tricks[1:] = left * (1 - share) / others
        self._spread = np.sqrt(self._tricks * (1 - self._tricks / left) + 0.2)
        # (suits, rows) cards of a colour in one of these tricks
        self._each = (
            masks.count(view.hand & suits) + masks.count(unseen & suits) * dealt
        )
        self._each /= left
        won = masks.count(view.won & suits[..., None])
        self._cards = won + self._each[:, None] * self._tricks
        later = unset if view.plots_left else 0.0
        bare = (view.sheet & layout.areas) == masks.NOTHING
        values = np.where(bare, later, view.values)
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
        layout = self._view.layout
        gain = np.zeros((len(layout.square_ids), len(self._view)))
        gain[layout.places["to_marie"]] = np.array(layout.letters)[:, None, None]
        self._values(gain)
        self._busts(gain)
        self._grace(gain)
        self._hunch(gain)
        return gain

    def _values(self, gain: Numbers) -> None:
        """Letter from Marie: were the cards of a suit worth each of these.

        Piles are added up suit by suit in the same order, so that the sums are the
        same: those of the suits before it, its own, and those after it one by one.
        """
        view, (suits, seats, size) = self._view, self._piles.shape
        suit, row = np.nonzero((view.legal & view.layout.areas) != masks.NOTHING)
        if not len(row):
            return
        values = _column(view.rules.marie_from)
        piles, trick = np.zeros_like(self._piles), np.zeros_like(self._trick)
        for before in range(suits - 1):
            np.add(piles[before], self._piles[before], out=piles[before + 1])
            np.add(trick[before], self._trick[before], out=trick[before + 1])
        here = suit * size + row  # in (suits, rows)
        seat = np.arange(0, seats * size, size)[:, None]
        at = suit * (seats * size) + row + seat  # in (suits, seats, rows)
        mean = self._cards.reshape(-1).take(at)[:, None] * values
        mean += piles.reshape(-1).take(at)[:, None]
        width = self._each.reshape(-1).take(here) * values
        width += trick.reshape(-1).take(here)
        for after in range(1, suits):
            some = slice(np.searchsorted(suit, suits - after))  # with a suit so far on
            there = at[:, some] + after * seats * size
            mean[..., some] += self._piles.reshape(-1).take(there)[:, None]
            width[..., some] += self._trick.reshape(-1).take(here[some] + after * size)
        width = self._spread.take(row, axis=1)[:, None] * width
        width += 0.5
        lead = self._lead(row, mean, width, self._bust.take(row))
        gain[suit * len(values) + np.arange(len(values))[:, None], row] = lead

    def _busts(self, gain: Numbers) -> None:
        """Zabine's Aftermath: were each of these the bust value."""
        view = self._view
        some = masks.holding(view.legal, view.layout.zabine)
        if not len(some):
            return
        busts = _column(view.rules.zabine)
        mean, width = self._mean.take(some, axis=1), self._width.take(some, axis=1)
        lead = self._lead(some, mean[:, None], width[:, None], busts)
        square = view.square("hunch-0")
        ducking = masks.holding(view.mine.take(some), square)
        if len(ducking):  # the bust value also pays a bid of 0, if that comes true
            ducks = some.take(ducking)
            more = busts - self._bust.take(ducks)
            chance = self._bids(ducks)[0]
            lead[:, ducking] += chance * more / view.rules.misery_bonus_divisor
        gain[view.layout.places["zabine"], some] = lead

    def _grace(self, gain: Numbers) -> None:
        """Hannah's Grace: only what this seat is paid is another one."""
        layout = self._view.layout
        some = masks.holding(self._view.legal, layout.grace)
        if not len(some):
            return
        paid = _paid(
            self._mean[0].take(some),
            self._width[0].take(some),
            self._bust.take(some),
            np.ones(len(some), dtype=np.bool_),
        )
        paid -= self._now[0].take(some)
        gain[layout.places["grace"], some] = paid

    def _hunch(self, gain: Numbers) -> None:
        """Hunch of Growth: the chance of each bid, times what it pays."""
        rules, layout = self._view.rules, self._view.layout
        some = masks.holding(self._view.legal, layout.hunch)
        if not len(some):
            return
        chances = self._bids(some)
        found = np.empty((len(rules.hunch), len(some)))
        for number, bid in enumerate(rules.hunch):
            least = int(bid.removesuffix("+"))
            bids = chances[least : None if "+" in bid else least + 1]
            bids.sum(axis=0, out=found[number])
        none = np.array([bid == "0" for bid in rules.hunch])[:, None]
        bonus = self._bust.take(some) / rules.misery_bonus_divisor * none
        found *= rules.hunch_points + bonus
        gain[layout.places["hunch"], some] = found

    def _lead(
        self, some: Rows, mean: Numbers, width: Numbers, bust: Numbers
    ) -> Numbers:
        """(values, some) what seat 0 gains on the others, were piles paid like this.

        mean, width: (seats, values, some), or of axes that fit that.
        """
        graced = self._graced.take(some, axis=1)[:, None]
        change = _paid(mean, width, bust, graced)
        change -= self._now.take(some, axis=1)[:, None]
        others = change[1:].sum(axis=0)
        others /= len(change) - 1
        lead: Numbers = change[0] - others
        return lead

    def _bids(self, some: Rows) -> Numbers:
        """(bids, some) the chance of each number of tricks in the end."""
        won = self._view.tricks.take(some)
        tricks = np.arange(self._view.rules.tricks + 1)[:, None]
        chance: Numbers = tricks - won - self._tricks[0].take(some)
        chance /= self._spread[0].take(some)
        chance *= chance
        chance *= -0.5
        np.exp(chance, out=chance)
        chance *= tricks >= won
        chance /= chance.sum(axis=0)
        return chance


def _column(numbers: tuple[int, ...]) -> Numbers:
    """(numbers, 1) what is printed on the squares of an area."""
    return np.array(numbers, dtype=np.float64)[:, None]


def _paid(mean: Numbers, spread: Numbers, bust: Numbers, graced: Flags) -> Numbers:
    """(seats, ..., rows) what Letter from Marie pays for piles of normal worth.

    Without Grace the worth up to the bust value, with Grace what is over it. The normal
    distribution is taken by its logistic approximation.
    """
    z = bust + 0.5 - mean
    z /= spread
    np.minimum(z, 12, out=z)
    np.maximum(z, -12, out=z)
    under = -1.702 * z
    np.exp(under, out=under)
    under += 1
    np.divide(1, under, out=under)
    edge = z
    edge *= z
    edge *= -0.5
    np.exp(edge, out=edge)
    edge *= spread
    edge /= _EDGE
    if not graced.any():
        paid: Numbers = np.multiply(mean, under, out=under)
        paid -= edge
        return paid
    # Both at once: what is over with Grace; elsewhere what is under, with minus signs
    grace = graced.astype(np.float64)
    paid = mean - bust * grace
    paid *= np.subtract(grace, under, out=under)
    paid += edge
    grace *= 2
    grace -= 1
    paid *= grace
    return paid


def _strength(view: KbernestichView, cards: Masks) -> Numbers:
    """Tricks that cards promise."""
    return features.promise_of(view, cards) / 8 + _CARD * masks.count(cards)
