"""Tricks are worth the gems they win."""

from dataclasses import dataclass

from sim.kunitame.view import KunitameView
from sim.masks import Masks
from strategies.kunitame import features
from strategies.kunitame.heuristic import Heuristic, last


@dataclass(frozen=True)
class PledgeHunter(Heuristic):
    """A trick is worth the gem it wins: hunt those, and duck where one would go back.

    It makes no contracts. Cards whose squares still hold a gem win tricks, the
    cheapest one if nobody can play after it, else the dearest. With other cards it
    ducks, throwing away its dearest loser.
    """

    name = "pledge-hunter"

    def play(self, view: KunitameView) -> Masks:
        """Win with a card that pays, else duck."""
        paying = view.winning & features.cards_that_pay(view, view.gems)
        losers = view.winning ^ view.legal
        hunts, ducks = paying != 0, losers != 0
        card = features.either(paying, features.either(losers, view.legal))
        high = ducks & ~hunts if last(view) else ducks | hunts
        return features.by_rank(view, card, high)
