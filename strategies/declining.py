"""A strategy kept from one decision, to see what that decision is worth."""

from dataclasses import dataclass, field

import numpy as np

from sim.masks import Masks
from sim.view import View
from strategies.base import Strategy
from strategies.random import Random


@dataclass(frozen=True)
class Declining(Strategy):
    """Plays as another strategy, but places nothing at one kind of decision.

    ``kind`` is a decision with bags (Kunitame's contracts); ``when`` limits it to
    one moment of the clock, such as ("week", 2).
    """

    name = "declining"

    inner: Strategy = field(default_factory=Random)
    kind: str = ""
    when: tuple[str, int] = ("", 0)

    @property
    def title(self) -> str:
        """The name of the strategy that plays, and what it does without."""
        unit, number = self.when
        return f"{self.inner.title} without {self.kind} in {unit} {number}"

    def decide(self, view: View) -> Masks:
        """As the other strategy, but nothing where it declines."""
        unit, number = self.when
        if view.kind.name == self.kind and view.time.get(unit) == number:
            return np.zeros_like(view.legal)
        return self.inner.decide(view)
