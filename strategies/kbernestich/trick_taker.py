"""Winning whatever there is."""

from dataclasses import dataclass

import numpy as np

from sim.kbernestich.view import KbernestichView
from sim.masks import Masks
from strategies.kbernestich import features
from strategies.kbernestich.heuristic import Heuristic, place, steer


@dataclass(frozen=True)
class TrickTaker(Heuristic):
    """Every trick is worth winning: trump is long, and winners are there to be spent.

    It bids as high as it can, asks for Grace, and sets colours to the highest value,
    so that what its tricks are worth exceeds the bust value.
    """

    name = "trick-taker"
    ignores_public_history = True

    def plot(self, view: KbernestichView) -> Masks:
        """The highest bid, Grace, high values, then a low bust value."""
        table = features.tables(view.layout)
        return place(
            view, table.high_bid, view.layout.grace, table.dearest, table.bust_low
        )

    def play(self, view: KbernestichView) -> Masks:
        """Win if it can be done."""
        return steer(view, np.ones(len(view), dtype=np.bool_))
