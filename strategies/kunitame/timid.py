"""Keeping out of it."""

from dataclasses import dataclass

from sim.kunitame.view import KunitameView
from sim.masks import Masks
from strategies.kunitame import reading
from strategies.kunitame.school import School


@dataclass(frozen=True)
class Timid(School):
    """A trick is a risk: no contracts, and always a low card, a losing one if it can.

    Of the cards that do not win as the trick lies it plays the lowest; where all
    of them win, the lowest too.
    """

    name = "timid"

    def play(self, view: KunitameView) -> Masks:
        """The lowest loser."""
        losers = view.legal ^ view.winning
        return reading.cheapest(view, reading.either(losers, view.legal))
