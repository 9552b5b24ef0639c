"""What a strategy is: parameters as fields, a method for each decision.

A strategy is a frozen dataclass. For a decision of kind ``play`` its method
``play(view)`` (of kind ``return``, ``return_``) is called with the view of all games
in which it has that choice, and answers with one option a row. Kinds without a
method fall back to ``otherwise``, by default ``Random``. Helpers of its own begin with
an underscore, so that a misspelt decision is found.

    @dataclass(frozen=True)
    class Bold(Strategy):
        name = "bold"
        gems: int = parameter(1, 0, 12)
"""

import math
from collections.abc import Iterator
from dataclasses import MISSING, dataclass, field, fields
from keyword import iskeyword
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from sim import masks
from sim.masks import Masks
from sim.view import View


@dataclass(frozen=True)
class Strategy:
    """The base of all strategies; decides at random what it has no method for.

    ``in_panel`` says whether it is among those that play where all are tried; ``data``
    is a file of what it knows, if it has one. ``ignores_public_history`` says of a
    class, not of those derived from it, that it asks for nothing that is costly to keep
    (``BatchState.forget``).
    """

    in_panel: ClassVar[bool] = True
    data: ClassVar[Path | None] = None
    ignores_public_history: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Refuse parameters out of their range; raises ValueError."""
        for one in fields(self):
            value = getattr(self, one.name)
            low, high = one.metadata.get(_RANGE, (-math.inf, math.inf))
            if isinstance(value, float) and not math.isfinite(value):
                raise ValueError(f"{one.name} is a finite number, not {value}")
            if isinstance(value, int | float) and not low <= value <= high:
                raise ValueError(f"{one.name} is {low} to {high}, not {value}")

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

    @property
    def cost(self) -> int:
        """About how many games it plays out for each option of a decision, or 1."""
        return 1

    @property
    def components(self) -> Iterator["Strategy"]:
        """Itself, and the strategies that are among its parameters."""
        yield self
        for one in fields(self):
            value = getattr(self, one.name)
            if isinstance(value, Strategy):
                yield from value.components

    def policy_key(self, kind: str) -> object:
        """What those have in common who answer decisions of this kind as it does.

        They are asked together, which is quicker. Nothing (None): it is asked alone.
        """
        return None

    @classmethod
    def belief(cls) -> str:
        """What it believes, in plain words: the first paragraph of its docstring."""
        text = (cls.__doc__ or "").strip().split("\n\n")[0]
        return " ".join(text.split())

    def decide(self, view: View) -> Masks:
        """(rows,) an answer for each row of the view."""
        name = view.kind.name
        method = getattr(self, method_of(name), None)
        if method is None:
            return self.fallback(view)
        answer: Masks = method(view)
        return answer

    def fallback(self, view: View) -> Masks:
        """The answer to a kind of decision that this strategy has no method for."""
        return at_random(view)


_RANGE = "range"


def parameter(default: Any, low: float, high: float) -> Any:
    """A parameter of a strategy that has a range, as a field of its class."""
    return field(default=default, metadata={_RANGE: (low, high)})


def method_of(kind: str) -> str:
    """The method for a kind of decision: ``remove-from`` is ``remove_from``."""
    name = kind.replace("-", "_")
    return name + "_" if iskeyword(name) else name


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
    options_per_token = view.options_per_token
    for token in range(int(tokens.max(initial=0))):
        option = view.random() * np.uint64(options_per_token) >> np.uint64(
            masks.CHANCE_BITS
        )
        here = masks.ONE << option + np.uint64(token * options_per_token)
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
    for one in fields(strategy):
        made = one.default_factory
        yield one.name, one.default if made is MISSING else made()


def ranges(strategy: type[Strategy]) -> dict[str, tuple[float, float]]:
    """The ranges of the parameters that have one."""
    return {
        one.name: one.metadata[_RANGE]
        for one in fields(strategy)
        if _RANGE in one.metadata
    }
