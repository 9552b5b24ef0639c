"""A forecast of what a round of Kbernestich pays each seat, and what a cube changes.

A simple model: a seat wins tricks by the strength of its hand, every trick has its
share of each colour that is still to come, and the points of a pile are normal around
that. Numbers have 32 bits, which is precise enough for such a guess, and quicker.
"""

from math import pi, sqrt
from typing import NamedTuple

import numpy as np

from sim import masks
from sim.kbernestich.view import KbernestichView
from sim.view import Rows
from strategies.kbernestich import features
from strategies.kbernestich.features import Numbers

_CARD = np.float32(0.02)  # of a trick: what a card without strength still wins
_LOGISTIC = np.float32(1.702)  # the normal distribution by its logistic approximation
_DENSITY = -0.5 / _LOGISTIC**2
_EDGE = np.float32(1 / sqrt(2 * pi))
_FAR = 60.0  # beyond it nothing is left; its exponential is still a number


class _Cases(NamedTuple):
    """The sheet as it stands in every row, and as it would be with one cube more.

    First as it stands, row by row; then value by value of Letter from Marie in the rows
    ``marie``, for the area of each suit that is free; then bust value by bust value of
    Zabine's Aftermath in the rows ``zabine``.
    """

    marie: Rows
    zabine: Rows
    values: int
    busts: int

    def each(self, field: Numbers) -> Numbers:
        """(..., cases) a field (..., rows) that one cube more does not change."""
        parts = [field]
        parts += [field.take(self.marie, axis=-1)] * self.values
        parts += [field.take(self.zabine, axis=-1)] * self.busts
        return np.concatenate(parts, axis=-1)


