"""Its own pile first."""

from dataclasses import dataclass

from sim.drake.view import DrakeView
from strategies.drake import features
from strategies.drake.features import Numbers, Outlook
from strategies.drake.heuristic import Heuristic, own


@dataclass(frozen=True)
class Racer(Heuristic):
    """Who fills its own pile first wins: it does what brings its own Virtue nearest.

    Pride has no pile, and empties the deck that is empty soonest.
    """

    name = "racer"

    def worth(self, view: DrakeView, look: Outlook, now: Outlook) -> Numbers:
        """Cards that its own Virtue is near, least of all with too few left."""
        return -own(view, features.needs(view, look) + 4 * features.short(view, look))
