"""Keeping cubes for the rounds that bring fewer."""

from dataclasses import dataclass

import numpy as np

from sim import masks
from sim.kbernestich.view import KbernestichView
from sim.masks import Masks
from strategies.kbernestich import reading
from strategies.kbernestich.school import School, place


@dataclass(frozen=True)
class Saver(School):
    """A cube kept is a cube more in the rounds in which a high score brings fewer.

    It places a cube for ``worth`` points or more. For less it places only those that
    the next refill brings back, by the table, if this round earns ``earns`` points;
    in the last round all of them.
    """

    name = "saver"
    worth: int = 3
    earns: int = 10

    def plot(self, view: KbernestichView) -> Masks:
        """What is worth it; with cubes to spare any points."""
        letters = reading.tables(view.box).letters
        dear = letters.get(self.worth, letters[3])
        score = view.scores[0] + np.uint16(self.earns)
        refill = view.box.refill.take(score, mode="clip").astype(np.int16)
        keep = np.maximum(view.rules.cubes - refill, 0)
        if view.last_round:
            keep[:] = 0
        spare = view.cubes > keep
        bid = masks.where(view.target == 0, self._late_bid(view))
        return place(view, dear, bid, masks.where(spare, view.box.to_marie))

    def _late_bid(self, view: KbernestichView) -> Masks:
        """In the last plot phase, the bid that tricks won and the hand promise."""
        if view.plots_left:
            return np.zeros_like(view.legal)
        return reading.bid_near(view, reading.expected(view))
