"""What a round of Kbernestich will probably pay each seat, and what a cube changes.

A simple model: a seat wins tricks by the strength of its hand, every trick has its
share of each colour that is still to come, and the points of a pile are normal around
that.
"""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.kbernestich.view import KbernestichView
from sim.view import Rows
from strategies.kbernestich import features

Numbers = NDArray[np.float64]
_CARD = 0.02  # of a trick: what a card without strength still wins
_EDGE = np.sqrt(2 * np.pi)


class _Piles(NamedTuple):
    """Piles as they would be in some rows, for each of several values of an area.

    ``at`` (rows,) is where the square of the first value is among those of all rows.
    Of the others, axes of values and rows may be 1.
    """

    rows: Rows
    at: Rows
    values: int
    mean: Numbers  # (seats, values, rows) what the piles will be worth
    width: Numbers  # (2, values, rows) the spread of that: this seat's and each other's
    bust: Numbers  # (values, rows)


class Forecast:
    """The round as a seat expects it, with the sheet as it stands.

    ``unset`` is what a card of a colour without a cube will be worth. Seat 0 is the one
    that asks; the tricks that it does not win go to the others evenly.
    """

    def __init__(self, view: KbernestichView, unset: float) -> None:
        self._view, self._tables = view, features.tables(view.layout)
        layout, others = view.layout, view.players - 1
        unseen = layout.everything & ~(view.hand | view.played)
        cards = np.array([view.hand, unseen])
        number = masks.count(cards)
        dealt = others * number[0] / np.maximum(number[1], 1)  # of unseen cards
        own, rest = features.promise_of(view, cards) / 8 + _CARD * number
        rest *= dealt
        share = own / np.maximum(own + rest, _CARD)
        left = float(view.tricks_left)
        # (2, rows) tricks still to be won by this seat and by each other; their spread
        self._tricks = np.array([left * share, left * (1 - share) / others])
        self._spread = np.sqrt(self._tricks * (1 - self._tricks / left) + 0.2)
        held, hidden = masks.count(cards[:, None] & layout.each_suit)
        each = held + hidden * dealt
        each /= left
        # (seats + 1, suits, rows) cards of a colour: in the piles, and last in a trick
        self._cards = np.empty((view.players + 1, *each.shape))
        np.multiply(each, self._tricks[0], out=self._cards[0])
        self._cards[1:-1] = each * self._tricks[1]
        self._cards[:-1] += masks.count(view.won[:, None] & layout.each_suit)
        self._cards[-1] = each
        sheet = np.bitwise_or.reduce(view.placed, axis=0)
        values = self._tables.values.copy()
        values[0] = unset if view.plots_left else 0.0
        squares = (sheet & layout.areas) >> layout.area_at
        value = values.take(squares.view(np.int64), mode="clip")
        # What they are worth, and what those of the suits before are
        self._points = self._cards * value
        self._before = np.zeros_like(self._points)
        for suit in range(len(value) - 1):
            before = self._before[:, suit], self._points[:, suit]
            np.add(*before, out=self._before[:, suit + 1])
        # As the sheet stands: (seats, rows), (2, rows), and (rows,)
        points = self._before[:, -1] + self._points[:, -1]
        self._mean = points[:-1]
        self._width = self._spread * points[-1] + 0.5
        self._bust = self._tables.busts.take(layout.cut(sheet, "zabine"), mode="clip")
        graced = (view.placed & layout.grace) != masks.NOTHING
        self._graced = graced.astype(np.float64) if graced.any() else None

    def worth(self) -> Numbers:
        """(rows, squares) points that a cube gains on the others.

        Squares that are not legal are worth less than any others.
        """
        gain = self._tables.plain_worth(self._view.legal)
        piles = [self._now(), *self._values(gain), *self._busts(gain)]
        shares = _shares(piles)
        under, edge = shares[0]
        self._grace(gain, under[0, 0], edge[0, 0])
        now = self._paid(piles[0], under, edge)
        flat = gain.reshape(-1)
        for one, (under, edge) in zip(piles[1:], shares[1:], strict=True):
            change = self._paid(one, under, edge)
            change -= now.take(one.rows, axis=2)
            others = change[1:].sum(axis=0)
            others /= len(change) - 1
            flat[one.at + np.arange(one.values)[:, None]] += change[0] - others
        self._bid(gain)
        return gain

    def _now(self) -> _Piles:
        """The piles as the sheet stands."""
        rows, mean, width = np.arange(len(self._view)), self._mean, self._width
        return _Piles(rows, rows, 1, mean[:, None], width[:, None], self._bust)

    def _values(self, gain: Numbers) -> list[_Piles]:
        """Letter from Marie: were the cards of a suit worth each of these.

        Points are added up suit by suit in the same order, so that the sums are the
        same: those of the suits before it, its own, and those after it one by one.
        """
        view, (planes, suits, size) = self._view, self._points.shape
        free = (view.legal & view.layout.areas) != masks.NOTHING
        here = free.reshape(-1).nonzero()[0]  # in (suits, rows)
        if not len(here):
            return []
        suit = here // size
        row = here - suit * size
        values = self._tables.printed_values
        flat = (planes, suits * size)
        points = self._cards.reshape(flat).take(here, axis=1)[:, None] * values
        points += self._before.reshape(flat).take(here, axis=1)[:, None]
        ends = suit.searchsorted(np.arange(suits))
        for after in range(1, suits):
            some = slice(ends[suits - after])  # with a suit so far on
            there = here[some] + after * size
            points[..., some] += self._points.reshape(flat).take(there, axis=1)[:, None]
        mean, trick = points[:-1], points[-1]
        width = self._spread.take(row, axis=1)[:, None] * trick
        width += 0.5
        suit *= len(values)
        suit += row * gain.shape[1]
        return [_Piles(row, suit, len(values), mean, width, self._bust.take(row))]

    def _busts(self, gain: Numbers) -> list[_Piles]:
        """Zabine's Aftermath: were each of these the bust value."""
        busts, layout = self._tables.printed_busts, self._view.layout
        rows = masks.holding(self._view.legal, layout.zabine)
        if not len(rows):
            return []
        mean, width = self._mean.take(rows, axis=1), self._width.take(rows, axis=1)
        at = rows * gain.shape[1] + layout.places["zabine"][0]
        return [_Piles(rows, at, len(busts), mean[:, None], width[:, None], busts)]

    def _paid(self, piles: _Piles, under: Numbers, edge: Numbers) -> Numbers:
        """(seats, values, rows) what Letter from Marie pays for piles like these.

        Without Grace the worth up to the bust value, with Grace what is over it.
        """
        if self._graced is None:
            paid: Numbers = np.multiply(piles.mean, under, out=under)
            paid -= edge
            return paid
        # Both at once: what is over with Grace; else what is under, with minus signs
        grace = self._graced.take(piles.rows, axis=1)[:, None]
        paid = piles.mean - piles.bust * grace
        paid *= np.subtract(grace, under, out=under)
        paid += edge
        grace *= 2
        grace -= 1
        paid *= grace
        return paid

    def _grace(self, gain: Numbers, under: Numbers, edge: Numbers) -> None:
        """Hannah's Grace: only what this seat is paid is another one.

        under, edge: (rows,) the shares of this seat as the sheet stands.
        """
        layout = self._view.layout
        some = masks.holding(self._view.legal, layout.grace)
        if not len(some):
            return
        mean, under, edge = self._mean[0].take(some), under.take(some), edge.take(some)
        paid = mean - self._bust.take(some)
        paid *= 1 - under
        paid += edge
        paid -= mean * under - edge
        gain.reshape(-1)[some * gain.shape[1] + layout.places["grace"]] += paid

    def _bid(self, gain: Numbers) -> None:
        """Hunch of Growth: the chance of each bid, times what it pays.

        A bust value also pays a bid of 0, if that comes true.
        """
        view, layout, tables = self._view, self._view.layout, self._tables
        divisor, flat, squares = (
            view.rules.misery_bonus_divisor,
            gain.reshape(-1),
            gain.shape[1],
        )
        some = masks.holding(view.legal, layout.hunch)
        able = (view.legal & layout.zabine) != masks.NOTHING
        able &= (view.mine & layout.square("hunch-0")) != masks.NOTHING
        ducks = able.nonzero()[0]
        if not (len(some) or len(ducks)):
            return
        chances = self._bids(np.concatenate([some, ducks]))
        if len(ducks):
            more = tables.printed_busts - self._bust.take(ducks)
            more *= chances[0, len(some) :]
            more /= divisor
            flat[ducks * squares + layout.places["zabine"]] += more
        found = np.empty((len(tables.bids), len(some)))
        for bid, number in zip(tables.bids, found, strict=True):
            chances[bid, : len(some)].sum(axis=0, out=number)
        found *= view.rules.hunch_points + self._bust.take(some) / divisor * tables.none
        flat[some * squares + layout.places["hunch"]] += found

    def _bids(self, some: Rows) -> Numbers:
        """(bids, some) the chance of each number of tricks in the end."""
        more = self._tables.numbers - self._view.tricks.take(some)
        chance: Numbers = more - self._tricks[0].take(some)
        chance /= self._spread[0].take(some)
        chance *= chance
        chance *= -0.5
        np.exp(chance, out=chance)
        chance *= more >= 0
        chance /= chance.sum(axis=0)
        return chance