class Forecast:
    """The round as a seat expects it, with the sheet as it stands.

    ``unset`` is what a card of a colour without a cube will be worth. Seat 0 is the one
    that asks; the tricks that it does not win go to the others evenly. Where these are
    alike in all games, as before the first trick without Grace, seat 1 stands for all.
    """

    def __init__(self, view: KbernestichView, unset: float) -> None:
        self._view, self._tables = view, features.tables(view.layout)
        layout, others = view.layout, view.players - 1
        unseen = layout.everything & ~(view.hand | view.played)
        cards = np.array([view.hand, unseen])
        number = masks.count(cards)
        # Of the unseen cards those that are dealt
        dealt = others * number[0] / np.maximum(number[1], np.float32(1))
        own, rest = features.promise_of(view, cards) / np.float32(8) + _CARD * number
        rest *= dealt
        share = own / np.maximum(own + rest, _CARD)
        left = float(view.tricks_left)
        # (2, rows) tricks still to be won by this seat and by each other; their spread
        self._tricks = np.array([left * share, left * (1 - share) / others])
        self._spread = np.sqrt(self._tricks * (1 - self._tricks / left) + 0.2)
        held, hidden = masks.count(cards[:, None] & layout.each_suit)
        each = held + hidden * dealt
        each /= left
        graced = (view.placed & layout.grace) != masks.NOTHING
        self._graced = graced.astype(np.float32) if graced.any() else None
        alike = view.trick == 1 and self._graced is None
        won = view.won[:2] if alike else view.won
        # (seats + 1, suits, rows) cards of a colour: in the piles, and in a trick
        self._cards = np.empty((len(won) + 1, *each.shape), dtype=np.float32)
        np.multiply(each, self._tricks[0], out=self._cards[0])
        self._cards[1:-1] = each * self._tricks[1]
        self._cards[:-1] += masks.count(won[:, None] & layout.each_suit)
        self._cards[-1] = each
        # As the sheet stands: (seats + 1, rows), and (rows,)
        sheet = np.bitwise_or.reduce(view.placed, axis=0)
        self._unset = unset if view.plots_left else 0.0
        values = self._tables.values.copy()
        values[0] = self._unset
        squares = (sheet & layout.areas) >> layout.area_at
        value = values.take(squares.view(np.int64), mode="clip")
        self._points = (self._cards * value).sum(axis=1)
        self._bust = self._tables.busts.take(layout.cut(sheet, "zabine"), mode="clip")

    def worth(self) -> Numbers:
        """(rows, squares) the points that a cube gains on the others.

        Squares that are not legal have lower values than all others.
        """
        gain = self._tables.plain_worth(self._view.legal)
        self._sheet(gain)
        self._bid(gain)
        return gain

    def _sheet(self, gain: Numbers) -> None:
        """Letter from Marie, Zabine's Aftermath and Hannah's Grace.

        The first two change what everybody is paid.
        """
        view, layout, (size, squares) = self._view, self._view.layout, gain.shape
        values, busts = self._tables.printed_values, self._tables.printed_busts
        free = (view.legal & layout.areas) != masks.NOTHING
        here = free.reshape(-1).nonzero()[0]  # in (suits, rows)
        suit = here // size
        marie = here - suit * size
        zabine = masks.rows_with(view.legal, layout.zabine)
        cases = _Cases(marie, zabine, len(values), len(busts))
        points, bust = cases.each(self._points), cases.each(self._bust)
        with_value = points[:, size : size + len(values) * len(here)]
        cards = self._cards.reshape(len(points), -1).take(here, axis=1)
        more = cards[:, None] * (values - self._unset)
        with_value += more.reshape(with_value.shape)
        bust[size + with_value.shape[1] :] = busts.repeat(len(zabine))
        width = cases.each(self._spread)
        width *= points[-1]
        width += 0.5
        graced = None if self._graced is None else cases.each(self._graced)
        paid = _paid(points[:-1], width, bust, graced)
        # The mean of the others: where they are alike it is what seat 1 is paid
        over = (paid[2:] - paid[1]).sum(axis=0)
        over /= view.players - 1
        ahead = paid[0] - paid[1]
        ahead -= over
        change = ahead[size:]
        change -= cases.each(ahead[:size])[size:]
        first = suit * len(values) + marie * squares
        square = [here[:0], *(first + np.arange(len(values))[:, None])]
        square += [*(zabine * squares + layout.places["zabine"])]
        gain.reshape(-1)[np.concatenate(square)] += change
        self._grace(gain, paid[0, :size], width[0, :size])

    def _grace(self, gain: Numbers, paid: Numbers, width: Numbers) -> None:
        """Hannah's Grace, which changes what this seat alone is paid.

        paid, width: (rows,) of this seat as the sheet stands.
        """
        layout = self._view.layout
        asking = masks.rows_with(self._view.legal, layout.grace)
        if not len(asking):
            return
        with_grace = _paid(
            self._points[:1].take(asking, axis=1),
            width.take(asking)[None],
            self._bust.take(asking),
            np.ones((1, len(asking)), dtype=np.float32),
        )
        change = with_grace[0] - paid.take(asking)
        gain.reshape(-1)[asking * gain.shape[1] + layout.places["grace"]] += change

    def _bid(self, gain: Numbers) -> None:
        """Hunch of Growth: the chance of each bid, times what it pays.

        A bust value also pays a bid of 0, if that comes true.
        """
        view, layout, tables = self._view, self._view.layout, self._tables
        flat, squares = gain.reshape(-1), gain.shape[1]
        bonus = np.float32(1 / view.rules.misery_bonus_divisor)
        bidding = masks.rows_with(view.legal, layout.hunch)
        able = (view.legal & layout.zabine) != masks.NOTHING
        able &= (view.mine & layout.square("hunch-0")) != masks.NOTHING
        ducks = able.nonzero()[0]
        if not (len(bidding) or len(ducks)):
            return
        chances = self._bids(np.concatenate([bidding, ducks]))
        if len(ducks):
            more = tables.printed_busts - self._bust.take(ducks)
            more *= chances[0, len(bidding) :]
            more *= bonus
            flat[ducks * squares + layout.places["zabine"]] += more
        gains = np.empty((len(tables.bids), len(bidding)), dtype=np.float32)
        for bid, number in zip(tables.bids, gains, strict=True):
            number[:] = _sum(chances[bid, : len(bidding)])
        gains *= (
            view.rules.hunch_points + self._bust.take(bidding) * bonus * tables.none
        )
        flat[bidding * squares + layout.places["hunch"]] += gains

    def _bids(self, some: Rows) -> Numbers:
        """(bids, some) the chance of each number of tricks in the end."""
        more = self._tables.numbers - self._view.tricks.take(some)
        chance: Numbers = more - self._tricks[0].take(some)
        chance /= self._spread[0].take(some)
        chance *= chance
        chance *= -0.5
        np.exp(chance, out=chance)
        chance *= more >= 0
        chance /= _sum(chance)
        return chance


def _sum(chances: Numbers) -> Numbers:
    """(rows,) the sum over the first axis, in order, unlike ``sum`` for one row."""
    if chances.shape[1] > 1:
        total: Numbers = chances.sum(axis=0)
        return total
    total = np.zeros(chances.shape[1], dtype=np.float32)
    for chance in chances:
        total += chance
    return total


def _paid(
    mean: Numbers, width: Numbers, bust: Numbers, graced: Numbers | None
) -> Numbers:
    """(seats, cases) what Letter from Marie pays for piles that are normal around this.

    Without Grace the worth up to the bust value, with Grace what is over it. ``width``
    is (1 or 2, cases): the spread of the first seat, and of each other. Where ``far``
    is 0, half of what may be is over the bust value; the density there is the ``edge``.
    """
    first, others = slice(1), slice(1, None)
    far = mean - bust
    far -= 0.5
    scale = _LOGISTIC / width
    far[first] *= scale[first]
    far[others] *= scale[others]
    far.clip(-_FAR, _FAR, out=far)
    if graced is not None:
        sign = 1 - 2 * graced
        far *= sign
        mean = mean - bust * graced
    share = np.exp(far)
    share += 1
    paid = np.divide(mean, share, out=share)
    edge = np.multiply(far, far, out=far)
    edge *= _DENSITY
    np.exp(edge, out=edge)
    density = np.multiply(width, _EDGE, out=scale)
    edge[first] *= density[first]
    edge[others] *= density[others]
    if graced is not None:
        edge *= sign
    paid -= edge
    return paid
