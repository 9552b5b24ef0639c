"""Restricted play: strategies that may not use all of their options.

What a restricted player loses against unrestricted ones is what the forbidden option is
worth (Jaffe, Miller, Andersen, Liu, Karlin & Popovic 2012, "Evaluating competitive game
balance with restricted play", AIIDE). Every strategy can be restricted, including
``search`` and restricted ones, wherever a strategy is named (``strategies.specs``).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain
from typing import Any, ClassVar, Self

import numpy as np

from sim import games, masks
from sim.events import Decision
from sim.games import Game
from sim.masks import Mask, Masks
from sim.parameters import Rules, nearest, one_of
from sim.view import STREAMS, Rows, View
from strategies.base import Strategy, at_random, parameter
from strategies.files import UnknownStrategy
from strategies.random import Random
from strategies.registry import Make, register_composer
from strategies.search import Search
from strategies.specs import split


@dataclass(frozen=True)
class RestrictedStrategy(Strategy):
    """The base of restricted strategies, which play as an ``inner`` one."""

    usage: ClassVar[str]

    inner: Strategy = field(default_factory=Random)

    def __post_init__(self) -> None:
        """Refuse parameters, and too deep a nesting; raises ValueError."""
        super().__post_init__()
        if 2 * self._level + 1 >= STREAMS:
            raise ValueError("made of too many strategies")

    @property
    def cost(self) -> int:
        """The cost of the most expensive component."""
        return max(one.cost for one in self.components if one is not self)

    @classmethod
    def of(cls, game: str, arguments: Sequence[str], make: Make) -> Self:
        """The strategy written as ``name(ARGUMENTS)``; raises ``ValueError``."""
        raise NotImplementedError

    @property
    def _level(self) -> int:
        """A number above those of its components, so that no stream is shared."""
        return sum(1 for _ in self.components)

    def _own_chance(self, view: View, number: int = 0) -> View:
        """The view with a random stream that no component draws from."""
        return view.substream(2 * self._level + number)


@dataclass(frozen=True)
class NoisyStrategy(RestrictedStrategy):
    """Plays as another strategy, but with probability ``chance`` at random.

    This is drawn anew at each decision; a random decision is that of ``random``. The
    other strategy draws the same random numbers that it would draw without noise.
    """

    name = "noisy"
    ignores_public_history = True
    usage = "noisy(S, 0.1)"

    chance: float = parameter(0.1, 0.0, 1.0)

    @property
    def title(self) -> str:
        """The strategy as it is written."""
        return f"noisy({self.inner.title}, {self.chance})"

    @classmethod
    def of(cls, game: str, arguments: Sequence[str], make: Make) -> Self:
        """From a strategy and a probability."""
        inner, text = _counted(cls, arguments, 2, 2)
        try:
            chance = float(text)
        except ValueError:
            raise ValueError(f"chance is a number, not {text!r}") from None
        return cls(make(inner), chance)

    def decide(self, view: View) -> Masks:
        """(rows,) the other strategy's choice, or a random one."""
        chosen = self.inner.decide(view)
        own = self._own_chance(view)
        slips = own.uniform() < self.chance
        if not slips.any():
            return chosen
        return masks.blend(slips, at_random(own), chosen)


