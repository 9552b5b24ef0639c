"""Keeping cubes for the rounds that bring fewer."""

from dataclasses import dataclass

import numpy as np

from sim import masks
from sim.kbernestich.view import KbernestichView
from sim.masks import Masks
from strategies.base import parameter
from strategies.kbernestich import features
from strategies.kbernestich.heuristic import Heuristic, place


@dataclass(frozen=True)
class Saver(Heuristic):
    """A cube kept is a cube more in the rounds in which a high score brings fewer.

    It places a cube for ``least`` points or more. For less it places only those that
    the next refill brings back, by the table, if this round earns ``earns`` points;
    in the last round all of them.
    """

    name = "saver"
    ignores_public_history = True
    least: int = parameter(3, 0, 99)
    earns: int = parameter(10, 0, 999)

    def plot(self, view: KbernestichView) -> Masks:
        """What is worth it; with cubes to spare any points."""
        letters = features.tables(view.layout).letters
        dear = letters.get(self.least, letters[3])
        score = view.scores[0] + np.uint16(self.earns)
        refill = view.layout.refill.take(score, mode="clip").astype(np.int16)
        keep = np.maximum(view.rules.cubes - refill, 0)
        if view.last_round:
            keep[:] = 0
        spare = view.cubes > keep
        bid = masks.where(view.target == 0, self._late_bid(view))
        return place(view, dear, bid, masks.where(spare, view.layout.to_marie))

    def _late_bid(self, view: KbernestichView) -> Masks:
        """In the last plot phase, the bid that tricks won and the hand promise."""
        if view.plots_left:
            return np.zeros_like(view.legal)
        return features.bid_near(view, features.expected_tricks(view))
