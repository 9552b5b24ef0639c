"""Paths for a Viral Post."""

from dataclasses import dataclass

import numpy as np

from sim import masks
from sim.socialism.view import SocialismView
from strategies.base import parameter
from strategies.socialism import features
from strategies.socialism.features import Numbers
from strategies.socialism.heuristic import Heuristic


@dataclass(frozen=True)
class Viral(Heuristic):
    """A Viral Post brings a Member each turn: it plays one at once, and builds its way.

    It places Users beside those who are not yet its Members, where the token goes next,
    and keeps Stellar Status until it brings at least ``dense`` Members.
    """

    name = "viral"
    dense: int = parameter(4, 1, 20)

    def gains(self, view: SocialismView) -> dict[str, Numbers | float]:
        """A Viral Post before all else; Stellar Status only where many join."""
        gains = super().gains(view)
        joining = np.asarray(gains["stellar-status"])
        near_end = joining >= view.to_place[0]
        some = (view.mine != 0) & (masks.count(features.wanted(view)) > 1)
        copies = _copies(view) & some
        return gains | {
            "viral-post": np.where(some, 12, -1).astype(np.float32),
            "flattery": np.where(copies, 11, -2).astype(np.float32),
            "stellar-status": np.where(
                (joining >= self.dense) | near_end, joining + 5, -3
            ).astype(np.float32),
        }

    def near(self, view: SocialismView) -> Numbers:
        """Beside those who are not yet Members."""
        free = features.holds(features.wanted(view), view.layout.size)
        return free.astype(np.float32) + np.float32(0.1)


def _copies(view: SocialismView) -> np.ndarray:
    """(rows,) whether a Viral Post lies before anybody."""
    front = masks.join(list(view.front))
    lies: np.ndarray = (front & view.layout.kinds[0]) != 0
    return lies