@dataclass(frozen=True)
class WithoutOption(RestrictedStrategy):
    """Plays as another strategy, but never takes an option if there is another.

    Where the other strategy would take the ``option`` (an id) it is asked again as if
    that option did not exist. Several kinds of decisions are joined by ``+``, several
    options by ``|``. Without an option it declines the decision ``kind`` whenever it
    may: no token of a bag, the option that stops, or the one to go without.
    """

    name = "without"
    ignores_public_history = True
    usage = "without(S, KIND) or without(S, KIND, OPTION)"

    kind: str = ""
    option: str = ""

    @property
    def title(self) -> str:
        """The strategy as it is written."""
        words = [self.inner.title, self.kind, *([self.option] if self.option else [])]
        return f"without({', '.join(words)})"

    @classmethod
    def of(cls, game: str, arguments: Sequence[str], make: Make) -> Self:
        """From a strategy, a kind of decision, and optionally an option of it."""
        inner, kinds, *option = _counted(cls, arguments, 2, 3)
        for kind in kinds.split("+"):
            declared = kind_of(game, kind)
            if not option and not can_decline(declared):
                raise ValueError(
                    f"{kind!r} cannot be declined; name an option, as in "
                    f"without({inner}, {kind}, OPTION)"
                )
        return cls(make(inner), kinds, *option)

    def check_rules(self, game: Game, rules: Rules, players: int) -> None:
        """Refuse options that these rules do not have; raises ``UnknownStrategy``."""
        ids = (option_ids(game, rules, players, game.kinds[one]) for one in self.kinds)
        known = [*dict.fromkeys(chain(*ids))]
        for option in self.options:
            if option not in known:
                raise UnknownStrategy(
                    f"strategy {self.title!r}: {self.kind!r} has no option "
                    f"{option!r}{nearest(option, known)} Options: {one_of(known)}."
                )

    @property
    def shared_prefix_policy(self) -> Strategy:
        """The strategy with which it plays alike until it would take the option.

        Itself where it declines every time, or where it plans without the option.
        """
        planner = _planning_without(self.inner, self.kind, self.option)
        return self.inner if self.option and planner == self.inner else self

    @property
    def kinds(self) -> list[str]:
        """The kinds of decisions in which it is restricted."""
        return self.kind.split("+")

    @property
    def options(self) -> list[str]:
        """The ids that it may not take; none if it declines."""
        return self.option.split("|") if self.option else []

    def decide(self, view: View) -> Masks:
        """(rows,) the other strategy's choice among the options it may take."""
        planner = _planning_without(self.inner, self.kind, self.option)
        chosen = planner.decide(view)
        if view.kind.name not in self.kinds:
            return chosen
        if not self.option:
            return _declined(view, chosen)
        forbidden = self.forbidden(view)
        rows = np.flatnonzero((chosen & forbidden) != masks.NOTHING)
        if not len(rows):
            return chosen
        answer = chosen.copy()
        answer[rows] = self._instead(view, rows, chosen.take(rows), forbidden)
        return answer

    def forbidden(self, view: View) -> Mask:
        """The bits of its options; raises ``ValueError`` if there are none."""
        bits = np.bitwise_or.reduce([view.bits(option) for option in self.options])
        if bits == masks.NOTHING:
            raise ValueError(f"{self.kind!r} has no option {self.option!r}")
        return bits

    def _instead(self, view: View, rows: Rows, chosen: Masks, forbidden: Mask) -> Masks:
        """(rows,) what it chooses instead of forbidden options."""
        left = view.legal.take(rows) & ~forbidden
        form = view.kind.form
        most = view.most.take(rows) if form == "sample" else np.uint8(1)
        if form == "bag":
            enough = np.ones(len(rows), dtype=np.bool_)
        else:
            enough = masks.count(left) >= most
        answer = chosen if form == "one" else _as_few(chosen, left, forbidden)
        able = np.flatnonzero(enough)
        if not len(able):
            return answer
        fewer = view.take(rows.take(able)).with_legal(left.take(able))
        inner = _planning_without(self.inner, self.kind, self.option)
        second = inner.decide(self._own_chance(fewer))
        # Not every strategy restricts itself to the options that the view shows
        wrong = (second & ~fewer.legal) != masks.NOTHING
        if form != "bag":
            wrong |= masks.count(second) != (fewer.most if form == "sample" else 1)
        if wrong.any():
            other = self._own_chance(fewer, 1)
            instead = second & ~forbidden if form == "bag" else at_random(other)
            second = masks.blend(wrong, instead, second)
        answer = answer.copy()
        answer[able] = second
        return answer


