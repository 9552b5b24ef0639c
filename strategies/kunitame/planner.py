"""Knowing what one's hand is worth."""

from dataclasses import dataclass

import numpy as np

from sim.kunitame.view import KunitameView
from sim.masks import Masks
from strategies.kunitame import reading
from strategies.kunitame.school import School, steer


@dataclass(frozen=True)
class Planner(School):
    """A hand says how many tricks it will win; stake on that, and win exactly those.

    It counts high cards, expects something of the Devils that the contract brings,
    adds ``margin`` tricks, and stakes up to ``gems`` Life gems on the nearest
    contract square, but never the last one. It wins while it needs tricks, and ducks
    when it does not.
    """

    name = "planner"
    margin: float = 0.0
    gems: int = 2

    def contract(self, view: KunitameView) -> Masks:
        """Gems on the number of tricks that the hand promises."""
        spare = view.life - np.uint8(1)
        gems = np.minimum(np.minimum(view.most, spare), np.uint8(self.gems))
        eighths = reading.promise(view) + gems * np.int16(reading.DEVIL)
        eighths += np.int16(round(self.margin * 8))
        return reading.stake_near(view, eighths, gems)

    def play(self, view: KunitameView) -> Masks:
        """Win while tricks are missing."""
        return steer(view, reading.tricks_missing(view))
