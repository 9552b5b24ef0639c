"""Restricted play: a strategy that may not do all that it would.

How much a restricted player loses against others who are not says what it is kept from
is worth (Jaffe, Miller, Andersen, Liu, Karlin & Popovic 2012, "Evaluating competitive
game balance with restricted play", AIIDE). Any strategy can be restricted, one that is
restricted already or ``search`` too, wherever a strategy is named
(``strategies.specs``).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
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
    """What restricted strategies have in common."""

    usage: ClassVar[str]

    inner: Strategy = field(default_factory=Random)

    def __post_init__(self) -> None:
        """Refuse what there is not; raises ValueError."""
        super().__post_init__()
        if 2 * self._level + 1 >= STREAMS:
            raise ValueError("made of too many strategies")

    @property
    def cost(self) -> int:
        """That of the costliest strategy it is made of."""
        return max(one.cost for one in self.components if one is not self)

    @classmethod
    def of(cls, game: str, arguments: Sequence[str], make: Make) -> Self:
        """Make what is written as ``name(ARGUMENTS)``; raises ``ValueError``."""
        raise NotImplementedError

    @property
    def _level(self) -> int:
        """A number above that of all it is made of: so its chance is another."""
        return sum(1 for _ in self.components)

    def _own_chance(self, view: View, number: int = 0) -> View:
        """The same moment with chance that no strategy it is made of draws."""
        return view.substream(2 * self._level + number)


@dataclass(frozen=True)
class NoisyStrategy(RestrictedStrategy):
    """Plays as another strategy, but with probability ``chance`` at random.

    Whether it does is drawn anew at each decision; then every option is as likely, as
    of ``random``. What the other strategy draws is what it would draw without noise.
    """

    name = "noisy"
    ignores_public_history = True
    usage = "noisy(S, 0.1)"

    chance: float = parameter(0.1, 0.0, 1.0)

    @property
    def title(self) -> str:
        """As it is written."""
        return f"noisy({self.inner.title}, {self.chance})"

    @classmethod
    def of(cls, game: str, arguments: Sequence[str], make: Make) -> Self:
        """Of a strategy and a probability."""
        inner, text = _counted(cls, arguments, 2, 2)
        try:
            chance = float(text)
        except ValueError:
            raise ValueError(f"chance is a number, not {text!r}") from None
        return cls(make(inner), chance)

    def decide(self, view: View) -> Masks:
        """(rows,) the other strategy's choice, or any."""
        chosen = self.inner.decide(view)
        own = self._own_chance(view)
        slips = own.uniform() < self.chance
        if not slips.any():
            return chosen
        return masks.blend(slips, at_random(own), chosen)


@dataclass(frozen=True)
class WithoutOption(RestrictedStrategy):
    """Plays as another strategy, but never takes an option where it may do otherwise.

    Where the other strategy would take the ``option`` (an id) it is asked again, as if
    that were none of the options. Without an option it declines the decision ``kind``
    whenever it may: no token of a bag, the option that stops, or that goes without.
    """

    name = "without"
    ignores_public_history = True
    usage = "without(S, KIND) or without(S, KIND, OPTION)"

    kind: str = ""
    option: str = ""

    @property
    def title(self) -> str:
        """As it is written."""
        words = [self.inner.title, self.kind, *([self.option] if self.option else [])]
        return f"without({', '.join(words)})"

    @classmethod
    def of(cls, game: str, arguments: Sequence[str], make: Make) -> Self:
        """Of a strategy, a kind of decision, and maybe an option of it."""
        inner, kind, *option = _counted(cls, arguments, 2, 3)
        declared = kind_of(game, kind)
        if not option and not can_decline(declared):
            raise ValueError(
                f"{kind!r} cannot be declined; name an option, as in "
                f"without({inner}, {kind}, OPTION)"
            )
        return cls(make(inner), kind, *option)

    @property
    def shared_prefix_policy(self) -> Strategy:
        """As whom it plays until it would take the option; itself, where it plans."""
        told = _told(self.inner, self.kind, self.option)
        return self.inner if self.option and told == self.inner else self

    @property
    def deviation_kind(self) -> str:
        """In which decisions it may play as the other does not; "": in any."""
        told = _told(self.inner, self.kind, self.option)
        return self.kind if told == self.inner else ""

    def decide(self, view: View) -> Masks:
        """(rows,) the other strategy's choice among what is left."""
        chosen = _told(self.inner, self.kind, self.option).decide(view)
        if view.kind.name != self.kind:
            return chosen
        if not self.option:
            return _declined(view, chosen)
        taboo = self._bits(view)
        rows = np.flatnonzero((chosen & taboo) != masks.NOTHING)
        if not len(rows):
            return chosen
        answer = chosen.copy()
        answer[rows] = self._otherwise(view, rows, chosen.take(rows), taboo)
        return answer

    def _bits(self, view: View) -> Mask:
        """The options that it never takes; raises ``ValueError`` if there are none."""
        found = view.bits(self.option)
        if found == masks.NOTHING:
            raise ValueError(f"{self.kind!r} has no option {self.option!r}")
        return found

    def _otherwise(self, view: View, rows: Rows, chosen: Masks, taboo: Mask) -> Masks:
        """What it chooses in place of an option that it never takes."""
        left = view.legal.take(rows) & ~taboo
        form = view.kind.form
        most = view.most.take(rows) if form == "sample" else np.uint8(1)
        if form == "bag":
            enough = np.ones(len(rows), dtype=np.bool_)
        else:
            enough = masks.count(left) >= most
        answer = chosen if form == "one" else _as_few(chosen, left, taboo)
        some = np.flatnonzero(enough)
        if not len(some):
            return answer
        there = view.take(rows.take(some)).with_legal(left.take(some))
        inner = _told(self.inner, self.kind, self.option)
        again = inner.decide(self._own_chance(there))
        # Not every strategy looks at its options alone.
        wrong = (again & ~there.legal) != masks.NOTHING
        if form != "bag":
            wrong |= masks.count(again) != (there.most if form == "sample" else 1)
        if wrong.any():
            other = self._own_chance(there, 1)
            instead = again & ~taboo if form == "bag" else at_random(other)
            again = masks.blend(wrong, instead, again)
        answer = answer.copy()
        answer[some] = again
        return answer


