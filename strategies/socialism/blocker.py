"""Against whoever leads."""

from dataclasses import dataclass

import numpy as np

from sim.masks import Flags
from sim.socialism.view import SocialismView
from strategies.base import parameter
from strategies.socialism import features
from strategies.socialism.features import Numbers
from strategies.socialism.heuristic import Heuristic, of_active

_HARM = ("a-s-l", "lost-password", "smtp-block-list", "change-of-management")


@dataclass(frozen=True)
class Blocker(Heuristic):
    """Nobody else may win: it hurts whoever is about to by all that it holds.

    Where another is ahead, with no more than ``late`` tokens left, A/S/L?, Lost
    Password, SMTP Block List and Change of Management come before all else if they
    hurt others more than itself, and Jimmy blocks rather than that it invites.
    Otherwise it builds its own network: a User comes first.
    """

    name = "blocker"
    late: int = parameter(5, 1, 60)

    def gains(self, view: SocialismView) -> dict[str, Numbers | float]:
        """Harm before all else, where somebody is to be held back, else a User."""
        gains, late = super().gains(view), features.ahead_of(view, self.late)
        first = late * np.float32(10)
        for name in _HARM:
            harm = np.asarray(gains[name], dtype=np.float32)
            gains[name] = harm + first * (harm > 0)
        return gains | {"user": np.maximum(gains["user"], np.float32(10) - first)}

    def cancels(self, view: SocialismView) -> Flags:
        """Whatever another one plays who has fewer tokens left than this seat."""
        ahead: Flags = of_active(view, view.to_place) < view.to_place[0]
        return ahead

    def ways(self, view: SocialismView) -> Numbers:
        """By Jimmy, if possible, where somebody is to be held back."""
        worth = super().ways(view)
        worth[3] += np.float32(10) * features.ahead_of(view, self.late)
        return worth
