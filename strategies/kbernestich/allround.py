"""Weighing everything together."""

from dataclasses import dataclass

import numpy as np

from sim import masks
from sim.kbernestich.values import Points, points
from sim.kbernestich.view import KbernestichView
from sim.masks import Flags, Masks
from strategies.base import parameter
from strategies.kbernestich.forecast import Forecast
from strategies.kbernestich.heuristic import Heuristic, put_back, steer

_AT_ONCE = 8_192  # rows that are forecast together
_NEVER = 1e9  # more points than any square gains


@dataclass(frozen=True)
class Allround(Heuristic):
    """Each cube goes where it gains most on the others, or waits for a better square.

    It forecasts what every seat will win and be paid (``Forecast``): what it gains and
    the others do not makes a value, a bust value, Grace or a bid worth a cube. With a
    bid of 0 it reviews. While plot phases are to come, a cube that would gain less than
    ``keep`` points stays in hand.

    It wins a trick that adds more points than it costs: a base over the bust value,
    or a bid.
    """

    name = "allround"
    # 1 or 3: 2 to 4 points of win share less at a table of its like
    keep: float = parameter(2.0, 0.0, 20.0)
    # points a card that a colour without a cube will have. 0.8: 6 to 9 points more at
    # a table of its like, 11 to 17 less among trick-takers
    unset: float = parameter(1.5, 0.0, 20.0)

    def plot(self, view: KbernestichView) -> Masks:
        """The square that gains most, or none."""
        if len(view) <= _AT_ONCE:
            return self._plot(view)
        rows = np.arange(len(view))
        parts = np.split(rows, rows[_AT_ONCE::_AT_ONCE])
        return np.concatenate([self._plot(view.some(part)) for part in parts])

    def _plot(self, view: KbernestichView) -> Masks:
        """The same of so many rows that their numbers take little memory."""
        gain = Forecast(view, self.unset).worth()
        ducking = (view.mine & view.square("hunch-0")) != masks.NOTHING
        review = view.layout.places["review"]
        gain[review] = np.where(ducking, self.keep, 0)
        gain -= _NEVER * ((view.legal & view.layout.squares) == masks.NOTHING)
        best = gain.argmax(axis=0)
        chosen = masks.ONE << best.astype(np.uint64)
        least = self.keep if view.plots_left else 0.0
        stops = gain.max(axis=0) < least
        stop = view.square("pass")
        stops &= (view.legal & stop) != masks.NOTHING
        return masks.blend(stops, stop, chosen)

    def review(self, view: KbernestichView) -> Masks:
        """The cheapest cards go back, or with a bid of 0 the dearest."""
        ducking = (view.mine & view.square("hunch-0")) != masks.NOTHING
        return put_back(view, ~ducking)

    def play(self, view: KbernestichView) -> Masks:
        """Win what pays, duck the rest; of a single card nothing is to be thought."""
        if view.tricks_left == 1 and not (view.legal & (view.legal - masks.ONE)).any():
            return view.legal
        return steer(view, _pays(view))


def _pays(view: KbernestichView) -> Flags:
    """(rows,) whether winning this trick adds more points than it costs."""
    base, with_trick = _bases(view)
    bust = view.bust.astype(np.int16)
    over = with_trick > bust
    over &= ~view.graced
    gain = with_trick * ~over
    gain -= base * ~(over & (base > bust))
    gain += view.graced  # a trick without points may help to Grace all the same
    gain += _bid_gain(view, bust)
    pays: Flags = gain > 0
    return pays


def _bases(view: KbernestichView) -> tuple[Points, Points]:
    """(rows,) this seat's base now, and with this trick: cards to come are average."""
    mine = view.pile
    table = masks.join(view.cards) if view.cards else np.zeros_like(mine)
    base, more = points(np.array([mine, table]), view.by_digit)
    others = 1 if view.last_to_play else view.players - len(view.cards)
    coming = view.worth * others + len(view.layout.deck) // 2
    coming //= len(view.layout.deck)
    more += base
    more += coming
    return base, more


def _bid_gain(view: KbernestichView, bust: Points) -> Points:
    """(rows,) what winning a trick adds to the chances of the bid, in points."""
    target = view.target >> view.tricks
    met = target & np.uint32(1)
    gain = (target > np.uint32(1)).astype(np.int16)
    gain -= met.astype(np.int16)
    gain *= np.int16(view.rules.hunch_points)
    bonus = (view.mine & view.square("hunch-0")) != masks.NOTHING
    bonus &= view.tricks == 0
    some = bonus.nonzero()[0]
    if len(some):
        gain[some] -= bust.take(some) // np.int16(view.rules.misery_bonus_divisor)
    return gain
