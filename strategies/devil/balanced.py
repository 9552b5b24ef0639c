"""All of it at once."""

from dataclasses import dataclass

import numpy as np

from sim.devil.box import SPECIAL1, SPECIAL4
from sim.devil.view import DevilView
from sim.masks import Flags
from strategies.devil import reading
from strategies.devil.school import School


@dataclass(frozen=True)
class Balanced(School):
    """Points, speed and timing, each weighed in points.

    A card is worth what it takes off the hand's cost, and what the rest can follow.
    A round is ended where that adds ``margin`` less to its total than to the others',
    and where it wins the game; never where it loses it.
    """

    name = "balanced"
    cover: float = 8.0
    block: float = 4.0
    special: float = 0.0
    margin: float = 0.0
    keen: float = 0.0

    def worth(self, view: DevilView) -> reading.Numbers:
        """Points shed, being able to follow, and stopping the next player."""
        worth = -reading.left_over(view)
        worth += self.cover * reading.cover(view)
        worth -= self.block * reading.answers(view)
        for special in (SPECIAL1, SPECIAL4):
            worth[special] += self.special
        return worth

    def ends(self, view: DevilView) -> Flags:
        """Where the others lose more by it, and the game is not lost by it."""
        added = reading.if_ended(view)
        costs = reading.expected(view)
        gain = added[1:].mean(axis=0) - added[0]
        goes_on = self.keen * (costs[1:].mean(axis=0) - costs[0])
        after = view.scores + added
        last = after.max(axis=0) >= view.rules.goal
        first = after[0] < after[1:].min(axis=0)
        ends: Flags = np.where(last, first, gain > self.margin + goes_on)
        return ends
