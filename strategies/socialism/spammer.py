"""Spam."""

from dataclasses import dataclass

from sim.socialism.view import SocialismView
from strategies.socialism.features import Numbers
from strategies.socialism.heuristic import Heuristic


@dataclass(frozen=True)
class Spammer(Heuristic):
    """Spam reaches everybody, so it spams each turn, whoever accepts it most often.

    It plays New features, Industrial Espionage and the IPO first, which roll more dice
    or better ones.
    """

    name = "spammer"

    def gains(self, view: SocialismView) -> dict[str, Numbers | float]:
        """Dice for everybody before all else."""
        first = {"new-feature": 9.0, "industrial-espionage": 8.0, "ipo": 7.0}
        return super().gains(view) | first

    def ways(self, view: SocialismView) -> Numbers:
        """By spam, where it may."""
        worth = super().ways(view)
        worth[1] += 10
        return worth
