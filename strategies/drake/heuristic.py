"""What the strategy share: they look at the table after each option."""

import numpy as np

from sim import masks
from sim.drake.view import DrakeView
from sim.masks import Masks
from strategies.base import Strategy
from strategies.best import Best
from strategies.drake import features
from strategies.drake.features import Numbers, Outlook

_CLOSE = 1e-9  # equal worths, but for rounding


class Heuristic(Strategy):
    """It takes the option after which the table is worth most; equals are tossed."""

    def play(self, view: DrakeView) -> Masks:
        """The deck whose card is worth most, with the action that follows."""
        return self._chosen(view)

    def act(self, view: DrakeView) -> Masks:
        """The action that is worth most."""
        return self._chosen(view)

    def worth(self, view: DrakeView, look: Outlook, now: Outlook) -> Numbers:
        """(rows,) what it thinks of a table that may come of the one now."""
        return np.zeros(len(view))

    def _chosen(self, view: DrakeView) -> Masks:
        chosen = view.legal.copy()
        rows = np.flatnonzero(chosen & (chosen - masks.ONE))  # there is a choice
        if len(rows):
            chosen[rows] = self._best(view.some(rows))
        return chosen

    def _best(self, view: DrakeView) -> Masks:
        now = features.now(view)
        best = Best(len(view), _CLOSE)
        for option in masks.members(np.bitwise_or.reduce(view.legal)):
            lone = masks.bit(option)
            worth = np.zeros(len(view))
            for chance, after in features.after(view, now, lone):
                worth += chance * self.worth(view, after, now)
            able = masks.holding(view.legal, lone)
            best.consider(able, view.legal.take(able) & lone, worth.take(able))
        return view.toss(best.options)


def own(view: DrakeView, by_virtue: Numbers) -> Numbers:
    """(rows,) of numbers by Virtue (virtues, rows) that of one's own."""
    return by_virtue[view.virtues[0], np.arange(len(view))]
