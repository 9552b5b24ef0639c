"""Against whoever leads."""

from dataclasses import dataclass

import numpy as np

from sim.masks import Flags
from sim.socialism.view import SocialismView
from strategies.socialism import features
from strategies.socialism.features import Numbers
from strategies.socialism.heuristic import Heuristic

_HARM = ("a-s-l", "lost-password", "smtp-block-list", "change-of-management")


@dataclass(frozen=True)
class Blocker(Heuristic):
    """Nobody else may win: it hurts whoever leads by all that it holds.

    A/S/L?, Lost Password, SMTP Block List, Change of Management come before all else if
    they hurt others more than itself; Jimmy blocks rather than that it invites.
    """

    name = "blocker"

    def gains(self, view: SocialismView) -> dict[str, Numbers | float]:
        """Harm before all else, where it is more than none."""
        gains = super().gains(view)
        for name in _HARM:
            harm = np.asarray(gains[name])
            gains[name] = np.where(harm > 0, harm + 10, harm).astype(np.float32)
        return gains

    def cancels(self, view: SocialismView) -> Flags:
        """Whatever another one plays who has fewer tokens left than this seat."""
        left = view.to_place
        ahead: Flags = left[0] > left.min(axis=0)
        return ahead & (features.leader(view) == view.active)

    def ways(self, view: SocialismView) -> Numbers:
        """By Jimmy, where he can."""
        worth = super().ways(view)
        worth[3] += 10
        return worth
