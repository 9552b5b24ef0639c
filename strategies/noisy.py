"""A strategy under noise: now and then a decision is left to chance."""

from dataclasses import dataclass, field

from sim import masks
from sim.masks import Masks
from sim.view import View
from strategies.base import Strategy, at_random, parameter
from strategies.random import Random


@dataclass(frozen=True)
class Noisy(Strategy):
    """Plays as another strategy, but each decision is random with probability ``p``."""

    name = "noisy"

    inner: Strategy = field(default_factory=Random)
    p: float = parameter(0.1, 0, 1)

    @property
    def title(self) -> str:
        """The name of the strategy that plays, and how often chance does."""
        return f"noisy({self.inner.title}, {self.p:g})"

    @property
    def cost(self) -> int:
        """That of the strategy that plays."""
        return self.inner.cost

    def decide(self, view: View) -> Masks:
        """As the other strategy, but by chance where a die says so."""
        chosen = self.inner.decide(view)
        return masks.blend(view.uniform() < self.p, at_random(view), chosen)
