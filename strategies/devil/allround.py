"""What each choice does to the chance to win the game."""

from dataclasses import dataclass
from math import log2

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.devil.layout import ONI, SPECIAL1, SPECIAL4
from sim.devil.view import DevilView
from sim.masks import Flags
from strategies.base import parameter
from strategies.devil import features
from strategies.devil.heuristic import Heuristic

_ENDS = {SPECIAL1: 1, SPECIAL4: 2, ONI: 0}  # cards that the next player draws else


@dataclass(frozen=True)
class Allround(Heuristic):
    """It weighs each choice by the chance to win the game, which totals decide.

    It ends a round where that leaves it a better chance than to go on; never where it
    loses the game by it. It sheds points, blocks the others, and plays a Special first
    that can end the round well; else it rather keeps one as its last card.
    """

    name = "allround"
    heedless = True
    # how uncertain totals are after an end; in dealt hands
    end: float = parameter(0.38, 0.01, 10)
    # the same if the round goes on
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

    def worth(self, view: DevilView) -> features.Numbers:
        """The chance to win by each card, more or less than by another."""
        hand, often = features.dealt(view.layout), features.onifuda(view.layout)
        points = view.layout.points_of(view.hand) - features.points(view.layout)
        cost = features.left_over(view)
        worth = self.cover * features.cover(view) - self.block * features.answers(view)
        worth -= self.points * (1 + self.burden * often) / hand * points
        worth -= self.doubled / hand * (cost - points)
        lone = self.lone * (view.sizes[0] == 2) - self.danger * often
        worth[SPECIAL1] -= lone + self.keep
        worth[SPECIAL4] -= lone - self.four
        worth[ONI] -= self.wait
        able = features.options(view)
        for kind, drawn in _ENDS.items():
            rows = np.flatnonzero(able[kind])
            if not len(rows):
                continue
            some = view.some(rows)
            after = features.expected(some)
            after[0] = cost[kind, rows]
            gain = self._gain(some, after, np.full(len(rows), drawn))
            worth[kind, rows] += gain if kind == ONI else np.maximum(gain, 0)
        return worth

    def ends(self, view: DevilView) -> Flags:
        """Where an end leaves a better chance to win, and does not lose the game."""
        four = (view.played & view.layout.kinds[SPECIAL4]) != masks.NOTHING
        drawn = np.where(four, _ENDS[SPECIAL4], _ENDS[SPECIAL1])
        costs = features.expected(view)
        after = view.scores + features.ended(view, costs, four)
        lost = after.max(axis=0) >= view.rules.goal
        lost &= after[0] > after[1:].min(axis=0)
        ends: Flags = self._gain(view, costs, drawn) > 0
        ends &= ~lost
        return ends

    def _gain(
        self, view: DevilView, costs: features.Numbers, drawn: NDArray[np.int64]
    ) -> features.Numbers:
        """(rows,) what an end is better than to go on, where hands cost this.

        ``drawn`` is how many cards the next player draws if the round goes on.
        """
        hand = features.dealt(view.layout)
        stays = self.stays + self.more * log2(view.players)
        later = costs * stays
        later[0] -= costs[0] * self.hope
        later[1] += self.draws * hand * drawn
        later *= 1 + self.late * features.onifuda(view.layout)
        added = features.ended(view, costs, drawn == _ENDS[SPECIAL4])
        end = features.chance(view, added, self.end * hand)
        goes_on = features.chance(view, later, self.on * hand)
        gain: features.Numbers = end + self.bold - goes_on
        return gain
