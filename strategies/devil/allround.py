"""What each choice does to the chance to win the game."""

from dataclasses import dataclass
from math import log2

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.devil.layout import ONI, SPECIAL1, SPECIAL4
from sim.devil.view import DevilView
from sim.view import Rows
from strategies.base import parameter
from strategies.devil import features
from strategies.devil.heuristic import Heuristic

_DRAWN = np.zeros(ONI + 1, dtype=np.int64)  # cards that the next player draws else
_DRAWN[[SPECIAL1, SPECIAL4]] = 1, 2


@dataclass(frozen=True)
class Allround(Heuristic):
    """It weighs each choice by the chance to win the game, which totals decide.

    It ends a round where that leaves it a better chance than to go on; never where it
    loses the game by it. It sheds points, blocks the others, and plays a Special first
    that can end the round well; else it rather keeps one as its last card.
    """

    name = "allround"
    ignores_public_history = True
    # how uncertain totals are after an end; in dealt hands
    end: float = parameter(0.38, 0.01, 10)
    # how uncertain they are if the round goes on
    on: float = parameter(0.54, 0.01, 10)
    # of what hands cost now, what one player is charged later
    stays: float = parameter(0.06, 0, 10)
    # on top, each time the players are doubled
    more: float = parameter(0.22, 0, 10)
    # by how much less of its own hand it thinks to be charged
    hope: float = parameter(0.06, 0, 10)
    # what a card costs that the next player draws; dealt hands
    draws: float = parameter(0.16, 0, 10)
    # charged more later, by an Onifuda in 56 cards
    late: float = parameter(1.0, 0, 10)
    # chance by which an end is better than it looks
    bold: float = parameter(0.008, 0, 10)
    # chance that a rest worth a dealt hand costs
    points: float = parameter(0.13, 0, 10)
    # how much more it costs, by an Onifuda in 56 cards
    burden: float = parameter(2.0, 0, 10)
    # chance that as much on top costs, by Specials in the rest
    doubled: float = parameter(0.025, 0, 10)
    # chance by a rest that can surely follow
    cover: float = parameter(0.035, 0, 10)
    # chance by a card that nobody can follow
    block: float = parameter(0.18, 0, 10)
    # chance by a Special 1 in the rest
    keep: float = parameter(0.06, 0, 10)
    # chance that a Special 4 in the rest costs
    four: float = parameter(0.03, 0, 10)
    # chance by a Special that is all the rest
    lone: float = parameter(0.1, 0, 10)
    # chance that a Special costs, by an Onifuda in 56 cards
    danger: float = parameter(0.15, 0, 10)
    # chance by an Onifuda in the rest
    wait: float = parameter(0.1, 0, 10)

    def value(self, options: features.Options) -> features.Numbers:
        """The chance to win by each card, more or less than by another."""
        layout = options.view.layout
        hand, often = features.cost_as_dealt(layout), features.onifuda(layout)
        points, cost = options.rest_points, options.left_over
        worth = self.cover * features.cover(options)
        worth -= self.block * features.answers(options)
        worth -= self.points * (1 + self.burden * often) / hand * points
        worth -= self.doubled / hand * (cost - points)
        which = masks.rows_with(options.card, layout.specials | layout.oni)
        if len(which):
            view = options.view.take(options.row.take(which))
            worth[which] += self._end(view, options.kind.take(which), cost.take(which))
        return worth

    def _end(
        self, view: DevilView, kind: Rows, cost: NDArray[np.int32]
    ) -> features.Numbers:
        """(rows,) the chance by a card of this kind that can end the round.

        ``cost`` is that of the rest of the hand.
        """
        after = features.expected_costs(view, cost)
        gain = self._gain(view, after, _DRAWN.take(kind))
        lone = self.lone * (view.sizes[0] == 2)
        lone -= self.danger * features.onifuda(view.layout)
        lone += np.where(kind == SPECIAL1, self.keep, -self.four)
        worth: features.Numbers = np.maximum(gain, 0) - lone
        return np.where(kind == ONI, gain - self.wait, worth)

    def gain_by_end(self, view: DevilView) -> features.Numbers:
        """(rows,) the chance to win that it leaves more; -1 where the game is lost."""
        four = (view.played & view.layout.kinds[SPECIAL4]) != masks.NOTHING
        drawn = _DRAWN.take(np.where(four, SPECIAL4, SPECIAL1))
        costs = features.expected_costs(view)
        after = view.scores + features.cost_of_end(view, costs, four)
        lost = after.max(axis=0) >= view.rules.goal
        lost &= after[0] > after[1:].min(axis=0)
        return np.where(lost, -1.0, self._gain(view, costs, drawn))

    def _gain(
        self, view: DevilView, costs: features.Numbers, drawn: NDArray[np.int64]
    ) -> features.Numbers:
        """(rows,) what an end is better than to go on, where hands cost this.

        ``drawn`` is how many cards the next player draws if the round goes on.
        """
        hand = features.cost_as_dealt(view.layout)
        stays = self.stays + self.more * log2(view.players)
        later = costs * stays
        later[0] -= costs[0] * self.hope
        later[1] += self.draws * hand * drawn
        later *= 1 + self.late * features.onifuda(view.layout)
        added = np.array([features.cost_of_end(view, costs, drawn == 2), later])
        spread = np.array([[self.end * hand], [self.on * hand]])
        end, goes_on = features.chance(view, added, spread)
        gain: features.Numbers = end + self.bold - goes_on
        return gain
