"""Winning nothing at all."""

from dataclasses import dataclass

import numpy as np

from sim import masks
from sim.kbernestich.view import KbernestichView
from sim.masks import Masks
from strategies.kbernestich import features
from strategies.kbernestich.heuristic import Heuristic, place, put_back, steer


@dataclass(frozen=True)
class Ducker(Heuristic):
    """No tricks at all: a bid of 0 that comes true earns the misery bonus as well.

    It wants no trump, or one that it does not hold, puts its high cards back, ducks
    every trick, and with the bid made raises the bust value that the bonus comes from.
    """

    name = "ducker"
    ignores_public_history = True

    def trump(self, view: KbernestichView) -> Masks:
        """A suit that it does not hold, else none."""
        none = view.legal & ~masks.span(0, len(view.layout.suits))
        held = [masks.count(view.hand & suit) == 0 for suit in view.layout.suits]
        void = masks.join([masks.where(h, masks.bit(n)) for n, h in enumerate(held)])
        return view.toss(features.either(void & view.legal, none))

    def plot(self, view: KbernestichView) -> Masks:
        """The bid of 0; with it what helps it or raises it."""
        none, layout = view.square("hunch-0"), view.layout
        helps = masks.from_flags((view.mine & none) != masks.NOTHING)
        helps &= masks.from_flags(view.tricks == 0)
        raised = features.tables(layout).bust_high
        wishes = [raised, view.square("review"), view.square("optimism")]
        fresh = masks.where(view.tricks == 0, none)
        return place(view, fresh, *[helps & wish for wish in wishes], layout.to_marie)

    def review(self, view: KbernestichView) -> Masks:
        """The dearest cards go back."""
        return put_back(view, np.zeros(len(view), dtype=np.bool_))

    def play(self, view: KbernestichView) -> Masks:
        """Never win."""
        return steer(view, np.zeros(len(view), dtype=np.bool_))
