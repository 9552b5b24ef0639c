"""What a strategy is: parameters as fields, a method for each decision.

A strategy is a frozen dataclass. For a decision of kind ``play`` its method
``play(view)`` (of kind ``return``, ``return_``) is called with the view of all games
in which it has that choice, and answers with one option a row. Kinds without a
method fall back to ``otherwise``, by default ``Random``.
"""

from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields
from keyword import iskeyword
from typing import Any

import numpy as np

from sim import masks
from sim.masks import Masks
from sim.view import View


@dataclass(frozen=True)
class Strategy:
    """The base of all strategies; decides at random what it has no method for."""

    @property
    def title(self) -> str:
        """Its name, with the parameters that differ from their defaults."""
        name = getattr(type(self), "name", type(self).__name__)
        changed = [
            f"{key}={getattr(self, key)}"
            for key, default in parameters(type(self))
            if getattr(self, key) != default
        ]
        return ":".join([name, *changed])

    @classmethod
    def belief(cls) -> str:
        """What it believes, in plain words: the first paragraph of its docstring."""
        text = (cls.__doc__ or "").strip().split("\n\n")[0]
        return " ".join(text.split())

    def decide(self, view: View) -> Masks:
        """(rows,) an answer for each row of the view."""
        name = view.kind.name
        method = getattr(self, name + "_" if iskeyword(name) else name, None)
        if method is None:
            return self.otherwise(view)
        answer: Masks = method(view)
        return answer

    def otherwise(self, view: View) -> Masks:
        """The answer to a kind of decision that this strategy has no method for."""
        return at_random(view)


def at_random(view: View) -> Masks:
    """Each option with equal probability, as transcripts define ``random``.

    Of a bag, the number of tokens is uniform, and each token's option too; so is the
    number of decisions in a row before the option that stops.
    """
    if view.kind.stop:
        return view.pick_or_stop()
    if view.kind.form == "one":
        return view.pick(view.legal)
    if view.kind.form == "sample":
        return _sample(view)
    most = view.most.astype(np.uint64)
    tokens = view.random() * (most + masks.ONE) >> np.uint64(masks.CHANCE_BITS)
    answer = np.zeros_like(view.legal)
    width = view.width
    for token in range(int(tokens.max(initial=0))):
        option = view.random() * np.uint64(width) >> np.uint64(masks.CHANCE_BITS)
        here = masks.ONE << option + np.uint64(token * width)
        answer |= masks.where(tokens > token, here)
    return answer


def _sample(view: View) -> Masks:
    """So many of the options, each set of them with equal probability."""
    left, answer = view.legal.copy(), np.zeros_like(view.legal)
    for token in range(int(view.most.max(initial=0))):
        taken = masks.where(view.most > token, view.pick(left))
        left ^= taken
        answer |= taken
    return answer


def parameters(strategy: type[Strategy]) -> Iterator[tuple[str, Any]]:
    """Names and defaults of a strategy's parameters."""
    for field in fields(strategy):
        made = field.default_factory
        yield field.name, field.default if made is MISSING else made()
