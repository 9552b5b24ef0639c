"""Tricks are worth the gems they win."""

from dataclasses import dataclass

import numpy as np

from sim import masks
from sim.kunitame.view import KunitameView
from sim.masks import Masks
from strategies.kunitame import reading
from strategies.kunitame.school import School, last


@dataclass(frozen=True)
class PledgeHunter(School):
    """A trick is worth the gem it wins: hunt those, and duck where one would go back.

    It makes no contracts. Cards whose squares still hold a gem win tricks, the
    cheapest one if nobody can play after it, else the dearest. With other cards it
    ducks, throwing away its dearest loser.
    """

    name = "pledge-hunter"

    def play(self, view: KunitameView) -> Masks:
        """Win with a card that pays, else duck."""
        winners = view.winning
        paying = winners & reading.paid(view, view.gems)
        hunts = paying != 0
        side = reading.either(paying, reading.either(view.legal ^ winners, view.legal))
        ducks = ~hunts & (side != view.legal) if view.turn else np.zeros_like(hunts)
        high = ducks | (hunts if not last(view) else False)
        return reading.by_rank(view, side, high)
