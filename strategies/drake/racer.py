"""Its own pile first."""

from dataclasses import dataclass

from sim.drake.view import DrakeView
from strategies.drake import features
from strategies.drake.features import Afterstate
from strategies.drake.heuristic import Heuristic, Judge, own


@dataclass(frozen=True)
class Racer(Heuristic):
    """Who fills its own pile first wins: it does what brings its own Virtue nearest.

    Pride has no pile, and empties the deck that is empty soonest.
    """

    name = "racer"

    def judge(self, view: DrakeView, now: Afterstate) -> Judge:
        """Cards that its own Virtue is near, least of all with too few left."""
        place = own(view)
        return lambda look: -features.far(view, look).take(place)
