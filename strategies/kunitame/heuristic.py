"""What the strategies share: plain habits, and steering towards a number."""

import numpy as np

from sim import masks
from sim.kunitame.view import KunitameView
from sim.masks import Flags, Masks
from sim.observation import Worth
from strategies.base import Strategy
from strategies.by_worth import worth_in_turn, worth_of
from strategies.kunitame import features


class Heuristic(Strategy):
    """Makes no contract, takes the most valuable gem, and returns at random."""

    def contract(self, view: KunitameView) -> Masks:
        """No contract."""
        return np.zeros_like(view.legal)

    def claim(self, view: KunitameView) -> Masks:
        """The most valuable gem."""
        return features.most_valuable(view, view.legal)

    def bonus(self, view: KunitameView) -> Masks:
        """The most valuable gem."""
        return features.most_valuable(view, view.legal)

    @worth_of(claim)
    @worth_of(bonus)
    def _worth_of_gems(self, view: KunitameView) -> Worth:
        legal = view.legal
        return worth_in_turn(legal & view.gems_3, legal & view.gems_1, legal)


def last(view: KunitameView) -> bool:
    """Whether this seat plays the last card of the trick."""
    return view.turn == view.players - 1


def steer(view: KunitameView, wanted: Flags) -> Masks:
    """Win the trick where it is ``wanted``, duck it elsewhere.

    To win, the last to play spends the cheapest winner, others their dearest. To
    duck, the dearest loser goes; where every card wins, the cheapest, in the hope
    of being beaten.
    """
    winners = view.winning
    losers = view.legal ^ winners
    side = masks.blend(wanted, winners, losers)
    side = features.either(side, view.legal)
    winning = (side & winners) != 0
    high = winning == (wanted & (not last(view)))
    return features.by_rank(view, side, high)
