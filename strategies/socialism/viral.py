"""Paths for a Viral Post."""

from dataclasses import dataclass

import numpy as np

from sim import masks
from sim.socialism.view import SocialismView
from strategies.base import parameter
from strategies.socialism import features
from strategies.socialism.features import Numbers
from strategies.socialism.heuristic import Heuristic, Near


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
        enough = (joining >= self.dense) | (joining >= view.to_place[0])
        useful = (view.mine != 0) & (masks.count(features.users_to_win(view)) > 1)
        copies = useful & (features.copy_value(view)[0] > 0)
        return gains | {
            "viral-post": np.where(useful, np.float32(12), np.float32(-1)),
            "flattery": np.where(copies, np.float32(11), np.float32(-2)),
            "stellar-status": np.where(enough, joining + 5, np.float32(-3)),
        }

    def near(self, view: SocialismView) -> Near:
        """Beside those who are not yet Members."""
        return (features.users_to_win(view), 1.0), (view.layout.everybody, 0.1)
