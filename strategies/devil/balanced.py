"""What each choice does to the chance to win the game."""

from dataclasses import dataclass
from math import log2

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.devil.box import ONI, SPECIAL1, SPECIAL4
from sim.devil.view import DevilView
from sim.masks import Flags
from strategies.devil import reading
from strategies.devil.school import School

_ENDS = {SPECIAL1: 1, SPECIAL4: 2, ONI: 0}  # cards that the next player draws else


@dataclass(frozen=True)
class Balanced(School):
    """It weighs each choice by the chance to win the game, which totals decide.

    It ends a round where that leaves it a better chance than to go on; never where it
    loses the game by it. It sheds points, blocks the others, and plays a Special first
    that can end the round well; else it rather keeps one as its last card.
    """

    name = "balanced"
    end: float = 0.38  # how uncertain totals are after an end; in dealt hands
    on: float = 0.54  # the same if the round goes on
    stays: float = 0.06  # of what hands cost now, what one player is charged later
    more: float = 0.22  # on top, each time the players are doubled
    hope: float = 0.06  # by how much less of its own hand it thinks to be charged
    draws: float = 0.16  # what a card costs that the next player draws; dealt hands
    late: float = 1.0  # charged more later, by an Onifuda in 56 cards
    bold: float = 0.008  # chance by which an end is better than it looks
    points: float = 0.13  # chance that a rest worth a dealt hand costs
    burden: float = 2.0  # how much more it costs, by an Onifuda in 56 cards
    doubled: float = 0.025  # chance that as much on top costs, by Specials in the rest
    cover: float = 0.035  # chance by a rest that can surely follow
    block: float = 0.18  # chance by a card that nobody can follow
    keep: float = 0.06  # chance by a Special 1 in the rest
    four: float = 0.03  # chance that a Special 4 in the rest costs
    lone: float = 0.1  # chance by a Special that is all the rest
    danger: float = 0.15  # chance that a Special costs, by an Onifuda in 56 cards
    wait: float = 0.1  # chance by an Onifuda in the rest

    def worth(self, view: DevilView) -> reading.Numbers:
        """The chance to win by each card, more or less than by another."""
        hand, often = reading.dealt(view.box), reading.onifuda(view.box)
        points = view.box.points_of(view.hand) - reading.points(view.box)
        cost = reading.left_over(view)
        worth = self.cover * reading.cover(view) - self.block * reading.answers(view)
        worth -= self.points * (1 + self.burden * often) / hand * points
        worth -= self.doubled / hand * (cost - points)
        lone = self.lone * (view.sizes[0] == 2) - self.danger * often
        worth[SPECIAL1] -= lone + self.keep
        worth[SPECIAL4] -= lone - self.four
        worth[ONI] -= self.wait
        able = reading.options(view)
        for kind, drawn in _ENDS.items():
            rows = np.flatnonzero(able[kind])
            if not len(rows):
                continue
            some = view.some(rows)
            after = reading.expected(some)
            after[0] = cost[kind, rows]
            gain = self._gain(some, after, np.full(len(rows), drawn))
            worth[kind, rows] += gain if kind == ONI else np.maximum(gain, 0)
        return worth

    def ends(self, view: DevilView) -> Flags:
        """Where an end leaves a better chance to win, and does not lose the game."""
        four = (view.played & view.box.kinds[SPECIAL4]) != masks.NOTHING
        drawn = np.where(four, _ENDS[SPECIAL4], _ENDS[SPECIAL1])
        costs = reading.expected(view)
        after = view.scores + reading.ended(view, costs, four)
        lost = after.max(axis=0) >= view.rules.goal
        lost &= after[0] > after[1:].min(axis=0)
        ends: Flags = self._gain(view, costs, drawn) > 0
        ends &= ~lost
        return ends

    def _gain(
        self, view: DevilView, costs: reading.Numbers, drawn: NDArray[np.int64]
    ) -> reading.Numbers:
        """(rows,) what an end is better than to go on, where hands cost this.

        ``drawn`` is how many cards the next player draws if the round goes on.
        """
        hand = reading.dealt(view.box)
        stays = self.stays + self.more * log2(view.players)
        later = costs * stays
        later[0] -= costs[0] * self.hope
        later[1] += self.draws * hand * drawn
        later *= 1 + self.late * reading.onifuda(view.box)
        added = reading.ended(view, costs, drawn == _ENDS[SPECIAL4])
        end = reading.chance(view, added, self.end * hand)
        goes_on = reading.chance(view, later, self.on * hand)
        gain: reading.Numbers = end + self.bold - goes_on
        return gain
