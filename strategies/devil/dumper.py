"""Points first."""

from dataclasses import dataclass

import numpy as np

from sim.devil.view import DevilView
from strategies.devil import features
from strategies.devil.heuristic import Heuristic


@dataclass(frozen=True)
class Dumper(Heuristic):
    """What costs most must go: it sheds its dearest card, Specials as their rank.

    It ends a round that adds less to its total than to the others' on average.
    """

    name = "dumper"
    heedless = True

    def worth(self, view: DevilView) -> features.Numbers:
        """The points of the card."""
        return np.repeat(features.points(view.layout), len(view), axis=1)
