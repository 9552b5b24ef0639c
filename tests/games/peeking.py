"""A player that peeks, to be caught."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim import masks
from sim.masks import Flags, Masks
from sim.view import View
from strategies.random import Random

Look = Callable[[Any], Masks]
"""(games,) something of a state, as a mask."""


@dataclass(frozen=True)
class Peek(Random):
    """Looks at what it may not see, at one kind of decision."""

    name = "peek"
    kind: str = ""
    what: Look = lambda state: state.hands[0]
    pick: Callable[[View, Flags], Masks] = lambda view, _: view.legal

    def decide(self, view: View) -> Masks:
        right = super().decide(view)
        if view.kind.name != self.kind:
            return right
        seen = view.common(self.what(view._state)).astype(np.uint64)
        return self.pick(view, (masks.count(seen) & 1) == 1)
