"""All that wins."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from sim import masks
from sim.evilpact.layout import PASS
from sim.evilpact.view import EvilpactView
from sim.masks import Masks
from sim.observation import Worth
from strategies.base import parameter
from strategies.best_options import BestOptions
from strategies.by_worth import worth_of, worth_of_two
from strategies.evilpact.features import Numbers
from strategies.evilpact.heuristic import Heuristic, by_element
from strategies.evilpact.outlook import Outlook


@dataclass(frozen=True)
class Allround(Heuristic):
    """What counts is the chance to win: elements, both contracts, and spells to come.

    It estimates how likely each element and each contract is won, chooses what
    raises its chance to win most, and keeps a spell until it is worth it.
    """

    name = "allround"
    # chance to win by a spell that is kept, at the start
    hold: float = parameter(0.2, 0.0, 20.0)
    # chance by a spell that the opponent does not have any more
    spare: float = parameter(0.15, 0.0, 20.0)

    def judge(self, view: EvilpactView) -> Outlook:
        """The chance to win."""
        return Outlook(view)

    def need(self, view: EvilpactView, judge: Any, spell: int) -> Numbers | float:
        """A spell is worth keeping, the less so the later it is."""
        cost = -judge.hand(-1) * ((view.hand >> np.uint64(spell) & masks.ONE) != 0)
        return self.hold * _left(view) + cost

    def lost(self, view: EvilpactView, judge: Any) -> Numbers | float:
        """(rows,) what it is worth that the other side loses a spell."""
        return self.spare * _left(view) + judge.hand(1)

    def _pacts(self, view: EvilpactView) -> BestOptions:
        """The spell whose element is lost with the least chance."""
        return by_element(view, -self.judge(view).behind)

    def counter(self, view: EvilpactView) -> Masks:
        """Where the spell would cost more than Hastur is worth."""
        need = self.hold * _left(view)
        return np.where(self.harm(view) > need, masks.lowest(view.legal), PASS)

    @worth_of(counter)
    def _worth_of_countering(self, view: EvilpactView) -> Worth:
        gain = self.harm(view) - self.hold * _left(view)
        return worth_of_two(view, masks.lowest(view.legal), PASS, gain)


def _left(view: EvilpactView) -> float:
    """The share of all own turns that is still to come."""
    turns = 2 * (view.rules.rounds - view.round) + (view.turn <= 2)
    return turns / (2 * view.rules.rounds)
