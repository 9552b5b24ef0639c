"""Weighing everything together."""

from dataclasses import dataclass

import numpy as np

from sim import masks
from sim.kbernestich.layout import PASS
from sim.kbernestich.state import ANY
from sim.kbernestich.values import points
from sim.kbernestich.view import KbernestichView
from sim.masks import Flags, Masks
from sim.observation import Worth
from strategies.base import parameter
from strategies.by_worth import OPTIONS, worth_of
from strategies.kbernestich import features
from strategies.kbernestich.features import Numbers
from strategies.kbernestich.forecast import Forecast
from strategies.kbernestich.heuristic import Heuristic, put_back, steer, steered

_ROWS_IN_CACHE = 8_192  # rows that are forecast together


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
    ignores_public_history = True
    # 1 or 3: 2 to 4 points of win share less at a table of its like
    keep: float = parameter(2.0, 0.0, 20.0)
    # points a card that a colour without a cube will have. 0.8: 6 to 9 points more at
    # a table of its like, 11 to 17 less among trick-takers
    unset: float = parameter(1.5, 0.0, 20.0)

    def plot(self, view: KbernestichView) -> Masks:
        """(rows,) the square that gains most, or none."""
        parts = [self._plot(part) for part in _few_rows(view)]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    @worth_of(plot)
    def _worth_of_squares(self, view: KbernestichView) -> Worth:
        gains = [self._gains(part) for part in _few_rows(view)]
        worth = np.full((OPTIONS, len(view)), -np.inf)
        worth[: gains[0].shape[1]] = np.concatenate(gains).T
        worth[masks.members(PASS)] = self._least(view)
        return worth

    def _plot(self, view: KbernestichView) -> Masks:
        """(rows,) the square that gains most, of rows few enough for the cache."""
        gain = self._gains(view)
        best = gain.argmax(axis=1)
        chosen = masks.ONE << best.view(np.uint64)
        first = np.arange(0, gain.size, gain.shape[1])
        stops = gain.reshape(-1).take(first + best) < self._least(view)
        stop = view.square("pass")
        stops &= (view.legal & stop) != masks.NOTHING
        return masks.blend(stops, stop, chosen)

    def _gains(self, view: KbernestichView) -> Numbers:
        """(rows, squares) what a cube gains; far below 0 on squares not legal."""
        gain = Forecast(view, self.unset).worth()
        ducking = masks.rows_with(view.mine, view.square("hunch-0"))
        gain[ducking, view.layout.places["review"]] += self.keep
        return gain

    def _least(self, view: KbernestichView) -> float:
        """What a cube must gain, not to be kept."""
        return self.keep if view.plots_left else 0.0

    def review(self, view: KbernestichView) -> Masks:
        """The cheapest cards go back, or with a bid of 0 the dearest."""
        ducking = (view.mine & view.square("hunch-0")) != masks.NOTHING
        return put_back(view, ~ducking)

    def play(self, view: KbernestichView) -> Masks:
        """Win what pays, duck the rest; of a single card nothing is to be thought."""
        if view.tricks_left == 1 and not (view.legal & (view.legal - masks.ONE)).any():
            return view.legal
        return steer(view, _pays(view))

    @worth_of(play)
    def _worth_of_cards(self, view: KbernestichView) -> Worth:
        side, high = steered(view, _pays(view))
        return features.worth_by_rank(view, (side, high), (view.face_up, high))


def _few_rows(view: KbernestichView) -> list[KbernestichView]:
    """The view in parts that are small enough for the cache."""
    if len(view) <= _ROWS_IN_CACHE:
        return [view]
    rows = np.arange(len(view))
    parts = np.split(rows, rows[_ROWS_IN_CACHE::_ROWS_IN_CACHE])
    return [view.take(part) for part in parts]


def _pays(view: KbernestichView) -> Flags:
    """(rows,) whether winning this trick adds more points than it costs.

    Each card still to come is assumed to have the average value of all.
    """
    others = 1 if view.last_to_play else view.players - len(view.cards)
    more = view.worth * others + len(view.layout.deck) // 2
    more //= len(view.layout.deck)
    if view.cards:
        more += points(masks.join(view.cards), view.by_digit)
    fits = more <= view.room
    more += view.room == ANY  # a trick without points may help to Grace all the same
    more *= fits
    more -= view.at_stake * ~fits
    more += view.bid_gain
    pays: Flags = more > 0
    return pays