def _shares(every: Sequence[_Piles]) -> list[tuple[Numbers, Numbers]]:
    """For each of these piles, (seats, values, rows): what is under the bust value.

    The share of the mean, and what is lost at the edge, where piles are of normal
    worth; the normal distribution is taken by its logistic approximation. All piles at
    once, for where few games are asked calls of numpy are what counts.
    """
    shapes = [(len(one.mean), one.values, len(one.rows)) for one in every]
    ends = [0, *accumulate(map(prod, shapes))]
    z, width = np.empty(ends[-1]), np.empty(ends[-1])
    parts = [slice(*part) for part in pairwise(ends)]
    for one, part, shape in zip(every, parts, shapes, strict=True):
        np.subtract(one.bust + 0.5, one.mean, out=z[part].reshape(shape))
        wide = width[part].reshape(shape)
        wide[0], wide[1:] = one.width
    z /= width
    z.clip(-12, 12, out=z)
    under = -1.702 * z
    np.exp(under, out=under)
    under += 1
    np.divide(1, under, out=under)
    edge = z
    edge *= z
    edge *= -0.5
    np.exp(edge, out=edge)
    edge *= width
    edge /= _EDGE
    return [
        (under[part].reshape(shape), edge[part].reshape(shape))
        for part, shape in zip(parts, shapes, strict=True)
    ]
