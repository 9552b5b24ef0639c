"""Weighing everything together."""

from dataclasses import dataclass

import numpy as np

from sim import masks
from sim.kunitame.view import KunitameView
from sim.masks import Flags, Masks
from strategies.kunitame import reading
from strategies.kunitame.school import School


@dataclass(frozen=True)
class Balanced(School):
    """A week is one good trick: win it with the right card, then get out of the way.

    The right card wins a gem, and leaves a gem to be won at liquidation. Later tricks
    are worth winning if they pay and keep the bonus, or pay 3 points, but not at the
    price of a contract. It stakes up to ``gems`` Life gems, never the last one, on
    the number of tricks that its hand promises and ``margin``. Hands that promise
    more than ``strong`` tricks cannot be kept from winning more: it stakes on those
    in the last week only, for the sake of the Devils, whose squares are full by then.
    """

    name = "balanced"
    gems: int = 2
    margin: float = -2.0  # aiming lower kept 70 % of contracts, aiming true 43 %
    strong: float = 1.375  # win share falls on both sides of it

    def contract(self, view: KunitameView) -> Masks:
        """Gems on fewer tricks than the hand promises."""
        spare = view.life - np.uint8(1)
        gems = np.minimum(np.minimum(view.most, spare), np.uint8(self.gems))
        eighths = reading.promise(view).astype(np.int16)
        if not view.last_week:
            gems *= eighths <= self.strong * 8
        eighths += gems * np.int16(5)
        eighths += np.int16(round(self.margin * 8))
        return view.stake(reading.nearest_square(view, eighths), gems)

    def play(self, view: KunitameView) -> Masks:
        """Win with a good card, else duck."""
        paid, bonus = reading.paid(view, view.gems), reading.bonus_cards(view)
        first = view.tricks == 0
        winners = view.winning
        good = self._good(view, paid, bonus, first)
        good &= winners
        wanted = good != 0
        card = reading.either(good & paid & bonus, good)
        losers = winners ^ view.legal
        duck = losers != 0
        duck &= ~wanted
        # Who still waits for a first trick throws away low cards of no use for it.
        useless = losers & ~masks.where(first, bonus)
        losers = reading.either(useless, losers)
        card = reading.either(card, reading.either(losers, view.legal))
        return reading.by_rank(view, card, wanted | (duck & ~first))

    def _good(
        self, view: KunitameView, paid: Masks, bonus: Masks, first: Flags
    ) -> Masks:
        """The cards worth winning with."""
        good = paid.copy()
        paid_3 = reading.paid(view, view.gems_3)
        if view.turn:  # a lead that pays may well be beaten, so the bonus may wait
            keep = reading.either(bonus, paid) 
            keep |= paid_3
            keep |= masks.flags(first)
            good &= keep
        good |= masks.where(first, bonus)
        kept = reading.just_kept(view)
        good &= ~masks.flags(kept) | (paid_3 if view.last_week else masks.NOTHING)
        return good

    def return_(self, view: KunitameView) -> Masks:
        """Where this seat's own tricks win it back at liquidation, or out of the way."""
        home = view.legal & view.box.by_trick
        if view.round <= view.rules.rounds:
            mine = view.legal & view.streak & view.box.by_all
            home = reading.either(masks.where(view.tricks > 0, mine), home)
        return masks.lowest(reading.either(home, view.legal))
