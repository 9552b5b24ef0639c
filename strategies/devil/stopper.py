"""The end at the right moment."""

from dataclasses import dataclass

import numpy as np

from sim import masks
from sim.devil.view import DevilView
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
    ignores_public_history = True
    share: float = parameter(0.5, 0, 1)

    def value(self, options: features.Options) -> features.Numbers:
        """The points; of Specials more where the rest is cheap, else less than all."""
        worth = features.points_of(options)
        which = masks.rows_with(options.card, options.view.layout.specials)
        if len(which):
            view = options.view.take(options.row.take(which))
            costs = features.expected_costs(view, options.left_over.take(which))
            cheap = 2 * costs[0] < self.share * costs[1:].mean(axis=0)
            worth[which] = np.where(cheap, 100.0, -1.0)
        return worth

    def gain_by_end(self, view: DevilView) -> features.Numbers:
        """By how much its hand is cheap."""
        costs = features.expected_costs(view)
        gain: features.Numbers = self.share * costs[1:].mean(axis=0) - 2 * costs[0]
        return gain
