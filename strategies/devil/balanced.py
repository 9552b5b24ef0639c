"""All of it at once: what a hand will cost in the end, weighed in points."""

from dataclasses import dataclass

import numpy as np

from sim import masks
from sim.devil.box import SPECIAL1, SPECIAL4
from sim.devil.view import DevilView
from sim.masks import Flags
from strategies.devil import reading
from strategies.devil.school import School


@dataclass(frozen=True)
class Balanced(School):
    """Each card and each end is weighed by what it costs against the others on average.

    The more play, the sooner the round is over, and the more the points of the rest
    count. With few players there is time: it keeps a Special 1 and blocks the others.
    A round is ended where that is better than to go on, and where it wins the game;
    never where it loses it.
    """

    name = "balanced"
    doubled: float = 0.55  # points added by Specials in hand, to a point of the cards
    cover: float = 3.0  # points for a rest that can surely follow
    last: float = 10.0  # the same, if it is one card, on top
    keep: float = 22.0  # points that a Special 1 in hand is worth in a long round
    four: float = 5.0  # points that a Special 4 in hand costs
    block: float = 60.0  # points for a card that nobody can follow in a long round
    margin: float = 8.0  # points by which going on is better than it looks
    slow: float = 3.0  # the higher, the longer rounds are thought to go on

    def worth(self, view: DevilView) -> reading.Numbers:
        """What the others will be charged more than this seat, by card played."""
        box, players = view.box, view.players
        course = self._course(players)
        haste = course + 0.2
        slack = 1 - haste
        others = reading.expected(view)[1:].mean(axis=0)
        points = box.points_of(view.hand) - reading.points(box)
        cost = reading.left_over(view)
        size = view.sizes[0].astype(np.int16) - 1
        follow = reading.cover(view)
        worth = (self.cover + self.last * (size == 1)) * follow
        worth -= haste * (points + self.doubled * (cost - points))
        worth -= slack * self.block * reading.answers(view)
        worth += slack * self.keep * _rest_of(view, SPECIAL1)
        worth -= self.four * _rest_of(view, SPECIAL4)
        worth += course * others + self.margin
        for special, factor in ((SPECIAL1, 2.0), (SPECIAL4, self._four(view))):
            ended = factor * others - 2 * cost[special]
            worth[special] = np.maximum(worth[special], ended)
        return np.where(size == 0, others * _out(view), worth)

    def ends(self, view: DevilView) -> Flags:
        """Where the others lose more by it, and the game is not lost by it."""
        added, costs = reading.if_ended(view), reading.expected(view)
        gain = added[1:].mean(axis=0) - added[0]
        goes_on = self._course(view.players) * (costs[1:].mean(axis=0) - costs[0])
        after = view.scores + added
        last = after.max(axis=0) >= view.rules.goal
        first = after[0] < after[1:].min(axis=0)
        ends: Flags = np.where(last, first, gain > goes_on + self.margin)
        return ends

    def _four(self, view: DevilView) -> float:
        """What an end by a Special 4 multiplies the others' points by."""
        return 1.0 if view.rules.s4_end == "self_only" else 2.0

    def _course(self, players: int) -> float:
        """How much of what hands cost now is still so when the round is over."""
        return (players - 1) / (players + self.slow)


def _rest_of(view: DevilView, special: int) -> reading.Numbers:
    """(kinds, rows) how many of a Special are in hand after a card of each kind."""
    rest = np.repeat(view.held[special, None].astype(np.float64), len(view.held), 0)
    rest[special] -= 1
    return rest


def _out(view: DevilView) -> reading.Numbers:
    """(kinds, 1) what going out with a card of each kind multiplies points by."""
    factors = [
        view.box.others_factor[min(masks.members(kind))] if kind else 1
        for kind in view.box.kinds
    ]
    return np.array(factors, dtype=np.float64)[:, None]
