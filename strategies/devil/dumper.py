"""Points first."""

from dataclasses import dataclass

import numpy as np

from sim.devil.view import DevilView
from strategies.devil import reading
from strategies.devil.school import School


@dataclass(frozen=True)
class Dumper(School):
    """What costs most must go: it sheds its dearest card, Specials as their rank.

    It ends a round that adds less to its total than to the others' on average.
    """

    name = "dumper"

    def worth(self, view: DevilView) -> reading.Numbers:
        """The points of the card."""
        return np.repeat(reading.points(view.box), len(view), axis=1)
