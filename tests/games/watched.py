"""A player whose answers are shown to a judge."""

from collections.abc import Callable
from typing import Any

from sim.masks import Masks
from strategies.base import Strategy


class Watched:
    """Answers as another strategy does; ``judge`` sees the view and the answer."""

    def __init__(self, inner: Strategy, judge: Callable[[Any, Masks], Any]) -> None:
        self.inner, self.judge, self.title = inner, judge, inner.title

    def decide(self, view: Any) -> Masks:
        answer = self.inner.decide(view)
        self.judge(view, answer)
        return answer
