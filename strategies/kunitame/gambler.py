"""All or nothing."""

from dataclasses import dataclass

import numpy as np

from sim.kunitame.view import KunitameView
from sim.masks import Masks
from strategies.kunitame import features
from strategies.kunitame.heuristic import Heuristic, steer


@dataclass(frozen=True)
class Gambler(Heuristic):
    """Life gems are there to be staked: all it may, on a number out of the blue.

    It then plays for that number of tricks with the Devils that the stake brings.
    """

    name = "gambler"

    def contract(self, view: KunitameView) -> Masks:
        """All the gems on one square, each equally likely."""
        if view.options_per_token == 0:
            return np.zeros_like(view.legal)
        square = (view.uniform() * view.options_per_token).astype(np.int64)
        return view.stake(square, view.most)

    def play(self, view: KunitameView) -> Masks:
        """Win while tricks are missing."""
        return steer(view, features.tricks_missing(view))
