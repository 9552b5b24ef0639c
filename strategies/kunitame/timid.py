"""Keeping out of it."""

from dataclasses import dataclass

from sim.kunitame.view import KunitameView
from sim.masks import Masks
from strategies.kunitame import features
from strategies.kunitame.heuristic import Heuristic


@dataclass(frozen=True)
class Timid(Heuristic):
    """A trick is a risk: no contracts, and low cards while there are any.

    It plays its lowest card that loses as the trick lies; where all of them win, its
    lowest. So its high cards are left for the end.
    """

    name = "timid"

    def play(self, view: KunitameView) -> Masks:
        """The cheapest loser, else the cheapest winner."""
        losers = view.legal ^ view.winning
        return features.cheapest(view, features.either(losers, view.legal))