@dataclass(frozen=True)
class OnlyKinds(RestrictedStrategy):
    """Plays as a strategy in some kinds of decisions only, as another in all else.

    ``kinds`` are joined by ``+``; the ``other`` strategy is ``random`` if none is said.
    """

    name = "only"
    ignores_public_history = True
    usage = "only(S, KIND+KIND) or only(S, KIND, T)"

    kinds: str = ""
    other: Strategy = field(default_factory=Random)

    @property
    def title(self) -> str:
        """As it is written."""
        words = [self.inner.title, self.kinds]
        if self.other != Random():
            words.append(self.other.title)
        return f"only({', '.join(words)})"

    @classmethod
    def of(cls, game: str, arguments: Sequence[str], make: Make) -> Self:
        """Of a strategy, kinds of decisions, and maybe who decides all others."""
        inner, kinds, *other = _counted(cls, arguments, 2, 3)
        for kind in kinds.split("+"):
            kind_of(game, kind)
        return cls(make(inner), kinds, *map(make, other))

    @property
    def deviation_kind(self) -> str:
        """In which decisions it may play as the other does not; "": in several."""
        return "" if "+" in self.kinds else self.kinds

    def decide(self, view: View) -> Masks:
        """(rows,) the choice of whoever decides this kind."""
        mine = view.kind.name in self.kinds.split("+")
        return (self.inner if mine else self.other).decide(view)


RESTRICTED: dict[str, type[RestrictedStrategy]] = {
    one.name: one for one in (NoisyStrategy, WithoutOption, OnlyKinds)
}
"""The restricted strategies by the name that they are written with."""


for _name, _composer in RESTRICTED.items():
    register_composer(_name, _composer)


def _counted(
    cls: type[RestrictedStrategy], arguments: Sequence[str], fewest: int, most: int
) -> Sequence[str]:
    """The arguments, if there are as many as that; raises ``ValueError``."""
    if not fewest <= len(arguments) <= most or not all(arguments):
        raise ValueError(f"write {cls.usage}")
    return arguments


def kind_of(game: str, kind: str) -> Decision:
    """A kind of decision by name; raises ``ValueError`` with the nearest one."""
    kinds = games.load(game).kinds
    if kind not in kinds:
        raise ValueError(
            f"{game} has no decision {kind!r}{nearest(kind, kinds)} "
            f"Decisions: {one_of(kinds)}"
        )
    return kinds[kind]


def can_decline(kind: Decision) -> bool:
    """Whether a decision can be declined: nothing, to stop, or to go without."""
    return kind.form == "bag" or bool(kind.stop or kind.without)


@cache
def _told(inner: Strategy, kind: str, option: str) -> Strategy:
    """A strategy that knows what it may not do: a search does not imagine it either."""
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
    """Nothing of a bag; to stop or to go without where that is an option."""
    if view.kind.form == "bag":
        return np.zeros_like(chosen)
    declining = view.bits(view.kind.stop or view.kind.without)
    may = (view.legal & declining) != masks.NOTHING
    return masks.blend(may, masks.lowest(view.legal & declining), chosen)


def _as_few(chosen: Masks, left: Masks, taboo: Mask) -> Masks:
    """A sample with all that is left, and the rest of it of what is taboo.

    Where more is left than the sample takes, it is no answer.
    """
    answer, short = left.copy(), masks.count(chosen).astype(np.int64)
    short -= masks.count(left)
    more = chosen & taboo
    for token in range(int(short.max(initial=0))):
        one = masks.where(short > token, masks.lowest(more))
        answer |= one
        more ^= one
    return answer


def option_ids(game: Game, rules: Rules, players: int, kind: Decision) -> list[str]:
    """The ids of the options of a kind of decision, each once."""
    state: Any = game.start(rules, players, 0, np.zeros(1, dtype=np.uint64))
    words = state.vocabularies[kind.vocabulary]
    return [one for one in dict.fromkeys(map(str, words)) if one != "?"]


def check_options(
    game: Game, rules: Rules, players: int, strategies: Iterable[Strategy]
) -> None:
    """Refuse an option that these rules do not have; raises ``UnknownStrategy``."""
    for part in (part for one in strategies for part in one.components):
        if isinstance(part, WithoutOption) and part.option:
            known = option_ids(game, rules, players, game.kinds[part.kind])
            if part.option not in known:
                raise UnknownStrategy(
                    f"strategy {part.title!r}: {part.kind!r} has no option "
                    f"{part.option!r}{nearest(part.option, known)} "
                    f"Options: {one_of(known)}."
                )
