"""Weighing everything together."""

from dataclasses import dataclass

import numpy as np

from sim import masks
from sim.kbernestich.view import KbernestichView
from sim.masks import Masks
from strategies.kbernestich import reading
from strategies.kbernestich.school import School, place, put_back, steer


@dataclass(frozen=True)
class Balanced(School):
    """Points for Letter to Marie at once, a bid when it is nearly certain."""

    name = "balanced"
    duck: int = 20  # eighths of a trick below which it bids 0
    grace: int = 24
    late: int = 3
    bust: int = 1
    dear: int = 2
    coming: float = 1.0
    slack: int = 0
    lift: int = 0
    acts: int = 1
    sheet: int = 1
    over: int = 4
    own: int = 1
    poor: int = 0
    first: int = 0

    def plot(self, view: KbernestichView) -> Masks:
        """A cube where it brings most."""
        table = reading.tables(view.box)
        letters = table.letters
        nothing = np.zeros_like(view.legal)
        expected = reading.expected(view) + self.lift
        zero = view.square("hunch-0")
        none = masks.where((expected < self.duck) & (view.tricks == 0), zero)
        ducking = masks.where(view.tricks == 0, view.mine & zero) != masks.NOTHING
        wants_grace = ~ducking & (expected >= self.grace)
        if self.sheet:
            by_digit = reading.digits(view)
            every = reading.points(np.full_like(nothing, view.box.everything), by_digit)
            base = (expected * (every.astype(np.int16) * view.players)) // (8 * len(view.box.deck))
            wants_grace |= ~ducking & (base > reading.bust(view).astype(np.int16) + self.over)
        grace = masks.where(wants_grace, view.box.grace)
        dear = masks.where(view.graced, table.dearest)
        if self.own == 0:
            dear = nothing
        if self.dear == 1:
            dear = table.dearest
        if self.dear == 3:
            dear = masks.where(view.graced & (view.trick >= 2), table.dearest)
        if self.dear == 4:
            mean = view.tricks_of.max(axis=0) <= view.tricks
            dear = masks.where(view.graced & mean, table.dearest)
        poor = masks.where(ducking, table.poorest) if self.poor else nothing
        bust = nothing
        if self.bust:
            bust = masks.blend(view.graced, table.bust_low, table.bust_high)
            bust = masks.where(view.graced | ducking, bust)
        bid = reading.bid_near(view, expected) if view.trick >= self.late else nothing
        acts = nothing
        if self.acts:
            acts = masks.where(ducking, view.square("optimism"))
            if self.acts > 1:
                acts |= masks.where(ducking, view.square("review"))
        if self.first:
            grace, letters = letters[3], {3: grace, 2: letters[2], 1: letters[1]}
        return place(
            view, none, letters[3], grace, dear, bust, bid, acts, letters[2], poor, letters[1]
        )

    def trump(self, view: KbernestichView) -> Masks:
        """The longest suit."""
        return reading.toss(view, reading.longest(view) & view.legal)

    def review(self, view: KbernestichView) -> Masks:
        """Low cards back, or with a bid of 0 high ones."""
        zero = (view.mine & view.square("hunch-0")) == masks.NOTHING
        return put_back(view, masks.flags(zero))

    def play(self, view: KbernestichView) -> Masks:
        """Win what pays."""
        return steer(view, reading.worth_winning(view, self.coming, self.slack))
