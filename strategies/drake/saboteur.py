"""Nobody else may win."""

from dataclasses import dataclass

import numpy as np

from sim.drake.view import DrakeView
from strategies.drake import features
from strategies.drake.features import Afterstate, Numbers
from strategies.drake.heuristic import Heuristic, Judge

_NEXT = 0.01  # of the other Virtues, where blocking the nearest decides nothing


@dataclass(frozen=True)
class Saboteur(Heuristic):
    """Nobody else may win: it blocks the other Virtue that is nearest to winning.

    That is the one, played or absent, that needs the fewest cards. Where it makes no
    difference to that one it blocks the rest of them, and never looks at its own.
    """

    name = "saboteur"

    def judge(self, view: DrakeView, now: Afterstate) -> Judge:
        """How far the nearest other Virtue is afterwards, and a little the rest."""
        rows = np.arange(len(view))
        others = features.far(view, now)
        others[view.virtues[0], rows] = np.inf
        nearest = others.argmin(axis=0)

        def blocked(look: Afterstate) -> Numbers:
            far = features.far(view, look)
            far[view.virtues[0], rows] = 0
            blocked_by: Numbers = far[nearest, rows] + _NEXT * far.sum(axis=0)
            return blocked_by

        return blocked
