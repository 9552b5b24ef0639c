"""Playing a strategy that is written as text (``strategies.text_file``)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np

from sim import games
from sim.batch_state import BatchState
from sim.events import Decision
from sim.games import Game
from sim.masks import Masks
from sim.parameters import RuleError, Rules, no_such
from sim.view import View
from strategies import policy_store, registry
from strategies.base import Strategy, fill_sample
from strategies.field_ids import check_ids
from strategies.files import UnknownStrategy
from strategies.random import Random
from strategies.restricted_play import kind_of, option_ids
from strategies.scalar import answers_by_game
from strategies.text_conditions import ConditionError, is_like
from strategies.text_file import SUFFIX, Preference, TextError, TextFile, from_bytes
from strategies.view_fields import FieldReader

Followed = tuple[int, ...]
"""The lines of a text, from 0 on, that an answer is due to; () if to none."""


@registry.register_policy(SUFFIX)
@dataclass(frozen=True)
class TextStrategy(Strategy):
    """Follows the first line of a text that fits, and else another strategy.

    ``policy`` is its file, or the name by which it is known. ``other`` decides what no
    line does; it is the one that the text names once a game is known (``ready``).
    Raises ``TextError`` for a text that does not fit the game.
    """

    name: ClassVar[str] = "text"
    in_panel: ClassVar[bool] = False
    policy: str = ""
    other: Strategy = field(default_factory=Random)

    def __post_init__(self) -> None:
        """Read the file, so that the strategy is known by its name from now on."""
        super().__post_init__()
        if not policy_store.NAME.fullmatch(self.policy):
            object.__setattr__(self, "policy", policy_store.name_of(self.policy))

    def __reduce__(self) -> tuple[Callable[..., Strategy], tuple[Any, ...]]:
        """Travel with the text."""
        data = policy_store.packed(self.policies)
        values = {"policy": self.policy, "other": self.other}
        return policy_store.restored, (type(self), values, data)

    @property
    def title(self) -> str:
        """The name of the text."""
        return self.policy

    @property
    def policies(self) -> tuple[str, ...]:
        """The text itself."""
        return (self.policy,)

    @property
    def text(self) -> TextFile:
        """What the text says."""
        return from_bytes(policy_store.data_of(self.policy))

    @property
    def cost(self) -> int:
        """That of who decides what no line does."""
        return self.other.cost

    def ready(self, game: str) -> Self:
        """This strategy, with who decides the rest; raises ``TextError``."""
        for number, line in enumerate(self.text.prefer, 1):
            try:
                _check(game, line)
            except ValueError as error:
                raise TextError(f"preference {number}: {error}") from None
        if policy_store.with_names(self.text.otherwise) in (self.policy, "text"):
            raise TextError("otherwise: a text cannot be its own otherwise")
        try:
            other = registry.make(game, self.text.otherwise)
        except RecursionError:
            raise TextError("otherwise: texts name one another") from None
        return replace(self, other=other)

    def check_rules(self, game: Game, rules: Rules, players: int) -> None:
        """Refuse ids that no table has by these rules; raises ``UnknownStrategy``."""
        for number, line in enumerate(self.text.prefer, 1):
            kind = game.kinds[line.kind]
            try:
                if line.when:
                    check_ids(line.when, game, rules, game.players)
            except ConditionError as error:
                raise UnknownStrategy(
                    f"strategy {self.title!r}: preference {number}: when: {error}"
                ) from None
            known = _fixed_ids(game, rules, kind)
            for one in line.option if known else ():
                if not any(is_like(name, one) for name in known):
                    raise UnknownStrategy(
                        f"strategy {self.title!r}: preference {number}: "
                        f"{no_such(f'option of {line.kind}', one, known)}"
                    )

    def decide(self, view: View) -> Masks:
        """(rows,) the options of the first line that fits, or the other's answer."""
        return self.decide_by_line(view)[0]

    def decide_by_line(self, view: View) -> tuple[Masks, list[Followed]]:
        """(rows,) the answers, and for each row the lines that it is due to."""
        chooser = _Chooser(self.text, view)
        if not chooser.lines:
            return self.other.decide(view), [()] * len(view)
        answers = answers_by_game(view, chooser.choose, self.title)
        lines = chooser.followed
        rest = np.flatnonzero([not followed for followed in lines])
        if len(rest) == len(view):
            return self.other.decide(view), lines
        if view.kind.form == "sample":
            answers = fill_sample(view.substream(1), answers)
        if len(rest):
            answers = answers.copy()
            answers[rest] = self.other.decide(view.take(rest))
        return answers, lines


