"""Attack."""

from dataclasses import dataclass

import numpy as np

from sim import masks
from sim.evilpact.layout import CTHUGHA, CTHULHU, LOWER
from sim.evilpact.view import EvilpactView
from strategies.base import parameter
from strategies.evilpact import features
from strategies.evilpact.features import Judge, Numbers
from strategies.evilpact.heuristic import Heuristic

ATTACKS = CTHUGHA, CTHULHU


@dataclass(frozen=True)
class Disruptor(Heuristic):
    """What the opponent loses early is lost for long: it attacks as soon as it pays.

    While it holds Cthugha or Cthulhu, and lacks the power, their elements count
    ``keen`` times as much as others. It casts them where they do anything.
    """

    name = "disruptor"
    keen: float = parameter(2.0, 0.01, 20.0)

    def weights(self, view: EvilpactView) -> Numbers:
        """More for the elements of the attacks that it cannot cast yet."""
        weights = super().weights(view)
        attacks = masks.union(map(int, ATTACKS))
        held = features.elements_of(view, view.hand & attacks)
        short = view.power[:, 0] < view.rules.thresholds[LOWER]
        return np.where(held & short, self.keen, weights)

    def need(self, view: EvilpactView, judge: Judge, spell: int) -> Numbers | float:
        """Nothing, for the attacks."""
        return 0.0 if spell in ATTACKS else super().need(view, judge, spell)
