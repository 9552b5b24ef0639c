"""Knowing what one's hand is worth."""

from dataclasses import dataclass

import numpy as np

from sim.kunitame.view import KunitameView
from sim.masks import Masks
from strategies.base import parameter
from strategies.kunitame import features
from strategies.kunitame.heuristic import Heuristic, steer


@dataclass(frozen=True)
class Planner(Heuristic):
    """A hand says how many tricks it will win; stake on that, and win exactly those.

    It counts high cards, expects something of the Devils that the contract brings,
    adds ``margin`` tricks, and stakes up to ``gems`` Life gems on the nearest
    contract square, but never the last one. It wins while it needs tricks, and ducks
    when it does not.
    """

    name = "planner"
    margin: float = parameter(0.0, -20, 20)
    gems: int = parameter(2, 0, 12)

    def contract(self, view: KunitameView) -> Masks:
        """Gems on the number of tricks that the hand promises."""
        spare = view.life - np.uint8(1)
        gems = np.minimum(np.minimum(view.most, spare), np.uint8(self.gems))
        eighths = features.promise(view) + gems * np.int16(features.DEVIL)
        eighths += np.int16(round(self.margin * 8))
        return features.stake_near(view, eighths, gems)

    def play(self, view: KunitameView) -> Masks:
        """Win while tricks are missing."""
        return steer(view, features.tricks_missing(view))
