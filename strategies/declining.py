"""A strategy kept from one decision, to see what that decision is worth."""

from dataclasses import dataclass, field

import numpy as np

from sim import masks
from sim.masks import Flags, Mask, Masks
from sim.view import View
from strategies.base import Strategy
from strategies.random import Random


@dataclass(frozen=True)
class Declining(Strategy):
    """Plays as another strategy, but places nothing at one kind of decision.

    ``kind`` is a decision with bags (Kunitame's contracts), one of several in a row
    that an option stops (Kbernestich's cubes), or one with an option that goes
    ``without`` (Devil's end of a round); ``when`` limits it to one moment of the
    clock, such as ("week", 2), and ``option`` to where it would have chosen this id.
    """

    name = "declining"

    inner: Strategy = field(default_factory=Random)
    kind: str = ""
    when: tuple[str, int] = ("", 0)
    option: str = ""

    @property
    def title(self) -> str:
        """The name of the strategy that plays, and what it does without."""
        unit, number = self.when
        what = self.option or self.kind
        return f"{self.inner.title} without {what} in {unit} {number}"

    def decide(self, view: View) -> Masks:
        """As the other strategy, but nothing where it declines."""
        unit, number = self.when
        now = view.kind.name == self.kind and view.time.get(unit) == number
        if not np.any(now):
            return self.inner.decide(view)
        without = view.kind.stop or view.kind.without
        if without:
            return self._instead(view, view.bits(without), now)
        return np.zeros_like(view.legal)

    def _instead(self, view: View, without: Mask, now: bool | Flags) -> Masks:
        """The other strategy's choice, or to go without where it is declined."""
        chosen = self.inner.decide(view)
        declined = (view.legal & without) != masks.NOTHING
        declined &= now
        if self.option:
            declined &= (chosen & view.bits(self.option)) != masks.NOTHING
        return masks.blend(declined, without, chosen)