def _check(game: str, line: Preference) -> None:
    """Refuse what a game does not have; raises ``ValueError``."""
    kind = kind_of(game, line.kind)
    shown = games.load(game).view.field_names()
    for name in (*(line.when.fields if line.when else ()), line.among):
        if name and name not in shown:
            raise ValueError(no_such("field", name, shown))
    if line.number != 1 and kind.form != "bag":
        raise ValueError(f"{line.kind} takes one of each")


def _fixed_ids(game: Game, rules: Rules, kind: Decision) -> tuple[str, ...]:
    """The ids of the options of a kind, at tables of all sizes; () if they vary."""
    known: dict[str, None] = {}
    for players in game.players:
        try:
            state: Any = game.start(rules, players, 0, np.zeros(1, dtype=np.uint64))
        except RuleError:
            continue  # not with so many
        if not _are_fixed(state, kind):
            return ()
        known |= dict.fromkeys(option_ids(game, rules, players, kind))
    return (*known,)


def _are_fixed(state: BatchState, kind: Decision) -> bool:
    """Whether options of a kind have the same ids in every game."""
    cls, words = type(state), state.vocabularies[kind.vocabulary]
    named = cls.ids, cls.vocabulary_ids
    if named == (BatchState.ids, BatchState.vocabulary_ids):
        return True
    return "?" not in words and state.ids(kind, 0, 0) is words


class _Chooser:
    """Chooses by the lines of a text, in one game after another.

    ``followed`` has for each the numbers of the lines that were followed, from 0.
    """

    def __init__(self, text: TextFile, view: View) -> None:
        kind = view.kind
        self.lines = [
            (number, line)
            for number, line in enumerate(text.prefer)
            if line.kind == kind.name
        ]
        self.followed: list[Followed] = []
        self._form = kind.form
        self._read = FieldReader(view).read

    def choose(self, view: Any) -> Any:
        """The answer by id, as ``answers_by_game`` asks for it."""
        legal = view.legal
        most = 1 if self._form == "one" else view.most
        chosen: list[Any] = []
        followed: list[int] = []
        for number, line in self.lines:
            more = self._by(line, number, view, legal)
            if self._form == "bag":
                added = [one for one in more[:1] for _ in range(line.number)]
            else:
                added = [one for one in more if one not in chosen]
            chosen += added
            followed += [number] * bool(added)
            if chosen and len(chosen) >= most:
                break
        self.followed.append((*followed,))
        if self._form == "one":
            return chosen[0] if chosen else legal[0]
        return chosen[:most]

    def _by(self, line: Preference, number: int, view: Any, legal: Any) -> list[Any]:
        """The options that a line prefers here, the most wanted first."""
        try:
            if line.when and not line.when.holds(lambda name: self._read(view, name)):
                return []
        except ConditionError as error:
            raise TextError(f"preference {number + 1}: when: {error}") from None
        options = [*legal]
        if line.among and line.among != "legal":
            within = {*map(str, _members(self._read(view, line.among)))}
            options = [one for one in options if str(one) in within]
        if line.take == "last":
            options.reverse()
        if line.take == "random":
            options.sort(key=lambda _: view.random())
        if not line.option:
            return options
        wanted: dict[Any, None] = {}
        for pattern in line.option:
            wanted |= {one: None for one in options if is_like(one, pattern)}
        return [*wanted]


def _members(value: Any) -> Iterator[Any]:
    """The ids of a set, or of several."""
    if isinstance(value, list | tuple):
        for one in value:
            yield from _members(one)
    elif value is not None:
        yield value
