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

    ``kind`` is a decision with bags (Kunitame's contracts), a series of decisions that
    an option stops (Kbernestich's cubes), or one with an option to go ``without``
    (Devil's end of a round): there it declines once, and is free when asked again.
    ``when`` limits it to one moment of the clock, such as ("week", 2). With an
    ``option``, in a series of decisions that place tokens, it keeps the token that it
    would have placed on this id, and plays on without that token; elsewhere it declines
    where it would have chosen this id.
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

    @property
    def deviation_kind(self) -> str:
        """The kind of decision in which it may deviate."""
        return self.kind

    def decide(self, view: View) -> Masks:
        """(rows,) the inner strategy's answers, or declining ones."""
        unit, number = self.when
        now = view.kind.name == self.kind and view.time.get(unit) == number
        if not np.any(now):
            return self.inner.decide(view)
        if view.kind.stop and self.option:
            return self._keep_back(view)
        if view.kind.stop:
            may = (view.legal & view.stop) != masks.NOTHING
            return masks.blend(may & now, view.stop, self.inner.decide(view))
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

    def _keep_back(self, view: View) -> Masks:
        """The inner strategy's choice, keeping the token meant for the option.

        Nothing changes until it first wants the option. From then on the option does
        not exist for it, and it has a token less, this turn and in hand.
        """
        may = (view.legal & view.stop) != masks.NOTHING
        option, now = view.bits(self.option), _number(view)
        since = view.memory
        kept = may & (since != 0)
        chosen = self.inner.decide(view.with_legal(_without(view, option, kept)))
        wants = may & ~kept & ((chosen & option) != masks.NOTHING)
        if wants.any():
            view.remember(masks.blend(wants, now, since))
            others = self.inner.decide(view.with_legal(_without(view, option, may)))
            chosen = masks.blend(wants, others, chosen)
        stops = wants & (view.most <= 1)
        stops |= kept & ((since == now) | (view.supply <= 1))
        return masks.blend(stops, view.stop, chosen)


def _number(view: View) -> np.uint64:
    """A number unique to this turn, at least 1."""
    number = 1
    for value in view.time.values():
        number = number << 8 | value
    return np.uint64(number)


def _without(view: View, option: Mask, where: Flags) -> Masks:
    """(rows,) the legal options, without this one where flagged."""
    return masks.blend(where, view.legal & ~option, view.legal)
