"""Players whose answers are changed: always at an option, or only at some moment."""

from dataclasses import dataclass, field

import numpy as np

from sim import masks
from sim.masks import Masks
from sim.view import View
from strategies.base import Strategy
from strategies.random import Random


@dataclass(frozen=True)
class TakesOption(Strategy):
    """Plays as another strategy, but takes an option whenever it can.

    ``kinds`` are the kinds of decisions, joined by ``+``; ``option`` is an id. In a bag
    it places one token there, and no other. In a sample the option takes the place of
    the lowest one that the other strategy chose.
    """

    name = "takes"
    ignores_public_history = True

    inner: Strategy = field(default_factory=Random)
    kinds: str = ""
    option: str = ""

    @property
    def title(self) -> str:
        """The inner strategy, and what it takes."""
        return f"{self.inner.title} taking {self.option}"

    def decide(self, view: View) -> Masks:
        """(rows,) the option where it is legal, else the inner strategy's answer."""
        chosen = self.inner.decide(view)
        if view.kind.name not in self.kinds.split("+"):
            return chosen
        can = view.legal & view.bits(self.option)
        forced = masks.lowest(can)
        if view.kind.form == "sample":
            can = masks.where((chosen & can) == masks.NOTHING, can)
            forced |= chosen ^ masks.lowest(chosen)
        return masks.blend(can != masks.NOTHING, forced, chosen)


@dataclass(frozen=True)
class AtMoment(Strategy):
    """Plays as one strategy at a moment of the clock, and as another at all others.

    ``unit`` and ``number``: the moment, such as week 2.
    """

    name = "at"
    ignores_public_history = True

    inner: Strategy = field(default_factory=Random)
    then: Strategy = field(default_factory=Random)
    unit: str = ""
    number: int = 0

    @property
    def title(self) -> str:
        """What is done, and the moment."""
        return (
            f"{self.then.title} in {self.unit} {self.number}, else {self.inner.title}"
        )

    def decide(self, view: View) -> Masks:
        """(rows,) the answer of the strategy of this moment."""
        now = np.broadcast_to(view.time.get(self.unit) == self.number, len(view))
        if not now.any():
            return self.inner.decide(view)
        if now.all():
            return self.then.decide(view)
        return masks.blend(now, self.then.decide(view), self.inner.decide(view))
