"""What every choice does to the chance to win the game."""

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
    """Totals decide, not points: it weighs each choice by the chance to win the game.

    It ends a round where that leaves it a better chance than to go on. The more play,
    and with an Onifuda about, the more of what hands cost now is charged in the end.
    It sheds points and Specials 4, blocks the others, keeps cards that can follow and
    a Special 1; a Special that can end the round well goes first.
    """

    name = "balanced"
    end: float = 0.38  # how far others' hands may be from the average; in dealt hands
    on: float = 0.54  # the same of all that comes if the round goes on
    stays: float = 0.06  # of what others' hands cost, with one player still charged
    more: float = 0.22  # on top, each time the players are doubled
    hope: float = 0.06  # by how much less of its own hand it thinks to be charged
    draws: float = 0.16  # what a card costs that the next player draws; dealt hands
    oni: float = 57.0  # charged more, by the share of Onifuda in the deck
    bold: float = 0.008  # chance by which an end is better than it looks
    points: float = 0.13  # chance that a rest worth a dealt hand costs
    doubled: float = 0.025  # the same of what Specials in the rest add
    cover: float = 0.035  # chance by a rest that can surely follow
    block: float = 0.18  # chance by a card that nobody can follow
    keep: float = 0.06  # chance by a Special 1 in the rest
    four: float = 0.03  # chance that a Special 4 in the rest costs
    lone: float = 0.1  # chance by a Special that is all the rest
    danger: float = 0.07  # chance that a Special in the rest costs, by an Onifuda

    def worth(self, view: DevilView) -> reading.Numbers:
        """The chance to win by each card, more or less than by others."""
        hand = reading.dealt(view.box)
        points = view.box.points_of(view.hand) - reading.points(view.box)
        cost = reading.left_over(view)
        costs = reading.expected(view)
        worth = self.cover * reading.cover(view) - self.block * reading.answers(view)
        worth -= self.points / hand * points
        worth -= self.doubled / hand * (cost - points)
        worth += self.keep * _rest_of(view, SPECIAL1)
        worth -= self.four * _rest_of(view, SPECIAL4)
        lone = view.sizes[0] == 2
        for special in (SPECIAL1, SPECIAL4):
            rest = _rest_of(view, special)
            worth += rest * (self.lone * lone - self.danger * (self._late(view) - 1))
        able = reading.options(view)
        for kind, drawn in _ENDS.items():
            rows = np.flatnonzero(able[kind])
            after = costs[:, rows]
            after[0] = cost[kind, rows]
            gain = self._gain(view.some(rows), after, np.full(len(rows), drawn))
            worth[kind, rows] += gain if kind == ONI else np.maximum(gain, 0)
        return worth

    def ends(self, view: DevilView) -> Flags:
        """Where an end leaves a better chance to win than to go on."""
        four = (view.played & view.box.kinds[SPECIAL4]) != masks.NOTHING
        ends: Flags = self._gain(view, reading.expected(view), 1 + four) > 0
        return ends

    def _gain(
        self, view: DevilView, costs: reading.Numbers, drawn: NDArray[np.int64]
    ) -> reading.Numbers:
        """(rows,) what an end is better than to go on, where hands cost this.

        ``drawn`` is how many cards the next player draws else.
        """
        hand = reading.dealt(view.box)
        kept = self.stays + self.more * log2(view.players)
        later = costs * kept
        later[0] -= costs[0] * self.hope
        later[1] += self.draws * hand * drawn
        later *= self._late(view)
        ended = reading.ended(view, costs, drawn == _ENDS[SPECIAL4])
        gain = reading.chance(view, ended, self.end * hand)
        gain -= reading.chance(view, later, self.on * hand)
        gain += self.bold
        return gain

    def _late(self, view: DevilView) -> float:
        """What an Onifuda about multiplies points by that are charged later."""
        copies = len(masks.members(view.box.oni))
        return 1 + self.oni * copies / view.box.size


def _rest_of(view: DevilView, special: int) -> reading.Numbers:
    """(kinds, rows) how many of a Special are in hand after a card of each kind."""
    rest = np.repeat(view.held[special, None].astype(np.float64), len(view.held), 0)
    rest[special] -= 1
    return rest
