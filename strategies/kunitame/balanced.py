"""Weighing everything together."""

from dataclasses import dataclass

import numpy as np

from sim import masks
from sim.kunitame.view import KunitameView
from sim.masks import Flags, Masks
from strategies.kunitame import reading
from strategies.kunitame.school import School, last


@dataclass(frozen=True)
class Balanced(School):
    """Weigh it."""

    name = "balanced"
    margin: float = 0.0
    gems: int = 2
    gems_last: int = 2
    first: int = 6
    broken: int = 6
    kept: int = 6
    over: int = 6
    bar: int = 0
    one: int = 2
    three: int = 6
    devil: int = 5
    cost: int = 2

    def contract(self, view: KunitameView) -> Masks:
        """Gems on the number of tricks that the hand promises."""
        spare = view.life - np.uint8(1)
        most = self.gems_last if view.last_week else self.gems
        gems = np.minimum(np.minimum(view.most, spare), np.uint8(most))
        eighths = reading.promise(view) + gems * np.uint8(self.devil) + round(self.margin * 8)
        return view.stake(reading.nearest_square(view, eighths), gems)

    def play(self, view: KunitameView) -> Masks:
        i8 = np.int8
        winners = view.winning
        losers = view.legal ^ winners
        bonus = reading.bonus_cards(view)
        gems = view.gems
        paid = reading.paid(view, gems)
        paid3 = reading.paid(view, view.gems_3)
        h = (view.threes > 0) * i8(2*self.cost) + ((view.threes | view.ones) > 0) * i8(self.cost)
        t0 = view.tricks == 0
        alive = ~t0 & ((view.streak & gems & view.box.by_all) != 0)
        ahead = reading.ahead(view)
        hungry = ahead > 1
        exact = ahead == 1
        c = hungry * i8(self.kept) - exact * i8(self.over)
        vk = t0 * (i8(self.first) + h)
        vn = -(alive * (i8(self.broken) + h))

        def best(x):
            x3 = x & paid3
            x1 = x & paid
            f3, f1 = x3 != 0, x1 != 0
            claim = np.where(f3, i8(self.three), np.where(f1, i8(self.one), -h))
            return masks.blend(f3, x3, masks.blend(f1, x1, x)), claim

        wk = winners & bonus
        wn = winners & ~bonus
        sk, ck = best(wk)
        sn, cn = best(wn)
        value_k = np.where(wk != 0, ck + vk, i8(-100))
        value_n = np.where(wn != 0, cn + vn, i8(-100))
        by_bonus = value_k >= value_n
        side = masks.blend(by_bonus, sk, sn)
        value = np.maximum(value_k, value_n) + c
        wanted = (value > self.bar) & (side != 0)
        later = hungry | t0
        duck = ~wanted & (losers != 0)
        side = masks.blend(duck, losers, side)
        if view.turn == 0:
            high = wanted
            side = masks.blend(wanted, side, view.legal)
        elif last(view):
            high = ~wanted & ~later
        else:
            high = wanted | (duck & ~later)
        return reading.by_rank(view, side, high)
