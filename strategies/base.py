"""The base of strategies: parameters as fields, a method for each kind of decision.

A strategy is a frozen dataclass. For a decision of kind ``play`` its method
``play(view)`` (``return_`` for kind ``return``) is called with the view of all games in
which it has that choice, and answers with one option per row. Kinds without a method go
to ``fallback``, which by default decides at random. The names of helper methods begin
with an underscore, so that a misspelt decision is noticed.

    @dataclass(frozen=True)
    class Bold(Strategy):
        name = "bold"
        gems: int = parameter(1, 0, 12)
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import MISSING, dataclass, field, fields
from keyword import iskeyword
from typing import Any, ClassVar, Self

import numpy as np

from sim import masks
from sim.flags import flags_of
from sim.games import Game
from sim.masks import Masks
from sim.observation import Worth
from sim.parameters import Rules
from sim.view import View
from strategies.by_worth import worth_told


@dataclass(frozen=True)
class Strategy:
    """The base of all strategies; decides at random what it has no method for.

    ``in_panel``: reports that try all strategies include it.
    ``ignores_public_history``: this class (its subclasses declare it for themselves)
    reads no public history that is costly to keep, see
    ``BatchState.drop_public_history``.
    """

    in_panel: ClassVar[bool] = True
    ignores_public_history: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Refuse parameters outside of their range; raises ValueError."""
        for field_ in fields(self):
            name, value = field_.name, getattr(self, field_.name)
            low, high = field_.metadata.get(_RANGE, (-math.inf, math.inf))
            if isinstance(value, float) and not math.isfinite(value):
                raise ValueError(f"{name} is a finite number, not {value}")
            if isinstance(value, int | float) and not low <= value <= high:
                raise ValueError(f"{name} is {low} to {high}, not {value}")

    @property
    def title(self) -> str:
        """The name of the strategy, with the parameters that differ from defaults."""
        name = getattr(type(self), "name", type(self).__name__)
        changed = [
            f"{key}={getattr(self, key)}"
            for key, default in parameters(type(self))
            if getattr(self, key) != default
        ]
        return ":".join([name, *changed])

    def ready(self, game: str) -> Self:
        """This strategy, once it is known that it can play a game; else ValueError."""
        return self

    def check_rules(self, game: Game, rules: Rules, players: int) -> None:
        """Refuse what there is not by these rules; raises ``ValueError``."""

    @property
    def cost(self) -> int:
        """Roughly how many games it plays out for each option of a decision; else 1."""
        return 1

    @property
    def components(self) -> Iterator["Strategy"]:
        """This strategy, and the strategies among its parameters, at every depth."""
        yield self
        for field_ in fields(self):
            value = getattr(self, field_.name)
            if isinstance(value, Strategy):
                yield from value.components

    @property
    def policies(self) -> tuple[str, ...]:
        """The learned policies that it plays itself (``strategies.policy_store``)."""
        return ()

    def policy_key(self, kind: str) -> object:
        """A key that strategies with the same policy for this kind of decision share.

        Why: strategies with equal keys are asked in one call, which is quicker. None
        means that this one is asked alone.
        """
        return None

    @classmethod
    def belief(cls) -> str:
        """What the strategy believes: the first paragraph of its docstring."""
        text = (cls.__doc__ or "").strip().split("\n\n")[0]
        return " ".join(text.split())

    def decide(self, view: View) -> Masks:
        """(rows,) the answer in each row of the view."""
        name = view.kind.name
        method = getattr(self, method_of(name), None)
        if method is None:
            return self.fallback(view)
        answer: Masks = method(view)
        return answer

    def worth(self, view: View) -> Worth | None:
        """(options, rows) what each option bit is worth to it, nan where it is unsaid.

        Of the legal options alone; it answers with one of most worth. None for a kind
        of decision that it does not decide by worth. Read by learned policies.
        """
        told = _worth_method(self, view.kind.name)
        if told is None:
            return None
        worth = told(self, view)
        return np.where(flags_of(view.legal, len(worth)), worth, np.nan)

    def fallback(self, view: View) -> Masks:
        """The answer to a kind of decision that this strategy has no method for."""
        return at_random(view)


_RANGE = "range"


def parameter(default: Any, low: float, high: float) -> Any:
    """Declare a parameter of a strategy with its range, both ends included."""
    return field(default=default, metadata={_RANGE: (low, high)})


def method_of(kind: str) -> str:
    """The name of the method for a kind: ``remove_from`` for ``remove-from``."""
    name = kind.replace("-", "_")
    return name + "_" if iskeyword(name) else name


def says_worth(strategy: Strategy, kind: str) -> bool:
    """Whether a strategy says what options of a kind of decision are worth to it."""
    return _worth_method(strategy, kind) is not None


def _worth_method(strategy: Strategy, kind: str) -> Callable[[Any, Any], Worth] | None:
    return worth_told(getattr(type(strategy), method_of(kind), None))


def at_random(view: View) -> Masks:
    """(rows,) decide at random, as the strategy ``random`` does.

    All options are equally likely. For a bag, the number of tokens is uniform, and so
    is the option of each token; in a series of decisions, so is its length.
    """
    if view.kind.stop:
        return view.pick_or_stop()
    if view.kind.form == "one":
        return view.pick(view.legal)
    if view.kind.form == "sample":
        return fill_sample(view, np.zeros_like(view.legal))
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


def fill_sample(view: View, begun: Masks) -> Masks:
    """(rows,) samples of ``view.most`` options with those begun, all equally likely."""
    left, answer = view.legal & ~begun, begun.copy()
    missing = view.most.astype(np.int64) - masks.count(begun)
    for token in range(int(missing.max(initial=0))):
        option = masks.where(missing > token, view.pick(left))
        left ^= option
        answer |= option
    return answer


def parameters(strategy: type[Strategy]) -> Iterator[tuple[str, Any]]:
    """Names and defaults of a strategy's parameters."""
    for field_ in fields(strategy):
        make = field_.default_factory
        yield field_.name, field_.default if make is MISSING else make()


def ranges(strategy: type[Strategy]) -> dict[str, tuple[float, float]]:
    """The ranges of the parameters that have one."""
    return {
        field_.name: field_.metadata[_RANGE]
        for field_ in fields(strategy)
        if _RANGE in field_.metadata
    }
