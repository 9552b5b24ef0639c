"""The end at the right moment."""

from dataclasses import dataclass

import numpy as np

from sim.devil.layout import SPECIAL1, SPECIAL4
from sim.devil.view import DevilView
from sim.masks import Flags
from strategies.base import parameter
from strategies.devil import features
from strategies.devil.heuristic import Heuristic


@dataclass(frozen=True)
class Stopper(Heuristic):
    """The end of a round is a weapon: it keeps its Specials until its hand is cheap.

    Cheap is a hand whose doubled cost is below ``share`` of what the others' hands
    cost on average. Until then it sheds its dearest other card.
    """

    name = "stopper"
    heedless = True
    share: float = parameter(0.5, 0, 1)

    def worth(self, view: DevilView) -> features.Numbers:
        """The points; of Specials more where the rest is cheap, else less than all."""
        worth = np.repeat(features.points(view.layout), len(view), axis=1)
        others = features.expected(view)[1:].mean(axis=0)
        cheap = 2 * features.left_over(view) < self.share * others
        for special in (SPECIAL1, SPECIAL4):
            worth[special] = np.where(cheap[special], 100.0, -1.0)
        return worth

    def ends(self, view: DevilView) -> Flags:
        """Where its hand is cheap."""
        costs = features.expected(view)
        cheap: Flags = 2 * costs[0] < self.share * costs[1:].mean(axis=0)
        return cheap
