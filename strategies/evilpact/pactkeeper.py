"""The contract first."""

from dataclasses import dataclass

import numpy as np

from sim import masks
from sim.evilpact.view import EvilpactView
from strategies.base import parameter
from strategies.evilpact import features
from strategies.evilpact.features import Numbers
from strategies.evilpact.heuristic import Heuristic


@dataclass(frozen=True)
class Pactkeeper(Heuristic):
    """Who breaks the contract loses: it builds towards the element of its contract.

    Until contracts are made that is the element, of the spells in its hand, in which it
    leads by most. It counts ``keen`` times as much as another.
    """

    name = "pactkeeper"
    keen: float = parameter(4.0, 0.01, 20.0)

    def weights(self, view: EvilpactView) -> Numbers:
        """More for the element of its contract, made or to be made."""
        weights = super().weights(view)
        made = view.contract != masks.NOTHING
        spells = np.where(made, view.contract, view.hand)
        able = features.elements_of(view, spells)
        margins = np.where(able, features.margins(view), -100)
        weights[able & (margins == margins.max(axis=0))] = self.keen
        return weights
