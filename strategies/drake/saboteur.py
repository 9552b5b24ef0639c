"""Nobody else may win."""

from dataclasses import dataclass

import numpy as np

from sim.drake.view import DrakeView
from strategies.drake import features
from strategies.drake.features import Numbers, Outlook
from strategies.drake.heuristic import Heuristic

_NEXT = 0.01  # of the other Virtues, where blocking the nearest decides nothing


@dataclass(frozen=True)
class Saboteur(Heuristic):
    """Nobody else may win: it blocks the other Virtue that is nearest to winning.

    That is the one, played or absent, that needs the fewest cards. Where it makes no
    difference to that one it blocks the rest of them, and never looks at its own.
    """

    name = "saboteur"

    def worth(self, view: DrakeView, look: Outlook, now: Outlook) -> Numbers:
        """How far the nearest other Virtue is afterwards, and a little the rest."""
        rows = np.arange(len(view))
        far = features.needs(view, look) + 4 * features.short(view, look)
        nearest = features.needs(view, now) + 4 * features.short(view, now)
        nearest[view.virtues[0], rows] = np.inf
        far[view.virtues[0], rows] = 0
        blocked: Numbers = far[nearest.argmin(axis=0), rows]
        return blocked + _NEXT * far.sum(axis=0)
