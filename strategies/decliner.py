"""A strategy that declines one decision, to measure what that decision is worth."""

from dataclasses import dataclass, field

import numpy as np

from sim import masks
from sim.masks import Flags, Mask, Masks
from sim.view import View
from strategies.base import Strategy
from strategies.random import Random


@dataclass(frozen=True)
class Decliner(Strategy):
    """Plays as another strategy, but declines one kind of decision, or one option.

    ``kind`` is a decision with bags (Kunitame's contracts), or one with an option to go
    ``without`` (Devil's end of a round): there it declines once, and is free when asked
    again. ``when`` limits it to one moment of the clock, such as ("week", 2). With an
    ``option`` it declines where it would have chosen this id.
    """

    name = "declining"
    ignores_public_history = True

    inner: Strategy = field(default_factory=Random)
    kind: str = ""
    when: tuple[str, int] = ("", 0)
    option: str = ""
    words: str = ""  # ``when`` in words

    @property
    def title(self) -> str:
        """The inner strategy, what it declines, and when."""
        unit, number = self.when
        what = self.option or self.kind
        when = f", {self.words}" if self.words else f" in {unit} {number}"
        return f"{self.inner.title} without {what}{when}"

    def decide(self, view: View) -> Masks:
        """(rows,) the inner strategy's answers, or declining ones."""
        unit, number = self.when
        now = view.kind.name == self.kind and view.time.get(unit) == number
        if not np.any(now):
            return self.inner.decide(view)
        if view.kind.without:
            return self._instead(view, view.bits(view.kind.without), now)
        return np.zeros_like(view.legal)

    def _instead(self, view: View, without: Mask, now: bool | Flags) -> Masks:
        """The inner strategy's choice, but going without the first time it may."""
        chosen = self.inner.decide(view)
        declined = (view.legal & without) != masks.NOTHING
        declined &= (chosen != without) & (view.memory == 0) & now
        if self.option:
            declined &= (chosen & view.bits(self.option)) != masks.NOTHING
        view.remember(view.memory | declined)
        return masks.blend(declined, without, chosen)
