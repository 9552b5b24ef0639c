"""Knowing what one's hand is worth."""

from dataclasses import dataclass

from sim import masks
from sim.kbernestich.view import KbernestichView
from sim.masks import Masks
from strategies.kbernestich import features
from strategies.kbernestich.heuristic import Heuristic, place, steer


@dataclass(frozen=True)
class Bidder(Heuristic):
    """A hand says how many tricks it will win; bid that, and win exactly those.

    It counts high cards and trumps, and what it has won, and bids the nearest number
    at once. Then it makes sure: Optimism where the hand promises more than the bid,
    else Pessimism. The other cubes go for the dear squares of Letter to Marie.
    """

    name = "bidder"
    ignores_public_history = True

    def plot(self, view: KbernestichView) -> Masks:
        """The bid, then Pessimism or Optimism."""
        expected = features.expected_tricks(view)
        bid = features.bid_near(view, expected)
        made = view.target != 0
        more = (view.target >> ((expected + 4) >> 3).astype("u4")) <= 1
        first = masks.blend(more, view.square("optimism"), view.square("pessimism"))
        action = masks.where(made, first)
        return place(view, bid, action, features.tables(view.layout).letters[2])

    def play(self, view: KbernestichView) -> Masks:
        """Win while the bid wants tricks."""
        return steer(view, features.missing(view))
