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
    """Plays as another strategy, but declines one kind of decision, or one option.

    ``kind`` is a decision with bags (Kunitame's contracts), or one of several in a row
    that an option stops (Kbernestich's cubes); ``when`` limits it to one moment of the
    clock, such as ("week", 2). With an ``option`` it keeps what it would have put on
    this id, and plays on without that token.
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
            return self._kept_back(view)
        return self.inner.decide(view)

    def _kept_back(self, view: View) -> Masks:
        """The other strategy's choice; what it would put on the option is kept.

        Until it first wants the option, nothing changes. From then on there is none,
        and a token less in hand and to this turn.
        """
        may = (view.legal & view.stop) != masks.NOTHING
        if not self.option:
            return masks.blend(may, view.stop, self.inner.decide(view))
        option, now = view.bits(self.option), _number(view)
        since = view.memory
        kept = may & (since != 0)
        chosen = self.inner.decide(view.only(_without(view, option, kept)))
        wants = may & ~kept & ((chosen & option) != masks.NOTHING)
        if wants.any():
            view.remember(masks.blend(wants, now, since))
            others = self.inner.decide(view.only(_without(view, option, may)))
            chosen = masks.blend(wants, others, chosen)
        stops = wants & (view.most <= 1)
        stops |= kept & ((since == now) | (view.supply <= 1))
        return masks.blend(stops, view.stop, chosen)


def _number(view: View) -> np.uint64:
    """This turn's own number, from 1."""
    number = 1
    for value in view.time.values():
        number = number << 8 | value
    return np.uint64(number)


def _without(view: View, option: Mask, where: Flags) -> Masks:
    """The options, without this one where flagged."""
    return masks.blend(where, view.legal & ~option, view.legal)
