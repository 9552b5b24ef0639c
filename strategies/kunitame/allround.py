"""Weighing everything together."""

from dataclasses import dataclass

import numpy as np

from sim import masks
from sim.kunitame.view import KunitameView
from sim.masks import Masks
from sim.observation import Worth
from strategies.base import parameter
from strategies.by_worth import worth_in_turn, worth_of
from strategies.kunitame import features
from strategies.kunitame.heuristic import Heuristic


@dataclass(frozen=True)
class Allround(Heuristic):
    """A week is one good trick: win it with the right card, then get out of the way.

    The right card wins a gem, or leaves one to be won at liquidation, or best of all
    both. After the first trick others must pay too: a gem of 3 points, or one that
    leaves the bonus; and none is worth a kept contract, but for 3 points in the last
    week. A gem that goes back is put where the own tricks win it again.

    It stakes up to ``gems`` Life gems, never the last one, on the number of tricks
    that the hand promises and ``margin``. A hand that promises more than ``strong``
    is hard to keep from winning: on that it stakes in the last week only, for the
    sake of the Devils, whose squares are full by then.
    """

    name = "allround"
    gems: int = parameter(2, 0, 12)  # with one, it wins a tenth less
    # it ducks after the first good trick; wins 2 % less with 0
    margin: float = parameter(-1.0, -20, 20)
    # the best of 0.75 to 2, flat from 1 to 1.375
    strong: float = parameter(1.375, 0, 20)

    def contract(self, view: KunitameView) -> Masks:
        """Gems on fewer tricks than the hand promises."""
        spare = view.life - np.uint8(1)
        gems = np.minimum(np.minimum(view.most, spare), np.uint8(self.gems))
        eighths = features.promise(view).astype(np.int16)
        if not view.last_week:
            gems *= eighths <= self.strong * 8
        eighths += gems * np.int16(features.DEVIL)
        eighths += np.int16(round(self.margin * 8))
        return features.stake_near(view, eighths, gems)

    def play(self, view: KunitameView) -> Masks:
        """Win with a good card, else duck."""
        good, losers = self._good_and_losing(view)
        card = features.either(good, _losing(view, losers))
        # Dear losers go, unless they may still win the first trick.
        high = losers != 0
        high &= view.tricks != 0
        high |= good != 0
        return features.by_rank(view, card, high)

    @worth_of(play)
    def _worth_of_cards(self, view: KunitameView) -> Worth:
        good, losers = self._good_and_losing(view)
        low = np.zeros(len(view), dtype=np.bool_)
        tiers = (good, ~low), (losers, view.tricks != 0), (view.legal, low)
        return features.worth_by_rank(view, *tiers)

    @staticmethod
    def _good_and_losing(view: KunitameView) -> tuple[Masks, Masks]:
        """(rows,) the cards to win with, and those that do not win."""
        winning = view.winning
        good = _good(view, winning) if view.turn == 0 else np.zeros_like(winning)
        if view.turn:
            rows = masks.rows_with(winning, masks.ANYTHING)
            good[rows] = _good(view.take(rows), winning.take(rows))
        return good, winning ^ view.legal

    def return_(self, view: KunitameView) -> Masks:
        """On a square whose gem its own tricks win back, else where no bonus is won."""
        mine, home = _own_squares(view)
        return view.pick(features.either(features.either(mine, home), view.legal))

    @worth_of(return_)
    def _worth_of_squares(self, view: KunitameView) -> Worth:
        return worth_in_turn(*_own_squares(view), view.legal)


def _own_squares(view: KunitameView) -> tuple[Masks, Masks]:
    """(rows,) where its own tricks win the bonus of the week, and a gem in a round."""
    mine = np.zeros_like(view.legal)
    if not view.at_liquidation:
        mine = masks.where(view.tricks > 0, view.legal & view.streak)
        mine &= view.layout.by_all
    return mine, view.legal & view.layout.by_trick


def _good(view: KunitameView, winning: Masks) -> Masks:
    """(rows,) the cards to win with: those that win a gem and leave one, if any."""
    gems = view.gems
    paid, bonus = features.cards_that_pay(view, gems), features.with_bonus(view, gems)
    fresh = masks.from_flags(view.tricks == 0)
    good = fresh & bonus
    good |= paid
    paid_3 = features.cards_that_pay(view, view.gems_3)
    if view.turn:  # a lead may be beaten; later in the trick the bonus is at stake
        keeps = masks.from_flags(bonus == 0)
        keeps |= bonus
        keeps |= paid_3
        keeps |= fresh
        good &= keeps
    free = masks.from_flags(~features.just_kept(view))
    if view.last_week:
        free |= paid_3
    good &= free
    good &= winning
    both = paid & bonus
    both &= good
    return features.either(both, good)


def _losing(view: KunitameView, losers: Masks) -> Masks:
    """(rows,) the losers, or all cards where every one wins."""
    return features.either(losers, view.legal) if view.turn else view.legal
