"""What the author of a game declares, as attributes of a class.

    class SixNimmt(CardGame):
        title, players = "6 nimmt!", range(2, 11)
        score, fewest = "heads", True
        decisions = {"play": "a card, in secret"}

        deal = rule(10, "cards dealt to each", ge=1, le=16)
        hand = Pile(each=True, sees="owner")
        heads = Number(each=True)

Declarations are inherited, so a variant with other code is a subclass. Everything else
follows from them: views, dealing anew, conservation, results and standings.
"""

import inspect
from collections.abc import (
    Callable,
    Container,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from sim.own_game.cards import CardList
from sim.parameters import nearest, no_such
from sim.scores import GameError

Sees = Literal["all", "owner", "partners", "nobody"]
SEES = ("all", "owner", "partners", "nobody")
"""Who may see what lies somewhere."""


@dataclass(frozen=True)
class Declared:
    """Something on the board: one, or one for ``each`` seat, and who ``sees`` it."""

    each: bool = False
    sees: Sees = "all"

    def __post_init__(self) -> None:
        """Refuse a reader that is none."""
        if self.sees not in SEES:
            said = str(self.sees)
            nobody = "; did you mean 'nobody'?" if said[:2] == "no" else ""
            meant = nobody or nearest(said, SEES)
            raise GameError(f"no reader {self.sees!r}{meant} sees: {', '.join(SEES)}.")
        if self.sees in ("owner", "partners") and not self.each:
            raise GameError(f'sees="{self.sees}" needs each=True: nobody owns it.')


@dataclass(frozen=True)
class Pile(Declared):
    """Cards in an order, the last on top: a list.

    One, one for ``each`` seat, or as ``many`` as the rule of that name says. Where
    cards lie says who sees them: what a seat does not see is dealt anew for search, so
    a card that lies in no pile while somebody is asked is a mistake.
    """

    many: str = ""


@dataclass(frozen=True)
class Number(Declared):
    """A number, which begins at ``start``; what others count is not dealt anew."""

    start: float = 0


@dataclass(frozen=True)
class Fact(Declared):
    """Something known that is neither a card nor a number: trumps, a direction.

    ``start`` is what it is before it is set.
    """

    start: Any = None


@dataclass(frozen=True)
class Event:
    """Something that the game tells of a seat: ``g.tell("take", seat, heads=3)``.

    ``numbers`` are what is told beside the seat, with what they mean; a card or a word
    is declared with all that it may be: ``{"card": ChoiceOf("which", "cards")}``.
    """

    doc: str
    numbers: Mapping[str, "str | ChoiceOf"] = field(default_factory=dict)

    @property
    def words(self) -> "dict[str, ChoiceOf]":
        """What is told as a card or a word."""
        told = self.numbers.items()
        return {key: one for key, one in told if isinstance(one, ChoiceOf)}


@dataclass(frozen=True)
class ChoiceOf:
    """A kind of decision: what is decided, and among which ``options`` in all games.

    Also what an ``Event`` tells that is a card or a word.

    ``options`` are a list, "cards" for all cards of the box, or a function of rules and
    number of players. They are named in reports; without them, or with more than 64,
    reports do not tell options apart. ``several``: asked with ``g.some``.
    """

    doc: str
    options: Any = None
    several: bool = False


@dataclass(frozen=True)
class RuleField:
    """A rule value, as ``rule`` declares it; ``by_players`` where it depends on them.

    ``limits`` are ``ge``, ``le``; ``choices`` are the words allowed.
    """

    default: Any
    doc: str
    limits: Mapping[str, float]
    choices: Sequence[str] = ()
    unit: str = ""
    source: str = ""


class _RuleMaker:
    """Declares rule values, see ``rule``."""

    def __call__(
        self,
        default: Any,
        doc: str = "",
        ge: float | None = None,
        le: float | None = None,
        *,
        choices: Sequence[str] = (),
        unit: str = "",
        source: str = "",
    ) -> Any:
        if not doc or not isinstance(doc, str):
            word = "rule.by_players" if isinstance(default, dict) else "rule"
            raise GameError(
                "a rule says in words what it means; write "
                f'{word}({default!r}, "cards dealt to each").'
            )
        limits = {"ge": ge, "le": le}
        given = {name: value for name, value in limits.items() if value is not None}
        return RuleField(default, doc, given, tuple(choices), unit, source)

    def by_players(
        self, values: Mapping[int, Any], doc: str = "", *limits: float, **more: Any
    ) -> Any:
        """Declare a rule value that depends on the number of players."""
        return self(dict(values), doc, *limits, **more)


rule = _RuleMaker()
"""Declare a rule value: its default, what it means, and its limits.

``deal = rule(10, "cards dealt to each", ge=1, le=16)``; by number of players
``chips = rule.by_players({3: 11, 6: 9, 7: 7}, "chips each")``, where 4 and 5 players
have what 3 have.
"""


class CardGame:
    """The base of a game in one file, whose board is ``g`` (``Board``).

    ``title`` and ``players`` say what is played by how many. ``score`` names the number
    by which seats are ranked, or is a method ``score(g, seat)``; most of it wins, or
    ``fewest``. Who is level wins by the numbers in ``ties`` (the most of it; the fewest
    with a minus, "-chips"), else they share the win. ``starts`` names the number that
    says who begins; without it all seats are alike. ``match`` games make a match, whose
    scores add up. ``team`` players play together and sit in turn: of four players in
    teams of 2, seats 0 and 2 play against 1 and 3. A team's numbers are those of its
    seats together, and it is one player of all commands.

    ``setup(g)`` prepares the board, ``turn(g)`` plays a turn, in which players are
    asked, and sets ``g.over`` at the end. ``may_hold(g, seat, card)`` is whether a
    hidden card may be in a seat's hand, by what all have seen. ``problem`` says what is
    wrong with rules for a number of players, if anything.
    """

    title: ClassVar[str] = ""
    players: ClassVar[Iterable[int]] = ()
    score: Any = ""
    fewest: ClassVar[bool] = False
    ties: ClassVar[Sequence[str]] = ()
    starts: ClassVar[str] = ""
    match: ClassVar[int] = 1
    team: ClassVar[int] = 1
    unit: ClassVar[str] = ""
    decisions: ClassVar[Mapping[str, str | ChoiceOf]] = {}
    may_hold: ClassVar[Callable[..., bool] | None] = None

    def cards(self, g: Any) -> Sequence[Any]:
        """The cards of the box, by the rules in force; those of all declared tables."""
        tables = members(type(self), CardList)
        return [card for name in tables for card in getattr(g.rules, name)]

    def setup(self, g: Any) -> None:
        """Prepare the board."""

    def turn(self, g: Any) -> None:
        """Play a turn."""
        raise NotImplementedError

    def problem(self, rules: Any, players: int) -> str:
        """What is wrong with these rules for so many players, in words; else ""."""
        return ""


def members(game: type[CardGame], kind: type | tuple[type, ...]) -> dict[str, Any]:
    """The declarations of this kind, those of the base classes first.

    >>> class Old(CardGame):
    ...     deck = Pile(sees="nobody")
    >>> class New(Old):
    ...     discard = Pile()
    >>> [*members(New, Pile)]
    ['deck', 'discard']
    """
    every: dict[str, Any] = {}
    for cls in reversed(game.__mro__):
        every |= vars(cls)
    return {name: value for name, value in every.items() if isinstance(value, kind)}


def sides(game: CardGame | type[CardGame]) -> tuple[int, ...]:
    """How many teams may play; without teams, how many players."""
    return tuple(count // game.team for count in game.players)


def check_declarations(game: type[CardGame], reserved: Container[str]) -> None:
    """Refuse a class that declares what cannot be; raises ``GameError``."""
    for problem in _problems(game, reserved):
        raise GameError(f"{game.__name__}: {problem}")


def _problems(game: type[CardGame], reserved: Container[str]) -> Iterator[str]:
    """Yield what is wrong, and what to write."""
    for word in members(game, (Declared, RuleField, Event, CardList)):
        if word in reserved:
            yield f"{word!r} is taken: the board has it already. Choose another name."
    for word, example in _EXAMPLES.items():
        if not getattr(game, word):
            yield f"write {word}, as in {example}."
    yield from _wrong_forms(game)
    own = {*vars(game)} - {*members(game, (Declared, RuleField, Event, CardList))}
    for word in sorted(own & _NEARLY.keys()):
        yield f"{word}: did you mean {_NEARLY[word]!r}?"
    yield from _wrong_names(game)


def _wrong_forms(game: type[CardGame]) -> Iterator[str]:
    """Yield what is no list, no mapping, or a method that takes something else."""
    players = game.players
    if not isinstance(players, Iterable) or not all(
        isinstance(count, int) and count > 0 for count in players
    ):
        yield f"players is {players!r}; write {_EXAMPLES['players']}."
    elif isinstance(game.team, int) and game.team > 0:
        odd = [count for count in players if count % game.team or count <= game.team]
        if odd and game.team > 1:
            yield (
                f"{odd[0]} players are not several teams of {game.team}; write players "
                f"as in {(2 * game.team,)}."
            )
    else:
        yield f"team is {game.team!r}; write how many play together, as in team = 2."
    partners = [
        name for name, one in members(game, Declared).items() if one.sees == "partners"
    ]
    if partners and game.team == 1:
        yield f'{partners[0]}: sees="partners" needs teams; write team = 2.'
    if not isinstance(game.decisions, Mapping):
        yield f"decisions is {game.decisions!r}; write {_EXAMPLES['decisions']}."
    for word, takes in _METHODS.items():
        method = getattr(game, word)
        if not callable(method):
            continue
        count = len(inspect.signature(method).parameters)
        if count != len(takes.split(", ")):
            yield f"write def {word}({takes}): ..., which is how it is called."
    if game.turn is CardGame.turn:
        yield "write def turn(self, g): ..., which plays a turn and asks the players."
    yield from _wrong_events(game)


def _wrong_events(game: type[CardGame]) -> Iterator[str]:
    """Yield what cannot be told, or not so."""
    forms: dict[str, bool] = {}  # whether what is told so is a word
    for word, event in members(game, Event).items():
        for number in event.numbers:
            if forms.setdefault(number, number in event.words) != (
                number in event.words
            ):
                yield (
                    f"{word}: {number!r} is a number in one event and a ChoiceOf in "
                    "another. Give one of them another name."
                )
            if number in event.words and not event.words[number].options:
                yield (
                    f"{word}: write what {number!r} may be, as in {number!r}: "
                    'ChoiceOf("which", "cards"), or a list of words.'
                )
            if number in TOLD or not number.isidentifier():
                yield (
                    f"{word}: {number!r} cannot be the name of a number that is told. "
                    "Choose another, such as amount."
                )


def _wrong_names(game: type[CardGame]) -> Iterator[str]:
    """Yield names of numbers and rules that there are not."""
    numbers = members(game, Number)
    each = [word for word, number in numbers.items() if number.each]
    named = [game.score] if isinstance(game.score, str) else []
    for word in [*named, *(tie.removeprefix("-") for tie in game.ties)]:
        if word not in each:
            yield no_such("number of each seat", word, each, "Numbers")
    single = [word for word in numbers if word not in each]
    if game.starts and game.starts not in single:
        yield f"starts: {no_such('number', game.starts, single, 'Numbers')}"
    rules = members(game, RuleField)
    for word, pile in members(game, Pile).items():
        if pile.many and (pile.many not in rules or pile.each):
            wrong = no_such("rule", pile.many, rules, "Rules")
            yield f"{word}: {'each or many, not both.' if pile.each else wrong}"


_EXAMPLES = {
    "title": 'title = "6 nimmt!"',
    "players": "players = range(2, 11)",
    "score": 'score = "points"',
    "decisions": 'decisions = {"play": "a card"}',
}
_METHODS = {
    "cards": "self, g",
    "setup": "self, g",
    "turn": "self, g",
    "problem": "self, rules, players",
    "score": "self, g, seat",
    "may_hold": "self, g, seat, card",
}
"""What is called, and what it takes."""
TOLD = frozenset(
    ("seat", "turn", "turns", "event", "game", "name", "row", "rows", "state")
) | {"strategy", "where", "winner", "winners", "by"}
"""Names that what is told has already."""
_NEARLY = {
    "scores": "score",
    "start": "starts",
    "decision": "decisions",
    "tie": "ties",
    "teams": "team",
}
