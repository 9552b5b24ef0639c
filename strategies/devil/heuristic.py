"""What the strategies share: when to end a round."""

import numpy as np

from sim import masks
from sim.devil.layout import DRAW
from sim.devil.view import DevilView
from sim.masks import Masks
from sim.observation import Worth
from strategies.base import Strategy
from strategies.best_options import worth_by_bit
from strategies.by_worth import worth_of, worth_of_two
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

    @worth_of(play)
    def _worth_of_cards(self, view: DevilView) -> Worth:
        options = features.Options.of(view)
        cards = options.row, options.card, self.value(options)
        rows = masks.rows_where(view.legal == DRAW)
        draw = rows, view.legal.take(rows), np.zeros(len(rows))
        return worth_by_bit(len(view), [cards, draw])

    def value(self, options: features.Options) -> features.Numbers:
        """(options,) what it thinks of playing each."""
        return np.zeros(len(options))

    def declare(self, view: DevilView) -> Masks:
        """To end the round, where that gains."""
        ends = self.gain_by_end(view) > 0
        return masks.blend(ends, view.bits("end"), view.bits("continue"))

    @worth_of(declare)
    def _worth_of_end(self, view: DevilView) -> Worth:
        gain = self.gain_by_end(view)
        return worth_of_two(view, view.bits("end"), view.bits("continue"), gain)

    def gain_by_end(self, view: DevilView) -> features.Numbers:
        """(rows,) what it thinks that the end of the round gains."""
        added = features.cost_if_ended_now(view)
        gain: features.Numbers = added[1:].mean(axis=0) - added[0]
        return gain