@dataclass(frozen=True)
class OnlyKinds(RestrictedStrategy):
    """Plays as one strategy in some kinds of decisions, and as another in all others.

    ``kinds`` are joined by ``+``; the ``other`` strategy is ``random`` by default.
    """

    name = "only"
    ignores_public_history = True
    usage = "only(S, KIND+KIND) or only(S, KIND, T)"

    kinds: str = ""
    other: Strategy = field(default_factory=Random)

    @property
    def title(self) -> str:
        """The strategy as it is written."""
        words = [self.inner.title, self.kinds]
        if self.other != Random():
            words.append(self.other.title)
        return f"only({', '.join(words)})"

    @classmethod
    def of(cls, game: str, arguments: Sequence[str], make: Make) -> Self:
        """From a strategy, its kinds of decisions, and optionally the other one."""
        inner, kinds, *other = _counted(cls, arguments, 2, 3)
        for kind in kinds.split("+"):
            kind_of(game, kind)
        return cls(make(inner), kinds, *map(make, other))

    def decide(self, view: View) -> Masks:
        """(rows,) the choice of the strategy that decides this kind."""
        own = view.kind.name in self.kinds.split("+")
        return (self.inner if own else self.other).decide(view)


RESTRICTED: dict[str, type[RestrictedStrategy]] = {
    one.name: one for one in (NoisyStrategy, WithoutOption, OnlyKinds)
}
"""The restricted strategies by the name that they are written with."""


for _name, _composer in RESTRICTED.items():
    register_composer(_name, _composer)


def _counted(
    cls: type[RestrictedStrategy], arguments: Sequence[str], fewest: int, most: int
) -> Sequence[str]:
    """The arguments, if their number is allowed; raises ``ValueError``."""
    if not fewest <= len(arguments) <= most or not all(arguments):
        raise ValueError(f"write {cls.usage}")
    return arguments


def kind_of(game: str, kind: str) -> Decision:
    """A kind of decision by name; raises ``ValueError`` that names the nearest."""
    kinds = games.load(game).kinds
    if kind not in kinds:
        raise ValueError(
            f"{game} has no decision {kind!r}{nearest(kind, kinds)} "
            f"Decisions: {one_of(kinds)}"
        )
    return kinds[kind]


def can_decline(kind: Decision) -> bool:
    """Whether a decision can be declined: by nothing, stopping, or going without."""
    return kind.form == "bag" or bool(kind.stop or kind.without)


@cache
def _planning_without(inner: Strategy, kind: str, option: str) -> Strategy:
    """The inner strategy; if it is search, its rollouts keep to the restriction too."""
    if not isinstance(inner, Search):
        return inner
    own = split(inner.inner, "+")[0]
    what = ", ".join(filter(None, (kind, option)))
    others = inner.others or inner.inner
    own, *plans = (
        f"without({name}, {what})"
        for name in (own, *filter(None, split(inner.plans, "+")))
    )
    return replace(inner, inner=own, others=others, plans="+".join(plans))


def _declined(view: View, chosen: Masks) -> Masks:
    """(rows,) an empty bag; or to stop or go without where legal, else ``chosen``."""
    if view.kind.form == "bag":
        return np.zeros_like(chosen)
    declining = view.legal & view.bits(view.kind.stop or view.kind.without)
    return masks.blend(declining != masks.NOTHING, masks.lowest(declining), chosen)


def _as_few(chosen: Masks, left: Masks, forbidden: Mask) -> Masks:
    """(rows,) samples of all that is left, filled up with the lowest forbidden ones.

    For rows where fewer options are left than a sample takes; elsewhere no answer.
    """
    answer, short = left.copy(), masks.count(chosen).astype(np.int64)
    short -= masks.count(left)
    more = chosen & forbidden
    for token in range(int(short.max(initial=0))):
        option = masks.where(short > token, masks.lowest(more))
        answer |= option
        more ^= option
    return answer


def option_ids(game: Game, rules: Rules, players: int, kind: Decision) -> list[str]:
    """The ids of the options of a kind of decision under these rules, each once."""
    state: Any = game.start(rules, players, 0, np.zeros(1, dtype=np.uint64))
    words = state.vocabularies[kind.vocabulary]
    return [one for one in dict.fromkeys(map(str, words)) if one != "?"]
