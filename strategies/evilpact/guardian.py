"""Hastur."""

from dataclasses import dataclass

import numpy as np

from sim import masks
from sim.evilpact.layout import HASTUR_CARD, PASS, UPPER
from sim.evilpact.view import EvilpactView
from sim.masks import Masks
from strategies.base import parameter
from strategies.evilpact import features
from strategies.evilpact.features import Numbers
from strategies.evilpact.heuristic import Heuristic


@dataclass(frozen=True)
class Guardian(Heuristic):
    """One Hastur has to be enough: it keeps it for the spell that matters.

    That is one which costs at least ``matters`` elements. It builds the power that
    Hastur needs to counter all spells, and likes to have Hastur under contract.
    """

    name = "guardian"
    keen: float = parameter(1.5, 0.01, 20.0)
    matters: float = parameter(0.6, 0.0, 20.0)

    def weights(self, view: EvilpactView) -> Numbers:
        """More for Hastur's element, while Hastur is there and lacks power."""
        weights = super().weights(view)
        held = features.elements_of(view, (view.hand | view.contract) & HASTUR_CARD)
        short = view.power[:, 0] < view.rules.thresholds[UPPER]
        return np.where(held & short, self.keen, weights)

    def contract(self, view: EvilpactView) -> Masks:
        """Hastur, if in hand and the element is not lost."""
        margins = features.margins(view)
        led = features.elements_of(view, view.hand & HASTUR_CARD) & (margins >= 0)
        return np.where(led.any(axis=0), HASTUR_CARD, super().contract(view))

    def counter(self, view: EvilpactView) -> Masks:
        """Where the spell costs enough."""
        matters = self.harm(view) >= self.matters
        return np.where(matters, masks.lowest(view.legal), PASS)
