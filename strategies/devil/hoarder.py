"""Never an early end."""

from dataclasses import dataclass

import numpy as np

from sim.devil.view import DevilView
from strategies.devil import features
from strategies.devil.heuristic import Heuristic


@dataclass(frozen=True)
class Hoarder(Heuristic):
    """A Special is there to make the next player draw: it never ends a round by one.

    It sheds its dearest card, like the dumper, and goes out when it can.
    """

    name = "hoarder"
    ignores_public_history = True

    def value(self, options: features.Options) -> features.Numbers:
        """The points of the card."""
        return features.points_of(options)

    def gain_by_end(self, view: DevilView) -> features.Numbers:
        """Nothing, ever."""
        return np.zeros(len(view))
