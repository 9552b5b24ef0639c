"""What the strategies share: when to end a round."""

import numpy as np

from sim import masks
from sim.devil.layout import DRAW
from sim.devil.view import DevilView
from sim.masks import Flags, Masks
from strategies.base import Strategy
from strategies.devil import features


class Heuristic(Strategy):
    """It ends a round that adds less to its total than to the others' on average."""

    def play(self, view: DevilView) -> Masks:
        """The card that is worth most; it never draws where it can play."""
        chosen = view.legal & ~DRAW
        rows = masks.rows_with(chosen, chosen - masks.ONE)
        if len(rows):
            options = features.Options.of(view.take(rows))
            chosen[rows] = options.best(self.value(options))
        return chosen

    def value(self, options: features.Options) -> features.Numbers:
        """(options,) what it thinks of playing each."""
        return np.zeros(len(options))

    def declare(self, view: DevilView) -> Masks:
        """To end the round, where that gains."""
        return declare_where(view, self.ends(view))

    def ends(self, view: DevilView) -> Flags:
        """(rows,) where it would end the round."""
        added = features.cost_if_ended_now(view)
        cheap: Flags = added[0] < added[1:].mean(axis=0)
        return cheap


def declare_where(view: DevilView, ends: Flags) -> Masks:
    """(rows,) to end the round where ``ends`` is set, else to go on."""
    return masks.blend(ends, view.bits("end"), view.bits("continue"))
