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
    margin: float = -2.0
    gems: int = 2
    gems_last: int = 2
    first: int = 6
    broken: int = 1
    kept: int = 6
    over: int = 6
    bar: int = 0
    one: int = 2
    three: int = 6
    devil: int = 5
    cost: int = 2
    hope: int = 6
    power: float = 1.0
    late: int = 6
    lh: bool = True
    lt: bool = True
    ret: int = 5
    rl: int = 4
    rt: int = 0
    sp: int = 0
    cw: float = 0.5
    c3: float = 1.0
    bl: int = 1
    skip: int = 12
    skipl: int = 99
    g1: int = 99
    tt: int = 0
    pl: int = 0
    lw: int = 0
    dv: int = 0
    pd: int = 0
    cl: int = 0
    bo: int = 0
    disc: int = 1
    slope: float = 1.0
    dl: int = 0

    def contract(self, view: KunitameView) -> Masks:
        """Gems on the number of tricks that the hand promises."""
        spare = view.life - np.uint8(1)
        most = self.gems_last if view.last_week else self.gems
        gems = np.minimum(np.minimum(view.most, spare), np.uint8(most))
        eighths = np.rint(reading.promise(view)*self.slope).astype(np.int16) + gems * np.int16(self.devil) + np.int16(round(self.margin * 8))
        promise = reading.promise(view)
        gems = np.where(promise > (self.skipl if view.last_week else self.skip), 0, gems)
        gems = np.where(promise > self.g1, np.minimum(gems, 1), gems)
        return view.stake(reading.nearest_square(view, eighths), gems)

    def return_(self, view):
        if self.ret == 0:
            return view.pick(view.legal)
        if self.ret == 1:
            return masks.lowest(view.legal)
        if self.ret == 2:
            return masks.highest(view.legal)
        L = reading.either(view.legal & view.box.by_all, view.legal)
        if self.ret == 3:
            return masks.lowest(L)
        mine = view.legal & view.streak & view.box.by_all
        if self.ret == 4:
            return masks.lowest(reading.either(reading.either(mine, view.legal & view.box.by_trick), view.legal))
        if self.ret == 5:
            if view.round > view.rules.rounds:
                L = view.legal
                if self.rl == 1: return masks.lowest(reading.either(L & view.box.by_all, L))
                if self.rl == 2: return masks.highest(reading.either(L & view.box.by_trick, L))
                if self.rl == 3: return masks.highest(reading.either(L & view.box.by_all, L))
                if self.rl == 4: return masks.lowest(reading.either(L & view.box.by_trick, L))
                if self.rl == 5: return masks.lowest(reading.either(L & np.uint64(0b111110000), L))
                if self.rl == 6: return masks.highest(reading.either(L & np.uint64(0b111110000), L))
            else:
                hold = view.hand
                if self.rt == 1:
                    mine = masks.where(view.tricks > 0, mine)
                    tt = view.legal & view.box.by_trick & ~view.box.met_in_round[0]
                    return masks.lowest(reading.either(mine, reading.either(view.legal & view.box.by_trick, view.legal)))
                if self.rt == 2:
                    return masks.highest(reading.either(mine, reading.either(view.legal & view.box.by_trick, view.legal)))
                if self.rt == 3:
                    fut = np.uint64(0)
                    for r in range(view.round, view.rules.rounds): fut |= view.box.met_in_round[r]
                    return masks.lowest(reading.either(mine, reading.either(view.legal & view.box.by_trick & ~fut, reading.either(view.legal & view.box.by_trick, view.legal))))
                if self.rt == 4:
                    return masks.lowest(reading.either(mine, view.legal))
                if self.rt == 5:
                    return masks.highest(reading.either(mine, view.legal))
            mine = masks.where(view.tricks > 0, mine)
            return masks.lowest(reading.either(mine, reading.either(view.legal & view.box.by_trick, view.legal)))

    def claim(self, view):
        w = reading.either(view.legal & view.gems_3, view.legal)
        if self.cl == 0:
            return masks.lowest(w)
        if self.cl == 1:
            return masks.highest(w)
        if self.cl == 2:
            return masks.lowest(reading.either(w & ~view.met_in_round | w & masks.NOTHING, w))
        rs = np.uint64(0)
        for n, q in enumerate(view.box.squares):
            if q.round is not None: rs |= masks.bit(n)
        if self.cl == 3:
            return masks.lowest(reading.either(w & rs, w))
        if self.cl == 4:
            return masks.lowest(reading.either(w & ~rs, w))
        if self.cl == 5:
            return masks.highest(reading.either(w & ~rs, w))

    def bonus(self, view):
        w = reading.either(view.legal & view.gems_3, view.legal & ~masks.bit(63))
        if self.bo == 0:
            return masks.lowest(w)
        if self.bo == 1:
            return masks.highest(w)

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
        left = view.rules.rounds - view.round + 1
        need = np.bitwise_count(masks.lowest(ahead) - masks.ONE)
        tab = np.zeros(65, dtype=np.int8)
        tab[0] = -self.over
        for k in range(1, left + 1):
            tab[k] = round(self.hope + (self.kept - self.hope) * (k / left) ** self.power)
        if view.last_week: tab = np.rint(tab*self.cw).astype(np.int8)
        elif view.week==1: tab = np.rint(tab*self.c3).astype(np.int8)
        c = tab[need]
        live = (need > 0) & (need <= left)
        wait = round(self.first + (self.late - self.first) * (view.round / view.rules.rounds))
        vk = t0 * (i8(wait) + h)
        vn = -(alive * (i8(self.bl if view.last_week else self.broken) + h))

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
        if hasattr(self, "flip"):
            wanted = self.flip(view, wanted, locals()) & (side != 0)
        later = (live if self.lh else False) | (t0 if self.lt else False)
        duck = ~wanted & (losers != 0)
        if self.disc == 1:
            losers = masks.blend(later, reading.either(losers & ~bonus, losers), losers)
        if self.disc == 2:
            losers = reading.either(losers & ~bonus, losers)
        if self.disc == 3:
            losers = reading.either(losers & ~paid, losers)
        if self.disc == 4:
            losers = masks.blend(later, reading.either(losers & ~bonus & ~paid, losers), losers)
        side = masks.blend(duck, losers, side)
        box = view.box
        if self.pd == 1:
            losers = reading.either(losers & ~box.priests, losers)
            side = masks.blend(duck, losers, side)
        if self.pd == 2:
            losers = reading.either(losers & box.priests, losers)
            side = masks.blend(duck, losers, side)
        if self.dv == 1 and not last(view):
            side = masks.blend(wanted, reading.either(side & box.devils, side), side)
        if self.dv == 2:
            side = masks.blend(wanted, reading.either(side & box.devils, side), side)
        if self.dv == 3:
            side = masks.blend(wanted, reading.either(side & ~box.devils, side), side)
        if view.turn == 0:
            high = wanted
            leg = view.legal
            if self.pl == 1:
                leg = reading.either(leg & box.priests, leg)
            if self.pl == 2:
                leg = masks.blend(later, leg, reading.either(leg & box.priests, leg))
            side = masks.blend(wanted, side, leg)
        elif last(view):
            high = ~wanted & ~later
            if self.lw == 1:
                high |= wanted & (need <= 1)
            if self.lw == 2:
                high |= wanted
        else:
            high = wanted | (duck & ~later)
        card = reading.by_rank(view, side, high)
        if self.sp:
            free = (side & box.ability) == 0
            if self.sp == 1: hi = high
            if self.sp == 2: hi = high & wanted
            if self.sp == 3: hi = high & ~wanted
            if self.sp == 4: hi = wanted
            if self.sp == 5: hi = ~wanted
            sp = masks.blend(hi, reading.top(side), masks.lowest(side))
            card = masks.blend(free, sp, card)
        return card
