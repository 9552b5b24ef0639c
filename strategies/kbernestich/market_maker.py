"""Making the prices."""

from dataclasses import dataclass

import numpy as np

from sim import masks
from sim.kbernestich.view import KbernestichView
from sim.masks import Masks
from strategies.kbernestich import features
from strategies.kbernestich.heuristic import Heuristic, place


@dataclass(frozen=True)
class MarketMaker(Heuristic):
    """Who sets the values sets the score: its own colours high, those of others low.

    A colour is its own if it holds or has won more than its share of it. The bust
    value it sets low where somebody else has won most tricks, and high where it has.
    """

    name = "market-maker"
    ignores_public_history = True

    def plot(self, view: KbernestichView) -> Masks:
        """Values by whose colour it is, then the bust value, then dear squares."""
        table = features.tables(view.layout)
        cards = view.pile | view.hand
        share = masks.count(cards).astype(np.int16)
        high, low = np.zeros_like(view.legal), np.zeros_like(view.legal)
        for suit, dear, poor in zip(
            view.layout.suits, table.dear, table.poor, strict=True
        ):
            held = masks.count(cards & suit).astype(np.int16) * len(view.layout.suits)
            high |= masks.where(held > share, dear)
            low |= masks.where(held < share, poor)
        ahead = view.tricks >= view.tricks_of.max(axis=0)
        busts = masks.blend(ahead, table.bust_high, table.bust_low)
        busts = masks.where(view.tricks_of.max(axis=0) > 0, busts)
        return place(view, high, busts, low, table.letters[2])
