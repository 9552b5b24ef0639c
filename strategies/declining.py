"""A strategy kept from one decision, to see what that decision is worth."""

from dataclasses import dataclass, field

import numpy as np

from sim import masks
from sim.masks import Masks
from sim.view import View
from strategies.base import Strategy
from strategies.random import Random


@dataclass(frozen=True)
class Declining(Strategy):
    """Plays as another strategy, but places nothing at one kind of decision.

    ``kind`` is a decision with bags (Kunitame's contracts), or one of several in a row
    that an option stops (Kbernestich's cubes); ``when`` limits it to one moment of the
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
        if view.kind.name == self.kind and view.time.get(unit) == number:
            if not view.kind.stop:
                return np.zeros_like(view.legal)
            return self._stopped(view)
        return self.inner.decide(view)

    def _stopped(self, view: View) -> Masks:
        """The other strategy's choice, or to stop where it is the one declined."""
        chosen = self.inner.decide(view)
        declined = (view.legal & view.stop) != masks.NOTHING
        if self.option:
            declined &= (chosen & view.bits(self.option)) != masks.NOTHING
        return masks.blend(declined, view.stop, chosen)
