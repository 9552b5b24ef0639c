"""A player who does as he is told at one decision, and otherwise as another does."""

from dataclasses import dataclass

import numpy as np

from sim.masks import Masks
from sim.view import View
from strategies.base import Strategy


@dataclass(frozen=True)
class Told(Strategy):
    """Plays as ``inner``, but for one seat's decisions of a kind (at a time)."""

    inner: Strategy
    kind: str
    seat: int
    option: int
    time: tuple[tuple[str, int], ...] = ()

    def decide(self, view: View) -> Masks:
        """As the other strategy, or as told."""
        answer = self.inner.decide(view)
        now = self.time in ((), tuple(view.time.items()))
        if view.kind.name != self.kind or not now:
            return answer
        mine = np.broadcast_to(np.asarray(view.seat), answer.shape) == self.seat
        return np.where(mine, np.uint64(self.option), answer)
