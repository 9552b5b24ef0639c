"""Players that are watched for peeking, and one that peeks."""

from collections import Counter
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


class Seen(AssertionError):
    """A decision changed with cards that the seat cannot see."""


@dataclass
class Watched:
    """A player that decides again, where all that its seat cannot see is changed."""

    inner: Any
    again: Callable[[View], list[View]]

    def __post_init__(self) -> None:
        self.asked = Counter[str]()

    @property
    def title(self) -> str:
        return str(self.inner.title)

    def decide(self, view: View) -> Masks:
        answer: Masks = self.inner.decide(view).copy()
        for changed_view in self.again(view):
            other = self.inner.decide(changed_view)
            if not (other == answer).all():
                row = int(np.flatnonzero(other != answer)[0])
                raise Seen(f"{self.title} at {view.kind.name}, row {row}, {view.time}")
        self.asked[view.kind.name] += len(view)
        return answer


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
