"""Winning whatever there is."""

from dataclasses import dataclass

from sim.kunitame.view import KunitameView
from sim.masks import Masks
from strategies.kunitame import features
from strategies.kunitame.heuristic import Heuristic


@dataclass(frozen=True)
class Greedy(Heuristic):
    """Every trick is worth winning, as cheaply as possible.

    It plays its lowest card that wins as the trick lies, a Devil last of all; where
    none wins it throws away its lowest. It leads its highest card.
    """

    name = "greedy"

    def play(self, view: KunitameView) -> Masks:
        """The cheapest winner."""
        if view.turn == 0:
            return features.dearest(view, view.legal)
        return features.cheapest(view, features.either(view.winning, view.legal))
