"""Weighing everything together."""

from dataclasses import dataclass

import numpy as np

from sim import masks
from sim.kbernestich.values import Points, points
from sim.kbernestich.view import KbernestichView
from sim.masks import Flags, Masks
from strategies.base import parameter
from strategies.kbernestich import features
from strategies.kbernestich.heuristic import Heuristic, place, put_back, steer


@dataclass(frozen=True)
class Allround(Heuristic):
    """A weak hand wins nothing and is paid for it; a strong one asks for Grace.

    A hand that promises less than ``duck`` eighths of a trick bids 0, raises the bust
    value that the bonus comes from (others need it low), and reviews. One that promises
    ``grace`` or more asks for Grace, lowers the bust value and sets colours to their
    highest values; who has no Grace leaves them alone, as they would serve others.
    Dear squares of Letter to Marie are for all; other bids wait for the last plot
    phase, when tricks are won and few are to come.

    It wins a trick that adds more points than it costs: a base over the bust value,
    or a bid.
    """

    name = "allround"
    # 24: wins 5 % more against trick-takers, 1 % less among its like
    duck: int = parameter(20, 0, 255)
    # 20: 7 % more against trick-takers, 3 % less among its like
    grace: int = parameter(24, 0, 255)

    def plot(self, view: KbernestichView) -> Masks:
        """The bid of 0 and what it needs, then points, Grace and what that needs."""
        table, zero = features.tables(view.layout), view.square("hunch-0")
        expected = features.expected(view)
        fresh = masks.flags(view.tricks == 0)
        ducking = masks.flags((view.mine & fresh & zero) != masks.NOTHING)
        graced = masks.flags(view.graced)
        bust = ducking & table.bust_high
        bust |= graced & table.bust_low
        nothing = np.zeros_like(view.legal)
        return place(
            view,
            masks.where(expected < self.duck, fresh & zero),
            bust,
            ducking & view.square("review"),
            table.letters[3],
            masks.where(expected >= self.grace, view.layout.grace) & ~ducking,
            graced & table.dearest,
            nothing if view.plots_left else features.bid_near(view, expected),
            table.letters[2],
            table.letters[1],
        )

    def review(self, view: KbernestichView) -> Masks:
        """The cheapest cards go back, or with a bid of 0 the dearest."""
        ducking = (view.mine & view.square("hunch-0")) != masks.NOTHING
        return put_back(view, ~ducking)

    def play(self, view: KbernestichView) -> Masks:
        """Win what pays, duck the rest."""
        return steer(view, _pays(view))


def _pays(view: KbernestichView) -> Flags:
    """(rows,) whether winning this trick adds more points than it costs."""
    base, with_trick = _bases(view)
    bust = features.bust(view).astype(np.int16)
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
    by_digit = view.by_digit
    mine = view.pile
    base = points(mine, by_digit)
    table = masks.join(view.cards) if view.cards else np.zeros_like(mine)
    others = 1 if view.last_to_play else view.players - len(view.cards)
    coming = features.points_of_all(view) * others + len(view.layout.deck) // 2
    coming //= len(view.layout.deck)
    return base, base + points(table, by_digit) + coming


def _bid_gain(view: KbernestichView, bust: Points) -> Points:
    """(rows,) what winning a trick adds to the chances of the bid, in points."""
    target = view.target >> view.tricks
    met = target & np.uint32(1)
    gain = (target > np.uint32(1)).astype(np.int16)
    gain -= met.astype(np.int16)
    gain *= np.int16(view.rules.hunch_points)
    bonus = (view.mine & view.square("hunch-0")) != masks.NOTHING
    bonus &= view.tricks == 0
    gain -= bonus * (bust // np.int16(view.rules.misery_bonus_divisor))
    return gain
